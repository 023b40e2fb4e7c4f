//! Displays values in the language's notation, with comments on unknown parts.
//!
//! `terrane eval` prints values in this notation. Known values read back unchanged.

use crate::quote::{is_printable, write_literal};
use crate::{Entries, Known, Number, OriginKind, Origins, Unknown, Value, ValueKind};

use super::{AFTER_APPLY, end_marker, hidden, new_line, write_null};

/// The widest line on which several elements are written.
const LINE_WIDTH: usize = 80;

/// Returns the value in the language's own notation: known parts read back as the same value. An unknown part is
/// `(known after apply)` or, if no apply would make it known, `(not set)`, `(not on disk)` or `(error)`; its origins
/// are in a comment. An open object shows its known attributes. Sensitive and ephemeral parts are hidden.
pub fn annotated(value: &Value) -> String {
    annotated_at(value, 0)
}

/// Returns the same as [`annotated`], but further lines of the value start at the column `indent`.
pub fn annotated_at(value: &Value, indent: usize) -> String {
    let mut out = Out::default();
    write_value(&mut out, value, Layout { indent, open: false, is_line: false });
    out.end_line();
    out.text
}

/// Returns the value in the notation of [`annotated`], but on one line and without comments: `{ a = 1, "b c" = ["x\ny"] }`.
pub fn annotated_line(value: &Value) -> String {
    let mut out = Out::default();
    write_value(&mut out, value, Layout { indent: 0, open: false, is_line: true });
    out.text
}

/// Returns the arguments of `object` as lines of a block body at the column `indent`. The last line of an open object
/// says why there may be further arguments. `None` if the value has no arguments.
pub fn annotated_body(object: &Value, indent: usize) -> Option<String> {
    if hidden(object).is_some() {
        return None;
    }
    let layout = Layout { indent, open: false, is_line: false };
    let mut out = Out::default();
    match object.unmarked().kind() {
        ValueKind::Object(entries) => write_body(&mut out, entries, None, layout),
        ValueKind::Unknown(unknown) => match &unknown.known {
            Known::Object(entries) => {
                write_body(&mut out, entries, Some(&unknown.origins), Layout { open: true, ..layout });
            }
            Known::Nothing | Known::Sequence(_) => return None,
        },
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Null(_)
        | ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Tuple(_)
        | ValueKind::Map(_)
        | ValueKind::Marked(..) => return None,
    }
    out.end_line();
    Some(out.text)
}

/// The text, and the comment that will end the current line.
#[derive(Default)]
struct Out {
    text: String,
    comment: String,
}

impl Out {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn end_line(&mut self) {
        if !self.comment.is_empty() {
            self.text.push_str(" # ");
            self.text.push_str(&self.comment);
            self.comment.clear();
        }
    }

    fn new_line(&mut self, indent: usize) {
        self.end_line();
        new_line(&mut self.text, indent);
    }

    fn wrapped(&mut self, function: &str, write: impl FnOnce(&mut Out)) {
        self.push(function);
        self.push("(");
        write(self);
        self.push(")");
    }
}

/// The context in which a value is written.
#[derive(Clone, Copy)]
struct Layout {
    /// The column at which further lines of the value start.
    indent: usize,
    /// Whether the value is part of an open one, whose comment has said that more parts may exist.
    open: bool,
    /// Whether everything is written on one line.
    is_line: bool,
}

impl Layout {
    fn inner(self) -> Layout {
        Layout { indent: self.indent + 2, ..self }
    }
}

fn write_value(out: &mut Out, value: &Value, layout: Layout) {
    if let Some(hidden) = hidden(value) {
        out.push(hidden);
        return;
    }
    match value.unmarked().kind() {
        ValueKind::Bool(value) => out.push(if value { "true" } else { "false" }),
        ValueKind::Number(number) => write_number(out, number),
        ValueKind::String(text) => write_string(out, text, layout),
        ValueKind::Tuple(elements) => write_elements(out, elements, layout),
        ValueKind::List(elements) => out.wrapped("tolist", |out| write_elements(out, elements, layout)),
        ValueKind::Set(elements) => out.wrapped("toset", |out| write_elements(out, elements, layout)),
        ValueKind::Object(entries) => write_entries(out, entries, None, layout),
        ValueKind::Map(entries) => out.wrapped("tomap", |out| write_entries(out, entries, None, layout)),
        ValueKind::Null(ty) => write_null(&mut out.text, ty),
        ValueKind::Unknown(unknown) => write_unknown(out, unknown, layout),
        // The value was unmarked above.
        ValueKind::Marked(..) => {}
    }
}

fn write_number(out: &mut Out, number: &Number) {
    if number.is_infinite() {
        out.push(if number.is_negative() { "-1/0" } else { "1/0" });
    } else if number.has_decimal_text() {
        out.push(&number.to_string());
    } else {
        out.wrapped("tonumber", |out| write_literal(&number.to_string(), &mut out.text));
    }
}

fn write_unknown(out: &mut Out, unknown: &Unknown, layout: Layout) {
    match &unknown.known {
        Known::Nothing => {
            out.push(unknown_text(&unknown.origins));
            write_origins(&mut out.comment, "", &unknown.origins);
        }
        Known::Object(entries) if layout.open => write_entries(out, entries, None, layout),
        Known::Object(entries) => {
            write_entries(out, entries, Some(&unknown.origins), Layout { open: true, ..layout });
        }
        Known::Sequence(elements) => write_elements(out, elements, Layout { open: true, ..layout }),
    }
}

/// Returns the text for an unknown value with these origins, such as `(known after apply)`.
pub fn unknown_text(origins: &Origins) -> &'static str {
    let mut texts = origins.as_slice().iter().map(|origin| match origin.kind {
        OriginKind::Variable => "(not set)",
        OriginKind::Module => "(not on disk)",
        OriginKind::Error | OriginKind::HiddenName => "(error)",
        OriginKind::ResourceAttribute
        | OriginKind::Computed
        | OriginKind::ProviderDefault
        | OriginKind::DataSource
        | OriginKind::ImpureFunction
        | OriginKind::RunFunction
        | OriginKind::ProviderFunction
        | OriginKind::RemoteFunction
        | OriginKind::NotComputed
        | OriginKind::BuildVariable => AFTER_APPLY,
    });
    let Some(first) = texts.next().filter(|_| origins.omitted() == 0) else { return AFTER_APPLY };
    texts.fold(first, |text, other| match (text, other) {
        (one, other) if one == other => one,
        (AFTER_APPLY, _) | (_, AFTER_APPLY) => AFTER_APPLY,
        (_, _) => "(unknown)",
    })
}

/// Writes `lead` and the causes; nothing if there are no causes.
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

/// Writes text outside quotes, where no character may break the line.
fn write_plain(out: &mut String, text: &str) {
    out.extend(text.chars().map(|c| if is_printable(c) { c } else { '\u{fffd}' }));
}

fn write_elements(out: &mut Out, elements: &[Value], layout: Layout) {
    let inner = layout.inner();
    if share_a_line(elements, layout) {
        out.push("[");
        for (index, element) in elements.iter().enumerate() {
            out.push(if index > 0 { ", " } else { "" });
            write_value(out, element, inner);
        }
        out.push("]");
        return;
    }
    out.push("[");
    for element in elements {
        out.new_line(inner.indent);
        let start = out.text.len();
        write_value(out, element, inner);
        // Nothing may follow the end marker of a heredoc on its line.
        if out.text.get(start..).is_some_and(|text| text.starts_with("<<")) {
            out.new_line(inner.indent);
        }
        out.push(",");
    }
    out.new_line(layout.indent);
    out.push("]");
}

fn share_a_line(elements: &[Value], layout: Layout) -> bool {
    if layout.is_line {
        return true;
    }
    let room = LINE_WIDTH.checked_sub(layout.indent);
    room.is_some_and(|room| elements_width(elements, layout.inner(), room).is_some())
}

/// Returns the number of columns that the value takes on one line; `None` if it takes several lines, or
/// more than `room` columns.
fn width(value: &Value, layout: Layout, room: usize) -> Option<usize> {
    if hidden(value).is_none() {
        match value.unmarked().kind() {
            ValueKind::Tuple(elements) => return elements_width(elements, layout.inner(), room),
            ValueKind::List(elements) => {
                return Some(elements_width(elements, layout.inner(), room)? + "tolist()".len());
            }
            ValueKind::Set(elements) => {
                return Some(elements_width(elements, layout.inner(), room)? + "toset()".len());
            }
            ValueKind::Object(entries) | ValueKind::Map(entries) if !entries.is_empty() => return None,
            // A character has at most four bytes.
            ValueKind::String(text) if text.len() > 4 * room => return None,
            ValueKind::Unknown(unknown) => match &unknown.known {
                Known::Sequence(elements) => {
                    return elements_width(elements, Layout { open: true, ..layout }.inner(), room);
                }
                Known::Object(entries) if !layout.open || !entries.is_empty() => return None,
                // The comment takes the rest of the line.
                Known::Nothing if !unknown.origins.as_slice().is_empty() => return None,
                Known::Object(_) | Known::Nothing => {}
            },
            ValueKind::Object(_)
            | ValueKind::Map(_)
            | ValueKind::String(_)
            | ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::Null(_)
            | ValueKind::Marked(..) => {}
        }
    }
    let mut out = Out::default();
    write_value(&mut out, value, layout);
    let width = out.text.chars().count();
    (width <= room && !out.text.contains('\n')).then_some(width)
}

fn elements_width(elements: &[Value], layout: Layout, room: usize) -> Option<usize> {
    let mut total = 0;
    for element in elements {
        total += width(element, layout, room.checked_sub(total)?)? + ", ".len();
    }
    (total <= room).then_some(total)
}

/// Whether the value is written on one line, whatever its length.
fn is_one_line(value: &Value, layout: Layout) -> bool {
    if hidden(value).is_some() {
        return true;
    }
    match value.unmarked().kind() {
        ValueKind::Tuple(elements) | ValueKind::List(elements) | ValueKind::Set(elements) => {
            share_a_line(elements, layout)
        }
        ValueKind::Object(entries) | ValueKind::Map(entries) => entries.is_empty(),
        ValueKind::String(text) => !reads_well_as_heredoc(text),
        ValueKind::Unknown(unknown) => match &unknown.known {
            Known::Nothing => true,
            Known::Object(entries) => layout.open && entries.is_empty(),
            Known::Sequence(elements) => share_a_line(elements, Layout { open: true, ..layout }),
        },
        ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::Null(_) | ValueKind::Marked(..) => true,
    }
}

/// Writes the entries of an object or map. For an open object, a comment says why there may be further entries.
fn write_entries(out: &mut Out, entries: &Entries, open: Option<&Origins>, layout: Layout) {
    out.push("{");
    if layout.is_line {
        for (index, (name, value)) in entries.iter().enumerate() {
            out.push(if index > 0 { ", " } else { " " });
            out.push(&key(name));
            out.push(" = ");
            write_value(out, value, layout);
        }
        out.push(if entries.is_empty() { "}" } else { " }" });
        return;
    }
    write_body(out, entries, open, layout.inner());
    if !entries.is_empty() || open.is_some() {
        out.new_line(layout.indent);
    }
    out.push("}");
}

/// Limit on the width to which keys are padded: one long key among many could fill the memory.
const WIDEST_KEY: usize = 200;

/// An entry to write.
struct Row<'v> {
    key: String,
    value: &'v Value,
    is_one_line: bool,
}

/// Writes the entries, each on its own lines.
fn write_body(out: &mut Out, entries: &Entries, open: Option<&Origins>, inner: Layout) {
    let rows = entries.iter().map(|(name, value)| Row {
        key: key(name),
        value,
        is_one_line: is_one_line(value, inner),
    });
    let rows: Vec<Row<'_>> = rows.collect();
    // The equals signs of neighbours on single lines are aligned, as a formatter does.
    for run in rows.chunk_by(|above, below| above.is_one_line && below.is_one_line) {
        let width = run.iter().map(|row| row.key.chars().count()).max().unwrap_or(0).min(WIDEST_KEY);
        for Row { key, value, .. } in run {
            out.new_line(inner.indent);
            out.push(&format!("{key:width$} = "));
            write_value(out, value, inner);
        }
    }
    if let Some(origins) = open {
        out.new_line(inner.indent);
        out.push("# other attributes are unknown");
        write_origins(&mut out.text, ": ", origins);
    }
}

/// Returns a name as a key: bare if the language allows it, otherwise in quotes.
fn key(name: &str) -> String {
    if is_bare_key(name) {
        return name.to_owned();
    }
    let mut key = String::new();
    write_literal(name, &mut key);
    key
}

/// Whether the key can be written without quotes. At the start of an object, `for` begins a `for` expression.
fn is_bare_key(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        && key != "for"
}

fn write_string(out: &mut Out, text: &str, Layout { indent, is_line, .. }: Layout) {
    if is_line || !reads_well_as_heredoc(text) {
        write_literal(text, &mut out.text);
        return;
    }
    let marker = end_marker(text);
    out.push("<<-");
    out.push(&marker);
    for line in text.lines() {
        // An empty line must stay empty: heredocs keep the spaces on lines of only spaces.
        out.new_line(if line.is_empty() { 0 } else { indent + 2 });
        out.push(line);
    }
    out.new_line(indent);
    out.push(&marker);
}

/// Whether an indented heredoc reads back as the same string, which has at least two lines.
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
