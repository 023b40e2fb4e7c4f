//! Functions such as `coalesce`, which return the first argument that they do not skip.

use terrane_function::Skipped;
use terrane_module::place::count;
use terrane_value::Value;

/// Returns in words why a function skips an argument with a known value. `None` if the argument is the result.
pub(crate) fn refusal(skipped: Skipped, value: &Value) -> Option<&'static str> {
    let value = value.unmarked();
    let is_empty = match skipped {
        Skipped::Errors => return None,
        Skipped::EmptyStrings => value.as_str() == Some(""),
        Skipped::EmptyCollections => count(value) == Some(0),
    };
    match (value.is_null(), is_empty) {
        (true, _) => Some("is null"),
        (false, true) => Some("is empty"),
        (false, false) => None,
    }
}
