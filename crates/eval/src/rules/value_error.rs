//! Errors of operations on values as diagnostics.

use terrane_source::{DiagnosticId, Span, ids};
use terrane_syntax::ExprId;
use terrane_value::{ClosestNames, ValueError, ValueErrorKind};

use crate::rules::evaluator::Evaluator;

impl Evaluator<'_> {
    /// Returns the name that a misspelt one probably means, and counts the comparisons. `try` and `can` drop it with the error.
    pub(crate) fn closest<N: AsRef<str>>(
        &mut self,
        given: &str,
        names: impl IntoIterator<Item = N>,
    ) -> Option<N> {
        if !self.report.has_suggestions || self.attempt.is_active() {
            return None;
        }
        let closest_names = ClosestNames::counted();
        let found = closest_names.of(given, names);
        self.budget.work(closest_names.steps());
        found
    }

    /// Reports an error of a value operation, at its place in the text. This is the only function that does so. `fault`
    /// is the expression whose variables explain the error.
    pub(crate) fn report_value_error(&mut self, error: ValueError, span: Span, fault: Option<ExprId>) {
        // `try` and `can` drop the suggestions with the error.
        let is_read = self.report.has_suggestions && !self.attempt.is_active();
        if is_read {
            self.budget.work(error.steps_of_suggestions());
        }
        let error = if is_read && self.budget.is_within_steps() { error.with_suggestions() } else { error };
        let detail = error.to_string();
        let mut diagnostic = self.report.diagnostic(value_error_id(error.kind), span, detail);
        diagnostic.hints = error.hints;
        if let Some(misspelt) = error.misspelt {
            diagnostic = diagnostic.rename(&misspelt.given, &misspelt.meant);
        }
        let diagnostic = match fault {
            Some(fault) => self.explained(diagnostic, fault),
            None => diagnostic,
        };
        self.report.push(diagnostic);
    }
}

/// Returns the id of the diagnostic that reports a failed operation on values.
pub fn value_error_id(kind: ValueErrorKind) -> DiagnosticId {
    match kind {
        ValueErrorKind::InvalidOperand(_) | ValueErrorKind::NotConvertible => ids::INVALID_OPERAND,
        ValueErrorKind::OperationFailed => ids::OPERATION_FAILED,
        ValueErrorKind::UnsupportedAttribute => ids::UNSUPPORTED_ATTRIBUTE,
        ValueErrorKind::MissingMapElement => ids::MISSING_MAP_ELEMENT,
        ValueErrorKind::InvalidIndex => ids::INVALID_INDEX,
        ValueErrorKind::IndexOfNull => ids::INDEX_OF_NULL,
        ValueErrorKind::AttributeOfNull => ids::ATTRIBUTE_OF_NULL,
    }
}
