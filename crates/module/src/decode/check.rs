//! Decodes `check` blocks.

use terrane_body::Block;
use terrane_source::{Diagnostic, ids, titles};

use crate::decode::decoder::{Decoder, duplicate};
use crate::decode::schema;
use crate::model::module::CheckBlock;

impl Decoder<'_> {
    /// A `check` block: at most one data source, which belongs to the module as any other, and assertions.
    pub(crate) fn check(&mut self, block: &Block) {
        let name = block.label(0);
        self.check_name(&name.text, ids::INVALID_CHECK_NAME, &block.place_of(&name));
        let content = block.body.content(schema::check(), self.diagnostics);
        let declaration = block.declaration();
        let mut sources = content.blocks_of("data");
        if let Some(data) = sources.next() {
            self.nested_data(data, &name.text);
        }
        for second in sources {
            let detail = "A `check` block can have only one `data` block. Move the others out of it.";
            self.error_at(ids::DUPLICATE_BLOCK, detail, second, titles::MULTIPLE_DATA_RESOURCE_BLOCKS);
        }
        let assertions = self.conditions(&content, "assert");
        // An `assert` block without a condition has an error of its own.
        if content.blocks_of("assert").next().is_none() {
            let detail = "A `check` block must have at least one `assert` block.";
            self.diagnostics
                .push(Diagnostic::error(ids::NO_ASSERTION, detail).at(&declaration.file, declaration.span));
        }
        if let Some(earlier) = self.module.checks.get(&name.text) {
            let id = ids::DUPLICATE_CHECK;
            let diagnostic = duplicate(id, "check block", &name.text, &earlier.declaration, &declaration);
            self.diagnostics.push(diagnostic.titled(titles::duplicate_check(&name.text)));
            return;
        }
        self.module.checks.insert(name.text, CheckBlock { declaration, assertions });
    }
}
