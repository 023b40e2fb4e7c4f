//! Writes the output of the `hcldec` tool: decoded values, diagnostics and references as JSON.

use serde::Serialize;
use serde_json::value::RawValue;
use terrane_eval::{Lookup, Names as _, Reference, Variables, literal_value};
use terrane_render::visible_json;
use terrane_source::{Diagnostic, SourceFile, Span};
use terrane_syntax::tree::{Literal, Step};
use terrane_syntax::{Expr, Tree};
use terrane_value::json::EncodeError;
use terrane_value::{Type, Value, json, ops};

use crate::document::json::range::PositionJson;
use crate::json::text::{Layout, to_text_in};

/// Options for decoded values as JSON. Start from the default and set the fields that differ.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct JsonOptions {
    /// Whether properties that are null are written.
    pub keep_nulls: bool,
    /// Whether the value is in an object with its type.
    pub with_type: bool,
}

/// Returns a decoded value as JSON on one line. Characters that a terminal or CI service obeys are escaped.
///
/// # Errors
///
/// If a part of the value is unknown or has no JSON.
pub(super) fn value_json(value: &Value, options: JsonOptions) -> Result<String, EncodeError> {
    let ty = if options.with_type { Type::Dynamic } else { value.ty() };
    let text = typed(value, &ty, options.keep_nulls)?;
    Ok(visible_json(&text).into_owned())
}

/// Returns a value together with its type, as an object of `value` and `type`.
fn dynamic(value: &Value, keep_nulls: bool) -> Result<String, EncodeError> {
    let ty = value.ty().without_optional();
    let type_text = json::encode_type(&ty);
    let value_text = if value.is_null() { "null".to_owned() } else { typed(value, &ty, keep_nulls)? };
    Ok(match (keep_nulls, value_text.as_str()) {
        (true, _) => format!("{{\"value\":{value_text},\"type\":{type_text}}}"),
        // Without nulls the properties are sorted by name.
        (false, "null") => format!("{{\"type\":{type_text}}}"),
        (false, _) => format!("{{\"type\":{type_text},\"value\":{value_text}}}"),
    })
}

/// Returns a value of type `ty`. If `ty` is dynamic, the type of the value is written beside it, except for an untyped null.
fn typed(value: &Value, ty: &Type, keep_nulls: bool) -> Result<String, EncodeError> {
    let is_container = value.is_known() && !value.is_null();
    match ty {
        Type::Dynamic if value.ty() != Type::Dynamic => dynamic(value, keep_nulls),
        Type::List(element) | Type::Set(element) if is_container => {
            let elements = value.as_sequence().unwrap_or_default();
            let elements = elements.iter().map(|value| typed(value, element, keep_nulls));
            Ok(format!("[{}]", elements.collect::<Result<Vec<_>, _>>()?.join(",")))
        }
        Type::Tuple(types) if is_container => {
            let elements = value.as_sequence().unwrap_or_default();
            let elements = elements.iter().zip(&**types).map(|(value, ty)| typed(value, ty, keep_nulls));
            Ok(format!("[{}]", elements.collect::<Result<Vec<_>, _>>()?.join(",")))
        }
        Type::Map(_) | Type::Object(_) if is_container => {
            let mut text = String::from("{");
            for (name, part) in value.as_entries().into_iter().flatten() {
                let part_type = match ty {
                    Type::Object(object) => object.get(name).cloned().unwrap_or(Type::Dynamic),
                    Type::Map(_)
                    | Type::Bool
                    | Type::Number
                    | Type::String
                    | Type::Dynamic
                    | Type::List(_)
                    | Type::Set(_)
                    | Type::Tuple(_) => part.ty(),
                };
                // The tool leaves out nulls if the object has their type. A null of unknown type is written with its own type.
                let is_null = part.is_null() && (part_type != Type::Dynamic || part.ty() == Type::Dynamic);
                if is_null && !keep_nulls {
                    continue;
                }
                text.push_str(if text.len() > 1 { "," } else { "" });
                json::write_string(&mut text, name);
                text.push(':');
                text.push_str(&typed(part, &part_type, keep_nulls)?);
            }
            text.push('}');
            Ok(text)
        }
        Type::Bool
        | Type::Number
        | Type::String
        | Type::Dynamic
        | Type::List(_)
        | Type::Set(_)
        | Type::Tuple(_)
        | Type::Map(_)
        | Type::Object(_) => json::encode(value),
    }
}

/// Returns indented JSON with the escapes of the tool.
pub(super) fn pretty(value: &impl Serialize) -> String {
    to_text_in(value, Layout::Indented)
}

#[derive(Serialize)]
struct HcldecRange {
    filename: String,
    start: PositionJson,
    end: PositionJson,
}

impl HcldecRange {
    fn new(file: &SourceFile, span: Span) -> HcldecRange {
        let (start, end) = PositionJson::ends_of(file, span);
        HcldecRange { filename: file.id().to_string(), start, end }
    }
}

#[derive(Serialize)]
struct HcldecDiagnostics {
    diagnostics: Vec<HcldecDiagnostic>,
}

#[derive(Serialize)]
struct HcldecDiagnostic {
    severity: &'static str,
    summary: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<HcldecRange>,
}

/// Returns diagnostics as the JSON of the `hcldec` tool.
pub fn diagnostics_json(diagnostics: &[Diagnostic]) -> String {
    let diagnostics = diagnostics.iter().map(HcldecDiagnostic::of).collect();
    pretty(&HcldecDiagnostics { diagnostics })
}

impl HcldecDiagnostic {
    fn of(diagnostic: &Diagnostic) -> HcldecDiagnostic {
        HcldecDiagnostic {
            severity: diagnostic.severity.name(),
            summary: diagnostic.title().to_owned(),
            detail: diagnostic.text(),
            subject: diagnostic.subject.as_ref().map(|subject| HcldecRange::new(&subject.file, subject.span)),
        }
    }
}

/// A reference to a variable.
#[derive(Serialize)]
pub(super) struct HcldecReference {
    root_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Box<RawValue>>,
    steps: Vec<HcldecStep>,
    range: HcldecRange,
}

#[derive(Serialize)]
struct HcldecStep {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Box<RawValue>>,
    range: HcldecRange,
}

impl HcldecReference {
    pub(super) fn new(reference: &Reference<'_>, variables: &Variables) -> HcldecReference {
        let tree = reference.tree;
        let file = tree.source();
        let root = reference.root_span();
        let mut value = match variables.lookup(reference) {
            Lookup::Found { value, .. } => Some(value),
            Lookup::Undeclared => None,
        };
        let mut end = root;
        let first = HcldecStep {
            kind: "root",
            name: Some(reference.root.to_owned()),
            key: None,
            range: HcldecRange::new(file, root),
        };
        let mut steps = vec![first];
        for step in reference.steps {
            let range = HcldecRange::new(file, step.span());
            if let Step::Attr { name, .. } = step {
                let name = tree.slice(*name);
                value = value.and_then(|value| ops::attribute(&value, name).ok());
                steps.push(HcldecStep { kind: "attr", name: Some(name.to_owned()), key: None, range });
            } else if let Some(key) = literal_key(tree, *step) {
                value = value.and_then(|value| ops::index(&value, &key).ok());
                steps.push(HcldecStep { kind: "index", name: None, key: raw(&key), range });
            } else {
                // A reference ends before a computed index.
                break;
            }
            end = step.span();
        }
        HcldecReference {
            root_name: reference.root.to_owned(),
            value: value.as_ref().and_then(raw),
            steps,
            range: HcldecRange::new(file, root.to(end)),
        }
    }
}

impl HcldecReference {
    /// Returns the approximate bytes of the reference in memory and as text.
    pub(super) fn bytes(&self) -> usize {
        let raw = |value: &Option<Box<RawValue>>| value.as_ref().map_or(0, |value| value.get().len());
        let range = |range: &HcldecRange| BYTES_OF_RANGE + range.filename.len();
        let step = |step: &HcldecStep| {
            range(&step.range) + step.name.as_ref().map_or(0, String::len) + raw(&step.key)
        };
        let steps: usize = self.steps.iter().map(step).sum();
        range(&self.range) + self.root_name.len() + raw(&self.value) + steps
    }
}

/// The approximate bytes of a place as text, besides the name of its file.
const BYTES_OF_RANGE: usize = 300;

fn raw(value: &Value) -> Option<Box<RawValue>> {
    RawValue::from_string(json::encode(value).ok()?).ok()
}

/// Returns the key of an index, if it is a literal.
fn literal_key(tree: &Tree, step: Step) -> Option<Value> {
    match step {
        Step::Attr { .. } => None,
        Step::LegacyIndex { digits, .. } => {
            terrane_value::Number::parse(tree.slice(digits)).map(Value::number)
        }
        Step::Index { key, .. } => {
            let Expr::Literal(literal) = tree.expr(key) else { return None };
            match literal {
                Literal::Null => None,
                Literal::Bool(_) | Literal::Number | Literal::String(_) => {
                    Some(literal_value(tree, key, literal))
                }
            }
        }
    }
}
