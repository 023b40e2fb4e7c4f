//! Displays values as Packer's console does.
//!
//! The dialect selects it; the notation of Terraform and OpenTofu is in the parent module.

use super::{hidden, new_line};
use crate::quote::write_quoted;
use crate::{Entries, Number, Value, ValueKind};

/// Returns the value as Packer's console prints it: a string as it is, a number with 64 bits, no type
/// names, and no null attributes.
pub fn packer(value: &Value) -> String {
    if !value.is_wholly_known() {
        return "<unknown>".to_owned();
    }
    match value.as_str().filter(|_| hidden(value).is_none()) {
        Some(text) => text.to_owned(),
        None => {
            let mut out = String::new();
            write(&mut out, value, 0);
            out
        }
    }
}

fn write(out: &mut String, value: &Value, indent: usize) {
    if hidden(value).is_some() {
        return out.push_str("<sensitive>");
    }
    match value.unmarked().kind() {
        ValueKind::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        ValueKind::Number(number) => out.push_str(&number_text(number)),
        ValueKind::String(text) => write_quoted(text, out),
        ValueKind::Tuple(elements) | ValueKind::List(elements) | ValueKind::Set(elements) => {
            write_elements(out, elements, indent);
        }
        ValueKind::Object(entries) | ValueKind::Map(entries) => write_entries(out, entries, indent),
        ValueKind::Null(_) => out.push_str("null"),
        // Both cases were handled above.
        ValueKind::Unknown(_) | ValueKind::Marked(..) => {}
    }
}

fn write_elements(out: &mut String, elements: &[Value], indent: usize) {
    out.push('[');
    for element in elements {
        new_line(out, indent + 2);
        write(out, element, indent + 2);
        out.push(',');
    }
    if !elements.is_empty() {
        new_line(out, indent);
    }
    out.push(']');
}

fn write_entries(out: &mut String, entries: &Entries, indent: usize) {
    let is_null = |value: &Value| value.is_null() && hidden(value).is_none();
    let mut is_empty = true;
    out.push('{');
    for (key, value) in entries.iter().filter(|(_, value)| !is_null(value)) {
        is_empty = false;
        new_line(out, indent + 2);
        write_quoted(key, out);
        out.push_str(" = ");
        write(out, value, indent + 2);
    }
    if !is_empty {
        new_line(out, indent);
    }
    out.push('}');
}

/// Returns whole numbers of 64 bits as they are, and other numbers as the nearest 64-bit floating point number.
fn number_text(number: &Number) -> String {
    match number.to_i64() {
        Some(whole) => whole.to_string(),
        None => float_text(number.to_f64()),
    }
}

/// Writes the fewest digits that distinguish the number from its neighbours. Numbers from a million on, and below a
/// ten-thousandth, have an exponent.
fn float_text(value: f64) -> String {
    let scientific = format!("{value:e}");
    match scientific.split_once('e').and_then(|(digits, text)| Some((digits, text.parse::<i32>().ok()?))) {
        Some((_, -4..=5)) => value.to_string(),
        Some((digits, exponent)) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
        }
        None => if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Marks, Type};

    fn number(text: &str) -> Value {
        Value::number(Number::parse(text).unwrap())
    }

    #[test]
    fn values_are_shown_as_packer_shows_them() {
        let cases = [
            (Value::from("a\n\"b\""), "a\n\"b\""),
            (number("1.5"), "1.5"),
            (number("12345678"), "12345678"),
            (number("12345678901234567890"), "1.2345678901234567e+19"),
            (number("18446744073709551616"), "1.8446744073709552e+19"),
            (number("5e-324"), "5e-324"),
            (number("1e-310"), "1e-310"),
            (number("1234567.5"), "1.2345675e+06"),
            (number("0.0001"), "0.0001"),
            (number("-0.00001"), "-1e-05"),
            (number("1e400"), "+Inf"),
            (Value::NULL, "null"),
            (Value::unknown(Type::String), "<unknown>"),
            (Value::tuple([]), "[]"),
            (Value::tuple(["a\nb".into(), Value::NULL]), "[\n  \"a\\nb\",\n  null,\n]"),
            (Value::set(Type::String, ["b".into(), "a".into()]), "[\n  \"a\",\n  \"b\",\n]"),
            (Value::tuple([Value::unknown(Type::String)]), "<unknown>"),
            (Value::object([("a".into(), Value::NULL)]), "{}"),
            (
                Value::object([("a b".into(), Value::tuple([Value::TRUE])), ("n".into(), Value::NULL)]),
                "{\n  \"a b\" = [\n    true,\n  ]\n}",
            ),
            (Value::tuple([Value::from("x").with_marks(&Marks::sensitive())]), "[\n  <sensitive>,\n]"),
            (Value::from("x").with_marks(&Marks::sensitive()), "<sensitive>"),
        ];
        for (value, expected) in cases {
            assert_eq!(packer(&value), expected, "{value:?}");
        }
    }
}
