//! Removes values from diagnostics about elements of sensitive collections.

use terrane_source::{Diagnostic, DiagnosticId, ids};
use terrane_value::Marks;

/// Diagnostics whose texts contain only source text, no values.
const WITHOUT_VALUES: [DiagnosticId; 6] = [
    ids::UNKNOWN_VARIABLE,
    ids::UNKNOWN_FUNCTION,
    ids::TOO_MANY_ARGUMENTS,
    ids::LIMIT_EXCEEDED,
    ids::INTERRUPTED,
    ids::TOO_DEEP,
];

/// Removes values from a diagnostic about an element of a collection with these marks. The elements
/// themselves have no marks.
pub fn conceal(diagnostic: &mut Diagnostic, marks: &Marks) {
    if marks.is_secret() && !WITHOUT_VALUES.contains(&diagnostic.id) {
        diagnostic.values.clear();
        diagnostic.hints.clear();
        diagnostic.fixes.clear();
        diagnostic.labels.clear();
        diagnostic.detail =
            "The error is not described, because it concerns an element of a sensitive collection."
                .to_owned();
    }
}
