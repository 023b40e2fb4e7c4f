//! The difference between two values or objects, part by part, as the text of a plan shows it.

use terrane_value::{Entries, SmolStr, Value};

/// The change of a value or of a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    Keep,
    Create,
    Update,
    Delete,
}

impl Action {
    /// Returns the action of a value with these parts. Without parts it is `self`.
    pub(super) fn of_parts<'d>(self, parts: impl IntoIterator<Item = &'d ValueDifference>) -> Action {
        parts.into_iter().fold(self, |all, part| all.with(part.action))
    }

    /// Returns the action of a value with one more part.
    pub(super) fn with(self, part: Action) -> Action {
        match part {
            Action::Keep => self,
            action if action == self => self,
            Action::Create | Action::Update | Action::Delete => Action::Update,
        }
    }

    /// Returns the action of a value that exists before, after or on both sides.
    pub(super) fn of_presence(before: bool, after: bool) -> Action {
        match (before, after) {
            (false, true) => Action::Create,
            (true, false) => Action::Delete,
            (true, true) | (false, false) => Action::Keep,
        }
    }
}

/// The difference between two values.
#[derive(Debug)]
pub(super) struct ValueDifference {
    pub(super) kind: Kind,
    pub(super) action: Action,
    /// Whether the value is an argument whose change replaces the object.
    pub(super) replaces: bool,
    /// The change of sensitivity: the value becomes sensitive or is no longer so.
    pub(super) sensitivity: Option<MarkChange>,
}

/// The change of the sensitivity of a value that exists before and after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MarkChange {
    pub(super) is_gained: bool,
    /// Whether the value itself changes, too.
    pub(super) is_changed: bool,
}

/// The forms of a difference.
#[derive(Debug)]
pub(super) enum Kind {
    /// A bool, a number, a string or null, before and after.
    Primitive(Option<Primitive>, Option<Primitive>),
    /// A value that becomes known after the apply, with the removal of the value before.
    Unknown(Option<Box<ValueDifference>>),
    /// A value that is not shown.
    Sensitive,
    /// A write-only argument, which is not stored.
    WriteOnly { is_sensitive: bool },
    /// Attributes of an object.
    Object(Vec<(SmolStr, ValueDifference)>, Source),
    /// Elements of a map.
    Map(Vec<(SmolStr, ValueDifference)>, Source),
    /// Elements of a list or tuple.
    List(Vec<ValueDifference>, Source),
    /// Elements of a set.
    Set(Vec<ValueDifference>),
    /// A value of another kind: the removal of the old value, and the creation of the new value.
    Replaced(Box<ValueDifference>, Box<ValueDifference>),
    /// The attributes and blocks of a body.
    Body(Vec<(SmolStr, ValueDifference)>, Vec<NestedBlock>),
}

/// The schema of a collection. The layout depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// A type, or no schema.
    Type,
    /// The nested attributes of an attribute.
    NestedAttributes,
}

/// A value without parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Primitive {
    Text(String),
    /// The text of a bool or a number.
    Literal(String),
}

/// A block in a body.
#[derive(Debug)]
pub(super) struct NestedBlock {
    pub(super) block_type: SmolStr,
    /// The label of a block in a map.
    pub(super) label: Option<SmolStr>,
    pub(super) difference: ValueDifference,
}

impl ValueDifference {
    pub(super) fn new(kind: Kind, action: Action) -> ValueDifference {
        ValueDifference { kind, action, replaces: false, sensitivity: None }
    }

    /// Returns the difference of equal values without content.
    pub(super) fn none() -> ValueDifference {
        ValueDifference::new(Kind::Primitive(None, None), Action::Keep)
    }

    /// Whether a JSON value takes several lines.
    pub(super) fn has_lines(&self) -> bool {
        match &self.kind {
            Kind::Object(attributes, _) => !attributes.is_empty(),
            Kind::List(elements, _) => !elements.is_empty(),
            Kind::Replaced(before, after) => before.has_lines() || after.has_lines(),
            Kind::Primitive(..)
            | Kind::Unknown(_)
            | Kind::Sensitive
            | Kind::WriteOnly { .. }
            | Kind::Map(..)
            | Kind::Set(_)
            | Kind::Body(..) => false,
        }
    }
}

/// A value on one side of a comparison: before or after.
#[derive(Clone, Copy)]
pub(super) struct Side<'v> {
    value: Option<&'v Value>,
    /// The value with more marks, if parts of it are hidden although they are not sensitive on this side.
    cover: Option<&'v Value>,
    /// Whether null is written here, so that it differs from a missing value.
    is_explicit: bool,
    /// Whether the value counts as null.
    is_null: bool,
}

impl<'v> Side<'v> {
    pub(super) const NONE: Side<'static> =
        Side { value: None, cover: None, is_explicit: false, is_null: true };

    /// Returns a side in which null stands for a missing value.
    pub(super) fn implicit(value: Option<&'v Value>) -> Side<'v> {
        let is_null = value.is_none_or(|value| value.unmarked().is_null());
        Side { value, cover: None, is_explicit: false, is_null }
    }

    /// Returns a side for a part of a value in which null is shown.
    fn explicit(value: Option<&'v Value>) -> Side<'v> {
        Side { is_explicit: value.is_some(), ..Side::implicit(value) }
    }

    /// Returns this side. Parts that are hidden in `cover` are hidden here.
    pub(super) fn covered_by(self, cover: Option<&'v Value>) -> Side<'v> {
        Side { cover, ..self }
    }

    pub(super) fn value(self) -> Option<&'v Value> {
        self.value
    }

    pub(super) fn cover(self) -> Option<&'v Value> {
        self.cover
    }

    /// Returns the value without its marks. `None` if it is null.
    pub(super) fn present(self) -> Option<&'v Value> {
        self.value.filter(|_| !self.is_null).map(Value::unmarked)
    }

    pub(super) fn is_there(self) -> bool {
        !self.is_null || self.is_explicit
    }

    pub(super) fn is_explicit(self) -> bool {
        self.is_explicit
    }

    pub(super) fn unmarked(self) -> Side<'v> {
        Side { value: self.value.map(Value::unmarked), ..self }
    }

    /// Returns this side with an empty string as null.
    pub(super) fn without_empty_string(self) -> Side<'v> {
        let is_empty = self.present().and_then(Value::as_str).is_some_and(str::is_empty);
        Side { is_null: self.is_null || is_empty, ..self }
    }

    pub(super) fn is_unknown(self) -> bool {
        self.present().is_some_and(Value::is_wholly_unknown)
    }

    /// Returns the elements of a sequence, even if it is not wholly known.
    pub(super) fn elements(self) -> Option<&'v [Value]> {
        self.present().and_then(Value::known_elements)
    }

    /// Returns the element at a position.
    pub(super) fn element(self, at: Option<usize>) -> Side<'v> {
        let of =
            |value: Option<&'v Value>| value.and_then(Value::known_elements).and_then(|all| all.get(at?));
        Side::explicit(of(self.present())).covered_by(of(self.cover))
    }

    /// Returns the attributes of an object or the elements of a map.
    pub(super) fn entries(self) -> Option<&'v Entries> {
        self.present().and_then(Value::known_attributes)
    }

    /// Returns the attribute with a name. Null stands for a missing attribute.
    pub(super) fn attribute(self, name: &str) -> Side<'v> {
        Side::implicit(part(self.present(), name)).covered_by(part(self.cover, name))
    }

    /// Returns the element of a map with a key.
    pub(super) fn entry(self, key: &str) -> Side<'v> {
        Side::explicit(part(self.present(), key)).covered_by(part(self.cover, key))
    }
}

fn part<'v>(value: Option<&'v Value>, name: &str) -> Option<&'v Value> {
    value.and_then(Value::known_attributes).and_then(|entries| entries.get(name))
}
