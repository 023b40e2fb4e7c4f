//! Reads the parts of a `dynamic` block as they are written.

use terrane_source::Diagnostics;
use terrane_syntax::Expression;
use terrane_value::SmolStr;

use super::items::{Attribute, Block, Label};
use crate::body_schema::DYNAMIC;

/// The parts of a `dynamic` block. Mistakes in it are reported when it is evaluated.
#[derive(Clone, Debug)]
pub struct WrittenDynamic<'b> {
    /// The type of the blocks that it generates.
    pub label: &'b Label,
    /// The argument `for_each`.
    pub for_each: Option<Attribute>,
    /// The argument `iterator`.
    pub iterator: Option<Attribute>,
    /// The argument `labels`.
    pub labels: Option<Attribute>,
    /// The `content` blocks: one, unless that is a mistake.
    pub contents: Vec<Block>,
}

impl Block {
    /// Whether it is a `dynamic` block, which generates other blocks.
    pub fn is_dynamic(&self) -> bool {
        &*self.block_type == DYNAMIC
    }

    /// Returns the type of the resulting blocks: its own type, or the label of a `dynamic` block.
    pub fn generated_type(&self) -> &SmolStr {
        match self.labels.first() {
            Some(label) if self.is_dynamic() => &label.text,
            Some(_) | None => &self.block_type,
        }
    }

    /// Returns the parts of a `dynamic` block with a label.
    pub fn dynamic(&self) -> Option<WrittenDynamic<'_>> {
        let label = self.labels.first().filter(|_| self.is_dynamic())?;
        let mut content = self.body.dynamic_content();
        let mut attribute = |name: &str| content.attributes.swap_remove(name);
        Some(WrittenDynamic {
            label,
            for_each: attribute("for_each"),
            iterator: attribute("iterator"),
            labels: attribute("labels"),
            contents: content.blocks,
        })
    }
}

impl WrittenDynamic<'_> {
    /// Returns the collection.
    pub fn collection(&self) -> Option<Expression> {
        Some(self.for_each.as_ref()?.expression(&mut Diagnostics::new()))
    }

    /// Returns the name that stands for an element in the content.
    pub fn iterator_name(&self) -> SmolStr {
        let named = self.iterator.as_ref().and_then(Attribute::plain_name);
        named.unwrap_or_else(|| self.label.text.clone())
    }
}
