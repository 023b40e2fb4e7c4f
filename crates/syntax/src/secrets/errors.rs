//! The places of syntax errors, to find those in a part of a file.

use terrane_source::{Diagnostic, Span};

/// Returns the places of the errors.
pub fn error_places(diagnostics: &[Diagnostic]) -> impl Iterator<Item = Span> {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    errors.filter_map(|error| Some(error.subject.as_ref()?.span))
}

/// The places of errors.
pub(super) struct ErrorPlaces {
    /// The places in the order of their starts, each with the last end among it and the places before it.
    places: Vec<(Span, u32)>,
}

impl ErrorPlaces {
    pub(super) fn of(diagnostics: &[Diagnostic]) -> ErrorPlaces {
        let mut spans: Vec<Span> = error_places(diagnostics).collect();
        spans.sort_unstable();
        let mut last = 0;
        let places = spans.into_iter().map(|span| {
            last = span.end.max(last);
            (span, last)
        });
        ErrorPlaces { places: places.collect() }
    }

    /// Whether an error is in a part, or touches it.
    pub(super) fn touch(&self, content: Span) -> bool {
        let before = self.places.partition_point(|(span, _)| span.start <= content.end);
        let last = before.checked_sub(1).and_then(|index| self.places.get(index));
        last.is_some_and(|(_, end)| content.start <= *end)
    }
}
