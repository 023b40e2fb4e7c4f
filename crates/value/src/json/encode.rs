//! Encodes values as JSON.
//!
//! The text is the same as from `jsonencode`; plan and output writers use it too.

use std::fmt;
use std::fmt::Write as _;
use std::slice;

use super::escape::{escape, first_unusual};
use crate::{EntriesIter, Value, ValueKind};

/// The reason why a value has no JSON text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EncodeError {
    /// A part is unknown.
    Unknown,
    /// A part is marked. Callers remove marks first, and add them to the text.
    Marked,
    /// A part is an infinite number.
    Infinite,
    /// A part is a number of more than about 630,000 digits.
    TooManyDigits,
    /// The text would be longer than allowed.
    TooLong,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EncodeError::Unknown => "An unknown value cannot be written as JSON.",
            EncodeError::Marked => "A marked value cannot be written as JSON.",
            EncodeError::Infinite => "Infinity cannot be written as JSON.",
            EncodeError::TooLong => "The JSON text would be too long.",
            EncodeError::TooManyDigits => "This number has too many digits to be written as JSON.",
        })
    }
}

impl std::error::Error for EncodeError {}

/// Returns the value as JSON without spaces, like `jsonencode`.
pub fn encode(value: &Value) -> Result<String, EncodeError> {
    encode_within(value, usize::MAX)
}

/// Does the same as [`encode`], but the text may have at most `most` bytes: a small value can have a long text, because
/// repeated parts are stored once.
pub fn encode_within(value: &Value, most: usize) -> Result<String, EncodeError> {
    let mut out = String::new();
    write_value(&mut out, value, most)?;
    if out.len() > most { Err(EncodeError::TooLong) } else { Ok(out) }
}

/// The remaining parts of an array or object that is being written.
enum OpenJson<'v> {
    Array(slice::Iter<'v, Value>),
    Object(EntriesIter<'v>),
}

/// Writes a value. The arrays and objects around a part are in a list, so nesting takes no stack.
fn write_value(out: &mut String, value: &Value, most: usize) -> Result<(), EncodeError> {
    let mut open = Vec::new();
    open.extend(begin(out, value)?);
    while let Some(innermost) = open.last_mut() {
        if out.len() > most {
            return Err(EncodeError::TooLong);
        }
        match next(out, innermost) {
            Some(value) => open.extend(begin(out, value)?),
            None => drop(open.pop()),
        }
    }
    Ok(())
}

/// Writes a value; for an array or object, only the opening bracket.
fn begin<'v>(out: &mut String, value: &'v Value) -> Result<Option<OpenJson<'v>>, EncodeError> {
    match value.kind() {
        ValueKind::Null(_) => out.push_str("null"),
        ValueKind::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        ValueKind::Number(number) if number.is_infinite() => return Err(EncodeError::Infinite),
        ValueKind::Number(number) if !number.has_decimal_text() => return Err(EncodeError::TooManyDigits),
        ValueKind::Number(number) => {
            // Writing to a string cannot fail.
            let _ = write!(out, "{number}");
        }
        ValueKind::String(text) => write_string(out, text),
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            out.push('[');
            return Ok(Some(OpenJson::Array(elements.iter())));
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => {
            out.push('{');
            return Ok(Some(OpenJson::Object(entries.iter())));
        }
        ValueKind::Unknown(_) => return Err(EncodeError::Unknown),
        ValueKind::Marked(..) => return Err(EncodeError::Marked),
    }
    Ok(None)
}

/// Writes the separator and returns the next value. After the last value, writes the closing bracket.
fn next<'v>(out: &mut String, open: &mut OpenJson<'v>) -> Option<&'v Value> {
    // A text that ends with an opening bracket has no part yet.
    let comma = if out.ends_with(['[', '{']) { "" } else { "," };
    match open {
        OpenJson::Array(elements) => {
            let element = elements.next();
            out.push_str(if element.is_some() { comma } else { "]" });
            element
        }
        OpenJson::Object(entries) => {
            let Some((key, value)) = entries.next() else {
                out.push('}');
                return None;
            };
            out.push_str(comma);
            write_string(out, key);
            out.push(':');
            Some(value)
        }
    }
}

/// Adds a JSON string. Besides the escapes that JSON requires, `<`, `>`, `&` and the Unicode line ends are escaped,
/// so that the text can stand within HTML and JavaScript.
pub fn write_string(out: &mut String, text: &str) {
    if !write_plain_string(out, text) {
        out.push('"');
        escape(out, text);
        out.push('"');
    }
}

/// Adds a JSON string if its characters are printable ASCII and none needs an escape or a closer look, such as `#`. Returns whether it
/// is added.
pub fn write_plain_string(out: &mut String, text: &str) -> bool {
    let is_plain = first_unusual(text.as_bytes()).is_none();
    if is_plain {
        out.reserve(text.len() + 2);
        out.push('"');
        out.push_str(text);
        out.push('"');
    }
    is_plain
}
