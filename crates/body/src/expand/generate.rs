//! The blocks that a `dynamic` block generates, with their labels.

use terrane_source::ids;
use terrane_value::{SmolStr, Type, convert};

use super::dynamic_block::{DynamicBlock, Element};
use super::expander::{Expander, Repeated};
use super::scoped_body::{BlockIterator, ScopedBlock, ScopedBody};
use crate::content::Label;

impl Expander<'_> {
    /// Returns the block that a `dynamic` block of `body` generates for an element; `None` if its labels have errors.
    /// Without an element, the block represents all unknown elements.
    pub(crate) fn generate(
        &mut self,
        dynamic: &DynamicBlock,
        body: &ScopedBody,
        element: Option<&Element>,
    ) -> Option<ScopedBlock> {
        if element.is_some() && !self.count(dynamic, body) {
            return None;
        }
        let mut block = dynamic.block(body, element);
        if let Some(iterator) = &block.body.iterator {
            block.labels = self.label_texts(dynamic, body, iterator)?;
        }
        Some(block)
    }

    /// Counts a generated block, because nested `dynamic` blocks could otherwise use all memory.
    fn count(&mut self, dynamic: &DynamicBlock, body: &ScopedBody) -> bool {
        if self.batch.is_stopped() {
            return false;
        }
        let exceeded = self.batch.count_block(body.body.source(), dynamic.header_span);
        let is_within = exceeded.is_none();
        self.report(exceeded, Repeated::No);
        is_within
    }

    fn label_texts(
        &mut self,
        dynamic: &DynamicBlock,
        body: &ScopedBody,
        iterator: &BlockIterator,
    ) -> Option<Vec<Label>> {
        let Some(expressions) = &dynamic.labels else { return Some(Vec::new()) };
        let mut texts = Vec::new();
        for label in &expressions.labels {
            let (value, failed) = self.eval(&expressions.tuple, *label, Some(iterator), &dynamic.marks);
            if failed {
                return None;
            }
            let span = expressions.tuple.tree.span(*label);
            let problem = match convert(&value, &Type::String) {
                Err(error) => error.message,
                Ok(_) if value.is_null() => "it is null".to_owned(),
                Ok(_) if !value.is_known() => "it is not known yet".to_owned(),
                Ok(_) if value.is_marked() => "it is sensitive".to_owned(),
                Ok(text) => {
                    texts.push(Label { text: SmolStr::from(text.as_str().unwrap_or_default()), span });
                    continue;
                }
            };
            let detail = format!("This value cannot be the label of a block: {problem}.");
            let diagnostic = body.error(ids::INVALID_DYNAMIC_LABEL, span, detail);
            self.report([diagnostic], Repeated::SameSpan);
            return None;
        }
        Some(texts)
    }
}
