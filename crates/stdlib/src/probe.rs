//! What the tests of all families share.

use std::path::Path;

use terrane_function::{CallEnv, FixedClock, FunctionError, Limits, call};
use terrane_source::MemoryFiles;
use terrane_value::{Value, json};

/// Calls the function `name`. There is one file, `hello.txt`, and no clock.
pub(crate) fn call_function(
    name: &str,
    arguments: impl IntoIterator<Item = Value>,
) -> Result<Value, FunctionError> {
    call_with(name, arguments, None)
}

/// Calls the function `name` at 2001-09-09T01:46:40Z.
pub(crate) fn call_with_clock(
    name: &str,
    arguments: impl IntoIterator<Item = Value>,
) -> Result<Value, FunctionError> {
    call_with(name, arguments, Some(&FixedClock(1_000_000_000)))
}

fn call_with(
    name: &str,
    arguments: impl IntoIterator<Item = Value>,
    clock: Option<&FixedClock>,
) -> Result<Value, FunctionError> {
    let functions = crate::functions();
    let function = functions.iter().find(|function| function.name == name).expect("no such function");
    let files = MemoryFiles::from_iter([("/base/hello.txt", "Hello")]);
    let limits = Limits { bytes: 1 << 20, elements: 10_000, ..Limits::default() };
    let env = CallEnv {
        files: &files,
        base_dir: Path::new("/base"),
        clock: clock.map(|clock| clock as _),
        limits: &limits,
    };
    call(function, arguments.into_iter().collect(), &env)
}

/// The result of a call as JSON; `unknown` and the known beginning of an unknown string; `error` and the index
/// of the argument at fault.
pub(crate) fn shown(name: &str, arguments: impl IntoIterator<Item = Value>) -> String {
    match call_function(name, arguments) {
        Ok(value) => match value.as_unknown() {
            Some(unknown) => format!("unknown {}", unknown.refinement.prefix.as_deref().unwrap_or("-")),
            None => json::encode(&value).unwrap_or_else(|error| error.to_string()),
        },
        Err(error) => error.argument.map_or_else(|| "error".to_owned(), |index| format!("error {index}")),
    }
}

/// The same for arguments that are strings.
pub(crate) fn shown_of<const N: usize>(name: &str, arguments: [&str; N]) -> String {
    shown(name, arguments.map(Value::from))
}
