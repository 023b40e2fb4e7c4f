//! The block types of a body without a schema, at all depths, from the blocks that it has.

use std::collections::BTreeMap;

use terrane_body::Body;
use terrane_source::Diagnostics;
use terrane_value::SmolStr;

/// Whether every provider has this block no more than once, so that it is an object without a schema too.
pub(super) fn is_single(block_type: &str) -> bool {
    block_type == "timeouts"
}

/// The block types that a body has, each with those in its blocks.
#[derive(Default, Debug)]
pub(super) struct WrittenBlocks(BTreeMap<SmolStr, WrittenBlocks>);

impl WrittenBlocks {
    /// The types of the blocks and `dynamic` blocks in a body; none if it has no blocks. The depth of the walk is that of the blocks,
    /// which the parsers bound.
    pub(super) fn of(body: &Body) -> Option<WrittenBlocks> {
        let mut found = WrittenBlocks::default();
        found.add(body);
        (!found.0.is_empty()).then_some(found)
    }

    fn add(&mut self, body: &Body) {
        for block in &body.open_content(&mut Diagnostics::new()).blocks {
            let inner = self.0.entry(block.generated_type().clone()).or_default();
            match block.dynamic() {
                Some(dynamic) => dynamic.contents.iter().for_each(|content| inner.add(&content.body)),
                None => inner.add(&block.body),
            }
        }
    }

    /// The types in the blocks of a type; none if the body has no such block.
    pub(super) fn of_type(&self, name: &str) -> Option<&WrittenBlocks> {
        self.0.get(name)
    }

    /// Each type with the types in its blocks.
    pub(super) fn types(&self) -> impl Iterator<Item = (&SmolStr, &WrittenBlocks)> {
        self.0.iter()
    }
}
