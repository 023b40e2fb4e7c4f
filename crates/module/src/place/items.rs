//! Presents bodies of both syntaxes as lists of arguments and blocks, with their places.

use terrane_source::Span;
use terrane_syntax::Expression;
use terrane_value::SmolStr;

/// Reads a file in one syntax.
pub(super) trait SyntaxReader {
    /// The body of a file or block.
    type Body: Copy;
    /// The value of an argument.
    type Value: Copy;

    /// Returns the body of the file.
    fn root(&self) -> Self::Body;

    /// Returns the arguments and blocks in the body of a block of the type `outer`, in source order.
    fn items(&self, body: Self::Body, outer: Option<&str>) -> Vec<Item<Self::Body, Self::Value>>;

    /// Returns the expression of a value.
    fn expression(&self, value: Self::Value) -> Expression;

    /// Returns the expression of a list of references to objects, which are strings in JSON.
    fn references(&self, value: Self::Value) -> Expression {
        self.expression(value)
    }

    /// Returns the plain name that a value is, as in `iterator`; `None` for any other value.
    fn plain_name(&self, value: Self::Value) -> Option<SmolStr>;
}

/// An argument or block.
pub(super) struct Item<B, V> {
    /// The name of the argument, or the type of the block.
    pub(super) name: SmolStr,
    pub(super) labels: Vec<SmolStr>,
    /// The bytes of the whole argument or block.
    pub(super) span: Span,
    pub(super) content: Content<B, V>,
}

/// The content of an item.
#[derive(Clone, Copy)]
pub(super) enum Content<B, V> {
    Argument(V),
    Block(B),
}

impl<B: Copy, V: Copy> Item<B, V> {
    /// Returns the value if this is the argument `name`.
    pub(super) fn argument(&self, name: &str) -> Option<V> {
        match self.content {
            Content::Argument(value) if self.name == name => Some(value),
            Content::Argument(_) | Content::Block(_) => None,
        }
    }
}
