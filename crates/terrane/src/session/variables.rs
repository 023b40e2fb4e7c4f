//! Reads variables for a session from a JSON document.

use std::collections::BTreeMap;

use serde_json::error::Category;
use serde_json::value::RawValue;
use terrane_eval::Variables;
use terrane_value::{Marks, ObjectBuilder, OriginKind, Origins, Type, Value, json};

const PARTS: [&str; 3] = ["vars", "unknown", "sensitive"];

/// Returns the variables that a JSON document describes, as one object named `var`.
///
/// The document is an object. `vars` has an object of `type` and `value` for each known variable, `unknown` the type
/// of each unknown variable, `sensitive` the names of the sensitive variables. Types have their JSON form, as in
/// `["list","string"]`.
///
/// ```
/// use terrane::{Engine, variables_from_json};
///
/// let names = variables_from_json(
///     r#"{"vars": {"zones": {"type": ["list", "string"], "value": ["a", "b"]}}, "unknown": {"id": "string"}}"#,
/// )
/// .expect("variables");
/// let value = Engine::new().evaluate_text("length(var.zones)", &names).ok()?;
/// assert_eq!(value.as_number().and_then(|number| number.to_i64()), Some(2));
/// # Ok::<(), terrane::Diagnostics>(())
/// ```
///
/// # Errors
///
/// If the text is not such a document: the reason as a sentence.
pub fn variables_from_json(text: &str) -> Result<Variables, String> {
    let parts: BTreeMap<String, &RawValue> = read(text, "The document", "an object")?;
    if !parts.is_empty() && !PARTS.iter().any(|part| parts.contains_key(*part)) {
        return Err("The document has no variables: put them into `vars`, or into `unknown`.".to_owned());
    }
    let part = |name: &str| parts.get(name).map_or("{}", |raw| raw.get());
    let values: BTreeMap<String, &RawValue> = read(part("vars"), "`vars`", "an object")?;
    let unknown: BTreeMap<String, &RawValue> = read(part("unknown"), "`unknown`", "an object")?;
    let sensitive: Vec<String> = match parts.get("sensitive") {
        Some(raw) => read(raw.get(), "`sensitive`", "an array of names")?,
        None => Vec::new(),
    };
    if let Some(name) =
        sensitive.iter().find(|name| !values.contains_key(*name) && !unknown.contains_key(*name))
    {
        return Err(format!("`sensitive` names {name:?}, which is not among the variables."));
    }
    let mut variables = ObjectBuilder::new();
    let mut add = |name: String, value: Value| {
        let marks = if sensitive.contains(&name) { Marks::sensitive() } else { Marks::NONE };
        variables.insert(name, value.with_marks(&marks));
    };
    for (name, raw) in values {
        let value = known_variable(&name, raw, sensitive.contains(&name))?;
        add(name, value);
    }
    for (name, raw) in unknown {
        let origins = Origins::one(OriginKind::Variable, format!("var.{name}"));
        let value = Value::unknown_from(ty(&name, raw)?, origins);
        add(name, value);
    }
    Ok(Variables::new().with("var", variables.build()))
}

fn known_variable(name: &str, raw: &RawValue, is_sensitive: bool) -> Result<Value, String> {
    let owner = format!("The variable {name:?}");
    let typed: BTreeMap<String, &RawValue> = read(raw.get(), &owner, "an object of `type` and `value`")?;
    let ty = match typed.get("type") {
        Some(raw) => ty(name, raw)?,
        None => Type::Dynamic,
    };
    let value = typed.get("value").map_or("null", |raw| raw.get());
    json::decode_as(value, &ty).map_err(|error| match is_sensitive {
        // The reason may quote the value.
        true => format!("The value of the variable {name:?} does not fit its type."),
        false => format!("The value of the variable {name:?}: {error}"),
    })
}

fn ty(name: &str, raw: &RawValue) -> Result<Type, String> {
    json::decode_type(raw.get()).map_err(|error| format!("The type of the variable {name:?}: {error}"))
}

/// Reads the parts of a document. The text of an error quotes nothing, because it may be a secret.
fn read<'t, T: serde::Deserialize<'t>>(text: &'t str, owner: &str, form: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Data => format!("{owner} has the wrong form: it must be {form}."),
        Category::Io | Category::Syntax | Category::Eof => format!("{owner} has the wrong form: {error}."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named() {
        let wrong = |text: &str| variables_from_json(text).expect_err(text);
        assert!(wrong("[]").starts_with("The document has the wrong form"));
        assert!(wrong(r#"{"vars": {"a": {"type": "strin"}}}"#).contains("The type of the variable \"a\""));
        assert!(
            wrong(r#"{"vars": {"a": {"type": "bool", "value": []}}}"#)
                .contains("The value of the variable \"a\"")
        );
        assert!(wrong(r#"{"sensitive": ["b"]}"#).contains("\"b\""));
        assert!(wrong(r#"{"var": {}}"#).contains("`vars`"));
        assert_eq!(
            wrong(r#"{"vars": {"s": "secret"}, "sensitive": ["s"]}"#),
            "The variable \"s\" has the wrong form: it must be an object of `type` and `value`."
        );
        let typed = r#"{"vars": {"s": {"type": ["object", {"a": "string"}], "value": {"secret": 1}}}, "sensitive": ["s"]}"#;
        assert_eq!(wrong(typed), "The value of the variable \"s\" does not fit its type.");
    }

    #[test]
    fn a_number_keeps_all_its_digits() {
        let text = r#"{"vars": {"n": {"type": "number", "value": 12345678901234567890123}}}"#;
        let value = variables_from_json(text).expect("variables").get("var").cloned().expect("a value");
        assert_eq!(json::encode(&value).as_deref(), Ok(r#"{"n":12345678901234567890123}"#));
    }
}
