//! A `dynamic` block that has been read: its elements, and the content of the blocks that it generates.

use std::sync::Arc;

use terrane_source::Span;
use terrane_syntax::{ExprId, Expression};
use terrane_value::{Marks, Number, Origins, SmolStr, Type, Value, ValueKind};

use super::scoped_body::{BlockIterator, ScopedBlock, ScopedBody};
use crate::content::Block;

/// A `dynamic` block, with its `for_each` evaluated.
pub(crate) struct DynamicBlock {
    /// The type of the generated blocks.
    pub(crate) block_type: SmolStr,
    pub(super) header_span: Span,
    /// The name of the iterator.
    pub(super) iterator: SmolStr,
    pub(super) labels: Option<LabelExpressions>,
    /// The `content` block.
    pub(super) content: Block,
    pub(crate) elements: Elements,
    /// The marks of the collection.
    pub(crate) marks: Marks,
}

/// The value of the argument `labels`.
pub(super) struct LabelExpressions {
    /// The tuple.
    pub(super) tuple: Expression,
    /// Its elements.
    pub(super) labels: Vec<ExprId>,
}

/// The elements of the collection `for_each`.
pub(crate) enum Elements {
    Known(Vec<Element>),
    /// The number of elements is unknown.
    Unknown(Origins),
}

/// An element of the collection `for_each`.
pub(crate) struct Element {
    pub(crate) key: Value,
    pub(crate) value: Value,
}

/// The labels that generated blocks must have.
#[derive(Clone, Copy)]
pub(crate) enum ExpectedLabels<'l> {
    /// Any number of labels, because there is no schema.
    Any,
    /// Labels with these names.
    Named(&'l [String]),
}

impl Elements {
    /// Returns the elements of a list, set, map, object or tuple. The key of an element of a set is the element itself.
    pub(super) fn of(collection: &Value) -> Elements {
        match collection.kind() {
            ValueKind::List(elements) | ValueKind::Tuple(elements) => Elements::Known(
                (0..)
                    .zip(elements)
                    .map(|(index, value)| Element {
                        key: Value::number(Number::counted(index)),
                        value: value.clone(),
                    })
                    .collect(),
            ),
            ValueKind::Set(elements) => Elements::Known(
                elements.iter().map(|value| Element { key: value.clone(), value: value.clone() }).collect(),
            ),
            ValueKind::Map(entries) | ValueKind::Object(entries) => {
                let element = |(key, value): (&SmolStr, &Value)| Element {
                    key: Value::string(key.clone()),
                    value: value.clone(),
                };
                Elements::Known(entries.iter().map(element).collect())
            }
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_)
            | ValueKind::Marked(..) => Elements::Unknown(collection.origins().clone()),
        }
    }
}

impl DynamicBlock {
    /// Returns the block for an element, without labels. Without an element, the block represents all unknown elements.
    pub(crate) fn block(&self, body: &ScopedBody, element: Option<&Element>) -> ScopedBlock {
        let unknown = match &self.elements {
            Elements::Known(_) => None,
            Elements::Unknown(origins) => Some(origins.clone()),
        };
        let unknown_value = || Value::unknown_from(Type::Dynamic, unknown.clone().unwrap_or_default());
        let (key, value) = match element {
            Some(element) => (element.key.clone(), element.value.clone()),
            None => (unknown_value(), unknown_value()),
        };
        let iterator = BlockIterator {
            name: self.iterator.clone(),
            object: Value::object([("key".into(), key), ("value".into(), value)]),
            outer: body.iterator.clone(),
        };
        ScopedBlock {
            block_type: self.block_type.clone(),
            labels: Vec::new(),
            header_span: self.header_span,
            body: ScopedBody {
                body: self.content.body.clone(),
                iterator: Some(Arc::new(iterator)),
                marks: self.marks.clone(),
                unknown: body.unknown.clone().or(unknown),
            },
        }
    }
}
