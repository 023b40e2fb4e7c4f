//! Writes numbers of things in messages.

use terrane::Diagnostics;
use terrane::source::Severity;

/// Returns the number with its noun: `1 file`, `2 files`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns the numbers of errors, warnings and notes, without zeros: `2 errors, 1 warning`.
pub(crate) fn counted(diagnostics: &Diagnostics) -> String {
    let numbers = [Severity::Error, Severity::Warning, Severity::Note]
        .map(|severity| (diagnostics.of_severity(severity), severity.name()));
    let some = numbers.into_iter().filter(|(number, _)| *number > 0);
    some.map(|(number, noun)| count(number, noun)).collect::<Vec<_>>().join(", ")
}
