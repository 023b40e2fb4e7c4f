//! The error about infinite numbers, which JSON cannot express.

use terrane_source::{Diagnostic, ids};

/// Returns the error about the object at `address`, whose value contains an infinite number. `kind` is a noun for the object.
pub(crate) fn not_json(address: &str, kind: &str) -> Diagnostic {
    let detail = format!(
        "`{address}` contains an infinite number, which JSON cannot express. Remove the number from the {kind}."
    );
    Diagnostic::error(ids::NOT_JSON, detail)
}
