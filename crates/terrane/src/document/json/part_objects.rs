//! The objects in a value that written parts have made, with the states of their attributes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use terrane_body::Nesting;
use terrane_value::{Mark, Value};

use super::value::ValueState;
use crate::block_list::nesting_of;

/// An object in the value of a resource or action.
#[derive(Clone, Copy)]
pub(super) struct Object<'d> {
    /// `None` for any number of objects: all their parts have the state `around`.
    pub(super) value: Option<&'d Value>,
    /// The state that the marks of the value and of the values around it give to each of its parts.
    around: ValueState,
}

impl<'d> Object<'d> {
    /// Returns the value of a whole resource or action.
    fn root(value: &'d Value) -> Object<'d> {
        Object { value: Some(value), around: state_of_marks(value) }
    }

    /// Returns a part of the value.
    pub(super) fn part(self, value: &'d Value) -> Object<'d> {
        Object { value: Some(value), around: self.around.max(state_of_marks(value)) }
    }

    /// Returns an attribute. `None` if the object has no such attribute, or is unknown.
    pub(super) fn attribute(self, name: &str) -> Option<Object<'d>> {
        let Some(value) = self.value else { return Some(self) };
        Some(self.part(value.known_attributes()?.get(name)?))
    }

    /// Returns the state of an attribute. `None` if the object has no such attribute.
    fn state(self, name: &str) -> Option<ValueState> {
        let Some(value) = self.value else { return Some(self.around) };
        let own = match value.known_attributes() {
            Some(attributes) => ValueState::of(attributes.get(name)?),
            None if is_unknown(value) => ValueState::Unknown,
            None => return None,
        };
        Some(own.max(self.around))
    }

    /// Whether the value or a value around it is a secret.
    fn is_secret(self) -> bool {
        self.around >= ValueState::Sensitive || self.value.is_some_and(Value::is_marked)
    }

    /// Whether this value of all blocks of a type tells their number: it is neither unknown nor a secret.
    pub(super) fn has_known_number(self) -> bool {
        self.around < ValueState::Sensitive && self.value.is_some_and(|value| !is_unknown(value))
    }

    /// Returns the objects of the blocks of a type. This is their whole value.
    pub(super) fn of_blocks(self, nesting: Nesting) -> Vec<Object<'d>> {
        let Some(value) = self.value else { return vec![self] };
        if !self.has_known_number() {
            return vec![Object { value: None, around: self.around.max(ValueState::of(value)) }];
        }
        match nesting {
            Nesting::Single | Nesting::Group => Some(self).filter(|_| !value.is_null()).into_iter().collect(),
            Nesting::Map => {
                let values = value.known_attributes().into_iter().flat_map(|entries| entries.values());
                values.map(|value| self.part(value)).collect()
            }
            Nesting::List | Nesting::Set => {
                let elements = value.known_elements().unwrap_or_default();
                elements.iter().map(|value| self.part(value)).collect()
            }
        }
    }
}

fn is_unknown(value: &Value) -> bool {
    value.unmarked().is_wholly_unknown()
}

/// Returns the state that the marks of a value give to its parts.
fn state_of_marks(value: &Value) -> ValueState {
    if value.has_mark(&Mark::Ephemeral) {
        ValueState::Ephemeral
    } else if value.has_mark(&Mark::Sensitive) || value.is_hidden() {
        ValueState::Sensitive
    } else {
        ValueState::Known
    }
}

/// Objects that a written part may have made. Many blocks can share them: each question about a name is answered once.
pub(super) struct PartObjects<'d> {
    list: Vec<Object<'d>>,
    /// Whether one of the values, or of the values around them, is a secret.
    pub(super) have_secret: bool,
    /// Whether each of the objects has a value of its own.
    have_values: bool,
    states: RefCell<BTreeMap<&'d str, Option<ValueState>>>,
    attributes: RefCell<BTreeMap<&'d str, Rc<PartObjects<'d>>>>,
    /// The objects of nested blocks, by their type and whether they have labels.
    blocks: RefCell<BTreeMap<(&'d str, bool), Rc<PartObjects<'d>>>>,
}

impl<'d> PartObjects<'d> {
    pub(super) fn of(list: Vec<Object<'d>>) -> Rc<PartObjects<'d>> {
        let have_secret = list.iter().any(|object| object.is_secret());
        let have_values = list.iter().all(|object| object.value.is_some());
        let (states, attributes, blocks) = Default::default();
        Rc::new(PartObjects { list, have_secret, have_values, states, attributes, blocks })
    }

    /// The value of a whole resource or action.
    pub(super) fn root(value: &'d Value) -> Rc<PartObjects<'d>> {
        PartObjects::of(vec![Object::root(value)])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Object<'d>> {
        self.list.iter().copied()
    }

    /// Returns the most doubtful state of an attribute. `None` if no object has such an attribute.
    pub(super) fn state(&self, name: &'d str) -> Option<ValueState> {
        let state = || self.iter().filter_map(|object| object.state(name)).max();
        *self.states.borrow_mut().entry(name).or_insert_with(state)
    }

    /// Returns the values of an attribute.
    pub(super) fn attribute(&self, name: &'d str) -> Rc<PartObjects<'d>> {
        let objects = || PartObjects::of(self.iter().filter_map(|object| object.attribute(name)).collect());
        Rc::clone(self.attributes.borrow_mut().entry(name).or_insert_with(objects))
    }

    /// Returns the objects of all nested blocks of a type.
    pub(super) fn blocks(
        &self,
        name: &'d str,
        nesting: Option<Nesting>,
        has_labels: bool,
    ) -> Rc<PartObjects<'d>> {
        let objects = || {
            let wholes = self.iter().filter_map(|object| object.attribute(name));
            let objects = wholes.flat_map(|whole| {
                let of_value = || whole.value.map_or(Nesting::List, |value| nesting_of(value, has_labels));
                whole.of_blocks(nesting.unwrap_or_else(of_value))
            });
            PartObjects::of(objects.collect())
        };
        Rc::clone(self.blocks.borrow_mut().entry((name, has_labels)).or_insert_with(objects))
    }

    /// Whether each of these objects has one of these attributes, with a value.
    pub(super) fn all_have(&self, attributes: &PartObjects<'d>) -> bool {
        !self.list.is_empty() && self.list.len() == attributes.list.len() && attributes.have_values
    }
}
