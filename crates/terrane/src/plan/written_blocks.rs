//! The block types of a body without a schema, at all depths, as its blocks show them.

use std::collections::BTreeMap;

use terrane_body::Body;
use terrane_source::Diagnostics;
use terrane_value::SmolStr;

/// Whether every provider has at most one block of this type, so that the block is an object even without a schema.
pub(super) fn is_single(block_type: &str) -> bool {
    block_type == "timeouts"
}

/// The block types in a body, each with the block types inside of its blocks.
#[derive(Default, Debug)]
pub(super) struct WrittenBlocks(BTreeMap<SmolStr, WrittenBlocks>);

impl WrittenBlocks {
    /// Returns the types of the blocks and `dynamic` blocks in a body. `None` if it has no blocks. The recursion is as deep as
    /// the blocks, whose depth the parsers bound.
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

    /// Returns the block types inside of the blocks of a type. `None` if the body has no such block.
    pub(super) fn of_type(&self, name: &str) -> Option<&WrittenBlocks> {
        self.0.get(name)
    }

    /// Returns each type with the types inside of its blocks.
    pub(super) fn types(&self) -> impl Iterator<Item = (&SmolStr, &WrittenBlocks)> {
        self.0.iter()
    }
}
