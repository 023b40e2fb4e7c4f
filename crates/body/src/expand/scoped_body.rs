//! Bodies and blocks with the iterators of the `dynamic` blocks around them.

use std::sync::Arc;

use terrane_source::{Diagnostic, DiagnosticId, Span};
use terrane_value::{Marks, Origins, SmolStr, Value};

use crate::body::Body;
use crate::content::{Block, Label};

/// A body, with the iterators of the `dynamic` blocks around it.
#[derive(Clone)]
pub(crate) struct ScopedBody {
    pub(crate) body: Body,
    /// The innermost iterator; `None` outside `dynamic` blocks.
    pub(crate) iterator: Option<Arc<BlockIterator>>,
    /// The marks of the collection, if the body is in the content of a `dynamic` block.
    pub(crate) marks: Marks,
    /// The reason why every value in it is unknown, if the elements of the `dynamic` block are unknown.
    pub(crate) unknown: Option<Origins>,
}

/// The object with the key and the value of the current element of a `dynamic` block, and its name.
pub(crate) struct BlockIterator {
    pub(crate) name: SmolStr,
    pub(crate) object: Value,
    /// The iterator of the `dynamic` block around this one.
    pub(crate) outer: Option<Arc<BlockIterator>>,
}

/// A block of a [`ScopedBody`]: a literal block, or one that a `dynamic` block generates.
#[derive(Clone)]
pub(crate) struct ScopedBlock {
    pub(crate) block_type: SmolStr,
    pub(crate) labels: Vec<Label>,
    /// The header of the literal block or the `dynamic` block.
    pub(crate) header_span: Span,
    pub(crate) body: ScopedBody,
}

impl ScopedBody {
    /// Returns a body outside `dynamic` blocks.
    pub(crate) fn new(body: Body) -> ScopedBody {
        ScopedBody { body, iterator: None, marks: Marks::NONE, unknown: None }
    }

    /// Whether a `dynamic` block around it may generate it more than once.
    pub(crate) fn is_generated(&self) -> bool {
        self.iterator.is_some()
    }

    /// Returns another body in the same scope.
    pub(crate) fn with(&self, body: Body) -> ScopedBody {
        ScopedBody { body, ..self.clone() }
    }

    /// Returns a literal block of the body, which inherits its iterators and its unknown elements.
    pub(crate) fn literal_block(&self, block: &Block) -> ScopedBlock {
        ScopedBlock {
            block_type: block.block_type.clone(),
            labels: block.labels.clone(),
            header_span: block.header_span,
            body: ScopedBody {
                body: block.body.clone(),
                iterator: self.iterator.clone(),
                // An unknown body has the marks of the collection that makes it unknown.
                marks: if self.unknown.is_some() { self.marks.clone() } else { Marks::NONE },
                unknown: self.unknown.clone(),
            },
        }
    }

    /// Returns an error at `span` of the body.
    pub(crate) fn error(&self, id: DiagnosticId, span: Span, detail: impl Into<String>) -> Diagnostic {
        Diagnostic::error(id, detail).at(self.body.source(), span)
    }
}

impl BlockIterator {
    /// Returns the names and objects of this iterator and of the iterators around it, outermost first.
    pub(crate) fn bindings(&self) -> Vec<(&str, &Value)> {
        let mut bindings = self.outer.as_deref().map(BlockIterator::bindings).unwrap_or_default();
        bindings.push((&self.name, &self.object));
        bindings
    }
}
