//! Mistakes in references: the result type of a check, and the diagnostic at a part of a reference.

use terrane_eval::Reference;
use terrane_source::{Diagnostic, DiagnosticId, Span};

/// A result, or the mistake in a reference.
pub(crate) type ReferenceResult<T> = Result<T, Box<Diagnostic>>;

/// Returns an error about a reference.
pub(crate) fn at(reference: &Reference<'_>, span: Span, id: DiagnosticId, detail: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(id, detail).at(reference.tree.source(), span))
}
