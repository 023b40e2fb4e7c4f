//! Writes numbers of diagnostics in messages.

use terrane::Diagnostics;
use terrane::source::Severity;
use terrane::value::counted;

/// Returns the numbers of errors, warnings and notes, without zeros: `2 errors, 1 warning`.
pub(crate) fn by_severity(diagnostics: &Diagnostics) -> String {
    let numbers = [Severity::Error, Severity::Warning, Severity::Note]
        .map(|severity| (diagnostics.of_severity(severity), severity.name()));
    let some = numbers.into_iter().filter(|(number, _)| *number > 0);
    some.map(|(number, noun)| counted(number, noun)).collect::<Vec<_>>().join(", ")
}
