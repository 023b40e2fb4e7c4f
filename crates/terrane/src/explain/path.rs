//! The path of a part in a value, as an explanation follows it.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::mem;

use terrane_config::InstanceKey;
use terrane_module::GivenStep;
use terrane_module::place::{count, element};
use terrane_value::display::literal;
use terrane_value::{Number, SmolStr, Type, Value, ValueKind, convert, ops};

use crate::address::Step;

/// A step to a part of a value.
#[derive(Clone, Debug)]
pub(super) enum Key {
    /// An attribute of an object, or an element of a map.
    Name(SmolStr),
    /// An element of a sequence.
    Position(usize),
    /// An element of a set, with the marks of the set.
    Member(Value),
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        match (self, other) {
            (Key::Name(one), Key::Name(other)) => one == other,
            (Key::Position(one), Key::Position(other)) => one == other,
            (Key::Member(one), Key::Member(other)) => one.same(other),
            (Key::Name(_) | Key::Position(_) | Key::Member(_), _) => false,
        }
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        mem::discriminant(self).hash(state);
        match self {
            Key::Name(name) => name.hash(state),
            Key::Position(position) => position.hash(state),
            // Members are not hashed; the comparison tells them apart.
            Key::Member(_) => {}
        }
    }
}

impl Key {
    /// Returns the step that an index stands for.
    pub(super) fn of(index: &Value) -> Option<Key> {
        match index.unmarked().kind() {
            ValueKind::String(text) => Some(Key::Name(SmolStr::from(&**text))),
            ValueKind::Number(number) => Some(Key::Position(usize::try_from(number.to_u64()?).ok()?)),
            ValueKind::Bool(_)
            | ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Tuple(_)
            | ValueKind::Map(_)
            | ValueKind::Object(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_)
            | ValueKind::Marked(..) => None,
        }
    }

    /// Returns the step to the element of a collection at a position. `None` if the key of the element is not known.
    pub(super) fn of_element(collection: &Value, position: usize) -> Option<Key> {
        let (key, value) = element(collection, position)?;
        match is_set(collection) {
            true => Some(Key::Member(value)),
            false => Key::of(&key),
        }
    }

    pub(super) fn instance(&self) -> Option<InstanceKey> {
        match self {
            Key::Name(name) => Some(InstanceKey::Key(name.clone())),
            Key::Position(position) => u64::try_from(*position).ok().map(InstanceKey::Index),
            Key::Member(_) => None,
        }
    }

    pub(super) fn of_instance(key: &InstanceKey) -> Option<Key> {
        match key {
            InstanceKey::None => None,
            InstanceKey::Key(name) => Some(Key::Name(name.clone())),
            InstanceKey::Index(index) => usize::try_from(*index).ok().map(Key::Position),
        }
    }

    /// Returns the key as text: `3`, `"a"`.
    pub(super) fn text(&self) -> String {
        match self {
            Key::Name(name) => literal(name),
            Key::Position(position) => position.to_string(),
            Key::Member(value) => super::brief::brief(value, crate::Secrets::Hidden, 40),
        }
    }

    /// Returns the key as an index: `[3]`, `["a"]`. An element of a set has no index, so its value is written instead.
    pub(super) fn index(&self) -> String {
        match self {
            Key::Name(_) | Key::Position(_) => format!("[{}]", self.text()),
            Key::Member(_) => self.text(),
        }
    }

    /// Returns the part of a value that the step leads to, with the marks of the value.
    fn part(&self, value: &Value) -> Option<Value> {
        match self {
            // Checked here because building the text of an error takes long.
            Key::Name(name) if value.unmarked().as_entries().is_some_and(|all| all.get(name).is_none()) => {
                None
            }
            Key::Name(name) => ops::attribute(value, name).ok(),
            Key::Position(position) if is_set(value) => element(value, *position).map(|(_, element)| element),
            Key::Position(position) => {
                let index = Value::number(Number::counted(i64::try_from(*position).ok()?));
                ops::index(value, &index).ok()
            }
            Key::Member(member) => {
                let found = position_of(value, member)?;
                element(value, found).map(|(_, element)| element)
            }
        }
    }
}

pub(super) fn is_set(value: &Value) -> bool {
    matches!(value.unmarked().kind(), ValueKind::Set(_))
}

/// Returns the position of the first element that equals `wanted`.
pub(super) fn position_of(collection: &Value, wanted: &Value) -> Option<usize> {
    let elements = collection.unmarked().as_sequence()?;
    elements.iter().position(|element| element.unmarked().same(wanted.unmarked()))
}

/// Whether a condition holds. The text of a truth value counts as that truth value.
pub(super) fn truth(value: &Value) -> Option<bool> {
    convert(value.unmarked(), &Type::Bool).ok()?.as_bool()
}

/// Returns the part of a value at the end of a path.
pub(super) fn part(value: &Value, path: &[Key]) -> Option<Value> {
    path.iter().try_fold(value.clone(), |value, key| key.part(&value))
}

/// Returns the path with members of sets in place of positions, which differ before a conversion to a set.
pub(super) fn by_member(value: &Value, path: &[Key]) -> Vec<Key> {
    // A name never leads to an element of a set.
    if !path.iter().any(|key| matches!(key, Key::Position(_) | Key::Member(_))) {
        return path.to_vec();
    }
    replaced(value, path, |collection, key| {
        key.part(collection).filter(|_| is_set(collection)).map(Key::Member)
    })
}

/// Returns the path with members of sets in place of the keys and positions that are their values. Sets for which `hides` is
/// true keep their steps.
pub(super) fn by_value(value: &Value, path: &[Key], hides: impl Fn(&Value) -> bool) -> Vec<Key> {
    replaced(value, path, |collection, key| {
        let wanted = match key {
            Key::Name(name) => Value::string(name.clone()),
            Key::Position(position) => Value::number(Number::counted(i64::try_from(*position).ok()?)),
            Key::Member(_) => return None,
        };
        let elements =
            collection.unmarked().as_sequence().filter(|_| is_set(collection) && !hides(collection));
        let is_element = elements?.iter().any(|element| element.unmarked().same(&wanted));
        is_element.then_some(Key::Member(wanted))
    })
}

/// Returns the path with positions in place of members of lists and tuples, which remain after a conversion from a set.
pub(super) fn by_position(value: &Value, path: &[Key]) -> Vec<Key> {
    if !path.iter().any(|key| matches!(key, Key::Member(_))) {
        return path.to_vec();
    }
    replaced(value, path, |collection, key| match key {
        Key::Member(member) if !is_set(collection) => position_of(collection, member).map(Key::Position),
        Key::Name(_) | Key::Position(_) | Key::Member(_) => None,
    })
}

/// Returns the path with the missing position of each block that is the only one of its type.
pub(super) fn with_single_blocks(value: &Value, path: &[Key]) -> Vec<Key> {
    let mut at = Some(value.clone());
    let mut found = Vec::with_capacity(path.len());
    for key in path {
        let only = at.as_ref().filter(|_| matches!(key, Key::Name(_))).and_then(single_block);
        if only.is_some() {
            found.push(Key::Position(0));
            at = only;
        }
        found.push(key.clone());
        at = at.and_then(|value| key.part(&value));
    }
    found
}

/// Returns the only block of a type without a schema.
fn single_block(blocks: &Value) -> Option<Value> {
    match blocks.unmarked().known_elements()? {
        [only] if !is_set(blocks) && only.known_attributes().is_some() => {
            Some(only.clone().with_marks(blocks.marks()))
        }
        _ => None,
    }
}

/// Returns the path with each step in a collection replaced by the result of `step`.
fn replaced(value: &Value, path: &[Key], step: impl Fn(&Value, &Key) -> Option<Key>) -> Vec<Key> {
    let mut at = Some(value.clone());
    let mut found = Vec::with_capacity(path.len());
    for key in path {
        let other = at.as_ref().and_then(|value| step(value, key));
        found.push(other.unwrap_or_else(|| key.clone()));
        at = at.and_then(|value| key.part(&value));
    }
    found
}

/// Whether the path begins with these steps.
pub(super) fn starts_with(path: &[Key], steps: &[GivenStep]) -> bool {
    let is_step = |(key, step): (&Key, &GivenStep)| match (key, step) {
        (Key::Name(key), GivenStep::Name(name)) => key == name,
        (Key::Position(position), GivenStep::Element(at)) => position == at,
        (Key::Name(_) | Key::Position(_) | Key::Member(_), _) => false,
    };
    path.len() >= steps.len() && path.iter().zip(steps).all(is_step)
}

/// Returns the path as it is written behind an address: `.tags["a b"][0]`.
pub(super) fn text(path: &[Key]) -> String {
    let mut text = String::new();
    for key in path {
        // Writing to a string cannot fail.
        _ = match key {
            Key::Name(name) => write!(text, "{}", Step(name)),
            Key::Position(_) | Key::Member(_) => write!(text, "[{}]", key.text()),
        };
    }
    text
}

/// Returns the paths and values of all elements of a collection.
pub(super) fn elements(collection: &Value) -> Vec<(Key, Value)> {
    let positions = 0..count(collection).unwrap_or_default();
    let found = positions.filter_map(|position| {
        let (_, value) = element(collection, position)?;
        Some((Key::of_element(collection, position)?, value))
    });
    found.collect()
}
