//! Two bodies as one.

use std::collections::HashSet;

use terrane_source::{Diagnostics, Span};
use terrane_value::SmolStr;

use super::mistakes::Mistakes;
use super::{Block, Body, BodySchema, Content};

/// A body and what is laid over it or put beside it.
#[derive(Clone)]
pub(super) struct Merged {
    pub(super) base: Body,
    pub(super) over: Body,
    pub(super) how: How,
}

/// How two bodies become one.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum How {
    /// Attributes replace those of the same name, blocks all those of the same type.
    Override,
    /// Nothing is replaced: no attribute may be in both.
    Join,
}

impl Merged {
    pub(super) fn missing_item_span(&self) -> Span {
        self.base.missing_item_span()
    }

    /// Whether an attribute is set as one that is required has to be: what is laid over a body adds nothing that it lacks.
    pub(super) fn sets(&self, name: &str) -> bool {
        self.base.sets(name) || self.how == How::Join && self.over.sets(name)
    }

    /// What `schema` names; of what is required, nothing is said.
    pub(super) fn parts(&self, schema: &BodySchema, diagnostics: &mut Diagnostics) -> Content {
        let base = self.base.parts(schema, diagnostics);
        let over = self.over.parts(schema, diagnostics);
        self.merge(base, over, diagnostics)
    }

    pub(super) fn partial(&self, schema: &BodySchema, diagnostics: &mut Diagnostics) -> (Content, Merged) {
        let (base, base_rest) = self.base.partial_parts(schema, diagnostics);
        let (over, over_rest) = self.over.partial_parts(schema, diagnostics);
        let content = self.merge(base, over, diagnostics);
        (content, Merged { base: base_rest, over: over_rest, how: self.how })
    }

    /// Reports what neither body may have, where nothing is laid over the other.
    pub(super) fn report_others(
        &self,
        schema: &BodySchema,
        content: &Content,
        diagnostics: &mut Diagnostics,
    ) {
        if self.how == How::Join {
            for body in [&self.base, &self.over] {
                body.report_others(schema, content, diagnostics);
            }
        }
    }

    pub(super) fn each(
        &self,
        diagnostics: &mut Diagnostics,
        read: impl Fn(&Body, &mut Diagnostics) -> Content,
    ) -> Content {
        let base = read(&self.base, diagnostics);
        let over = read(&self.over, diagnostics);
        self.merge(base, over, diagnostics)
    }

    fn merge(&self, mut base: Content, over: Content, diagnostics: &mut Diagnostics) -> Content {
        for (name, attribute) in over.attributes {
            if let (How::Join, Some(earlier)) = (self.how, base.attributes.get(&name)) {
                let mut mistakes = Mistakes::new(&self.over, diagnostics);
                let spans = (attribute.name_span, attribute.span);
                mistakes.duplicate("Duplicate argument", &name, earlier.name_span, spans);
                continue;
            }
            base.attributes.insert(name, attribute);
        }
        if self.how == How::Override {
            let hidden: HashSet<SmolStr> = over.blocks.iter().map(meant_type).collect();
            base.blocks.retain(|block| !hidden.contains(&meant_type(block)));
        }
        base.blocks.extend(over.blocks);
        base
    }
}

/// The type of a block; of a `dynamic` one, that of the blocks it stands for.
fn meant_type(block: &Block) -> SmolStr {
    match (&*block.block_type, block.labels.first()) {
        ("dynamic", Some(label)) => label.text.clone(),
        _ => block.block_type.clone(),
    }
}
