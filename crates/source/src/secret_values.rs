//! The places in a file that set arguments to secrets.

use crate::Span;

/// A text that sets an argument to a secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SecretValue {
    /// The place of the value, with the text behind it that may belong to it.
    span: Span,
    /// The name of the argument.
    pub(crate) name: Box<str>,
    /// Whether the place has no syntax error.
    pub(crate) is_whole: bool,
}

/// The secret values of a file.
#[derive(Default)]
pub(crate) struct SecretValues {
    /// The values in order, without overlaps.
    values: Vec<SecretValue>,
    /// The places of syntax errors, in order.
    errors: Vec<Span>,
}

impl SecretValues {
    /// Adds the places of syntax errors.
    pub(crate) fn add_errors(&mut self, errors: impl Iterator<Item = Span>) {
        self.errors.extend(errors);
        self.errors.sort_unstable();
        self.errors.dedup();
    }

    /// Adds a value. Returns whether it has no syntax error.
    pub(crate) fn add(&mut self, name: &str, span: Span) -> bool {
        let is_whole = !self.has_error_in(span);
        let from = self.values.partition_point(|value| value.span.end <= span.start);
        let to = self.values.partition_point(|value| value.span.start < span.end);
        let touched = self.values.get(from..to).unwrap_or_default();
        let is_known = touched.iter().any(|value| {
            value.span.start <= span.start && span.end <= value.span.end && value.is_whole <= is_whole
        });
        if !is_known {
            let whole = touched.iter().fold(span, |whole, value| whole.to(value.span));
            let is_whole = is_whole && touched.iter().all(|value| value.is_whole);
            self.values.splice(from..to, [SecretValue { span: whole, name: name.into(), is_whole }]);
        }
        is_whole
    }

    /// Whether a syntax error begins in a part.
    pub(crate) fn has_error_in(&self, span: Span) -> bool {
        let errors = self.errors.partition_point(|error| error.start < span.start);
        self.errors.get(errors).is_some_and(|error| error.start < span.end)
    }

    /// Returns the value at a place.
    pub(crate) fn at(&self, place: u32) -> Option<&SecretValue> {
        let at = self.values.partition_point(|value| value.span.end <= place);
        self.values.get(at).filter(|value| value.span.start <= place)
    }
}
