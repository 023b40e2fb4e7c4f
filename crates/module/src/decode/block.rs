//! Decodes a block of a file by its type.

use terrane_body::Block;
use terrane_source::{ids, titles};

use crate::decode::decoder::Decoder;

impl Decoder<'_> {
    /// Decodes a block. `tofu` says whether the name of its file is one for OpenTofu.
    pub(crate) fn block(&mut self, block: &Block, tofu: bool) {
        match &*block.block_type {
            "variable" => self.variable(block),
            "output" => self.output(block),
            "module" => self.module_call(block),
            "locals" => self.locals(block),
            "check" => self.check(block),
            "resource" | "data" | "ephemeral" => self.resource(block, None),
            "provider" => self.provider(block),
            "terraform" => self.terraform(block, tofu),
            "language" => self.language(block),
            "moved" => self.moved(block),
            "removed" => self.removed(block),
            "import" => self.import(block),
            "required_providers" => {
                self.note_flawed_requirements(&block.body);
                let detail = "A `required_providers` block belongs in a `terraform` block.";
                self.error_at(ids::MISPLACED_BLOCK, detail, block, titles::INVALID_REQUIRED_PROVIDERS_BLOCK);
            }
            "action" => {
                let (key, action) = self.action_block(block);
                self.add_resource(key, action);
            }
            _ => {}
        }
    }
}
