use crate::{Entries, Known, Number, Origins, Unknown, Value, ValueKind};

use super::quote::{is_printable, write_literal};
use super::{end_marker, hidden, new_line, wrapped, write_null};

/// The value in the language's own notation: what is known reads back as the same value. An unknown part says
/// why it is unknown, an open object shows its known attributes. Sensitive and ephemeral parts are not shown.
pub fn annotated(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value, 0);
    out
}

fn write_value(out: &mut String, value: &Value, indent: usize) {
    if let Some(hidden) = hidden(value) {
        out.push_str(hidden);
        return;
    }
    match value.unmarked().kind() {
        ValueKind::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        ValueKind::Number(number) => write_number(out, number),
        ValueKind::String(text) => write_string(out, text, indent),
        ValueKind::Tuple(elements) => write_elements(out, elements, indent),
        ValueKind::List(elements) => wrapped(out, "tolist", |out| write_elements(out, elements, indent)),
        ValueKind::Set(elements) => wrapped(out, "toset", |out| write_elements(out, elements, indent)),
        ValueKind::Object(entries) => write_entries(out, entries, None, indent),
        ValueKind::Map(entries) => wrapped(out, "tomap", |out| write_entries(out, entries, None, indent)),
        ValueKind::Null(ty) => write_null(out, ty),
        ValueKind::Unknown(unknown) => write_unknown(out, unknown, indent),
        // The value was unmarked above.
        ValueKind::Marked(..) => {}
    }
}

fn write_number(out: &mut String, number: &Number) {
    if number.is_infinite() {
        out.push_str(if number.is_negative() { "-1/0" } else { "1/0" });
    } else if number.has_decimal_text() {
        out.push_str(&number.to_string());
    } else {
        wrapped(out, "tonumber", |out| write_literal(&number.to_string(), out));
    }
}

fn write_unknown(out: &mut String, unknown: &Unknown, indent: usize) {
    match &unknown.known {
        Known::Nothing => {
            out.push_str("(unknown");
            write_origins(out, ": ", &unknown.origins);
            out.push(')');
        }
        Known::Object(entries) => write_entries(out, entries, Some(&unknown.origins), indent),
        Known::Sequence(elements) => write_elements(out, elements, indent),
    }
}

/// The causes, after `lead`, or nothing where there are none.
fn write_origins(out: &mut String, lead: &str, origins: &Origins) {
    let mut separator = lead;
    for origin in origins.as_slice() {
        out.push_str(separator);
        write_plain(out, &origin.to_string());
        separator = "; ";
    }
    if origins.omitted() > 0 {
        out.push_str(&format!("{separator}and {} more", origins.omitted()));
    }
}

/// Text outside of quotes, in which nothing may break the line.
fn write_plain(out: &mut String, text: &str) {
    out.extend(text.chars().map(|c| if is_printable(c) { c } else { '\u{fffd}' }));
}

fn write_elements(out: &mut String, elements: &[Value], indent: usize) {
    out.push('[');
    for element in elements {
        new_line(out, indent + 2);
        let start = out.len();
        write_value(out, element, indent + 2);
        // Nothing may follow the end marker of a heredoc on its line.
        if out.get(start..).is_some_and(|text| text.starts_with("<<")) {
            new_line(out, indent + 2);
        }
        out.push(',');
    }
    if !elements.is_empty() {
        new_line(out, indent);
    }
    out.push(']');
}

/// The entries of an object or map; of an open object also why there may be others.
fn write_entries(out: &mut String, entries: &Entries, open: Option<&Origins>, indent: usize) {
    out.push('{');
    for (key, value) in entries {
        new_line(out, indent + 2);
        if is_bare_key(key) {
            out.push_str(key);
        } else {
            write_literal(key, out);
        }
        out.push_str(" = ");
        write_value(out, value, indent + 2);
    }
    if let Some(origins) = open {
        new_line(out, indent + 2);
        out.push_str("# other attributes are unknown");
        write_origins(out, ": ", origins);
    }
    if !entries.is_empty() || open.is_some() {
        new_line(out, indent);
    }
    out.push('}');
}

/// Whether the key can stand without quotes. At the start of an object `for` begins a `for` expression.
fn is_bare_key(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        && key != "for"
}

fn write_string(out: &mut String, text: &str, indent: usize) {
    if !reads_well_as_heredoc(text) {
        write_literal(text, out);
        return;
    }
    let marker = end_marker(text);
    out.push_str("<<-");
    out.push_str(&marker);
    for line in text.lines() {
        // An empty line must stay empty: heredocs keep the spaces of lines that have nothing else.
        new_line(out, if line.is_empty() { 0 } else { indent });
        out.push_str(line);
    }
    new_line(out, indent);
    out.push_str(&marker);
}

/// Whether an indented heredoc reads back as the same string, of at least two lines.
fn reads_well_as_heredoc(text: &str) -> bool {
    let Some(body) = text.strip_suffix('\n') else { return false };
    let plain = |c: char| c == '\n' || c == '\t' || is_printable(c);
    let blank = |line: &str| !line.is_empty() && line.trim().is_empty();
    let flush = |line: &str| line.starts_with(|c: char| !c.is_whitespace());
    body.contains('\n')
        && body.chars().all(plain)
        && !body.contains("${")
        && !body.contains("%{")
        && !body.split('\n').any(blank)
        && body.split('\n').any(flush)
}
