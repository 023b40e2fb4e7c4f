use terrane_eval::{Reference, references};
use terrane_source::Diagnostics;
use terrane_syntax::Expression;
use terrane_value::SmolStr;

use super::spec::{BodySpec, Names, Spec};
use crate::body::Body;
use crate::body_schema::DYNAMIC;
use crate::content::{Attribute, Block, Content};

/// Calls `visit` with each reference of the expressions that `spec` reads of a body, in the order of the spec.
/// References to the elements of `dynamic` blocks are left out.
pub fn references_by_spec(body: &Body, spec: &BodySpec, visit: &mut dyn FnMut(&Reference<'_>)) {
    Walk { visit, bound: Vec::new() }.body(body, spec);
}

struct Walk<'v> {
    visit: &'v mut dyn FnMut(&Reference<'_>),
    /// The names for the elements of the `dynamic` blocks around.
    bound: Vec<SmolStr>,
}

impl Walk<'_> {
    fn body(&mut self, body: &Body, spec: &BodySpec) {
        let names = spec.names_for(body);
        // What is wrong with the body is said by whoever decodes it.
        let (content, _) = body.partial_content(&names.all, &mut Diagnostics::new());
        spec.spec().walk(&mut |part| self.spec(part, &content, &names));
    }

    fn spec(&mut self, spec: &Spec, content: &Content, names: &Names) {
        match spec {
            Spec::Attribute { name, .. } => self.attribute(content.attribute(name)),
            Spec::AttributeOrBlocks { name, nested, .. } => {
                self.attribute(content.attribute(name));
                self.blocks(name, content, names, usize::MAX, &mut |walk, body| walk.body(body, nested));
            }
            Spec::Expression(expression) => self.expression(expression),
            Spec::Block { block_type, nested, .. } => {
                self.blocks(block_type, content, names, 1, &mut |walk, body| walk.body(body, nested));
            }
            Spec::Blocks { block_type, nested, .. } | Spec::LabelledBlocks { block_type, nested, .. } => {
                self.blocks(block_type, content, names, usize::MAX, &mut |walk, body| {
                    walk.body(body, nested);
                });
            }
            Spec::BlockAttributes { block_type, .. } => {
                self.blocks(block_type, content, names, 1, &mut |walk, body| {
                    let content = body.just_attributes(&mut Diagnostics::new());
                    content.attributes.values().for_each(|attribute| walk.attribute(Some(attribute)));
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

    /// The first `most` blocks of a type, and the `dynamic` blocks that make such blocks.
    fn blocks(
        &mut self,
        block_type: &str,
        content: &Content,
        names: &Names,
        most: usize,
        inner: &mut dyn FnMut(&mut Self, &Body),
    ) {
        for block in content.blocks_of(block_type).take(most) {
            inner(self, &block.body);
        }
        if !names.has_dynamic {
            return;
        }
        for block in content.blocks_of(DYNAMIC) {
            if block.labels.first().is_some_and(|label| &*label.text == block_type) {
                self.dynamic(block, block_type, inner);
            }
        }
    }

    fn dynamic(&mut self, block: &Block, block_type: &str, inner: &mut dyn FnMut(&mut Self, &Body)) {
        let content = block.body.open_content(&mut Diagnostics::new());
        self.attribute(content.attribute("for_each"));
        let name = content.attribute("iterator").map(Attribute::reference);
        let name = name.as_ref().and_then(|name| name.tree.plain_key(name.id)).unwrap_or(block_type);
        self.bound.push(SmolStr::from(name));
        self.attribute(content.attribute("labels"));
        let schema = crate::BodySchema::new().block("content", &[]);
        let (content, _) = block.body.partial_content(&schema, &mut Diagnostics::new());
        for block in &content.blocks {
            inner(self, &block.body);
        }
        self.bound.pop();
    }

    fn attribute(&mut self, attribute: Option<&Attribute>) {
        if let Some(attribute) = attribute {
            self.expression(&attribute.expression(&mut Diagnostics::new()));
        }
    }

    fn expression(&mut self, expression: &Expression) {
        for reference in references(expression) {
            if !self.bound.iter().any(|name| &**name == reference.root) {
                (self.visit)(&reference);
            }
        }
    }
}
