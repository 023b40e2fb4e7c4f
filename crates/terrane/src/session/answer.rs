use std::fmt::Write as _;

use serde_json::value::RawValue;
use terrane_eval::Answer;
use terrane_source::{Diagnostic, Severity, SourceFile, Span};
use terrane_value::{
    Entries, Known, Mark, Number, Origin, Origins, Refinement, Type, Unknown, Value, ValueKind, display, json,
};

use super::{Answered, Phase, Secrets, Syntax};

/// The answer to a request as a JSON object on one line, in the shape of the conformance tables. `console` is what the
/// console prints for it, `converted` says whether the value was to be converted to a type.
pub(super) fn answer_json(
    id: Option<&RawValue>,
    answered: &Answered,
    console: &str,
    converted: bool,
    secrets: Secrets,
) -> String {
    let mut out = String::from("{\"id\":");
    out.push_str(id.map_or("null", RawValue::get));
    if answered.diagnostics.has_errors() {
        write_failure(&mut out, answered, converted);
    } else {
        write_success(&mut out, answered, console, secrets);
    }
    write_list(&mut out, "diagnostics", answered.diagnostics.as_slice(), write_diagnostic);
    out.push('}');
    out
}

fn write_success(out: &mut String, answered: &Answered, console: &str, secrets: Secrets) {
    out.push_str(",\"ok\":true,\"type\":");
    match &answered.answer {
        Answer::Type(_, marks) => {
            out.push_str("\"type\",\"value\":{\"__capsule__\":\"type\"}");
            if marks.contains(&Mark::Sensitive) {
                out.push_str(",\"sensitive_paths\":[\"\"]");
            }
        }
        Answer::Value(value) => {
            out.push_str(&json::encode_type(&value.ty().without_optional()));
            out.push_str(",\"value\":");
            write_value(out, value, secrets);
            let mut parts = Parts { secrets, unknowns: Vec::new(), sensitive: Vec::new() };
            parts.collect(value, &mut String::new());
            write_list(out, "unknowns", &parts.unknowns, write_unknown);
            write_list(out, "sensitive_paths", &parts.sensitive, |out, path| json::write_string(out, path));
        }
    }
    out.push_str(",\"console\":");
    json::write_string(out, console);
}

fn write_failure(out: &mut String, answered: &Answered, converted: bool) {
    let (phase, text) = match answered.phase {
        Phase::Request => ("request", None),
        Phase::Parse if converted => ("input-parse", Some("input")),
        Phase::Eval if converted => ("input", Some("input")),
        Phase::Parse => ("parse", Some("expr")),
        Phase::Eval => ("eval", Some("expr")),
        Phase::TypeParse => ("type-parse", Some("type")),
        Phase::Type => ("type", Some("type")),
        Phase::Convert => ("convert", Some("input")),
        Phase::BodyParse(syntax) => ("parse", Some(body_text(syntax))),
        Phase::Decode(syntax) => ("decode", Some(body_text(syntax))),
    };
    out.push_str(",\"ok\":false,\"phase\":");
    json::write_string(out, phase);
    let Some(first) = answered.diagnostics.as_slice().iter().find(|diagnostic| diagnostic.is_error()) else {
        return;
    };
    if let Some(subject) = &first.subject {
        // Writing to a string cannot fail.
        let _ = write!(out, ",\"error_bytes\":[{},{}]", subject.span.start, subject.span.end);
    }
    if let Some(text) = text {
        out.push_str(",\"in\":");
        json::write_string(out, text);
    }
    out.push_str(",\"title\":");
    json::write_string(out, first.title());
}

/// The name of the text of a body in the conformance tables.
fn body_text(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::Native => "src",
        Syntax::Json => "src>.json",
    }
}

/// A property whose value is an array; none where it would be empty.
fn write_list<T>(out: &mut String, name: &str, items: &[T], write: impl Fn(&mut String, &T)) {
    if items.is_empty() {
        return;
    }
    out.push(',');
    json::write_string(out, name);
    out.push(':');
    write_array(out, items, write);
}

fn write_array<'i, T: 'i>(
    out: &mut String,
    items: impl IntoIterator<Item = &'i T>,
    write: impl Fn(&mut String, &T),
) {
    out.push('[');
    for (index, item) in items.into_iter().enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        write(out, item);
    }
    out.push(']');
}

/// What stands for a value that is not shown.
fn hidden(value: &Value, secrets: Secrets) -> Option<&'static str> {
    if secrets == Secrets::Shown || !value.is_known() {
        None
    } else if value.has_mark(&Mark::Sensitive) {
        Some("{\"__sensitive__\":true}")
    } else if value.has_mark(&Mark::Ephemeral) {
        Some("{\"__ephemeral__\":true}")
    } else {
        None
    }
}

fn write_value(out: &mut String, value: &Value, secrets: Secrets) {
    if let Some(hidden) = hidden(value, secrets) {
        return out.push_str(hidden);
    }
    match value.unmarked().kind() {
        ValueKind::Null(_) | ValueKind::Marked(..) => out.push_str("null"),
        ValueKind::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        ValueKind::String(text) => json::write_string(out, text),
        ValueKind::Number(number) => write_number(out, number),
        ValueKind::Unknown(_) => out.push_str("{\"__unknown__\":true}"),
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            write_array(out, elements, |out, element| write_value(out, element, secrets));
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => write_entries(out, entries, secrets),
    }
}

fn write_entries(out: &mut String, entries: &Entries, secrets: Secrets) {
    out.push('{');
    for (index, (name, value)) in entries.iter().enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        json::write_string(out, name);
        out.push(':');
        write_value(out, value, secrets);
    }
    out.push('}');
}

/// A number; one that JSON cannot express as an object that says so.
fn write_number(out: &mut String, number: &Number) {
    // Writing to a string cannot fail.
    let _ = if number.is_infinite() {
        write!(out, "{{\"__inf__\":\"{number}\"}}")
    } else if number.has_decimal_text() {
        write!(out, "{number}")
    } else {
        write!(out, "{{\"__number__\":\"{number}\"}}")
    };
}

/// The unknown and the sensitive parts of a value, with their paths.
struct Parts {
    secrets: Secrets,
    unknowns: Vec<UnknownPart>,
    sensitive: Vec<String>,
}

/// An unknown part of a value.
struct UnknownPart {
    path: String,
    unknown: Unknown,
    /// Whether what is known about it may be shown.
    shown: bool,
}

impl Parts {
    fn collect(&mut self, value: &Value, path: &mut String) {
        if !value.contains_marked() && value.is_wholly_known() {
            return;
        }
        let is_sensitive = value.has_mark(&Mark::Sensitive);
        if is_sensitive {
            self.sensitive.push(path.clone());
        }
        if hidden(value, self.secrets).is_some() {
            return;
        }
        match value.unmarked().kind() {
            ValueKind::List(elements) | ValueKind::Tuple(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    self.step(element, path, format_args!("[{index}]"));
                }
            }
            ValueKind::Set(elements) => {
                for element in elements {
                    // An element of a set has no name but itself.
                    let step = if element.is_known() { "[...]" } else { "[(not yet known)]" };
                    self.step(element, path, format_args!("{step}"));
                }
            }
            ValueKind::Map(entries) => {
                for (key, element) in entries {
                    self.step(element, path, format_args!("[\"{key}\"]"));
                }
            }
            ValueKind::Object(entries) => {
                for (name, attribute) in entries {
                    self.step(attribute, path, format_args!(".{name}"));
                }
            }
            ValueKind::Unknown(unknown) => {
                let shown = !is_sensitive || self.secrets == Secrets::Shown;
                self.unknowns.push(UnknownPart { path: path.clone(), unknown: unknown.clone(), shown });
            }
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::Null(_)
            | ValueKind::Marked(..) => {}
        }
    }

    fn step(&mut self, part: &Value, path: &mut String, step: std::fmt::Arguments<'_>) {
        let length = path.len();
        // Writing to a string cannot fail.
        let _ = path.write_fmt(step);
        self.collect(part, path);
        path.truncate(length);
    }
}

fn write_unknown(out: &mut String, part: &UnknownPart) {
    let unknown = &part.unknown;
    out.push_str("{\"path\":");
    json::write_string(out, &part.path);
    out.push_str(",\"type\":");
    out.push_str(&json::encode_type(&unknown.ty.without_optional()));
    if part.shown {
        write_refinement(out, &unknown.ty, &unknown.refinement);
    }
    write_origins(out, &unknown.origins);
    if part.shown && !matches!(unknown.known, Known::Nothing) {
        let open = Value::from(Unknown { origins: Origins::NONE, ..unknown.clone() });
        out.push_str(",\"known\":");
        json::write_string(out, &display::annotated(&open));
    }
    out.push('}');
}

/// What is known of an unknown value, as far as it is anything.
fn write_refinement(out: &mut String, ty: &Type, refinement: &Refinement) {
    if refinement.not_null {
        out.push_str(",\"not_null\":true");
    }
    if let Some(prefix) = &refinement.prefix {
        out.push_str(",\"prefix\":");
        json::write_string(out, prefix);
    }
    for (name, bound) in [("min", &refinement.min), ("max", &refinement.max)] {
        if let Some((number, inclusive)) = bound {
            // Writing to a string cannot fail.
            let _ = write!(out, ",\"{name}\":");
            write_number(out, number);
            let _ = write!(out, ",\"{name}_inclusive\":{inclusive}");
        }
    }
    // Writing to a string cannot fail.
    if ty.is_collection() {
        let _ = write!(out, ",\"len_min\":{}", refinement.length_min);
    }
    if let Some(most) = refinement.length_max {
        let _ = write!(out, ",\"len_max\":{most}");
    }
}

fn write_origins(out: &mut String, origins: &Origins) {
    write_list(out, "origins", origins.as_slice(), write_origin);
    if origins.omitted() > 0 {
        // Writing to a string cannot fail.
        let _ = write!(out, ",\"more_origins\":{}", origins.omitted());
    }
}

fn write_origin(out: &mut String, origin: &Origin) {
    out.push_str("{\"kind\":");
    json::write_string(out, origin.kind.name());
    out.push_str(",\"subject\":");
    json::write_string(out, &origin.subject);
    out.push_str(",\"reason\":");
    json::write_string(out, &origin.to_string());
    if !origin.causes.is_empty() {
        write_list(out, "causes", origin.causes.as_slice(), write_origin);
    }
    out.push('}');
}

fn write_diagnostic(out: &mut String, diagnostic: &Diagnostic) {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut detail = diagnostic.detail.clone();
    for hint in &diagnostic.hints {
        detail.push(' ');
        detail.push_str(hint);
    }
    let texts = [
        ("severity", severity),
        ("id", diagnostic.id.as_str()),
        ("summary", diagnostic.title()),
        ("detail", &detail),
    ];
    for (index, (name, text)) in texts.into_iter().enumerate() {
        out.push(if index == 0 { '{' } else { ',' });
        json::write_string(out, name);
        out.push(':');
        json::write_string(out, text);
    }
    if let Some(subject) = &diagnostic.subject {
        out.push_str(",\"range\":");
        write_range(out, &subject.file, subject.span);
    }
    write_list(out, "values", &diagnostic.values, |out, line| json::write_string(out, line));
    out.push('}');
}

/// A place in a text: lines and columns from 1, bytes from 0, the end exclusive.
fn write_range(out: &mut String, file: &SourceFile, span: Span) {
    out.push_str("{\"filename\":");
    json::write_string(out, &file.id().to_string());
    for (name, offset) in [("start", span.start), ("end", span.end)] {
        let at = file.lines().line_column(file.text(), offset);
        // Writing to a string cannot fail.
        let _ =
            write!(out, ",\"{name}\":{{\"line\":{},\"column\":{},\"byte\":{offset}}}", at.line, at.column);
    }
    out.push('}');
}
