//! The `encryption` block of OpenTofu, as far as it can be checked by itself: the arguments of keys and methods are known to the
//! product when it encrypts.

use std::collections::HashSet;

use terrane_body::constant::{bool_of, string_of};
use terrane_body::{Block, BodySchema, Content, Label};
use terrane_source::{Diagnostic, ids, titles};
use terrane_value::SmolStr;

use crate::decode::decoder::Decoder;
use crate::decode::schema;
use crate::model::module::Storage;

impl Decoder<'_> {
    /// An `encryption` block.
    pub(crate) fn encryption(&mut self, block: &Block) {
        let mark = self.diagnostics.mark();
        let content = block.body.content(schema::encryption(), self.diagnostics);
        self.key_providers(&content);
        for target in ["state", "plan"] {
            self.target(&content, target, schema::enforced_target());
        }
        let remote = self.at_most_one(&content, "remote_state_data_sources");
        let remote = remote.map(|block| block.body.content(schema::remote_state(), self.diagnostics));
        if let Some(remote) = &remote {
            self.target(remote, "default", schema::encryption_target());
            for named in remote.blocks_of("remote_state_data_source") {
                self.target_content(named, schema::encryption_target());
            }
        }
        // A duplicate is reported only where each block is right by itself.
        if self.diagnostics.has_errors_since(mark) {
            return;
        }
        self.named(&content, "key_provider", "key provider");
        self.named(&content, "method", "encryption method");
        if let Some(remote) = &remote {
            self.twice(remote, "remote_state_data_source", "remote_data_source");
        }
        if !self.diagnostics.has_errors_since(mark) {
            self.declare_encryption(block);
        }
    }

    fn declare_encryption(&mut self, block: &Block) {
        let found = block.declaration();
        // One in an override file overrides those of other files.
        let is_rival = |earlier: &&Storage| {
            !self.overriding || earlier.declaration.file.id() == block.body.source().id()
        };
        match self.module.encryption.last().filter(is_rival) {
            None => {
                let kind = block.block_type.clone();
                self.module.encryption.push(Storage { kind, declaration: found, config: block.body.clone() });
            }
            Some(earlier) => {
                let detail = format!(
                    "A module can have only one `encryption` block; the first one is at {}.",
                    earlier.declaration.position()
                );
                let diagnostic = Diagnostic::error(ids::DUPLICATE_BACKEND, detail);
                let title = titles::DUPLICATE_ENCRYPTION_CONFIGURATION;
                self.diagnostics.push(diagnostic.titled(title).at(&found.file, found.span));
            }
        }
    }

    fn key_providers(&mut self, content: &Content) {
        for provider in content.blocks_of("key_provider") {
            // The rest is for the provider.
            let (own, _) = provider.body.partial_content(schema::key_provider(), self.diagnostics);
            string_of(own.attribute("encrypted_metadata_alias"), self.diagnostics);
        }
    }

    /// The only block of a type; where there are several, they are not looked into.
    fn at_most_one<'c>(&mut self, content: &'c Content, block_type: &str) -> Option<&'c Block> {
        let mut all = content.blocks_of(block_type);
        let first = all.next()?;
        let Some(second) = all.next() else { return Some(first) };
        let detail = format!(
            "Only one `{block_type}` block is allowed here; the first one is at {}.",
            first.declaration().position()
        );
        let title = titles::duplicate_block(block_type);
        self.error_at(ids::DUPLICATE_BACKEND, &detail, second, title);
        None
    }

    /// The targets of the encryption, where they are declared.
    fn target(&mut self, content: &Content, block_type: &str, schema: &BodySchema) {
        if let Some(block) = self.at_most_one(content, block_type) {
            self.target_content(block, schema);
        }
    }

    /// A target and the ones to fall back to, which the parser does not let nest without end.
    fn target_content(&mut self, block: &Block, schema: &BodySchema) {
        let content = block.body.content(schema, self.diagnostics);
        bool_of(content.attribute("enforced"), self.diagnostics);
        self.target(&content, "fallback", schema::encryption_target());
    }

    /// Checks the type and the name of blocks that have them. `noun` is the block in titles.
    fn named(&mut self, content: &Content, block_type: &str, noun: &str) {
        self.twice(content, block_type, block_type);
        for block in content.blocks_of(block_type) {
            for (index, part) in ["type", "name"].into_iter().enumerate() {
                self.name_of(&block.label(index), block, noun, part);
            }
        }
    }

    fn name_of(&mut self, label: &Label, block: &Block, noun: &str, part: &str) {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if !label.text.is_empty() && label.text.bytes().all(is_letter) {
            return;
        }
        let detail = format!(
            "\"{}\" cannot be the {part} of a `{}` block. Write it with letters (A-Z), digits, `_` and `-`.",
            label.text, block.block_type
        );
        let title = titles::invalid_encryption_label(noun, part);
        let diagnostic = Diagnostic::error(ids::INVALID_ENCRYPTION_NAME, detail).titled(title);
        self.diagnostics.push(diagnostic.at(block.body.source(), label.span));
    }

    /// Reports blocks with the labels of an earlier one. `noun` is the block in the title.
    fn twice(&mut self, content: &Content, block_type: &str, noun: &str) {
        let mut seen: HashSet<Vec<SmolStr>> = HashSet::new();
        for block in content.blocks_of(block_type) {
            let labels: Vec<SmolStr> = block.labels.iter().map(|label| label.text.clone()).collect();
            let name = labels.join(".");
            if !seen.insert(labels) {
                let detail =
                    format!("There is another `{block_type}` block `{name}`. Rename or remove one of them.");
                let title = titles::duplicate_encryption_part(noun);
                self.error_at(ids::DUPLICATE_BACKEND, &detail, block, title);
            }
        }
    }
}
