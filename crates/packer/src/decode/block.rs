//! Labels, positions and errors of blocks, for the files that decode one type of block.

use std::sync::Arc;

use terrane_body::{Block, Body};
use terrane_source::{Diagnostic, DiagnosticId, Span, Subject};
use terrane_value::SmolStr;

/// The rule for names, as diagnostics explain it.
pub(crate) const NAME_RULE: &str = "A name starts with a letter or an underscore, followed by letters, \
                                    digits, underscores and hyphens.";

/// Returns the declaration at the header of a block.
pub(crate) fn declaration(block: &Block) -> Subject {
    Subject { file: Arc::clone(block.body.source()), span: block.header_span }
}

/// Returns an error at a span in the file of `body`.
pub(crate) fn error_in(body: &Body, id: DiagnosticId, span: Span, detail: impl Into<String>) -> Diagnostic {
    Diagnostic::error(id, detail).at(body.source(), span)
}

/// Returns the text and the span of a label.
pub(crate) fn label(block: &Block, index: usize) -> (SmolStr, Span) {
    match block.labels.get(index) {
        Some(label) => (label.text.clone(), label.span),
        None => (SmolStr::from(""), block.header_span),
    }
}
