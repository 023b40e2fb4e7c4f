//! Calls by name with results as short texts, for tests that look at kinds of values, marks and unknowns.

use std::path::Path;

use terrane_function::{CallEnv, FunctionError, Functions, Limits};
use terrane_source::{Files, MemoryFiles};
use terrane_value::{Entries, Marks, Number, OriginKind, Origins, Type, Value, ValueKind};

/// Calls the function `name` in an empty directory.
pub(crate) fn call(name: &str, arguments: impl IntoIterator<Item = Value>) -> Result<Value, FunctionError> {
    call_with(&MemoryFiles::new(), name, arguments)
}

/// Calls the function `name` in the directory `/m` of `files`.
pub(crate) fn call_with(
    files: &dyn Files,
    name: &str,
    arguments: impl IntoIterator<Item = Value>,
) -> Result<Value, FunctionError> {
    let functions: Functions = crate::functions().into_iter().collect();
    let limits = Limits::default();
    let env = CallEnv { files, base_dir: Path::new("/m"), clock: None, limits: &limits };
    terrane_function::call(functions.get(name).unwrap(), arguments.into_iter().collect(), &env)
}

/// What a call gives, as [`show`] writes it; for an error, the word and the index of the argument at fault.
pub(crate) fn result(name: &str, arguments: impl IntoIterator<Item = Value>) -> String {
    show_result(&call(name, arguments))
}

pub(crate) fn show_result(result: &Result<Value, FunctionError>) -> String {
    match result {
        Ok(value) => show(value),
        Err(FunctionError { argument: Some(index), .. }) => format!("error in argument {index}"),
        Err(_) => "error".to_owned(),
    }
}

/// The value on one line: tuples as `[1, a]`, collections with their kind in front, `*` before marked values,
/// `?` before the type of unknown ones.
pub(crate) fn show(value: &Value) -> String {
    match value.kind() {
        ValueKind::Bool(value) => value.to_string(),
        ValueKind::Number(number) => number.to_string(),
        ValueKind::String(text) => text.to_string(),
        ValueKind::List(elements) => format!("list[{}]", show_elements(elements)),
        ValueKind::Set(elements) => format!("set[{}]", show_elements(elements)),
        ValueKind::Tuple(elements) => format!("[{}]", show_elements(elements)),
        ValueKind::Map(entries) => format!("map{{{}}}", show_entries(entries)),
        ValueKind::Object(entries) => format!("{{{}}}", show_entries(entries)),
        ValueKind::Null(ty) => format!("null {ty}"),
        ValueKind::Unknown(unknown) => {
            let null =
                if unknown.refinement.not_null || unknown.ty == Type::Dynamic { "" } else { " or null" };
            format!("?{}{null}", unknown.ty)
        }
        ValueKind::Marked(value, _) => format!("*{}", show(value)),
    }
}

fn show_elements(elements: &[Value]) -> String {
    elements.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn show_entries(entries: &Entries) -> String {
    entries.iter().map(|(key, value)| format!("{key} = {}", show(value))).collect::<Vec<_>>().join(", ")
}

/// A number as a literal gives it.
pub(crate) fn number(text: &str) -> Value {
    Value::number(Number::parse(text).unwrap())
}

/// Strings as values.
pub(crate) fn strings<const N: usize>(texts: [&str; N]) -> [Value; N] {
    texts.map(Value::from)
}

/// A tuple of strings.
pub(crate) fn tuple<const N: usize>(texts: [&str; N]) -> Value {
    Value::tuple(strings(texts))
}

/// A list of strings.
pub(crate) fn list<const N: usize>(texts: [&str; N]) -> Value {
    Value::list(Type::String, strings(texts))
}

/// An object.
pub(crate) fn object<const N: usize>(attributes: [(&str, Value); N]) -> Value {
    Value::object(attributes.map(|(name, value)| (name.into(), value)))
}

/// A map of values of one type.
pub(crate) fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::map(Type::Dynamic, entries.map(|(name, value)| (name.into(), value)))
}

/// A value that is not to be shown.
pub(crate) fn secret(value: impl Into<Value>) -> Value {
    value.into().with_marks(&Marks::sensitive())
}

/// An unknown value that the variable `u` causes.
pub(crate) fn unknown(ty: Type) -> Value {
    Value::unknown_from(ty, Origins::one(OriginKind::Variable, "var.u"))
}
