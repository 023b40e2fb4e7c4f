//! [`BodyReader`]: reads bodies step by step and in different scopes, the outer blocks of a file first, and nested
//! blocks when more values are known.

use std::sync::Arc;

use terrane_eval::Scope;
use terrane_source::{Diagnostics, ids};
use terrane_value::Value;

use crate::body::Body;
use crate::body_schema::{BodySchema, DYNAMIC};
use crate::content::{Attribute, Block, Content, Label};
use crate::expand::dynamic_block::{Elements, ExpectedLabels};
use crate::expand::expander::Expander;
use crate::expand::scoped_body::ScopedBody;
use crate::expanded_body::{ExpandedBlock, ExpandedBody, ResolvedArgument, ResolvedBlock, ResolvedBody};

/// Reads and evaluates bodies in one scope.
pub struct BodyReader<'s> {
    expander: Expander<'s>,
}

impl<'s> BodyReader<'s> {
    /// Returns a reader that evaluates in `scope` and reports to `diagnostics`.
    pub fn new(scope: &'s Scope<'s>, diagnostics: &'s mut Diagnostics) -> BodyReader<'s> {
        BodyReader { expander: Expander::new(scope, diagnostics) }
    }

    /// Returns the attributes that `schema` names, and the rest of the body with all blocks.
    pub fn attributes(&mut self, body: &ExpandedBody, schema: &BodySchema) -> (Content, ExpandedBody) {
        let read = |body: &Body, diagnostics: &mut Diagnostics| body.partial_content(schema, diagnostics);
        let ((content, rest), _) = self.expander.read(&body.inner, read);
        (content, body.with(rest))
    }

    /// Returns the literal and generated blocks that `schema` names. Reports everything else in the body.
    pub fn blocks(&mut self, body: &ExpandedBody, schema: &BodySchema) -> Vec<ExpandedBlock> {
        let with_dynamic = schema.clone().block(DYNAMIC, &["type"]);
        let read = |body: &Body, diagnostics: &mut Diagnostics| body.content(&with_dynamic, diagnostics);
        let (content, _) = self.expander.read(&body.inner, read);
        let mut blocks = Vec::new();
        for block in &content.blocks {
            if !block.is_dynamic() {
                blocks.push(ExpandedBlock::new(body.inner.literal_block(block), None));
                continue;
            }
            let [label] = block.labels.as_slice() else { continue };
            match schema.labels(&label.text) {
                Some(names) => {
                    blocks.extend(self.generate(block, &body.inner, ExpectedLabels::Named(names)));
                }
                None => self.unsupported_block(label, &body.inner),
            }
        }
        blocks
    }

    /// Returns the value of an attribute of `body`.
    pub fn value(&mut self, attribute: &Attribute, body: &ExpandedBody) -> Value {
        self.expander.attribute(attribute, &body.inner)
    }

    /// Returns the evaluated body, without a schema: all properties of a JSON body except `dynamic` are arguments.
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
            let mut blocks = Vec::new();
            if block.is_dynamic() {
                blocks.extend(self.generate(block, &body.inner, ExpectedLabels::Any));
            } else {
                blocks.push(ExpandedBlock::new(body.inner.literal_block(block), None));
            }
            for block in blocks {
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

    /// Generates the blocks of a `dynamic` block in `body`. One block represents unknown elements.
    fn generate(
        &mut self,
        block: &Block,
        body: &ScopedBody,
        expected: ExpectedLabels<'_>,
    ) -> Vec<ExpandedBlock> {
        let Some(dynamic) = self.expander.dynamic_block(block, body, expected) else { return Vec::new() };
        match &dynamic.elements {
            Elements::Known(elements) => {
                let generate = |element| self.expander.generate(&dynamic, body, Some(element));
                let blocks = elements.iter().filter_map(generate);
                blocks.map(|block| ExpandedBlock::new(block, None)).collect()
            }
            Elements::Unknown(origins) => {
                let mut block = dynamic.block(body, None);
                // Values that do not depend on the element are known.
                block.body.unknown = None;
                vec![ExpandedBlock::new(block, Some(origins.clone()))]
            }
        }
    }

    fn unsupported_block(&mut self, label: &Label, body: &ScopedBody) {
        let detail = format!(
            "Blocks of type \"{}\" are not expected here, so a `dynamic` block cannot generate them.",
            label.text
        );
        self.expander.push(body.error(ids::UNSUPPORTED_BLOCK, label.span, detail), body);
    }
}
