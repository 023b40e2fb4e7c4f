//! Lists the references in the expressions that a spec reads from a body.

use std::collections::HashMap;

use terrane_eval::{Batch, Reference, Scope, each_reference, steps_of_text};
use terrane_source::{Diagnostic, Diagnostics};
use terrane_syntax::Expression;
use terrane_value::SmolStr;

use super::spec::{BodySpec, Spec};
use crate::body::Body;
use crate::content::{Attribute, Block, Content, WrittenDynamic};

/// The steps of a spec that reads something from a body.
const STEPS_OF_SPEC: u64 = 32;

/// The steps of a reference.
const STEPS_OF_REFERENCE: u64 = 16;

/// Calls `visit` with each reference in the expressions that `spec` reads from a body, in the order of the spec.
/// References to the iterators of `dynamic` blocks are left out. The steps count in `scope`.
///
/// # Errors
///
/// Returns a diagnostic if the steps exceed the limit. Several specs may read one expression, and each lists its references.
pub fn references_by_spec(
    body: &Body,
    spec: &BodySpec,
    scope: &Scope<'_>,
    visit: &mut dyn FnMut(&Reference<'_>),
) -> Result<(), Box<Diagnostic>> {
    let mut visitor =
        ReferenceVisitor { visit, iterators: Vec::new(), batch: Batch::new(scope), exceeded: None };
    visitor.body(body, spec);
    visitor.exceeded.map_or(Ok(()), |exceeded| Err(Box::new(exceeded)))
}

struct ReferenceVisitor<'v> {
    visit: &'v mut dyn FnMut(&Reference<'_>),
    /// The iterators of the `dynamic` blocks around the expression.
    iterators: Vec<SmolStr>,
    batch: Batch<'v>,
    /// The limit that the visits exceed.
    exceeded: Option<Diagnostic>,
}

/// The content of a body, and its blocks by type.
struct SpecContent<'c> {
    body: &'c Body,
    content: &'c Content,
    blocks: HashMap<&'c str, Vec<&'c Block>>,
    /// The `dynamic` blocks by the type of the blocks that they generate.
    dynamic_blocks: HashMap<&'c str, Vec<&'c Block>>,
}

/// Visits the body of a block.
type VisitBody<'b> = dyn FnMut(&mut ReferenceVisitor<'_>, &Body) + 'b;

impl<'c> SpecContent<'c> {
    /// Sorts the blocks of a body. `expands_dynamic` tells whether `dynamic` blocks generate others.
    fn new(body: &'c Body, content: &'c Content, expands_dynamic: bool) -> SpecContent<'c> {
        let (mut blocks, mut dynamic_blocks) = (HashMap::new(), HashMap::new());
        for block in &content.blocks {
            blocks.entry(&*block.block_type).or_insert_with(Vec::new).push(block);
            if let Some(label) = block.labels.first().filter(|_| expands_dynamic && block.is_dynamic()) {
                dynamic_blocks.entry(&*label.text).or_insert_with(Vec::new).push(block);
            }
        }
        SpecContent { body, content, blocks, dynamic_blocks }
    }
}

impl ReferenceVisitor<'_> {
    fn body(&mut self, body: &Body, spec: &BodySpec) {
        if self.exceeded.is_some() {
            return;
        }
        let schema = spec.schema_for(body);
        // Decoding the body reports its errors.
        let (content, _) = body.partial_content(&schema.with_dynamic, &mut Diagnostics::new());
        self.exceeded = self.batch.count_body(body.source(), body.missing_item_span());
        let body = SpecContent::new(body, &content, schema.expands_dynamic);
        spec.spec().walk(&mut |part| self.spec(part, &body));
    }

    /// Counts steps at the place of a body. Returns false after they exceeded the limit.
    fn count(&mut self, steps: u64, body: &Body) -> bool {
        if self.exceeded.is_none() {
            self.exceeded = self.batch.count_steps(steps, body.source(), body.missing_item_span());
        }
        self.exceeded.is_none()
    }

    fn spec(&mut self, spec: &Spec, body: &SpecContent<'_>) {
        if !self.count(STEPS_OF_SPEC, body.body) {
            return;
        }
        match spec {
            Spec::Attribute { name, .. } => self.attribute(body.content.attribute(name)),
            Spec::AttributeOrBlocks { name, nested, .. } => {
                self.attribute(body.content.attribute(name));
                self.blocks(name, usize::MAX, body, &mut |visitor, body| visitor.body(body, nested));
            }
            Spec::Expression(expression) => self.expression(expression),
            Spec::Block { block_type, nested, .. } => {
                self.blocks(block_type, 1, body, &mut |visitor, body| visitor.body(body, nested));
            }
            Spec::Blocks { block_type, nested, .. } | Spec::LabelledBlocks { block_type, nested, .. } => {
                self.blocks(block_type, usize::MAX, body, &mut |visitor, body| visitor.body(body, nested));
            }
            Spec::BlockAttributes { block_type, .. } => {
                self.blocks(block_type, 1, body, &mut |visitor, body| {
                    let content = body.just_attributes(&mut Diagnostics::new());
                    content.attributes.values().for_each(|attribute| visitor.attribute(Some(attribute)));
                });
            }
            Spec::Object(_)
            | Spec::Tuple(_)
            | Spec::Literal(_)
            | Spec::Label { .. }
            | Spec::Default { .. }
            | Spec::Transform { .. } => {}
        }
    }

    /// Visits the first `limit` blocks of a type, and all `dynamic` blocks that generate such blocks.
    fn blocks(
        &mut self,
        block_type: &str,
        limit: usize,
        body: &SpecContent<'_>,
        visit_body: &mut VisitBody<'_>,
    ) {
        for block in body.blocks.get(block_type).into_iter().flatten().take(limit) {
            visit_body(self, &block.body);
        }
        let dynamic_blocks = body.dynamic_blocks.get(block_type).into_iter().flatten();
        for block in dynamic_blocks.filter_map(|block| block.dynamic()) {
            self.dynamic(&block, visit_body);
        }
    }

    fn dynamic(&mut self, block: &WrittenDynamic<'_>, visit_body: &mut VisitBody<'_>) {
        self.attribute(block.for_each.as_ref());
        self.iterators.push(block.iterator_name());
        self.attribute(block.labels.as_ref());
        for content in &block.contents {
            visit_body(self, &content.body);
        }
        self.iterators.pop();
    }

    fn attribute(&mut self, attribute: Option<&Attribute>) {
        if let Some(attribute) = attribute.filter(|_| self.exceeded.is_none()) {
            self.expression(&attribute.expression(&mut Diagnostics::new()));
        }
    }

    fn expression(&mut self, expression: &Expression) {
        let mut found: u64 = 0;
        each_reference(expression, &mut |reference| {
            found += 1;
            if !self.iterators.iter().any(|name| &**name == reference.root) {
                (self.visit)(&reference);
            }
        });
        let steps = steps_of_text(expression.span()).saturating_add(found.saturating_mul(STEPS_OF_REFERENCE));
        if self.exceeded.is_none() {
            self.exceeded = self.batch.count_steps(steps, expression.source(), expression.span());
        }
    }
}
