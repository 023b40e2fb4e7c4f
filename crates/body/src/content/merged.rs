//! Merges the contents of several bodies: overrides, or a body in several parts.

use std::collections::HashSet;
use std::iter::once;

use terrane_source::{Diagnostics, titles};
use terrane_value::SmolStr;

use super::errors::{BodyErrors, ErrorSpans};
use super::items::Content;
use crate::body::{Body, MergeMode, MergedBody};

impl MergedBody {
    /// Returns the merge of the bodies that `map` returns.
    pub(crate) fn map(&self, mut map: impl FnMut(&Body) -> Body) -> MergedBody {
        let base = map(&self.base);
        MergedBody { base, additions: self.additions.iter().map(map).collect(), mode: self.mode }
    }

    /// Returns the merged content that `read` returns for each body.
    pub(crate) fn content(
        &self,
        diagnostics: &mut Diagnostics,
        mut read: impl FnMut(&Body, &mut Diagnostics) -> Content,
    ) -> Content {
        let mut content = read(&self.base, diagnostics);
        match self.mode {
            MergeMode::Override => {
                let overrides = self.additions.iter().map(|body| read(body, diagnostics)).collect();
                override_with(&mut content, overrides);
            }
            MergeMode::Join => {
                for addition in &self.additions {
                    let added = read(addition, diagnostics);
                    join(&mut content, added, &mut BodyErrors::new(addition, diagnostics));
                }
            }
        }
        content
    }
}

/// Applies overrides. Blocks of a type in one of them hide blocks of the type in the contents before it; the contents
/// are visited once, from the last to the first.
fn override_with(base: &mut Content, mut overrides: Vec<Content>) {
    let mut hidden: HashSet<SmolStr> = HashSet::new();
    for content in once(&mut *base).chain(&mut overrides).rev() {
        content.blocks.retain(|block| !hidden.contains(block.generated_type()));
        hidden.extend(content.blocks.iter().map(|block| block.generated_type().clone()));
    }
    for content in overrides {
        base.attributes.extend(content.attributes);
        base.blocks.extend(content.blocks);
    }
}

fn join(content: &mut Content, added: Content, errors: &mut BodyErrors<'_>) {
    for (name, attribute) in added.attributes {
        if let Some(earlier) = content.attributes.get(&name) {
            let spans = ErrorSpans { subject: attribute.name_span, context: attribute.span };
            errors.duplicate(titles::DUPLICATE_ARGUMENT, &name, earlier.name_span, spans);
            continue;
        }
        content.attributes.insert(name, attribute);
    }
    content.blocks.extend(added.blocks);
}
