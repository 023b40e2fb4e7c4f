//! Bodies and blocks with their `dynamic` blocks expanded, before and after the evaluation of their values.

use std::fmt;
use std::sync::Arc;

use terrane_source::{SourceFile, Span};
use terrane_value::{Origins, SmolStr, Value};

use crate::body::Body;
use crate::content::Label;
use crate::expand::scoped_body::{ScopedBlock, ScopedBody};

/// A body with its `dynamic` blocks expanded, and with the iterators of the `dynamic` blocks around it.
#[derive(Clone)]
pub struct ExpandedBody {
    pub(crate) inner: ScopedBody,
}

/// A block of an [`ExpandedBody`]: a literal block, or one that a `dynamic` block generates.
#[derive(Clone)]
pub struct ExpandedBlock {
    /// The type.
    pub block_type: SmolStr,
    /// The labels; none if the number of generated blocks is unknown.
    pub labels: Vec<Label>,
    /// The header of the literal block or the `dynamic` block.
    pub header_span: Span,
    /// The content.
    pub body: ExpandedBody,
    /// The reason why the number of generated blocks is unknown. The block represents all of them.
    pub repeated: Option<Origins>,
}

/// A body with all values evaluated.
#[derive(Clone, Debug)]
pub struct ResolvedBody {
    /// The source file.
    pub source: Arc<SourceFile>,
    /// The span for diagnostics about missing items.
    pub missing_item_span: Span,
    /// The arguments in source order.
    pub arguments: Vec<ResolvedArgument>,
    /// The blocks in source order.
    pub blocks: Vec<ResolvedBlock>,
}

/// An argument with its value.
#[derive(Clone, Debug)]
pub struct ResolvedArgument {
    /// The name.
    pub name: SmolStr,
    /// The source file.
    pub source: Arc<SourceFile>,
    /// The span of the name.
    pub name_span: Span,
    /// The span of the value.
    pub value_span: Span,
    /// The value.
    pub value: Value,
}

/// A block with all values evaluated.
#[derive(Clone, Debug)]
pub struct ResolvedBlock {
    /// The type.
    pub block_type: SmolStr,
    /// The labels.
    pub labels: Vec<SmolStr>,
    /// The header of the literal block or the `dynamic` block.
    pub header_span: Span,
    /// The content.
    pub body: ResolvedBody,
    /// The reason why the number of generated blocks is unknown. The block represents all of them.
    pub repeated: Option<Origins>,
}

impl ExpandedBody {
    /// Returns a body outside `dynamic` blocks.
    pub fn new(body: Body) -> ExpandedBody {
        ExpandedBody { inner: ScopedBody::new(body) }
    }

    /// Returns the body with its `dynamic` blocks.
    pub fn body(&self) -> &Body {
        &self.inner.body
    }

    /// Whether a `dynamic` block, whose iterator its expressions may use, generates it.
    pub fn is_generated(&self) -> bool {
        self.inner.is_generated()
    }

    pub(crate) fn with(&self, body: Body) -> ExpandedBody {
        ExpandedBody { inner: self.inner.with(body) }
    }
}

impl ExpandedBlock {
    pub(crate) fn new(block: ScopedBlock, repeated: Option<Origins>) -> ExpandedBlock {
        ExpandedBlock {
            block_type: block.block_type,
            labels: block.labels,
            header_span: block.header_span,
            body: ExpandedBody { inner: block.body },
            repeated,
        }
    }
}

impl fmt::Debug for ExpandedBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expanded{:?}", self.inner.body)
    }
}
