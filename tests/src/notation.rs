//! Values on one line, as the literate suites write them: `{"a" = [1, "x"], "b" = tolist([])}`.
//!
//! It is the console's notation without line breaks: brackets instead of lines, quoted strings instead of
//! heredocs.

use terrane_value::{Entries, Mark, Value, ValueKind, display};

/// The value on one line.
pub fn one_line(value: &Value) -> String {
    let mut text = String::new();
    write_value(&mut text, value);
    text
}

fn write_value(text: &mut String, value: &Value) {
    if value.has_mark(&Mark::Sensitive) || value.has_mark(&Mark::Ephemeral) {
        text.push_str(&display::console(value));
        return;
    }
    match value.unmarked().kind() {
        ValueKind::String(content) => text.push_str(&display::quote(content)),
        ValueKind::List(elements) => write_sequence(text, "tolist([", elements, "])"),
        ValueKind::Set(elements) => write_sequence(text, "toset([", elements, "])"),
        ValueKind::Tuple(elements) => write_sequence(text, "[", elements, "]"),
        ValueKind::Map(entries) => write_mapping(text, "tomap({", entries, "})"),
        ValueKind::Object(entries) => write_mapping(text, "{", entries, "}"),
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => text.push_str(&display::console(value)),
    }
}

fn write_sequence(text: &mut String, open: &str, elements: &[Value], close: &str) {
    text.push_str(open);
    for (index, element) in elements.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { ", " });
        write_value(text, element);
    }
    text.push_str(close);
}

fn write_mapping(text: &mut String, open: &str, entries: &Entries, close: &str) {
    text.push_str(open);
    for (index, (key, value)) in entries.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { ", " });
        text.push_str(&display::quote(key));
        text.push_str(" = ");
        write_value(text, value);
    }
    text.push_str(close);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_values_stay_on_one_line() {
        let inner = Value::object([("a".into(), Value::tuple([Value::TRUE, Value::from("x\ny")]))]);
        assert_eq!(one_line(&Value::tuple([inner])), r#"[{"a" = [true, "x\ny"]}]"#);
    }
}
