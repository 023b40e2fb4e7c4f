//! Writes the document of `terraform validate -json`, version 1.0 of its format.

use serde::Serialize;
use terrane_source::{Diagnostic, SourceFile, Span, Subject};

use crate::visible::visible_json;

/// The most bytes of a snippet of one line. A longer snippet is cut to the surroundings of its highlight.
const LINE_BYTES: u32 = 1024;
/// The most bytes of a snippet of several lines. A longer snippet is cut as well.
const SNIPPET_BYTES: u32 = 4096;
/// The length of a cut snippet in bytes. A quarter of it is before the highlight. It is short because a long line may have
/// thousands of errors, each with a snippet of its own.
const CUT_BYTES: u32 = 512;

/// Returns `diagnostics` as `terraform validate -json` prints them, with a line break at the end. Only the words and the member
/// `id` differ.
///
/// `context` returns the header of the block around a place, such as `resource "a" "b"`. Columns count grapheme clusters, bytes
/// count from 0 and include a byte order mark.
pub fn validate_json<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    mut context: impl FnMut(&Subject) -> Option<String>,
) -> String {
    let entries: Vec<Entry<'a>> =
        diagnostics.into_iter().map(|diagnostic| entry(diagnostic, &mut context)).collect();
    let of = |severity| entries.iter().filter(move |entry| entry.severity == severity);
    let count = |severity| of(severity).map(|entry| 1 + entry.omitted as usize).sum();
    let document = ValidateDocument {
        format_version: "1.0",
        valid: of("error").next().is_none(),
        error_count: count("error"),
        warning_count: count("warning"),
        diagnostics: &entries,
    };
    // Numbers and strings always have a JSON form.
    let json = serde_json::to_string_pretty(&document).unwrap_or_default();
    escape_more(&json)
}

/// Escapes `<`, `>` and `&`, as the reference does, and characters that would control a terminal. In JSON they only occur in
/// strings.
fn escape_more(json: &str) -> String {
    let escaped = json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    visible_json(&escaped).into_owned() + "\n"
}

#[derive(Serialize)]
struct ValidateDocument<'a> {
    format_version: &'static str,
    valid: bool,
    error_count: usize,
    warning_count: usize,
    diagnostics: &'a [Entry<'a>],
}

#[derive(Serialize)]
struct Entry<'a> {
    id: &'static str,
    severity: &'static str,
    summary: &'a str,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<Snippet>,
    /// The number of further messages of the kind, which are not listed. The detail mentions it.
    #[serde(skip)]
    omitted: u32,
}

#[derive(Serialize)]
struct Range {
    filename: String,
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Position {
    line: u32,
    column: u32,
    byte: u32,
}

#[derive(Serialize)]
struct Snippet {
    context: Option<String>,
    code: String,
    start_line: u32,
    highlight_start_offset: usize,
    highlight_end_offset: usize,
    values: Vec<Value>,
}

#[derive(Serialize)]
struct Value {
    traversal: String,
    statement: String,
}

fn entry<'a>(diagnostic: &'a Diagnostic, context: &mut impl FnMut(&Subject) -> Option<String>) -> Entry<'a> {
    let snippet = diagnostic.subject.as_ref().map(|subject| Snippet {
        context: context(subject),
        values: diagnostic.values.iter().map(|line| value(line)).collect(),
        ..snippet(&subject.file, subject.span, diagnostic.context)
    });
    Entry {
        id: diagnostic.id.as_str(),
        severity: diagnostic.severity.name(),
        summary: diagnostic.title(),
        detail: diagnostic.text(),
        address: diagnostic.address.as_deref(),
        omitted: diagnostic.omitted,
        range: diagnostic.subject.as_ref().map(range),
        snippet,
    }
}

/// Splits a line such as `var.a["b c"] is true` at the first space outside of quotes.
fn value(line: &str) -> Value {
    let mut quoted = false;
    let end = line.find(|character| {
        quoted ^= character == '"';
        character == ' ' && !quoted
    });
    let (traversal, statement) = line.split_at(end.unwrap_or(line.len()));
    Value { traversal: traversal.to_owned(), statement: statement.trim_start().to_owned() }
}

/// Returns the range of a subject. As in the reference, an empty range ends behind the next character.
fn range(subject: &Subject) -> Range {
    let (file, span) = (&subject.file, subject.span);
    let position = |offset: u32| {
        let place = file.line_column(offset);
        Position { line: place.line, column: place.column, byte: file.byte_in_file(offset) }
    };
    let mut end = position(span.end);
    if span.is_empty() {
        end.column = end.column.saturating_add(1);
        end.byte = end.byte.saturating_add(1);
    }
    Range { filename: file.id().to_string(), start: position(span.start), end }
}

/// Returns the lines around a subject. As in the reference, offsets count the bytes of the file, in which line breaks may be
/// longer, and are cut at the end of the code.
fn snippet(file: &SourceFile, subject: Span, context: Option<Span>) -> Snippet {
    let highlight = not_empty(subject);
    let around = not_empty(context.map_or(subject, |context| context.to(subject)));
    let window = window(file, around, highlight);
    let start_line = file.line(around.start.max(window.start));
    let mut code = String::new();
    let mut code_start = None;
    for number in start_line..=file.line(around.end.min(window.end)) {
        let line = file.line_span(number);
        let overlaps = line.contains(around.start)
            || line.contains(around.end)
            || around.contains(line.start)
            || around.contains(line.end);
        // A line without characters does not belong to a snippet.
        if line.is_empty() || !overlaps {
            continue;
        }
        let line = Span::new(line.start.max(window.start), line.end.min(window.end));
        if code_start.is_some() {
            code.push('\n');
        } else if line.start == 0 && file.byte_order_mark_len() > 0 {
            code.push('\u{feff}');
        }
        code_start.get_or_insert(line.start);
        code.push_str(&file.shown(line));
    }
    let bom = if code_start == Some(0) { file.byte_order_mark_len() } else { 0 };
    let code_start = code_start.unwrap_or(around.start);
    let offset = |offset: u32| ((offset.saturating_sub(code_start) + bom) as usize).min(code.len());
    Snippet {
        context: None,
        start_line,
        highlight_start_offset: offset(highlight.start),
        highlight_end_offset: offset(highlight.end),
        code,
        values: Vec::new(),
    }
}

/// Returns the part of a file that a snippet may show: all of `around` or, if that is too much, the surroundings of the
/// highlight.
fn window(file: &SourceFile, around: Span, highlight: Span) -> Span {
    let text = file.text();
    let first = file.line_span(file.line(around.start));
    let last = file.line_span(file.line(around.end));
    let most = if first == last { LINE_BYTES } else { SNIPPET_BYTES };
    if last.end.saturating_sub(first.start) <= most {
        return Span::new(0, u32::MAX);
    }
    let mut start = highlight.start.saturating_sub(CUT_BYTES / 4);
    while !text.is_char_boundary(start as usize) {
        start -= 1;
    }
    let mut end = start.saturating_add(CUT_BYTES).min(last.end);
    while !text.is_char_boundary(end as usize) {
        end -= 1;
    }
    Span::new(start, end)
}

fn not_empty(span: Span) -> Span {
    if span.is_empty() { Span::new(span.start, span.end.saturating_add(1)) } else { span }
}

#[cfg(test)]
mod tests;
