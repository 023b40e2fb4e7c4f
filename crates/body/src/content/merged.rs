//! Several bodies as one.

use std::collections::HashSet;
use std::iter::once;

use terrane_source::Diagnostics;
use terrane_value::SmolStr;

use super::errors::Mistakes;
use super::{Block, Content};
use crate::body::Body;
use crate::body_schema::BodySchema;

/// A body and what is laid over it or put beside it: all of it in one list, as an override file may do so many times.
#[derive(Clone)]
pub(crate) struct Merged {
    pub(crate) base: Body,
    /// The others, in their order.
    pub(crate) others: Vec<Body>,
    pub(crate) how: How,
}

/// How bodies become one.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum How {
    /// Attributes replace those of the same name, blocks all those of the same type.
    Override,
    /// Nothing is replaced: no attribute may be in two of them.
    Join,
}

impl Merged {
    /// Whether an attribute is set as one that is required has to be: what is laid over a body adds nothing that it lacks.
    pub(crate) fn sets(&self, name: &str) -> bool {
        self.base.sets(name) || self.how == How::Join && self.others.iter().any(|other| other.sets(name))
    }

    pub(crate) fn partial(&self, schema: &BodySchema, diagnostics: &mut Diagnostics) -> (Content, Merged) {
        let (content, base) = self.base.partial_parts(schema, diagnostics);
        let mut others = Vec::with_capacity(self.others.len());
        let content = self.with_others(content, diagnostics, |other, diagnostics| {
            let (content, rest) = other.partial_parts(schema, diagnostics);
            others.push(rest);
            content
        });
        (content, Merged { base, others, how: self.how })
    }

    /// Reports what no body may have, where nothing is laid over another one.
    pub(crate) fn report_others(
        &self,
        schema: &BodySchema,
        content: &Content,
        diagnostics: &mut Diagnostics,
    ) {
        if self.how == How::Join {
            for body in once(&self.base).chain(&self.others) {
                body.report_others(schema, content, diagnostics);
            }
        }
    }

    /// What `read` finds in each body, as one content.
    pub(crate) fn each(
        &self,
        diagnostics: &mut Diagnostics,
        read: impl Fn(&Body, &mut Diagnostics) -> Content,
    ) -> Content {
        let content = read(&self.base, diagnostics);
        self.with_others(content, diagnostics, read)
    }

    fn with_others(
        &self,
        mut content: Content,
        diagnostics: &mut Diagnostics,
        mut read: impl FnMut(&Body, &mut Diagnostics) -> Content,
    ) -> Content {
        match self.how {
            How::Override => {
                let layers = self.others.iter().map(|layer| read(layer, diagnostics)).collect();
                lay_over(&mut content, layers);
            }
            How::Join => {
                for other in &self.others {
                    let found = read(other, diagnostics);
                    join(&mut content, found, &mut Mistakes::new(other, diagnostics));
                }
            }
        }
        content
    }
}

/// Each layer hides the blocks below it that are of a type that it has; from the last one to the first, each block is looked
/// at once.
fn lay_over(base: &mut Content, mut layers: Vec<Content>) {
    let mut hidden: HashSet<SmolStr> = HashSet::new();
    for content in once(&mut *base).chain(&mut layers).rev() {
        content.blocks.retain(|block| !hidden.contains(&meant_type(block)));
        hidden.extend(content.blocks.iter().map(meant_type));
    }
    for layer in layers {
        base.attributes.extend(layer.attributes);
        base.blocks.extend(layer.blocks);
    }
}

fn join(content: &mut Content, other: Content, mistakes: &mut Mistakes<'_>) {
    for (name, attribute) in other.attributes {
        if let Some(earlier) = content.attributes.get(&name) {
            let spans = (attribute.name_span, attribute.span);
            mistakes.duplicate("Duplicate argument", &name, earlier.name_span, spans);
            continue;
        }
        content.attributes.insert(name, attribute);
    }
    content.blocks.extend(other.blocks);
}

/// The type of a block; of a `dynamic` one, that of the blocks it stands for.
fn meant_type(block: &Block) -> SmolStr {
    match (&*block.block_type, block.labels.first()) {
        ("dynamic", Some(label)) => label.text.clone(),
        _ => block.block_type.clone(),
    }
}
