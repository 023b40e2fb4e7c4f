//! The spans of a conditional, for its diagnostics.

use terrane_source::Span;
use terrane_syntax::ExprId;

/// The spans of a `? :` or of an `%{if}` directive.
#[derive(Clone, Copy)]
pub(crate) struct ConditionalSpans {
    pub(crate) whole: Span,
    pub(crate) condition: ExprId,
    /// The result where the condition is true.
    pub(crate) yes: Span,
    /// The result where it is false.
    pub(crate) no: Span,
}
