//! The tree of JSON values: one arena per file.
//!
//! Built by the JSON parser. Bodies read it by schema, and [`lower`](super::lower()) turns values into
//! expressions.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use terrane_source::{SourceFile, Span};

use crate::tree::{DecodedId, List, Text};

/// The id of a [`Value`] in its tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ValueId(NonZeroU32);

/// A JSON value.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// Text that could not be parsed. A diagnostic is about it.
    Missing,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number; its exact decimal text is the text of the value's span.
    Number,
    /// A string with its escapes decoded.
    String(Text),
    /// `[…]`.
    Array(List<ValueId>),
    /// `{…}`.
    Object(List<Property>),
}

/// A property of an object: `"name": value`.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// The name with its escapes decoded.
    pub name: Text,
    /// The bytes of the name, with its quotes.
    pub name_span: Span,
    /// The value.
    pub value: ValueId,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    value: Value,
    span: Span,
}

/// The arena of the JSON values of one file.
pub struct Tree {
    source: Arc<SourceFile>,
    nodes: Vec<Node>,
    elements: Vec<ValueId>,
    properties: Vec<Property>,
    /// The place of each decoded string in `decoded_text`.
    decoded: Vec<Span>,
    decoded_text: String,
}

impl Tree {
    pub(super) fn new(source: Arc<SourceFile>) -> Tree {
        Tree {
            source,
            nodes: Vec::new(),
            elements: Vec::new(),
            properties: Vec::new(),
            decoded: Vec::new(),
            decoded_text: String::new(),
        }
    }

    /// The file that was parsed.
    pub fn source(&self) -> &Arc<SourceFile> {
        &self.source
    }

    /// A value. The id must come from this tree.
    pub fn value(&self, id: ValueId) -> Value {
        self.node(id).value
    }

    /// Returns the bytes of a value. They include the quotes of a string and the brackets of an object or array.
    pub fn span(&self, id: ValueId) -> Span {
        self.node(id).span
    }

    /// Returns the bytes for a message about a value: the opening bracket of an object or array, otherwise the whole value.
    pub fn start_span(&self, id: ValueId) -> Span {
        let Node { value, span } = self.node(id);
        match value {
            Value::Array(_) | Value::Object(_) => Span::new(span.start, span.start + 1),
            Value::Missing | Value::Null | Value::Bool(_) | Value::Number | Value::String(_) => span,
        }
    }

    /// The elements of an array. The list must come from this tree.
    pub fn elements(&self, list: List<ValueId>) -> &[ValueId] {
        self.elements.get(list.range()).unwrap_or_default()
    }

    /// Returns the properties of an object in source order, including properties with equal names. The list must come from this
    /// tree.
    pub fn properties(&self, list: List<Property>) -> &[Property] {
        self.properties.get(list.range()).unwrap_or_default()
    }

    /// The name of a property.
    pub fn name(&self, property: &Property) -> &str {
        self.text(property.name)
    }

    /// The bytes of a property, from its name to the end of its value.
    pub fn property_span(&self, property: &Property) -> Span {
        property.name_span.to(self.span(property.value))
    }

    /// The characters of a string.
    pub fn text(&self, text: Text) -> &str {
        match text {
            Text::Source(span) => self.source.slice(span),
            Text::Decoded(id) => {
                let span = self.decoded.get(id.index()).copied().unwrap_or_default();
                self.decoded_text.get(span.range()).unwrap_or_default()
            }
        }
    }

    /// Returns the number of values in the tree.
    pub fn value_count(&self) -> usize {
        self.nodes.len()
    }

    #[expect(clippy::indexing_slicing, reason = "ids are made only by this arena, which never shrinks")]
    fn node(&self, id: ValueId) -> Node {
        self.nodes[id.0.get() as usize - 1]
    }

    pub(super) fn add(&mut self, value: Value, span: Span) -> ValueId {
        self.nodes.push(Node { value, span });
        let id = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        ValueId(NonZeroU32::new(id).unwrap_or(NonZeroU32::MAX))
    }

    /// Moves the elements of `scratch` from `mark` on into the tree.
    pub(super) fn add_elements(&mut self, scratch: &mut Vec<ValueId>, mark: usize) -> List<ValueId> {
        add_list(&mut self.elements, scratch, mark)
    }

    /// Moves the properties of `scratch` from `mark` on into the tree.
    pub(super) fn add_properties(&mut self, scratch: &mut Vec<Property>, mark: usize) -> List<Property> {
        add_list(&mut self.properties, scratch, mark)
    }

    /// Adds the text that `decode` appends.
    pub(super) fn add_decoded(&mut self, decode: impl FnOnce(&mut String)) -> Text {
        let start = self.decoded_text.len();
        decode(&mut self.decoded_text);
        let offset = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        self.decoded.push(Span::new(offset(start), offset(self.decoded_text.len())));
        Text::Decoded(DecodedId::from_index(self.decoded.len() - 1))
    }

    /// Frees the memory that was reserved for more values.
    pub(super) fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.elements.shrink_to_fit();
        self.properties.shrink_to_fit();
        self.decoded.shrink_to_fit();
        self.decoded_text.shrink_to_fit();
    }
}

fn add_list<T: Copy>(arena: &mut Vec<T>, scratch: &mut Vec<T>, mark: usize) -> List<T> {
    let elements = scratch.get(mark..).unwrap_or_default();
    let start = u32::try_from(arena.len()).unwrap_or(u32::MAX);
    let len = u32::try_from(elements.len()).unwrap_or(u32::MAX);
    arena.extend_from_slice(elements);
    scratch.truncate(mark);
    List::new(start, len)
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tree({:?}, {} values)", self.source, self.nodes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stay_small_and_can_be_shared() {
        fn assert_shareable<T: Send + Sync + 'static>() {}
        assert_shareable::<Tree>();
        assert_eq!((size_of::<Value>(), size_of::<Node>(), size_of::<Property>()), (12, 20, 24));
    }
}
