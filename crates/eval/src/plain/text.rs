//! Writes plain values as text, for templates.

use std::fmt::Write as _;

use terrane_value::{Number, Value, ValueKind};

/// Appends the text of a plain string, number or bool. Returns false, without appending anything, for any other value
/// and for numbers that take long to write.
#[inline]
pub(crate) fn push_plain(text: &mut String, value: &Value) -> bool {
    if let Some(value) = value.plain_text() {
        text.push_str(value);
        return true;
    }
    push_other(text, value)
}

#[inline(never)]
fn push_other(text: &mut String, value: &Value) -> bool {
    match value.kind() {
        ValueKind::String(value) => text.push_str(value),
        ValueKind::Bool(value) => text.push_str(if value { "true" } else { "false" }),
        ValueKind::Number(number) => return push_number(text, number),
        ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Map(_)
        | ValueKind::Tuple(_)
        | ValueKind::Object(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => return false,
    }
    true
}

/// Appends the decimal text of a number. Returns false if it takes long to write. Most numbers are small and whole.
fn push_number(text: &mut String, number: &Number) -> bool {
    match number.as_small() {
        Some(small) => text.push_str(itoa::Buffer::new().format(small.value())),
        None if number.has_decimal_text() && number.work_of_text() == 0 => {
            // Writing to a string cannot fail.
            let _ = write!(text, "{number}");
        }
        None => return false,
    }
    true
}
