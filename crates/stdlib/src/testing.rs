//! Calls functions by name for the tests of all families, with results as short texts.

use std::cell::Cell;
use std::path::Path;

use terrane_function::{CallEnv, FixedClock, Function, FunctionError, Limits, World, call_converted};
use terrane_source::{Files, MemoryFiles};
use terrane_value::{Entries, Marks, Number, OriginKind, Origins, Type, Value, ValueKind, json};

/// Calls the function `name` in a directory with one file, `hello.txt`, and an empty world.
pub(crate) fn call(name: &str, arguments: impl IntoIterator<Item = Value>) -> Result<Value, FunctionError> {
    let files = MemoryFiles::from_iter([("/m/hello.txt", "Hello")]);
    call_with(&files, World::default(), name, arguments)
}

/// Calls the function `name` at 2001-09-09T01:46:40Z.
pub(crate) fn call_with_clock(
    name: &str,
    arguments: impl IntoIterator<Item = Value>,
) -> Result<Value, FunctionError> {
    let world = World { clock: Some(&FixedClock(1_000_000_000)), ..World::default() };
    call_with(&MemoryFiles::new(), world, name, arguments)
}

/// Calls the function `name` in the directory `/m` of `files`, with low limits.
pub(crate) fn call_with(
    files: &dyn Files,
    world: World<'_>,
    name: &str,
    arguments: impl IntoIterator<Item = Value>,
) -> Result<Value, FunctionError> {
    let limits = Limits { bytes: 1 << 20, elements: 10_000, ..Limits::default() };
    let env = CallEnv { world, ..CallEnv::new(files, Path::new("/m"), &limits) };
    terrane_function::call(&function(name), arguments.into_iter().collect(), &env)
}

/// Returns the function `name`. A test that names no function fails.
fn function(name: &str) -> Function {
    let found = crate::functions().into_iter().find(|function| function.name == name);
    found.unwrap_or_else(|| panic!("there is no function {name}"))
}

/// Returns the work of a call of the function `name`, whether it succeeds or not.
pub(crate) fn work(name: &str, arguments: impl IntoIterator<Item = Value>) -> usize {
    let function = function(name);
    let (files, limits, work) = (MemoryFiles::new(), Limits::default(), Cell::new(0));
    let env = CallEnv::new(&files, Path::new("/m"), &limits);
    let mut arguments: Vec<Value> = arguments.into_iter().collect();
    drop(call_converted(&function, &mut arguments, &env, &work, &mut |call| (function.body)(call)));
    work.get()
}

/// Returns the result of a call as JSON, as `unknown` with the known prefix of a string, or as `error` with the index of the
/// argument.
pub(crate) fn shown(name: &str, arguments: impl IntoIterator<Item = Value>) -> String {
    match call(name, arguments) {
        Ok(value) => match value.as_unknown() {
            Some(unknown) => format!("unknown {}", unknown.refinement.prefix.as_deref().unwrap_or("-")),
            None => json::encode(&value).unwrap_or_else(|error| error.to_string()),
        },
        Err(error) => error.argument.map_or_else(|| "error".to_owned(), |index| format!("error {index}")),
    }
}

/// Returns the result of [`shown`] for arguments that are strings.
pub(crate) fn shown_of<const N: usize>(name: &str, arguments: [&str; N]) -> String {
    shown(name, strings(arguments))
}

/// Returns the result of a call in the format of [`show`], or `error` with the index of the argument.
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

/// Returns the value on one line: tuples as `[1, a]`, collections with their kind as a prefix, `*` before marked values, `?`
/// before the type of unknown values.
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

/// Returns a number, written as a literal, as a value.
pub(crate) fn number(text: &str) -> Value {
    let number = Number::parse(text).unwrap_or_else(|| panic!("{text} is no number"));
    Value::number(number)
}

/// Returns strings as values.
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

/// A sensitive value.
pub(crate) fn secret(value: impl Into<Value>) -> Value {
    value.into().with_marks(&Marks::sensitive())
}

/// An unknown value with the variable `u` as its origin.
pub(crate) fn unknown(ty: Type) -> Value {
    Value::unknown_from(ty, Origins::one(OriginKind::Variable, "var.u"))
}
