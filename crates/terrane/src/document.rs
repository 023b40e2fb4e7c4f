//! Writes values, outputs and whole reports as JSON for other programs.
//!
//! [`Parts`] splits a value into its known part and a list of unknown parts; docs/eval.md describes the format.

use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{Entries, Known, Mark, Origins, Path, PathStep, Type, Unknown, Value, ValueKind, json};

use crate::json_text::{self, Object, list, string};
use crate::report::{Entry, EntryKind, Number, Report};
use crate::secrets::{Secrets, is_hidden, is_secret};

/// A value as `terraform output -json` prints an output: an object of `sensitive`, `type` and `value`.
///
/// `value` omits unknown parts, except that an unknown element of a sequence is null, so that other elements keep their
/// positions. `unknowns` lists each unknown part with its path, its type and the reasons. A sensitive or ephemeral value has
/// neither `value` nor `unknowns`.
///
/// ```
/// use terrane::value_json;
/// use terrane::value::{ObjectBuilder, OriginKind, Origins, Type, Value};
///
/// let id = Value::unknown_from(Type::String, Origins::one(OriginKind::Variable, "var.id"));
/// let value = ObjectBuilder::new().with("id", id).with("size", "large").build();
/// assert_eq!(
///     value_json(&value),
///     concat!(
///         r#"{"sensitive":false,"type":["object",{"id":"string","size":"string"}],"value":{"size":"large"},"#,
///         r#""unknowns":[{"path":".id","type":"string","reasons":["var.id has no value"],"#,
///         r#""origins":[{"kind":"variable","subject":"var.id"}]}]}"#,
///     ),
/// );
/// ```
pub fn value_json(value: &Value) -> String {
    output_json(value, Secrets::Hidden)
}

fn output_json(value: &Value, secrets: Secrets) -> String {
    let (plain, marks) = value.unmark_deep();
    let mut object = Object::new();
    object.field("sensitive", if marks.contains(&Mark::Sensitive) { "true" } else { "false" });
    let shown = !is_hidden(&marks, secrets);
    object.field("type", &json::encode_type(&if shown { plain.ty() } else { without_names(&plain.ty()) }));
    if shown {
        let mut parts = Parts::new(secrets);
        parts.write_value(&plain, &mut object);
        parts.write_unknowns(&mut object);
    }
    object.end()
}

impl Report {
    /// The outputs of the root module as `terraform output -json` prints them: an object of
    /// `{"sensitive", "type", "value"}` by name.
    ///
    /// [`value_json`] documents how unknown and sensitive values are written.
    pub fn outputs_json(&self, secrets: Secrets) -> String {
        let mut outputs: Vec<_> = self.outputs().collect();
        outputs.sort_by_key(|(name, _)| *name);
        let mut object = Object::new();
        for (name, value) in outputs {
            object.field(name, &output_json(value, secrets));
        }
        object.end()
    }

    /// An error for each output that contains an infinite number, which JSON cannot express.
    pub fn not_json(&self) -> Diagnostics {
        let infinite = self.entries().into_iter().filter(|entry| {
            entry.kind == EntryKind::Output && entry.address.module.is_root() && has_infinity(&entry.value)
        });
        let diagnostic = |entry: Entry| {
            let detail = format!(
                "`{}` has an infinite number in it, which JSON cannot express. Take the number out of the output.",
                entry.address
            );
            let diagnostic = Diagnostic::error(ids::NOT_JSON, detail).about(&entry.address);
            match entry.declaration {
                Some(subject) => diagnostic.at(&subject.file, subject.span),
                None => diagnostic,
            }
        };
        infinite.map(diagnostic).collect()
    }

    /// All named values of the configuration, in the format that docs/eval.md describes.
    pub fn json(&self, secrets: Secrets) -> String {
        let values: Vec<(String, String)> = self
            .entries()
            .iter()
            .map(|entry| (entry.address.to_string(), entry_json(entry, secrets)))
            .collect();
        let mut object = Object::new();
        object.field("format_version", "\"1.0\"");
        object.field("outputs", &self.outputs_json(secrets));
        object.field("values", &json_text::object(values));
        object.end()
    }
}

/// A document with the values of selected addresses. Each has an address, its value, and the entry that contains the value.
pub fn values_json<'v>(
    values: impl IntoIterator<Item = (&'v str, &'v Value, Option<&'v Entry>)>,
    secrets: Secrets,
) -> String {
    let written = values.into_iter().map(|(address, value, entry)| {
        let mut object = Object::new();
        write_members(&mut object, value, entry, secrets);
        (address.to_owned(), object.end())
    });
    let values = json_text::object(written);
    let mut object = Object::new();
    object.field("format_version", "\"1.0\"");
    object.field("values", &values);
    object.end()
}

fn has_infinity(value: &Value) -> bool {
    let mut found = value.unmarked().as_number().is_some_and(terrane_value::Number::is_infinite);
    value.for_each_child(&mut |child| found = found || has_infinity(child));
    found
}

fn entry_json(entry: &Entry, secrets: Secrets) -> String {
    let mut object = Object::new();
    write_members(&mut object, &entry.value, Some(entry), secrets);
    object.end()
}

/// Writes the members of a value: kind, type, known part, unknown parts, instances and source range.
fn write_members(object: &mut Object, value: &Value, entry: Option<&Entry>, secrets: Secrets) {
    if let Some(entry) = entry {
        object.text("kind", entry.kind.name());
    }
    let mut parts = Parts::new(secrets);
    let sensitive = value.unmark_deep().1.contains(&Mark::Sensitive);
    object.field("sensitive", if sensitive { "true" } else { "false" });
    let ty = if secrets == Secrets::Shown { value.ty() } else { shown_type(value) };
    object.field("type", &json::encode_type(&ty));
    parts.write_value(value, object);
    if let Some(arguments) = entry.and_then(|entry| entry.arguments.as_ref()) {
        let mut given = Object::new();
        write_members(&mut given, arguments, None, secrets);
        object.field("arguments", &given.end());
    }
    parts.write_unknowns(object);
    object.items("sensitive_paths", parts.hidden.iter().map(|path| string(path)));
    match entry.map(|entry| &entry.number) {
        Some(Number::None(_)) => object.field("instances", "0"),
        Some(Number::Unknown(origins)) => object.field("instances_unknown", &origins_json(origins)),
        Some(Number::One) | None => {}
    }
    if let Some(subject) = entry.and_then(|entry| entry.declaration.as_ref()) {
        object.field("source", &json_text::range(&subject.file, subject.span));
    }
}

/// The type of a value without the attribute names of its sensitive parts, which may be computed from secrets.
fn shown_type(value: &Value) -> Type {
    match value.kind() {
        ValueKind::Marked(inner, marks) if is_secret(marks) => without_names(&inner.ty()),
        ValueKind::Marked(inner, _) => shown_type(inner),
        ValueKind::Tuple(elements) if value.contains_marked() => Type::tuple(elements.iter().map(shown_type)),
        ValueKind::Object(attributes) if value.contains_marked() => {
            Type::object(attributes.iter().map(|(name, value)| (name.clone(), shown_type(value))))
        }
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Map(_)
        | ValueKind::Tuple(_)
        | ValueKind::Object(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_) => value.ty(),
    }
}

/// The type with `dynamic` in place of objects and tuples.
fn without_names(ty: &Type) -> Type {
    match ty {
        Type::Object(_) | Type::Tuple(_) => Type::Dynamic,
        Type::List(element) => Type::list(without_names(element)),
        Type::Set(element) => Type::set(without_names(element)),
        Type::Map(element) => Type::map(without_names(element)),
        Type::Bool | Type::Number | Type::String | Type::Dynamic => ty.clone(),
    }
}

fn origins_json(origins: &Origins) -> String {
    let origin = |origin: &terrane_value::Origin| {
        let mut object = Object::new();
        object.text("kind", origin.kind.name());
        object.text("subject", &origin.subject);
        if !origin.causes.is_empty() {
            object.field("causes", &origins_json(&origin.causes));
        }
        object.end()
    };
    list(origins.as_slice().iter().map(origin))
}

/// Splits a value into a part that can be written as JSON, the unknown parts and the hidden parts.
struct Parts {
    secrets: Secrets,
    path: Vec<PathStep>,
    /// The unknown parts as JSON.
    unknowns: Vec<String>,
    /// The paths of sensitive and ephemeral parts.
    hidden: Vec<String>,
}

impl Parts {
    fn new(secrets: Secrets) -> Parts {
        Parts { secrets, path: Vec::new(), unknowns: Vec::new(), hidden: Vec::new() }
    }

    fn write_value(&mut self, value: &Value, object: &mut Object) {
        // An infinite number has no JSON and is omitted like an unknown value.
        if let Some(known) = self.known_part(value).and_then(|known| json::encode(&known).ok()) {
            object.field("value", &known);
        }
    }

    fn write_unknowns(&self, object: &mut Object) {
        object.items("unknowns", self.unknowns.iter().cloned());
    }

    /// The value without its unknown and hidden parts, which are recorded; none if the value is such a part itself. The
    /// recursion is bounded by the maximum depth of values.
    fn known_part(&mut self, value: &Value) -> Option<Value> {
        if value.is_wholly_known() && !value.contains_marked() {
            return Some(value.clone());
        }
        match value.kind() {
            ValueKind::Marked(inner, marks) => {
                if is_secret(marks) {
                    self.hidden.push(self.path_text());
                }
                if is_hidden(marks, self.secrets) {
                    return None;
                }
                self.known_part(inner)
            }
            ValueKind::Unknown(unknown) => {
                self.unknowns.push(self.unknown_json(unknown));
                match &unknown.known {
                    Known::Nothing => None,
                    Known::Object(entries) => Some(self.known_entries(entries)),
                    Known::Sequence(elements) => Some(self.known_elements(elements)),
                }
            }
            ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
                Some(self.known_elements(elements))
            }
            ValueKind::Map(entries) | ValueKind::Object(entries) => Some(self.known_entries(entries)),
            ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_) | ValueKind::Null(_) => {
                Some(value.clone())
            }
        }
    }

    fn known_elements(&mut self, elements: &[Value]) -> Value {
        let mut known = Vec::with_capacity(elements.len());
        for (index, element) in (0..).zip(elements) {
            self.path.push(PathStep::Index(Value::number(terrane_value::Number::counted(index))));
            known.push(self.known_part(element).unwrap_or(Value::NULL));
            self.path.pop();
        }
        Value::tuple(known)
    }

    fn known_entries(&mut self, entries: &Entries) -> Value {
        let mut known = Vec::new();
        for (name, value) in entries {
            // A name that is not an identifier is written as an index.
            self.path.push(match terrane_syntax::is_identifier(name) {
                true => PathStep::Attribute(Box::from(&**name)),
                false => PathStep::Index(Value::string(name.clone())),
            });
            if let Some(value) = self.known_part(value) {
                known.push((name.clone(), value));
            }
            self.path.pop();
        }
        Value::object(known)
    }

    fn path_text(&self) -> String {
        let mut whole = Path::ROOT;
        self.path.iter().for_each(|step| whole.push(step.clone()));
        whole.to_string()
    }

    fn unknown_json(&self, unknown: &Unknown) -> String {
        let mut object = Object::new();
        object.text("path", &self.path_text());
        object.field("type", &json::encode_type(&unknown.ty));
        let origins = unknown.origins.as_slice();
        object.field("reasons", &list(origins.iter().map(|origin| string(&origin.to_string()))));
        object.field("origins", &origins_json(&unknown.origins));
        if unknown.origins.omitted() > 0 {
            object.field("omitted_origins", &unknown.origins.omitted().to_string());
        }
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use terrane_value::{ObjectBuilder, OriginKind};

    use super::*;

    #[test]
    fn a_path_quotes_names_that_are_not_identifiers() {
        let id = || Value::unknown_from(Type::String, Origins::one(OriginKind::Variable, "var.id"));
        let inner = ObjectBuilder::new().with("b", id()).build();
        let value = ObjectBuilder::new().with("a.b", id()).with("a", inner).with("", id()).build();
        let json = value_json(&value);
        for path in [r#""path":"[\"a.b\"]""#, r#""path":".a.b""#, r#""path":"[\"\"]""#] {
            assert!(json.contains(path), "{json}");
        }
    }
}
