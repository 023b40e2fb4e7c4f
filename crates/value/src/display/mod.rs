//! Values and types as text for people.

mod annotated;
mod quote;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt::Write as _;

pub use annotated::{annotated, annotated_at, annotated_body};
pub use quote::quote;
pub(crate) use quote::write_literal;

use crate::{Entries, Mark, Type, Value, ValueKind};

/// What stands for a sensitive value.
const SENSITIVE: &str = "(sensitive value)";
/// What stands for an ephemeral value.
const EPHEMERAL: &str = "(ephemeral value)";

/// The value as the reference's console prints it.
pub fn console(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value, 0);
    out
}

/// The type as the console's `type` function prints it, on several lines where it has parts.
pub fn type_text(ty: &Type) -> String {
    let mut out = String::new();
    write_type(&mut out, ty, 0);
    out
}

/// What stands for a value whose marks forbid to show it.
fn hidden(value: &Value) -> Option<&'static str> {
    if value.has_mark(&Mark::Sensitive) {
        Some(SENSITIVE)
    } else if value.has_mark(&Mark::Ephemeral) {
        Some(EPHEMERAL)
    } else {
        None
    }
}

fn write_value(out: &mut String, value: &Value, indent: usize) {
    if !value.is_known() {
        out.push_str("(known after apply)");
        return;
    }
    if let Some(hidden) = hidden(value) {
        out.push_str(hidden);
        return;
    }
    match value.unmarked().kind() {
        ValueKind::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        ValueKind::Number(number) => out.push_str(&number.to_string()),
        ValueKind::String(text) => write_string(out, text, indent),
        ValueKind::Tuple(elements) => write_elements(out, elements, indent),
        ValueKind::List(elements) => wrapped(out, "tolist", |out| write_elements(out, elements, indent)),
        ValueKind::Set(elements) => wrapped(out, "toset", |out| write_elements(out, elements, indent)),
        ValueKind::Object(entries) => write_entries(out, entries, indent),
        ValueKind::Map(entries) => wrapped(out, "tomap", |out| write_entries(out, entries, indent)),
        ValueKind::Null(ty) => write_null(out, ty),
        // Both were dealt with above.
        ValueKind::Unknown(_) | ValueKind::Marked(..) => {}
    }
}

fn wrapped(out: &mut String, function: &str, write: impl FnOnce(&mut String)) {
    out.push_str(function);
    out.push('(');
    write(out);
    out.push(')');
}

fn write_elements(out: &mut String, elements: &[Value], indent: usize) {
    out.push('[');
    for element in elements {
        new_line(out, indent + 2);
        write_value(out, element, indent + 2);
        out.push(',');
    }
    if !elements.is_empty() {
        new_line(out, indent);
    }
    out.push(']');
}

fn write_entries(out: &mut String, entries: &Entries, indent: usize) {
    out.push('{');
    for (key, value) in entries {
        new_line(out, indent + 2);
        write_string(out, key, indent + 2);
        out.push_str(" = ");
        write_value(out, value, indent + 2);
    }
    if !entries.is_empty() {
        new_line(out, indent);
    }
    out.push('}');
}

fn write_null(out: &mut String, ty: &Type) {
    // Writing to a string cannot fail.
    let _ = match ty {
        Type::Dynamic => write!(out, "null"),
        Type::Bool | Type::Number | Type::String => write!(out, "to{ty}(null)"),
        Type::List(element) => write!(out, "tolist(null) /* of {} */", element.friendly_name()),
        Type::Set(element) => write!(out, "toset(null) /* of {} */", element.friendly_name()),
        Type::Map(element) => write!(out, "tomap(null) /* of {} */", element.friendly_name()),
        Type::Tuple(_) | Type::Object(_) => write!(out, "null /* {} */", ty.friendly_name()),
    };
}

/// A string in quotes, or one of several lines as a heredoc. The end marker has a line of its own, which reads
/// back as one more newline at the end; the reference prints it so.
fn write_string(out: &mut String, text: &str, indent: usize) {
    if !text.contains('\n') {
        quote::write_quoted(text, out);
        return;
    }
    let marker = end_marker(text);
    out.push_str(if indent > 0 { "<<-" } else { "<<" });
    out.push_str(&marker);
    for line in text.split('\n') {
        new_line(out, indent);
        out.push_str(line);
    }
    new_line(out, indent);
    out.push_str(&marker);
}

/// A heredoc marker that no line of the text could be taken for: `EOT` and as many underscores as it takes.
fn end_marker(text: &str) -> String {
    let underscores = |line: &str| {
        let rest = line.trim().strip_prefix("EOT")?.as_bytes();
        rest.iter().all(|byte| *byte == b'_').then_some(rest.len())
    };
    let taken: BTreeSet<usize> = text.split('\n').filter_map(underscores).collect();
    // The counts come in order, so the first that is not its own index leaves that index free.
    let free = taken.iter().enumerate().find(|(index, count)| index != *count);
    "EOT".to_owned() + &"_".repeat(free.map_or(taken.len(), |(index, _)| index))
}

fn new_line(out: &mut String, indent: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

fn write_type(out: &mut String, ty: &Type, level: usize) {
    match ty {
        Type::Bool | Type::Number | Type::String | Type::Dynamic => out.push_str(&ty.friendly_name()),
        Type::List(element) => wrapped(out, "list", |out| write_element_type(out, element, level)),
        Type::Set(element) => wrapped(out, "set", |out| write_element_type(out, element, level)),
        Type::Map(element) => wrapped(out, "map", |out| write_element_type(out, element, level)),
        Type::Tuple(elements) => {
            out.push_str("tuple([");
            for element in &**elements {
                new_line(out, 4 * (level + 1));
                write_type(out, element, level + 1);
                out.push(',');
            }
            if !elements.is_empty() {
                new_line(out, 4 * level);
            }
            out.push_str("])");
        }
        Type::Object(object) => {
            out.push_str("object({");
            for (name, ty) in object.attributes() {
                new_line(out, 4 * (level + 1));
                out.push_str(name);
                out.push_str(": ");
                write_type(out, ty, level + 1);
                out.push(',');
            }
            if !object.attributes().is_empty() {
                new_line(out, 4 * level);
            }
            out.push_str("})");
        }
    }
}

/// The element type of a collection, on lines of its own where it has parts itself.
fn write_element_type(out: &mut String, element: &Type, level: usize) {
    if matches!(element, Type::Tuple(_) | Type::Object(_)) {
        new_line(out, 4 * (level + 1));
        write_type(out, element, level + 1);
        out.push(',');
        new_line(out, 4 * level);
    } else {
        write_type(out, element, level);
    }
}
