//! Errors in bodies, for the files that decode one type of block.

use terrane_body::Body;
use terrane_source::{Diagnostic, DiagnosticId, Span};

/// Returns an error at a span in the file of `body`.
pub(crate) fn error_in(body: &Body, id: DiagnosticId, span: Span, detail: impl Into<String>) -> Diagnostic {
    Diagnostic::error(id, detail).at(body.source(), span)
}
