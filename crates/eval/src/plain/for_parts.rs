//! The common view of a `for` expression and a `%{for}` directive.

use terrane_source::Span;
use terrane_syntax::ExprId;
use terrane_syntax::tree::{List, Part};

/// The parts of a `for`.
#[derive(Clone, Copy)]
pub(crate) struct ForParts {
    /// The name for the key.
    pub(crate) key_name: Option<Span>,
    /// The name for the value.
    pub(crate) value_name: Span,
    pub(crate) collection: ExprId,
    /// The condition after `if`.
    pub(crate) condition: Option<ExprId>,
    pub(crate) body: ForBody,
    /// The whole `for`.
    pub(crate) span: Span,
}

/// The part of a `for` that is evaluated for each element.
#[derive(Clone, Copy)]
pub(crate) enum ForBody {
    /// The value and, in the object form, its key.
    Values { key: Option<ExprId>, value: ExprId },
    /// The body of a directive.
    Text(List<Part>),
}
