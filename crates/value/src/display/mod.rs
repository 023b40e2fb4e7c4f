//! Displays values and types as text: [`console`] in the notation of the consoles of Terraform and OpenTofu.
//!
//! Deep values are written with a stack of open values instead of recursion.

mod annotated;
mod console_text;
mod extent;
mod packer;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::{mem, slice};

pub use annotated::{annotated, annotated_at, annotated_body, annotated_line, unknown_text};
pub use console_text::ConsoleText;
pub use extent::{can_be_written, type_can_be_written};
pub use packer::packer;

use crate::quote::write_quoted;
pub use crate::quote::{literal, quote};
use crate::{EntriesIter, Mark, Type, Value, ValueKind};

/// The text for a value that exists only after the configuration is applied.
pub const AFTER_APPLY: &str = "(known after apply)";
/// Text shown in place of a sensitive value.
const SENSITIVE: &str = "(sensitive value)";
/// Text shown in place of an ephemeral value.
const EPHEMERAL: &str = "(ephemeral value)";

/// Returns the value as the reference's console prints it.
pub fn console(value: &Value) -> String {
    let mut out = String::new();
    // Only `before_part` can fail.
    let _ = write_console(&mut out, value, |_| Ok(()));
    out
}

/// Writes the value as the console prints it. Calls `before_part` in front of each part of a collection and of its closing bracket.
fn write_console(
    out: &mut String,
    value: &Value,
    mut before_part: impl FnMut(&mut String) -> fmt::Result,
) -> fmt::Result {
    // The enclosing values are in a list, so nesting takes no stack.
    let mut open = Vec::new();
    open.extend(begin(out, value, 0));
    loop {
        let indent = 2 * open.len();
        let Some(innermost) = open.last_mut() else { return Ok(()) };
        before_part(out)?;
        match next(out, innermost, indent) {
            Some(value) => open.extend(begin(out, value, indent)),
            None => drop(open.pop()),
        }
    }
}

/// Returns the type as the console's `type` function prints it, on several lines where it has parts.
pub fn type_text(ty: &Type) -> String {
    let mut out = String::new();
    write_type(&mut out, ty, 0);
    out
}

/// Returns the text shown in place of a value whose marks hide it.
fn hidden(value: &Value) -> Option<&'static str> {
    if value.has_mark(&Mark::Sensitive) {
        Some(SENSITIVE)
    } else if value.has_mark(&Mark::Ephemeral) {
        Some(EPHEMERAL)
    } else if value.is_hidden() {
        Some(SENSITIVE)
    } else {
        None
    }
}

/// The remaining parts of a collection that is being written.
struct OpenCollection<'v> {
    parts: RemainingParts<'v>,
    end: &'static str,
    is_first: bool,
}

enum RemainingParts<'v> {
    Elements(slice::Iter<'v, Value>),
    Entries(EntriesIter<'v>),
}

/// Writes a value. For a value with parts, writes only its beginning.
fn begin<'v>(out: &mut String, value: &'v Value, indent: usize) -> Option<OpenCollection<'v>> {
    if !value.is_known() {
        out.push_str(AFTER_APPLY);
        return None;
    }
    if let Some(hidden) = hidden(value) {
        out.push_str(hidden);
        return None;
    }
    let (start, parts, end) = match value.unmarked().kind() {
        ValueKind::Tuple(elements) => ("[", RemainingParts::Elements(elements.iter()), "]"),
        ValueKind::List(elements) => ("tolist([", RemainingParts::Elements(elements.iter()), "])"),
        ValueKind::Set(elements) => ("toset([", RemainingParts::Elements(elements.iter()), "])"),
        ValueKind::Object(entries) => ("{", RemainingParts::Entries(entries.iter()), "}"),
        ValueKind::Map(entries) => ("tomap({", RemainingParts::Entries(entries.iter()), "})"),
        ValueKind::Bool(value) => {
            out.push_str(if value { "true" } else { "false" });
            return None;
        }
        ValueKind::Number(number) => {
            // Writing to a string cannot fail.
            let _ = write!(out, "{number}");
            return None;
        }
        ValueKind::String(text) => {
            write_string(out, text, indent);
            return None;
        }
        ValueKind::Null(ty) => {
            write_null(out, ty);
            return None;
        }
        // Both cases were handled above.
        ValueKind::Unknown(_) | ValueKind::Marked(..) => return None,
    };
    out.push_str(start);
    Some(OpenCollection { parts, end, is_first: true })
}

/// Writes the separator and returns the next part, at the column `indent`. After the last part,
/// writes the closing bracket.
fn next<'v>(out: &mut String, open: &mut OpenCollection<'v>, indent: usize) -> Option<&'v Value> {
    let is_first = mem::replace(&mut open.is_first, false);
    let part = match &mut open.parts {
        RemainingParts::Elements(elements) => {
            // A comma follows each element, also the last one.
            out.push_str(if is_first { "" } else { "," });
            elements.next().map(|element| (None, element))
        }
        RemainingParts::Entries(entries) => entries.next().map(|(key, value)| (Some(key), value)),
    };
    let Some((key, value)) = part else {
        if !is_first {
            new_line(out, indent - 2);
        }
        out.push_str(open.end);
        return None;
    };
    new_line(out, indent);
    if let Some(key) = key {
        write_string(out, key, indent);
        out.push_str(" = ");
    }
    Some(value)
}

fn wrapped(out: &mut String, function: &str, write: impl FnOnce(&mut String)) {
    out.push_str(function);
    out.push('(');
    write(out);
    out.push(')');
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

/// Writes a string in quotes, or a string of several lines as a heredoc. The end marker has its own line, which reads
/// back as one more newline at the end; the reference prints it the same way.
fn write_string(out: &mut String, text: &str, indent: usize) {
    if !text.contains('\n') {
        write_quoted(text, out);
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

/// Returns a heredoc marker that no line of the text equals: `EOT` with as many underscores as needed.
fn end_marker(text: &str) -> String {
    let underscores = |line: &str| {
        let rest = line.trim().strip_prefix("EOT")?.as_bytes();
        rest.iter().all(|byte| *byte == b'_').then_some(rest.len())
    };
    let taken: BTreeSet<usize> = text.split('\n').filter_map(underscores).collect();
    // The counts are sorted, so the first count that differs from its index leaves that index free.
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

/// Writes the element type of a collection, on its own lines if it has parts.
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
