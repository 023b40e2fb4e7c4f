//! The three forms of a planned value: the value itself, its unknown parts, and its sensitive parts.
//!
//! `after` has no unknown attributes, `after_unknown` has no known attributes, and `after_sensitive` only has sensitive
//! attributes. Elements of sequences keep their positions in all three.

use serde::ser::{Error as _, SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use terrane_value::{Entries, Known, Mark, Number, Type, Value, ValueKind};

use crate::document::json::shown::number;
use crate::secrets::{Secrets, is_hidden};

/// The parts of a value that a form writes one by one.
enum InnerValues<'v> {
    Leaf,
    Sequence(&'v [Value]),
    Entries(&'v Entries),
}

impl<'v> InnerValues<'v> {
    fn of(value: &'v Value) -> InnerValues<'v> {
        match value.unmarked().kind() {
            ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
                InnerValues::Sequence(elements)
            }
            ValueKind::Map(entries) | ValueKind::Object(entries) => InnerValues::Entries(entries),
            ValueKind::Unknown(unknown) => match &unknown.known {
                Known::Nothing => InnerValues::Leaf,
                Known::Object(entries) => InnerValues::Entries(entries),
                Known::Sequence(elements) => InnerValues::Sequence(elements),
            },
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::Null(_)
            | ValueKind::Marked(..) => InnerValues::Leaf,
        }
    }
}

/// The known parts of a value.
#[derive(Clone, Copy)]
pub(crate) struct After<'v> {
    value: &'v Value,
    secrets: Secrets,
    /// Whether a zero keeps its sign. Values of the configuration and of the prior state are written as they are. Values of
    /// planned objects and outputs have been stored in the plan first, which drops the sign.
    keeps_sign: bool,
}

impl<'v> After<'v> {
    /// Returns the known parts of a value. `None` if nothing of the value is known, or all of it is hidden.
    pub(crate) fn of(value: &'v Value, secrets: Secrets) -> Option<After<'v>> {
        let is_shown = !value.is_wholly_unknown() && !is_hidden(value, secrets);
        is_shown.then_some(After { value, secrets, keeps_sign: false })
    }

    /// Returns the known parts of a value of the configuration, such as a constant or a default, or of the prior state.
    pub(crate) fn written(value: &'v Value, secrets: Secrets) -> Option<After<'v>> {
        After::of(value, secrets).map(|after| After { keeps_sign: true, ..after })
    }

    fn part(&self, value: &'v Value) -> Option<After<'v>> {
        After::of(value, self.secrets).map(|part| After { keeps_sign: self.keeps_sign, ..part })
    }

    /// Whether it is an object without any known part.
    pub(crate) fn is_empty_object(&self) -> bool {
        let InnerValues::Entries(entries) = InnerValues::of(self.value) else { return false };
        entries.values().all(|value| After::of(value, self.secrets).is_none())
    }
}

/// The maximum depth of values bounds the recursion.
impl Serialize for After<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let part = |value| self.part(value);
        match (InnerValues::of(self.value), self.value.unmarked().kind()) {
            (InnerValues::Sequence(elements), _) => {
                let mut sequence = serializer.serialize_seq(Some(elements.len()))?;
                for element in elements {
                    sequence.serialize_element(&part(element))?;
                }
                sequence.end()
            }
            (InnerValues::Entries(entries), _) => {
                let mut map = serializer.serialize_map(None)?;
                for (name, value) in entries {
                    if let Some(value) = part(value) {
                        map.serialize_entry(&**name, &value)?;
                    }
                }
                map.end()
            }
            (InnerValues::Leaf, ValueKind::Bool(value)) => serializer.serialize_bool(value),
            (InnerValues::Leaf, ValueKind::String(text)) => serializer.serialize_str(text),
            (InnerValues::Leaf, ValueKind::Number(value)) if self.keeps_sign && is_negative_zero(value) => {
                RawValue::from_string("-0".to_owned()).map_err(S::Error::custom)?.serialize(serializer)
            }
            (InnerValues::Leaf, ValueKind::Number(value)) => number(value, serializer),
            (InnerValues::Leaf, _) => serializer.serialize_unit(),
        }
    }
}

fn is_negative_zero(number: &Number) -> bool {
    number.is_zero() && number.to_string().starts_with('-')
}

/// A form of a value that consists of `true`, `false` and the collections around them.
pub(crate) enum FlagTree {
    True,
    False,
    Sequence(Vec<FlagTree>),
    /// The attributes that have a form of their own.
    Attributes(Vec<(String, FlagTree)>),
}

impl Serialize for FlagTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            FlagTree::True => serializer.serialize_bool(true),
            FlagTree::False => serializer.serialize_bool(false),
            FlagTree::Sequence(elements) => serializer.collect_seq(elements),
            FlagTree::Attributes(attributes) => {
                serializer.collect_map(attributes.iter().map(|(name, shape)| (name, shape)))
            }
        }
    }
}

impl FlagTree {
    /// Returns the form of the attributes of an object: an object, even if it has no attributes.
    pub(super) fn of_attributes(shape: Option<FlagTree>) -> FlagTree {
        shape.unwrap_or_else(|| FlagTree::Attributes(Vec::new()))
    }

    fn attributes(entries: &Entries, shape: impl Fn(&Value) -> Option<FlagTree>) -> FlagTree {
        let attributes = entries.iter().filter_map(|(name, value)| Some((name.to_string(), shape(value)?)));
        FlagTree::Attributes(attributes.collect())
    }

    fn sequence(elements: &[Value], shape: impl Fn(&Value) -> Option<FlagTree>) -> FlagTree {
        FlagTree::Sequence(elements.iter().map(|element| shape(element).unwrap_or(FlagTree::False)).collect())
    }

    /// Whether no part is `true`.
    pub(crate) fn is_all_false(&self) -> bool {
        match self {
            FlagTree::True => false,
            FlagTree::False => true,
            FlagTree::Sequence(elements) => elements.iter().all(FlagTree::is_all_false),
            FlagTree::Attributes(attributes) => attributes.iter().all(|(_, shape)| shape.is_all_false()),
        }
    }
}

/// Returns the unknown parts of a value. `None` for a known primitive value. A hidden value has no parts here, because its keys
/// may be secrets too.
pub(crate) fn unknown_parts(value: &Value, secrets: Secrets) -> Option<FlagTree> {
    if is_hidden(value, secrets) {
        return (!value.is_wholly_known()).then_some(FlagTree::True);
    }
    let part = |value: &Value| unknown_parts(value, secrets);
    match InnerValues::of(value) {
        InnerValues::Sequence(elements) => Some(FlagTree::sequence(elements, part)),
        InnerValues::Entries(entries) => Some(FlagTree::attributes(entries, part)),
        InnerValues::Leaf => value.is_wholly_unknown().then_some(FlagTree::True),
    }
}

/// Returns the parts of a value that are sensitive, or hidden for another reason. `None` for a primitive value that is neither.
pub(crate) fn sensitive_parts(value: &Value, secrets: Secrets) -> Option<FlagTree> {
    if value.has_mark(&Mark::Sensitive) || is_hidden(value, secrets) {
        return Some(FlagTree::True);
    }
    let part = |value: &Value| sensitive_parts(value, secrets);
    match InnerValues::of(value) {
        InnerValues::Sequence(elements) => Some(FlagTree::sequence(elements, part)),
        InnerValues::Entries(entries) => Some(FlagTree::attributes(entries, part)),
        InnerValues::Leaf if value.is_wholly_unknown() => match value.ty() {
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => Some(FlagTree::Sequence(Vec::new())),
            Type::Map(_) | Type::Object(_) => Some(FlagTree::Attributes(Vec::new())),
            Type::Bool | Type::Number | Type::String | Type::Dynamic => None,
        },
        InnerValues::Leaf => None,
    }
}
