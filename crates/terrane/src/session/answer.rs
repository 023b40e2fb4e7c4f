//! Answers of the evaluation server as JSON, in the shape of the conformance tables.
//!
//! Unknown and sensitive parts are written as marker objects such as `{"__unknown__":true}`, and listed by path.

use std::fmt::Write as _;

use serde_json::value::RawValue;
use terrane_eval::Answer;
use terrane_source::{Diagnostic, Severity};
use terrane_value::{
    Known, Mark, Number, Origin, Origins, Refinement, Type, Unknown, Value, ValueKind, display, json,
};

use super::answered::{Answered, Stage, Syntax};
use crate::json_text::{self, Object, string};
use crate::secrets::{Secrets, is_hidden};

/// The answer to a request as a JSON object on one line, in the shape of the conformance tables. `console` is the text
/// that the console prints for it; `converted` is set if the request asks for a conversion to a type.
pub(super) fn answer_json(
    id: Option<&RawValue>,
    answered: &Answered,
    console: &str,
    converted: bool,
    secrets: Secrets,
) -> String {
    let mut out = Object::new();
    out.field("id", id.map_or("null", RawValue::get));
    if answered.diagnostics.has_errors() {
        write_failure(&mut out, answered, converted);
    } else {
        write_success(&mut out, answered, console, secrets);
    }
    out.items("diagnostics", answered.diagnostics.as_slice().iter().map(diagnostic_json));
    out.end()
}

fn write_success(out: &mut Object, answered: &Answered, console: &str, secrets: Secrets) {
    out.field("ok", "true");
    match &answered.answer {
        Answer::Type(_, marks) => {
            out.text("type", "type");
            out.field("value", r#"{"__capsule__":"type"}"#);
            out.items("sensitive_paths", marks.contains(&Mark::Sensitive).then(|| string("")));
        }
        Answer::Value(value) => {
            out.field("type", &json::encode_type(&value.ty().without_optional()));
            let mut text = String::new();
            write_value(&mut text, value, secrets);
            out.field("value", &text);
            let mut parts = Parts { secrets, unknowns: Vec::new(), sensitive: Vec::new() };
            parts.collect(value, &mut String::new());
            out.items("unknowns", parts.unknowns.iter().map(unknown_json));
            out.items("sensitive_paths", parts.sensitive.iter().map(|path| string(path)));
        }
    }
    out.text("console", console);
}

fn write_failure(out: &mut Object, answered: &Answered, converted: bool) {
    let (stage, text) = match answered.stage {
        Stage::Request => ("request", None),
        Stage::Parse if converted => ("input-parse", Some("input")),
        Stage::Eval if converted => ("input", Some("input")),
        Stage::Parse => ("parse", Some("expr")),
        Stage::Eval => ("eval", Some("expr")),
        Stage::TypeParse => ("type-parse", Some("type")),
        Stage::Type => ("type", Some("type")),
        Stage::Convert => ("convert", Some("input")),
        Stage::BodyParse(syntax) => ("parse", Some(body_text(syntax))),
        Stage::Decode(syntax) => ("decode", Some(body_text(syntax))),
    };
    out.field("ok", "false");
    out.text("phase", stage);
    let Some(first) = answered.diagnostics.as_slice().iter().find(|diagnostic| diagnostic.is_error()) else {
        return;
    };
    if let Some(subject) = &first.subject {
        out.items("error_bytes", [subject.span.start, subject.span.end].map(|byte| byte.to_string()));
    }
    if let Some(text) = text {
        out.text("in", text);
    }
    out.text("title", first.title());
}

/// The name of the text of a body in the conformance tables.
fn body_text(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::Native => "src",
        Syntax::Json => "src>.json",
    }
}

/// The marker object for a hidden value; none for a value that is shown. An unknown value needs no marker: only its
/// refinements are hidden.
fn hidden(value: &Value, secrets: Secrets) -> Option<String> {
    if !value.is_known() || !is_hidden(value.marks(), secrets) {
        return None;
    }
    let kind = if value.has_mark(&Mark::Sensitive) { "__sensitive__" } else { "__ephemeral__" };
    Some(json_text::object([(kind, "true".to_owned())]))
}

/// The depth is bounded by that of values.
fn write_value(out: &mut String, value: &Value, secrets: Secrets) {
    if let Some(hidden) = hidden(value, secrets) {
        return out.push_str(&hidden);
    }
    match value.unmarked().kind() {
        ValueKind::Null(_) | ValueKind::Marked(..) => out.push_str("null"),
        ValueKind::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        ValueKind::String(text) => json::write_string(out, text),
        ValueKind::Number(number) => out.push_str(&number_json(number)),
        ValueKind::Unknown(_) => out.push_str(r#"{"__unknown__":true}"#),
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                write_value(out, element, secrets);
            }
            out.push(']');
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => {
            out.push('{');
            for (index, (name, value)) in entries.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                json::write_string(out, name);
                out.push(':');
                write_value(out, value, secrets);
            }
            out.push('}');
        }
    }
}

/// A number as JSON; one that JSON cannot express becomes a marker object.
fn number_json(number: &Number) -> String {
    if number.is_infinite() {
        json_text::object([("__inf__", string(&number.to_string()))])
    } else if number.has_decimal_text() {
        number.to_string()
    } else {
        json_text::object([("__number__", string(&number.to_string()))])
    }
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
    /// Whether its refinements and known parts may be shown.
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
                let shown = !is_hidden(value.marks(), self.secrets);
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

fn unknown_json(part: &UnknownPart) -> String {
    let unknown = &part.unknown;
    let mut out = Object::new();
    out.text("path", &part.path);
    out.field("type", &json::encode_type(&unknown.ty.without_optional()));
    if part.shown {
        write_refinement(&mut out, &unknown.ty, &unknown.refinement);
    }
    out.items("origins", unknown.origins.as_slice().iter().map(origin_json));
    if unknown.origins.omitted() > 0 {
        out.field("more_origins", &unknown.origins.omitted().to_string());
    }
    if part.shown && !matches!(unknown.known, Known::Nothing) {
        let open = Value::from(Unknown { origins: Origins::NONE, ..unknown.clone() });
        out.text("known", &display::annotated(&open));
    }
    out.end()
}

/// Writes the refinements of an unknown value.
fn write_refinement(out: &mut Object, ty: &Type, refinement: &Refinement) {
    if refinement.not_null {
        out.field("not_null", "true");
    }
    if let Some(prefix) = &refinement.prefix {
        out.text("prefix", prefix);
    }
    for (name, bound) in [("min", &refinement.min), ("max", &refinement.max)] {
        if let Some((number, inclusive)) = bound {
            out.field(name, &number_json(number));
            out.field(&format!("{name}_inclusive"), &inclusive.to_string());
        }
    }
    if ty.is_collection() {
        out.field("len_min", &refinement.length_min.to_string());
    }
    if let Some(most) = refinement.length_max {
        out.field("len_max", &most.to_string());
    }
}

fn origin_json(origin: &Origin) -> String {
    let mut out = Object::new();
    out.text("kind", origin.kind.name());
    out.text("subject", &origin.subject);
    out.text("reason", &origin.to_string());
    out.items("causes", origin.causes.as_slice().iter().map(origin_json));
    out.end()
}

fn diagnostic_json(diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut detail = diagnostic.detail.clone();
    for hint in &diagnostic.hints {
        detail.push(' ');
        detail.push_str(hint);
    }
    let mut out = Object::new();
    out.text("severity", severity);
    out.text("id", diagnostic.id.as_str());
    out.text("summary", diagnostic.title());
    out.text("detail", &detail);
    if let Some(subject) = &diagnostic.subject {
        out.field("range", &json_text::range(&subject.file, subject.span));
    }
    out.items("values", diagnostic.values.iter().map(|line| string(line)));
    out.end()
}
