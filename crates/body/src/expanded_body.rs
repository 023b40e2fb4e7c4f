//! Bodies in which `dynamic` blocks stand for what they make, read step by step and in different scopes: the outer
//! blocks of a file first, what is in them later, when more is known.

use std::sync::Arc;

use terrane_eval::Scope;
use terrane_source::{Diagnostic, Diagnostics, SourceFile, Span, ids};
use terrane_value::{Origins, SmolStr, Value};

use crate::body::Body;
use crate::body_schema::BodySchema;
use crate::body_schema::DYNAMIC;
use crate::content::{Attribute, Block, Content, Label};
use crate::expand::dynamic::{Elements, Expanded, Expander, Labels};

/// A body whose `dynamic` blocks stand for the blocks that they make. It knows the current elements of the `dynamic`
/// blocks around it.
#[derive(Clone)]
pub struct ExpandedBody {
    inner: Expanded,
}

/// A block that is written in an [`ExpandedBody`], or that a `dynamic` block in it makes.
#[derive(Clone)]
pub struct MadeBlock {
    /// The type.
    pub block_type: SmolStr,
    /// The labels; none where it is not known how often the block is made.
    pub labels: Vec<Label>,
    /// Where it is written: of a `dynamic` block, the header.
    pub header_span: Span,
    /// The content.
    pub body: ExpandedBody,
    /// Why it is not known how often the block is made, where it is not.
    pub repeated: Option<Origins>,
}

/// A body with everything in it evaluated.
#[derive(Clone, Debug)]
pub struct ResolvedBody {
    /// The file in which it is written.
    pub source: Arc<SourceFile>,
    /// The place to point at where something is missing.
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
    /// The file in which it is written.
    pub source: Arc<SourceFile>,
    /// The bytes of the name.
    pub name_span: Span,
    /// The bytes of the value.
    pub value_span: Span,
    /// The value.
    pub value: Value,
}

/// A block with everything in it evaluated.
#[derive(Clone, Debug)]
pub struct ResolvedBlock {
    /// The type.
    pub block_type: SmolStr,
    /// The labels.
    pub labels: Vec<SmolStr>,
    /// Where it is written: of a `dynamic` block, the header.
    pub header_span: Span,
    /// The content.
    pub body: ResolvedBody,
    /// Why it is not known how often the block is made, where it is not.
    pub repeated: Option<Origins>,
}

impl ExpandedBody {
    /// A body that no `dynamic` block is around.
    pub fn new(body: Body) -> ExpandedBody {
        ExpandedBody { inner: Expanded::new(body) }
    }

    /// The body as it is written.
    pub fn body(&self) -> &Body {
        &self.inner.body
    }

    /// Whether a `dynamic` block makes it, so that there are names for the current element.
    pub fn is_made(&self) -> bool {
        self.inner.iterators.is_some()
    }

    fn with(&self, body: Body) -> ExpandedBody {
        ExpandedBody { inner: Expanded { body, ..self.inner.clone() } }
    }
}

/// Reads and evaluates bodies in one scope.
pub struct BodyReader<'s> {
    expander: Expander<'s>,
}

impl<'s> BodyReader<'s> {
    /// A reader that evaluates in `scope`.
    pub fn new(scope: &'s Scope<'s>, diagnostics: &'s mut Diagnostics) -> BodyReader<'s> {
        BodyReader { expander: Expander::new(scope, diagnostics) }
    }

    /// The attributes that `schema` names, and the body without them. Blocks stay in that body.
    pub fn attributes(&mut self, body: &ExpandedBody, schema: &BodySchema) -> (Content, ExpandedBody) {
        let read = |body: &Body, diagnostics: &mut Diagnostics| body.partial_content(schema, diagnostics);
        let ((content, rest), _) = self.expander.read(&body.inner, read);
        (content, body.with(rest))
    }

    /// The blocks that `schema` names, those that `dynamic` blocks make among them. Everything else in the body is
    /// reported.
    pub fn blocks(&mut self, body: &ExpandedBody, schema: &BodySchema) -> Vec<MadeBlock> {
        let with_dynamic = schema.clone().block(DYNAMIC, &["type"]);
        let read = |body: &Body, diagnostics: &mut Diagnostics| body.content(&with_dynamic, diagnostics);
        let (content, _) = self.expander.read(&body.inner, read);
        let mut made = Vec::new();
        for block in &content.blocks {
            if &*block.block_type != DYNAMIC {
                made.push(written(block, &body.inner));
                continue;
            }
            let [label] = block.labels.as_slice() else { continue };
            match schema.labels(&label.text) {
                Some(names) => self.make(block, &body.inner, Labels::Named(names), &mut made),
                None => self.unknown_block(label, &body.inner),
            }
        }
        made
    }

    /// The value of an attribute of `body`.
    pub fn value(&mut self, attribute: &Attribute, body: &ExpandedBody) -> Value {
        self.expander.attribute(attribute, &body.inner)
    }

    /// Everything in the body, evaluated. No schema is needed: of a JSON body, all but `dynamic` blocks are arguments.
    pub fn resolve(&mut self, body: &ExpandedBody) -> ResolvedBody {
        let mut resolved = ResolvedBody {
            source: Arc::clone(body.body().source()),
            missing_item_span: body.body().missing_item_span(),
            arguments: Vec::new(),
            blocks: Vec::new(),
        };
        if self.expander.is_stopped() {
            return resolved;
        }
        let (content, _) = self.expander.read(&body.inner, Body::open_content);
        for (name, attribute) in &content.attributes {
            resolved.arguments.push(ResolvedArgument {
                name: name.clone(),
                source: Arc::clone(attribute.source()),
                name_span: attribute.name_span,
                value_span: attribute.value_span(),
                value: self.value(attribute, body),
            });
        }
        for block in &content.blocks {
            let mut made = Vec::new();
            if &*block.block_type == DYNAMIC {
                self.make(block, &body.inner, Labels::Any, &mut made);
            } else {
                made.push(written(block, &body.inner));
            }
            for block in made {
                let body = self.resolve(&block.body);
                resolved.blocks.push(ResolvedBlock {
                    block_type: block.block_type,
                    labels: block.labels.into_iter().map(|label| label.text).collect(),
                    header_span: block.header_span,
                    body,
                    repeated: block.repeated,
                });
            }
        }
        resolved
    }

    /// Adds what a `dynamic` block of `body` makes. Where its elements are not known, that is one block in the place
    /// of all.
    fn make(&mut self, block: &Block, body: &Expanded, labels: Labels<'_>, made: &mut Vec<MadeBlock>) {
        let Some(dynamic) = self.expander.dynamic(block, body, labels) else { return };
        let mut add = |block: crate::expand::dynamic::ExpandedBlock, repeated: Option<Origins>| {
            made.push(MadeBlock {
                block_type: block.block_type,
                labels: block.labels,
                header_span: block.header_span,
                body: ExpandedBody { inner: block.body },
                repeated,
            });
        };
        match &dynamic.elements {
            Elements::Known(elements) => {
                for (key, value) in elements {
                    if let Some(block) = self.expander.make(&dynamic, body, Some((key, value))) {
                        add(block, None);
                    }
                }
            }
            Elements::Unknown(origins) => {
                let mut block = dynamic.block(body, None);
                // What does not depend on the element is known in spite of all.
                block.body.unknown = None;
                add(block, Some(origins.clone()));
            }
        }
    }

    fn unknown_block(&mut self, label: &Label, body: &Expanded) {
        let detail =
            format!("There is no block of type \"{}\" here for a `dynamic` block to make.", label.text);
        let diagnostic = Diagnostic::error(ids::UNSUPPORTED_BLOCK, detail);
        self.expander.push(diagnostic.at(body.body.source(), label.span), body);
    }
}

fn written(block: &Block, body: &Expanded) -> MadeBlock {
    let block = body.written(block);
    MadeBlock {
        block_type: block.block_type,
        labels: block.labels,
        header_span: block.header_span,
        body: ExpandedBody { inner: block.body },
        repeated: None,
    }
}

impl std::fmt::Debug for ExpandedBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Expanded{:?}", self.inner.body)
    }
}
