//! The items of a body: attributes, blocks and their labels.

use std::sync::{Arc, OnceLock};

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use terrane_source::{Diagnostics, SourceFile, Span, Subject};
use terrane_syntax::json::{Strings, ValueId, lower};
use terrane_syntax::{ExprId, Expression, Tree, json};
use terrane_value::SmolStr;

use crate::body::Body;

/// Attributes and blocks of a body.
#[derive(Clone, Debug)]
pub struct Content {
    /// The attributes by name, in source order.
    pub attributes: IndexMap<SmolStr, Attribute, RandomState>,
    /// The blocks in source order.
    pub blocks: Vec<Block>,
    /// The span for diagnostics about missing items.
    pub missing_item_span: Span,
}

impl Content {
    pub(crate) fn new(missing_item_span: Span) -> Content {
        Content { attributes: IndexMap::default(), blocks: Vec::new(), missing_item_span }
    }

    /// Returns the attribute of this name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.get(name)
    }

    /// Returns the blocks of a type.
    pub fn blocks_of(&self, block_type: &str) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(move |block| &*block.block_type == block_type)
    }
}

/// `name = value`, or a property of a JSON object.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The name.
    pub name: SmolStr,
    /// The span of the name; in JSON with its quotes.
    pub name_span: Span,
    /// The span of the attribute.
    pub span: Span,
    value: AttributeValue,
}

#[derive(Clone, Debug)]
enum AttributeValue {
    Native(Expression),
    Json {
        tree: Arc<json::Tree>,
        value: ValueId,
        /// The value as an expression, made by the first call.
        expression: Arc<OnceLock<Expression>>,
    },
}

impl Attribute {
    pub(crate) fn native(tree: &Arc<Tree>, name: SmolStr, name_span: Span, id: ExprId) -> Attribute {
        let value = AttributeValue::Native(Expression { tree: Arc::clone(tree), id });
        Attribute { name, name_span, span: name_span.to(tree.span(id)), value }
    }

    pub(crate) fn json(tree: &Arc<json::Tree>, name: SmolStr, property: &json::Property) -> Attribute {
        let value = AttributeValue::Json {
            tree: Arc::clone(tree),
            value: property.value,
            expression: Arc::new(OnceLock::new()),
        };
        Attribute { name, name_span: property.name_span, span: tree.property_span(property), value }
    }

    /// Returns the source file.
    pub fn source(&self) -> &Arc<SourceFile> {
        match &self.value {
            AttributeValue::Native(expression) => expression.source(),
            AttributeValue::Json { tree, .. } => tree.source(),
        }
    }

    /// Whether the syntax is JSON.
    pub fn is_json(&self) -> bool {
        matches!(self.value, AttributeValue::Json { .. })
    }

    /// Whether it is only a word, which the parser keeps in addition to its syntax error.
    pub fn is_name_only(&self) -> bool {
        self.span == self.name_span
    }

    /// Returns the bytes of the value.
    pub fn value_span(&self) -> Span {
        match &self.value {
            AttributeValue::Native(expression) => expression.span(),
            AttributeValue::Json { tree, value, .. } => tree.span(*value),
        }
    }

    /// Returns the value as an expression to evaluate, in which JSON strings are templates. The first call reports the
    /// errors in the templates.
    pub fn expression(&self, diagnostics: &mut Diagnostics) -> Expression {
        match &self.value {
            AttributeValue::Native(expression) => expression.clone(),
            AttributeValue::Json { tree, value, expression } => {
                let lowered = || {
                    let (expression, errors) = lower(tree, *value, Strings::Templates);
                    diagnostics.extend(errors);
                    expression
                };
                expression.get_or_init(lowered).clone()
            }
        }
    }

    /// Returns the value as a constant, in which JSON strings are literal.
    pub fn literal(&self) -> Expression {
        self.with_strings(Strings::Literal)
    }

    /// Returns the value as a reference, type or keyword, which JSON writes as a string. Other strings become
    /// [`terrane_syntax::Expr::Missing`] without a diagnostic.
    pub fn reference(&self) -> Expression {
        self.with_strings(Strings::Expressions)
    }

    /// Returns the plain name that the value is, as in `iterator`; `None` for any other value.
    pub fn plain_name(&self) -> Option<SmolStr> {
        let name = self.reference();
        name.tree.plain_key(name.id).map(SmolStr::from)
    }

    fn with_strings(&self, strings: Strings) -> Expression {
        match &self.value {
            AttributeValue::Native(expression) => expression.clone(),
            AttributeValue::Json { tree, value, .. } => lower(tree, *value, strings).0,
        }
    }
}

/// A block, or the JSON object for one.
#[derive(Clone, Debug)]
pub struct Block {
    /// The type.
    pub block_type: SmolStr,
    /// The span of the type; in JSON, of the name of the property.
    pub type_span: Span,
    /// The labels.
    pub labels: Vec<Label>,
    /// The span of type and labels; in JSON, the opening bracket of the value.
    pub header_span: Span,
    /// The content.
    pub body: Body,
}

impl Block {
    /// Returns the place of the header of the block. Messages about what the block declares point to it.
    pub fn declaration(&self) -> Subject {
        Subject { file: Arc::clone(self.body.source()), span: self.header_span }
    }

    /// Returns a label that the schema requires, or an empty one at the header if the block lacks it.
    pub fn label(&self, index: usize) -> Label {
        let missing = || Label { text: SmolStr::from(""), span: self.header_span };
        self.labels.get(index).cloned().unwrap_or_else(missing)
    }

    /// Returns the place of a label of the block.
    pub fn place_of(&self, label: &Label) -> Subject {
        Subject { file: Arc::clone(self.body.source()), span: label.span }
    }
}

/// A label of a block.
#[derive(Clone, Debug)]
pub struct Label {
    /// The characters.
    pub text: SmolStr,
    /// The span, including quotes if there are any.
    pub span: Span,
}
