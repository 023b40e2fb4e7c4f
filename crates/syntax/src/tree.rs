//! The syntax tree: one arena for each file, exhaustively matchable, with spans.
//!
//! Nodes are small `Copy` values in vectors; an id or a [`List`] names them within their [`Tree`]. There is
//! one allocation for each *kind* of node, not for each node, nothing to free recursively, and names and
//! plain literals are spans into the source text. `DESIGN.md` has the measurement behind this choice.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

use terrane_source::{Diagnostic, SourceFile, Span, Subject};

use crate::Token;
use crate::excerpt::Excerpt;

mod absorb;
mod partial;
mod relocate;

/// The result of a parse: always a tree, the tokens for tools that need them, and the diagnostics.
#[derive(Clone, Debug)]
pub struct Parsed<T> {
    /// The arena that contains `root`.
    pub tree: Arc<Tree>,
    /// The root of the tree: a [`BodyId`] or an [`ExprId`].
    pub root: T,
    /// All tokens, including comments, but not white space.
    pub tokens: Vec<Token>,
    /// The errors in the order of the reference: first invalid characters, then the others.
    /// [`Diagnostics::sort`](terrane_source::Diagnostics::sort) sorts them by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The parts that syntax errors made unreadable. Outside of these, the tree is complete.
    pub damage: Vec<Damage>,
}

/// A part of a file that a syntax error made unreadable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The bytes of the part: an item of a body, or the text behind a stray brace.
    pub span: Span,
    /// The block that contains the part. `None` for text between blocks.
    pub block: Option<BlockId>,
    /// The name of an argument, if only the value of this argument is unreadable.
    pub argument: Option<Span>,
    /// Whether the part may contain declarations that the tree lacks, if it belongs to no block.
    pub hides: bool,
}

/// An expression together with its tree: owned and cheap to clone, so that it can be kept after a parse.
#[derive(Clone, Debug)]
pub struct Expression {
    /// The arena.
    pub tree: Arc<Tree>,
    /// The id of the expression in the tree.
    pub id: ExprId,
}

impl Expression {
    /// The bytes of the expression.
    pub fn span(&self) -> Span {
        self.tree.span(self.id)
    }

    /// The file of the expression.
    pub fn source(&self) -> &Arc<SourceFile> {
        self.tree.source()
    }

    /// The place of the expression.
    pub fn subject(&self) -> Subject {
        Subject { file: Arc::clone(self.source()), span: self.span() }
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// Returns the id of the element at `index` of its arena.
            pub(crate) fn from_index(index: usize) -> $name {
                let id = u32::try_from(index + 1).unwrap_or(u32::MAX);
                $name(NonZeroU32::new(id).unwrap_or(NonZeroU32::MAX))
            }

            /// The index of the element in its arena, from 0.
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }
    )*};
}

ids! {
    /// The id of an [`Expr`] in its tree.
    ExprId;
    /// The id of a [`Body`] in its tree.
    BodyId;
    /// The id of an [`Attribute`] in its tree.
    AttributeId;
    /// The id of a [`Block`] in its tree.
    BlockId;
    /// The id of a [`Call`] in its tree.
    CallId;
    /// The id of a [`For`] in its tree.
    ForId;
    /// The id of an [`IfDirective`] in its tree.
    IfDirectiveId;
    /// The id of a [`ForDirective`] in its tree.
    ForDirectiveId;
    /// The id of a text that differs from its source, because of an escape or removed indentation.
    DecodedId;
}

/// A run of elements in an arena of the tree. [`Tree::list`] reads it.
pub struct List<T> {
    start: u32,
    len: u32,
    element: PhantomData<fn() -> T>,
}

impl<T> List<T> {
    /// No elements.
    pub const EMPTY: List<T> = List { start: 0, len: 0, element: PhantomData };

    pub(crate) const fn new(start: u32, len: u32) -> List<T> {
        List { start, len, element: PhantomData }
    }

    /// Number of elements.
    pub const fn len(self) -> usize {
        self.len as usize
    }

    /// Whether there are no elements.
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The indexes of the elements in their arena.
    pub(crate) const fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> List<T> {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.start, self.len)
    }
}

/// The text of a literal: a slice of the source if the source contains it unchanged, otherwise decoded text.
#[derive(Clone, Copy, Debug)]
pub enum Text {
    /// The bytes of the source are the text.
    Source(Span),
    /// The text differs from the source. The tree contains it.
    Decoded(DecodedId),
}

/// An expression.
#[derive(Clone, Copy, Debug)]
pub enum Expr {
    /// Text that could not be parsed. A diagnostic is about it.
    Missing,
    /// A literal value.
    Literal(Literal),
    /// A quoted or heredoc template with an interpolation or directive, or a heredoc.
    ///
    /// A template whose only part is an interpolation is the value of the interpolated expression, of any
    /// type; any other template is a string. An empty literal part is therefore kept where strip markers removed all of
    /// its text. An empty heredoc has no parts.
    Template {
        /// Literal and computed parts in order.
        parts: List<Part>,
        /// How the template is written.
        form: TemplateForm,
    },
    /// A name followed by any number of steps: `a`, `a.b[0]`.
    Traversal {
        /// The end of the root name, which starts where the expression starts.
        root_end: u32,
        /// The steps behind the root name.
        steps: List<Step>,
    },
    /// Steps behind an expression other than a name: `f(x).b`, `(a)[0]`.
    Relative {
        /// The expression to which the steps apply.
        source: ExprId,
        /// At least one step.
        steps: List<Step>,
    },
    /// `source[*]…` or `source.*…`.
    Splat {
        /// The iterated collection.
        source: ExprId,
        /// Evaluated for each element. [`Expr::Item`] stands for the element.
        each: ExprId,
        /// Whether it is written `[*]`; otherwise `.*`.
        full: bool,
    },
    /// The element of the innermost enclosing [`Expr::Splat`].
    Item,
    /// A function call.
    Call(CallId),
    /// `condition ? yes : no`.
    Conditional {
        /// The condition.
        condition: ExprId,
        /// The result if the condition is true.
        yes: ExprId,
        /// The result if the condition is false.
        no: ExprId,
    },
    /// An operator between two operands.
    ///
    /// The depth of all other expressions is limited, but a chain of operators (`a + b + c`) can have any length. Follow the
    /// left operands in a loop, not by recursion.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand.
        left: ExprId,
        /// The right operand.
        right: ExprId,
    },
    /// An operator before its operand.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: ExprId,
    },
    /// `[a, b]`.
    Tuple(List<ExprId>),
    /// `{ a = b }`.
    Object(List<ObjectItem>),
    /// A `for` expression in brackets or braces.
    For(ForId),
    /// `(inner)`.
    Parens(ExprId),
}

/// A literal value.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number; its exact decimal text is the text of the expression's span.
    Number,
    /// A quoted string without interpolation or directive.
    String(Text),
}

/// How a template is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemplateForm {
    /// Between quotes.
    Quoted,
    /// As a heredoc.
    Heredoc,
    /// As a whole file or string, such as the argument of `templatestring`.
    Bare,
}

/// A part of a template.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// Text.
    Literal {
        /// The text with escapes, indentation and strip markers applied.
        text: Text,
        /// The bytes that the text comes from.
        span: Span,
    },
    /// `${expr}`.
    Interpolation {
        /// The expression.
        expr: ExprId,
        /// From `${` to `}`.
        span: Span,
    },
    /// `%{if}`…`%{endif}`.
    If(IfDirectiveId),
    /// `%{for}`…`%{endfor}`.
    For(ForDirectiveId),
}

/// `%{if condition}yes%{else}no%{endif}`.
#[derive(Clone, Copy, Debug)]
pub struct IfDirective {
    /// The condition.
    pub condition: ExprId,
    /// The parts if the condition is true.
    pub yes: List<Part>,
    /// The parts if the condition is false. Empty without `%{else}`.
    pub no: List<Part>,
    /// From the opening `%{` to the `}` of `%{endif}`.
    pub span: Span,
}

/// `%{for key, value in collection}body%{endfor}`.
#[derive(Clone, Copy, Debug)]
pub struct ForDirective {
    /// Name of the key or index variable.
    pub key_name: Option<Span>,
    /// Name of the value variable.
    pub value_name: Span,
    /// The iterated collection.
    pub collection: ExprId,
    /// The parts repeated for each element.
    pub body: List<Part>,
    /// The opening `%{for … }`.
    pub opening: Span,
    /// From the opening `%{` to the `}` of `%{endfor}`.
    pub span: Span,
}

/// One step of a traversal.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// `.name`.
    Attr {
        /// The name.
        name: Span,
        /// Offset of the dot.
        dot: u32,
    },
    /// `.0`, the index syntax of old Terraform versions.
    LegacyIndex {
        /// The digits.
        digits: Span,
        /// Offset of the dot.
        dot: u32,
    },
    /// `[key]`.
    Index {
        /// The key expression.
        key: ExprId,
        /// From `[` to `]`.
        brackets: Span,
    },
}

impl Step {
    /// The bytes of the step, with its dot or brackets.
    pub const fn span(self) -> Span {
        match self {
            Step::Attr { name, dot } => Span::new(dot, name.end),
            Step::LegacyIndex { digits, dot } => Span::new(dot, digits.end),
            Step::Index { brackets, .. } => brackets,
        }
    }
}

/// A function call: `name(arguments)`.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The name, with namespaces: `upper`, `core::upper`. There may be white space around `::` in the source.
    pub name: Span,
    /// The arguments.
    pub arguments: List<ExprId>,
    /// Whether the last argument is followed by `...`.
    pub expand_last: bool,
    /// Offset of `(`.
    pub open: u32,
    /// Offset just behind `)`, or the end of the call if `)` is missing.
    pub close_end: u32,
}

/// An item of an object constructor.
///
/// A key that is an [`Expr::Traversal`] without steps is the literal name, not a variable, and so are `null`,
/// `true` and `false` (see [`Tree::plain_key`]); to use a variable, it is written in [`Expr::Parens`].
#[derive(Clone, Copy, Debug)]
pub struct ObjectItem {
    /// The key.
    pub key: ExprId,
    /// The value.
    pub value: ExprId,
}

/// A `for` expression: `[for k, v in collection : value if condition]` or
/// `{for k, v in collection : key => value... if condition}`.
#[derive(Clone, Copy, Debug)]
pub struct For {
    /// Name of the key or index variable.
    pub key_name: Option<Span>,
    /// Name of the value variable.
    pub value_name: Span,
    /// The iterated collection.
    pub collection: ExprId,
    /// The key expression of the object form.
    pub key: Option<ExprId>,
    /// The value expression.
    pub value: ExprId,
    /// The condition.
    pub condition: Option<ExprId>,
    /// Whether `...` groups values of equal keys.
    pub group: bool,
}

/// An operator between two operands, in the reference's order of precedence from low to high.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// An operator before its operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`.
    Negate,
    /// `!`.
    Not,
}

/// The content of a file or of a block.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Attributes and blocks in source order.
    pub items: List<Item>,
    /// The bytes of the content, without the braces of a block.
    pub span: Span,
}

/// An item of a body.
#[derive(Clone, Copy, Debug)]
pub enum Item {
    /// `name = expr`.
    Attribute(AttributeId),
    /// `type "label" { … }`.
    Block(BlockId),
}

/// `name = expr`.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// The name.
    pub name: Span,
    /// The value.
    pub expr: ExprId,
}

/// `type "label" { … }`.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The block type.
    pub block_type: Span,
    /// The labels.
    pub labels: List<Label>,
    /// The content.
    pub body: BodyId,
    /// Offset of `{`.
    pub open: u32,
    /// Offset just behind `}`, or the end of the block if `}` is missing.
    pub close_end: u32,
}

/// A label of a block.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// The label without its quotes, escapes decoded.
    pub text: Text,
    /// The bytes, including quotes.
    pub span: Span,
}

/// An expression with its bytes.
#[derive(Clone, Copy, Debug)]
struct Node {
    expr: Expr,
    span: Span,
}

/// The arena of the syntax tree of one file, expression or template.
pub struct Tree {
    source: Arc<SourceFile>,
    /// The texts of JSON strings with escapes that contain parts of the tree, in the order of the file.
    excerpts: Vec<Excerpt>,
    /// The objects that were written as JSON, in ascending order.
    json_objects: Vec<ExprId>,
    /// The readable parts of missing expressions, by the missing expression, in ascending order.
    partials: Vec<(ExprId, ExprId)>,
    nodes: Vec<Node>,
    expr_ids: Vec<ExprId>,
    parts: Vec<Part>,
    steps: Vec<Step>,
    object_items: Vec<ObjectItem>,
    calls: Vec<Call>,
    fors: Vec<For>,
    if_directives: Vec<IfDirective>,
    for_directives: Vec<ForDirective>,
    bodies: Vec<Body>,
    items: Vec<Item>,
    attributes: Vec<Attribute>,
    blocks: Vec<Block>,
    labels: Vec<Label>,
    /// The place of each piece of decoded text in `decoded_text`.
    decoded: Vec<Span>,
    decoded_text: String,
}

/// A kind of element that the tree's arenas store in [`List`]s.
pub trait Listed: Copy + 'static {
    #[doc(hidden)]
    fn arena(tree: &Tree) -> &Vec<Self>;
    #[doc(hidden)]
    fn arena_mut(tree: &mut Tree) -> &mut Vec<Self>;
}

macro_rules! listed {
    ($($element:ty => $field:ident),*) => {$(
        impl Listed for $element {
            fn arena(tree: &Tree) -> &Vec<$element> {
                &tree.$field
            }
            fn arena_mut(tree: &mut Tree) -> &mut Vec<$element> {
                &mut tree.$field
            }
        }
    )*};
}

listed! {
    ExprId => expr_ids,
    Part => parts,
    Step => steps,
    ObjectItem => object_items,
    Item => items,
    Label => labels
}

macro_rules! stored {
    ($($get:ident, $add:ident, $field:ident: $id:ident => $element:ident, $doc:literal;)*) => {
        impl Tree {$(
            #[doc = $doc]
            ///
            /// The id must come from this tree.
            #[expect(clippy::indexing_slicing, reason = "ids are made only by this arena, which never shrinks")]
            pub fn $get(&self, id: $id) -> &$element {
                &self.$field[id.index()]
            }

            pub(crate) fn $add(&mut self, element: $element) -> $id {
                self.$field.push(element);
                $id::from_index(self.$field.len() - 1)
            }
        )*}
    };
}

stored! {
    call, add_call, calls: CallId => Call, "A call.";
    for_expr, add_for, fors: ForId => For, "A `for` expression.";
    if_directive, add_if_directive, if_directives: IfDirectiveId => IfDirective, "An `if` directive.";
    for_directive, add_for_directive, for_directives: ForDirectiveId => ForDirective, "A `for` directive.";
    body, add_body, bodies: BodyId => Body, "A body.";
    attribute, add_attribute, attributes: AttributeId => Attribute, "An attribute.";
    block, add_block, blocks: BlockId => Block, "A block.";
}

impl Tree {
    /// Returns all calls, in no particular order.
    pub(crate) fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// Returns all `for` expressions, in no particular order.
    pub(crate) fn for_exprs(&self) -> &[For] {
        &self.fors
    }

    /// Returns an empty tree with the usual capacity for this number of tokens, so that it seldom moves while it grows.
    pub(crate) fn new(source: Arc<SourceFile>, tokens: usize) -> Tree {
        Tree {
            source,
            excerpts: Vec::new(),
            json_objects: Vec::new(),
            partials: Vec::new(),
            nodes: Vec::with_capacity(tokens / 4),
            expr_ids: Vec::with_capacity(tokens / 20),
            parts: Vec::new(),
            steps: Vec::with_capacity(tokens / 10),
            object_items: Vec::new(),
            calls: Vec::new(),
            fors: Vec::new(),
            if_directives: Vec::new(),
            for_directives: Vec::new(),
            bodies: Vec::new(),
            items: Vec::with_capacity(tokens / 10),
            attributes: Vec::with_capacity(tokens / 12),
            blocks: Vec::new(),
            labels: Vec::new(),
            decoded: Vec::new(),
            decoded_text: String::new(),
        }
    }

    /// The file that was parsed.
    pub fn source(&self) -> &Arc<SourceFile> {
        &self.source
    }

    /// The source text at `span`; within a JSON string, the decoded text.
    pub fn slice(&self, span: Span) -> &str {
        if self.excerpts.is_empty() {
            return self.source.slice(span);
        }
        let behind = self.excerpts.partition_point(|excerpt| excerpt.start() <= span.start);
        match behind.checked_sub(1).and_then(|index| self.excerpts.get(index)) {
            Some(excerpt) if excerpt.covers(span) => excerpt.slice(span),
            Some(_) | None => self.source.slice(span),
        }
    }

    /// The items at the top of the file, in source order.
    pub(crate) fn top_items(&self) -> &[Item] {
        // A body is added after the bodies of its blocks, so the root is the last one.
        self.bodies.last().map_or(&[], |root| self.list(root.items))
    }

    /// Whether an object is written as JSON, so that all its keys must differ.
    pub fn is_json_object(&self, id: ExprId) -> bool {
        self.json_objects.binary_search(&id).is_ok()
    }

    /// Adds an object that is written as JSON.
    pub(crate) fn add_json_object(&mut self, items: List<ObjectItem>, span: Span) -> ExprId {
        let id = self.add_expr(Expr::Object(items), span);
        self.json_objects.push(id);
        id
    }

    /// An expression. The id must come from this tree.
    #[expect(clippy::indexing_slicing, reason = "ids are made only by this arena, which never shrinks")]
    pub fn expr(&self, id: ExprId) -> Expr {
        self.nodes[id.index()].expr
    }

    /// The expression itself, without any parentheses around it.
    pub fn inside_parentheses(&self, mut id: ExprId) -> (ExprId, Expr) {
        let mut expr = self.expr(id);
        while let Expr::Parens(inner) = expr {
            id = inner;
            expr = self.expr(id);
        }
        (id, expr)
    }

    /// The bytes of an expression. The id must come from this tree.
    #[expect(clippy::indexing_slicing, reason = "ids are made only by this arena, which never shrinks")]
    pub fn span(&self, id: ExprId) -> Span {
        self.nodes[id.index()].span
    }

    /// The source text of an expression.
    pub fn expr_text(&self, id: ExprId) -> &str {
        self.slice(self.span(id))
    }

    /// The elements of a list. The list must come from this tree.
    #[expect(clippy::indexing_slicing, reason = "lists are made only by this arena, which never shrinks")]
    pub fn list<T: Listed>(&self, list: List<T>) -> &[T] {
        &T::arena(self)[list.range()]
    }

    /// The characters of a literal.
    pub fn text(&self, text: Text) -> &str {
        match text {
            Text::Source(span) => self.slice(span),
            Text::Decoded(id) => self.decoded.get(id.index()).map_or("", |span| self.decoded_slice(*span)),
        }
    }

    /// Number of expressions in the tree.
    pub fn expr_count(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn add_expr(&mut self, expr: Expr, span: Span) -> ExprId {
        self.nodes.push(Node { expr, span });
        ExprId::from_index(self.nodes.len() - 1)
    }

    /// Moves the elements of `scratch` from `mark` on into the tree, as one list.
    pub(crate) fn add_list<T: Listed>(&mut self, scratch: &mut Vec<T>, mark: usize) -> List<T> {
        let elements = scratch.get(mark..).unwrap_or_default();
        if elements.is_empty() {
            return List::EMPTY;
        }
        let arena = T::arena_mut(self);
        let start = u32::try_from(arena.len()).unwrap_or(u32::MAX);
        let len = u32::try_from(elements.len()).unwrap_or(u32::MAX);
        arena.extend_from_slice(elements);
        scratch.truncate(mark);
        List::new(start, len)
    }

    /// Adds a piece of [`Tree::decoded_text`].
    pub(crate) fn add_decoded(&mut self, span: Span) -> Text {
        self.decoded.push(span);
        Text::Decoded(DecodedId::from_index(self.decoded.len() - 1))
    }

    pub(crate) fn decoded_slice(&self, span: Span) -> &str {
        self.decoded_text.get(span.range()).unwrap_or_default()
    }

    /// All decoded text, to append to.
    pub(crate) fn decoded_text(&mut self) -> (&SourceFile, &mut String) {
        (&self.source, &mut self.decoded_text)
    }

    /// Frees the memory that was reserved for more elements.
    pub(crate) fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.expr_ids.shrink_to_fit();
        self.parts.shrink_to_fit();
        self.steps.shrink_to_fit();
        self.object_items.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.fors.shrink_to_fit();
        self.if_directives.shrink_to_fit();
        self.for_directives.shrink_to_fit();
        self.bodies.shrink_to_fit();
        self.items.shrink_to_fit();
        self.attributes.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.labels.shrink_to_fit();
        self.decoded.shrink_to_fit();
        self.decoded_text.shrink_to_fit();
    }
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tree({:?}, {} expressions)", self.source, self.nodes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stay_small_and_can_be_shared() {
        fn assert_shareable<T: Send + Sync + 'static>() {}
        assert_shareable::<Tree>();
        assert_eq!(size_of::<Expr>(), 16);
        assert_eq!(size_of::<Node>(), 24);
        assert_eq!(size_of::<Step>(), 16);
        assert_eq!(size_of::<Option<ExprId>>(), 4);
    }
}
