//! Reads the arguments of a data source from the object that the configuration gives.

use terrane_value::{Type, Value, convert};

use super::row::NotComputed;

/// Returns the attribute of an object; `None` if it is missing or null.
pub(super) fn argument<'v>(arguments: &'v Value, name: &str) -> Option<&'v Value> {
    arguments.as_entries()?.get(name).filter(|value| !value.is_null())
}

/// Returns a text argument; `None` if it is not set.
pub(super) fn text(arguments: &Value, name: &str) -> Result<Option<String>, NotComputed> {
    let Some(value) = argument(arguments, name) else { return Ok(None) };
    let text = convert(value, &Type::String).ok().and_then(|text| Some(text.as_str()?.to_owned()));
    text.map(Some).ok_or_else(|| mistyped(name, "a string"))
}

/// Returns a text argument, which must be set.
pub(super) fn required(arguments: &Value, name: &str) -> Result<String, NotComputed> {
    text(arguments, name)?.ok_or_else(|| format!("`{name}` is not set").into())
}

/// Returns a Boolean argument; `None` if it is not set.
pub(super) fn boolean(arguments: &Value, name: &str) -> Result<Option<bool>, NotComputed> {
    let Some(value) = argument(arguments, name) else { return Ok(None) };
    let value = convert(value, &Type::Bool).ok().and_then(|value| value.as_bool());
    value.map(Some).ok_or_else(|| mistyped(name, "true or false"))
}

/// Returns a list of texts, which is empty if the argument is not set.
pub(super) fn texts(arguments: &Value, name: &str) -> Result<Vec<String>, NotComputed> {
    let Some(value) = argument(arguments, name) else { return Ok(Vec::new()) };
    let list = convert(value, &Type::list(Type::String)).ok();
    let texts = list
        .as_ref()
        .and_then(Value::as_sequence)
        .and_then(|list| list.iter().map(|text| Some(text.as_str()?.to_owned())).collect::<Option<Vec<_>>>());
    texts.ok_or_else(|| mistyped(name, "a list of strings"))
}

/// Returns the blocks of a type.
pub(super) fn blocks<'v>(arguments: &'v Value, name: &str) -> Result<&'v [Value], NotComputed> {
    let Some(value) = argument(arguments, name) else { return Ok(&[]) };
    value.as_sequence().ok_or_else(|| mistyped(name, "a block"))
}

fn mistyped(name: &str, kind: &str) -> NotComputed {
    format!("`{name}` is not {kind}").into()
}
