//! Lists the references in the expressions that a spec reads from a body.

use terrane_eval::{Reference, references};
use terrane_source::Diagnostics;
use terrane_syntax::Expression;
use terrane_value::SmolStr;

use super::spec::{BodySpec, Spec, SpecSchema};
use crate::body::Body;
use crate::body_schema::DYNAMIC;
use crate::content::{Attribute, Block, Content, WrittenDynamic};

/// Calls `visit` with each reference in the expressions that `spec` reads from a body, in the order of the spec.
/// References to the iterators of `dynamic` blocks are left out.
pub fn references_by_spec(body: &Body, spec: &BodySpec, visit: &mut dyn FnMut(&Reference<'_>)) {
    ReferenceVisitor { visit, iterators: Vec::new() }.body(body, spec);
}

struct ReferenceVisitor<'v> {
    visit: &'v mut dyn FnMut(&Reference<'_>),
    /// The iterators of the `dynamic` blocks around the expression.
    iterators: Vec<SmolStr>,
}

/// The content of a body, and the names that its spec reads.
struct SpecContent<'c> {
    content: &'c Content,
    schema: &'c SpecSchema,
}

/// Visits the body of a block.
type VisitBody<'b> = dyn FnMut(&mut ReferenceVisitor<'_>, &Body) + 'b;

impl SpecContent<'_> {
    /// Returns the `dynamic` blocks that generate blocks of a type.
    fn dynamic_blocks(&self, block_type: &str) -> impl Iterator<Item = WrittenDynamic<'_>> {
        let blocks = self.schema.expands_dynamic.then(|| self.content.blocks_of(DYNAMIC));
        let generates =
            move |block: &&Block| block.labels.first().is_some_and(|label| &*label.text == block_type);
        blocks.into_iter().flatten().filter(generates).filter_map(Block::dynamic)
    }
}

impl ReferenceVisitor<'_> {
    fn body(&mut self, body: &Body, spec: &BodySpec) {
        let schema = spec.schema_for(body);
        // Decoding the body reports its errors.
        let (content, _) = body.partial_content(&schema.with_dynamic, &mut Diagnostics::new());
        let body = SpecContent { content: &content, schema: &schema };
        spec.spec().walk(&mut |part| self.spec(part, &body));
    }

    fn spec(&mut self, spec: &Spec, body: &SpecContent<'_>) {
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
        for block in body.content.blocks_of(block_type).take(limit) {
            visit_body(self, &block.body);
        }
        for block in body.dynamic_blocks(block_type) {
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
        if let Some(attribute) = attribute {
            self.expression(&attribute.expression(&mut Diagnostics::new()));
        }
    }

    fn expression(&mut self, expression: &Expression) {
        for reference in references(expression) {
            if !self.iterators.iter().any(|name| &**name == reference.root) {
                (self.visit)(&reference);
            }
        }
    }
}
