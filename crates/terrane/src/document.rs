//! Values as JSON documents that other programs read.

use terrane_value::{Known, Mark, PathStep, Unknown, Value, ValueKind, json};

/// A value as `terraform output -json` prints an output: an object of `sensitive`, `type` and `value`.
///
/// What is unknown is left out of `value`, an element of a sequence as null so that the others keep their
/// places; `unknowns` then lists each such part with its path, its type and the reasons. A sensitive value is
/// not shown: there is neither `value` nor `unknowns`.
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
///         r#""unknowns":[{"path":".id","type":"string","reasons":["var.id has no value"]}]}"#,
///     ),
/// );
/// ```
pub fn value_json(value: &Value) -> String {
    let (plain, marks) = value.unmark_deep();
    let sensitive = marks.contains(&Mark::Sensitive);
    let mut text = format!("{{\"sensitive\":{sensitive},\"type\":{}", json::encode_type(&plain.ty()));
    if !sensitive {
        let mut unknowns = Vec::new();
        let known = known_part(&plain, &mut Vec::new(), &mut unknowns);
        // A number that JSON cannot express (infinity) leaves no value, as an unknown one does.
        if let Some(known) = known.and_then(|known| json::encode(&known).ok()) {
            text.push_str(",\"value\":");
            text.push_str(&known);
        }
        if !unknowns.is_empty() {
            text.push_str(",\"unknowns\":[");
            text.push_str(&unknowns.join(","));
            text.push(']');
        }
    }
    text.push('}');
    text
}

/// The value without its unknown parts, which are added to `unknowns` as JSON; nothing where it is unknown
/// itself. The depth is bounded by that of values.
fn known_part(value: &Value, path: &mut Vec<PathStep>, unknowns: &mut Vec<String>) -> Option<Value> {
    if value.is_wholly_known() {
        return Some(value.clone());
    }
    match value.kind() {
        ValueKind::Unknown(unknown) => {
            unknowns.push(unknown_json(unknown, path));
            match &unknown.known {
                Known::Nothing => None,
                Known::Object(entries) => Some(known_entries(entries.iter(), path, unknowns)),
                Known::Sequence(elements) => Some(known_elements(elements, path, unknowns)),
            }
        }
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            Some(known_elements(elements, path, unknowns))
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => {
            Some(known_entries(entries.iter(), path, unknowns))
        }
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Null(_)
        | ValueKind::Marked(..) => Some(value.clone()),
    }
}

fn known_elements(elements: &[Value], path: &mut Vec<PathStep>, unknowns: &mut Vec<String>) -> Value {
    let mut known = Vec::with_capacity(elements.len());
    for (index, element) in (0..).zip(elements) {
        path.push(PathStep::Index(Value::number(terrane_value::Number::counted(index))));
        known.push(known_part(element, path, unknowns).unwrap_or(Value::NULL));
        path.pop();
    }
    Value::tuple(known)
}

fn known_entries<'v>(
    entries: impl Iterator<Item = &'v (std::sync::Arc<str>, Value)>,
    path: &mut Vec<PathStep>,
    unknowns: &mut Vec<String>,
) -> Value {
    let mut known = Vec::new();
    for (name, value) in entries {
        path.push(PathStep::Attribute(Box::from(&**name)));
        if let Some(value) = known_part(value, path, unknowns) {
            known.push((std::sync::Arc::clone(name), value));
        }
        path.pop();
    }
    Value::object(known)
}

fn unknown_json(unknown: &Unknown, path: &[PathStep]) -> String {
    let mut text = String::from("{\"path\":");
    let mut whole = terrane_value::Path::ROOT;
    path.iter().for_each(|step| whole.push(step.clone()));
    json::write_string(&mut text, &whole.to_string());
    text.push_str(",\"type\":");
    text.push_str(&json::encode_type(&unknown.ty));
    text.push_str(",\"reasons\":[");
    for (index, origin) in unknown.origins.as_slice().iter().enumerate() {
        text.push_str(if index == 0 { "" } else { "," });
        json::write_string(&mut text, &origin.to_string());
    }
    text.push_str("]}");
    text
}
