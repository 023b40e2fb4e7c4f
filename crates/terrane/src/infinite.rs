//! Finds infinite numbers, which JSON cannot express.

use terrane_source::{Diagnostic, ids};
use terrane_value::{Number, Value};

/// Whether a value contains an infinite number. The maximum depth of values bounds the recursion.
pub(crate) fn has_infinity(value: &Value) -> bool {
    let mut found = value.unmarked().as_number().is_some_and(Number::is_infinite);
    value.for_each_child(&mut |child| found = found || has_infinity(child));
    found
}

/// Returns the error about the object at `address`, whose value contains an infinite number. `kind` is a noun for the object.
pub(crate) fn not_json(address: &str, kind: &str) -> Diagnostic {
    let detail = format!(
        "`{address}` contains an infinite number, which JSON cannot express. Remove the number from the {kind}."
    );
    Diagnostic::error(ids::NOT_JSON, detail)
}
