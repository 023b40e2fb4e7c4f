//! The visible part of a value as JSON.
//!
//! JSON cannot express some parts of values: unknown parts, sensitive parts, and numbers beyond the range of JSON. [`Style`]
//! says how a document writes these.

use serde::ser::{Error, SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use terrane_value::{Entries, Known, Number, Value, ValueKind};

use crate::secrets::{Secrets, is_hidden, is_only_ephemeral};

/// How a document writes the parts of a value that JSON cannot express.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Leaves the parts out. An element of a sequence becomes null, so that the elements behind it keep their positions.
    LeftOut,
    /// Writes a marker object such as `{"__unknown__":true}`, as the conformance tables do.
    Markers,
}

/// A value with the style in which it is written.
#[derive(Clone, Copy)]
pub(crate) struct ShownValue<'v> {
    value: &'v Value,
    style: Style,
    secrets: Secrets,
}

impl<'v> ShownValue<'v> {
    /// Returns the visible part of a value. `None` if no part is visible.
    pub(crate) fn of(value: &'v Value, style: Style, secrets: Secrets) -> Option<ShownValue<'v>> {
        let shown = ShownValue { value, style, secrets };
        match style {
            Style::Markers => Some(shown),
            Style::LeftOut => {
                (shown.is_visible() && !has_number_beyond_json(value, secrets)).then_some(shown)
            }
        }
    }

    fn part(&self, value: &'v Value) -> ShownValue<'v> {
        ShownValue { value, ..*self }
    }

    /// Whether any part of the value is written.
    fn is_visible(&self) -> bool {
        !is_hidden(self.value, self.secrets) && !self.value.is_wholly_unknown()
    }

    fn sequence<S: Serializer>(&self, elements: &'v [Value], serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(Some(elements.len()))?;
        // A loop instead of iterator adapters, which need much stack for deeply nested values.
        for element in elements {
            sequence.serialize_element(&self.part(element))?;
        }
        sequence.end()
    }

    fn entries<S: Serializer>(&self, entries: &'v Entries, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in entries {
            let part = self.part(value);
            if self.style == Style::Markers || part.is_visible() {
                map.serialize_entry(&**name, &part)?;
            }
        }
        map.end()
    }
}

/// Whether a visible part of the value is a number that JSON cannot express.
fn has_number_beyond_json(value: &Value, secrets: Secrets) -> bool {
    let any = |values: &mut dyn Iterator<Item = &Value>| {
        for value in values {
            if has_number_beyond_json(value, secrets) {
                return true;
            }
        }
        false
    };
    match value.kind() {
        ValueKind::Number(number) => !is_json(number),
        ValueKind::Bool(_) | ValueKind::String(_) | ValueKind::Null(_) => false,
        ValueKind::Marked(inner, _) => !is_hidden(value, secrets) && has_number_beyond_json(inner, secrets),
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            any(&mut elements.iter())
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => any(&mut entries.values()),
        ValueKind::Unknown(unknown) => match &unknown.known {
            Known::Nothing => false,
            Known::Object(entries) => any(&mut entries.values()),
            Known::Sequence(elements) => any(&mut elements.iter()),
        },
    }
}

/// Writes a number. A number that JSON cannot express becomes a marker object.
pub(crate) fn number<S: Serializer>(number: &Number, serializer: S) -> Result<S::Ok, S::Error> {
    if let Some(number) = number.to_i64() {
        return serializer.serialize_i64(number);
    }
    let text = number.to_string();
    if is_json(number) {
        return RawValue::from_string(text).map_err(S::Error::custom)?.serialize(serializer);
    }
    marker(if number.is_infinite() { "__inf__" } else { "__number__" }, &text, serializer)
}

/// Whether JSON can express the number. A number with very many digits has no text of bounded length.
fn is_json(number: &Number) -> bool {
    !number.is_infinite() && number.has_decimal_text()
}

fn marker<S: Serializer>(kind: &str, content: impl Serialize, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(kind, &content)?;
    map.end()
}

/// The maximum depth of values bounds the recursion.
impl Serialize for ShownValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value.kind() {
            ValueKind::Null(_) => serializer.serialize_unit(),
            ValueKind::Bool(value) => serializer.serialize_bool(value),
            ValueKind::String(text) => serializer.serialize_str(text),
            ValueKind::Number(number) => self::number(number, serializer),
            ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
                self.sequence(elements, serializer)
            }
            ValueKind::Map(entries) | ValueKind::Object(entries) => self.entries(entries, serializer),
            ValueKind::Unknown(unknown) => match (self.style, &unknown.known) {
                (Style::Markers, _) => marker("__unknown__", true, serializer),
                (Style::LeftOut, Known::Nothing) => serializer.serialize_unit(),
                (Style::LeftOut, Known::Object(entries)) => self.entries(entries, serializer),
                (Style::LeftOut, Known::Sequence(elements)) => self.sequence(elements, serializer),
            },
            ValueKind::Marked(inner, marks) => {
                // The marker of an unknown value contains no secret.
                if !is_hidden(self.value, self.secrets) || (self.style == Style::Markers && !inner.is_known())
                {
                    return self.part(inner).serialize(serializer);
                }
                match self.style {
                    Style::LeftOut => serializer.serialize_unit(),
                    Style::Markers if is_only_ephemeral(marks) => marker("__ephemeral__", true, serializer),
                    Style::Markers => marker("__sensitive__", true, serializer),
                }
            }
        }
    }
}
