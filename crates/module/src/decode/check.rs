//! Decodes `check` blocks and conditions.

use std::collections::HashSet;
use std::sync::Arc;

use terrane_body::{Block, Content};
use terrane_eval::references;
use terrane_source::{Diagnostic, Diagnostics, ids};

use crate::decode::overrides::not_overridable;
use crate::decode::{Decoder, declaration, duplicate, label, label_place, place, schema};
use crate::model::module::Check;
use crate::rules::words::article;

/// Reads conditions with messages: `validation`, `precondition`, `postcondition` and `assert` blocks.
pub(crate) struct Conditions<'d> {
    diagnostics: &'d mut Diagnostics,
}

impl<'d> Conditions<'d> {
    pub(crate) fn new(diagnostics: &'d mut Diagnostics) -> Conditions<'d> {
        Conditions { diagnostics }
    }

    /// The blocks of one type in `content`.
    pub(crate) fn read(self, content: &Content, block_type: &str) -> Vec<Check> {
        let mut checks = Vec::new();
        for block in content.blocks_of(block_type) {
            let inner = block.body.content(schema::condition(), self.diagnostics);
            let (Some(condition), Some(message)) =
                (inner.attribute("condition"), inner.attribute("error_message"))
            else {
                continue;
            };
            let place = (Arc::clone(condition.source()), condition.value_span());
            let condition = condition.expression(self.diagnostics);
            let error_message = message.expression(self.diagnostics);
            if references(&condition).is_empty() {
                let detail = "The condition refers to nothing, so it always has the same result and \
                              checks nothing. Refer to the value to check.";
                self.diagnostics.push(
                    Diagnostic::error(ids::CONSTANT_CONDITION, detail)
                        .titled(format!("Invalid {block_type} expression"))
                        .at(&place.0, place.1),
                );
                continue;
            }
            checks.push(Check { declaration: declaration(block), condition, error_message });
        }
        checks
    }
}

impl Decoder<'_> {
    /// The conditions of one type in `content`, which an override file cannot have.
    pub(crate) fn conditions(&mut self, content: &Content, block_type: &str) -> Vec<Check> {
        if self.overriding {
            self.diagnostics.extend(content.blocks_of(block_type).map(not_overridable));
            return Vec::new();
        }
        Conditions::new(self.diagnostics).read(content, block_type)
    }

    /// A `check` block: at most one data source, which belongs to the module as any other, and assertions.
    pub(crate) fn check(&mut self, block: &Block) {
        let name = label(block, 0);
        self.check_name(&name.text, ids::INVALID_CHECK_NAME, &label_place(block, &name));
        let content = block.body.content(schema::check(), self.diagnostics);
        let declaration = declaration(block);
        let mut sources = content.blocks_of("data");
        if let Some(data) = sources.next() {
            self.nested_data(data, &name.text);
        }
        for second in sources {
            let detail = "A `check` block can have only one `data` block. Move the others out of it.";
            self.error_at(ids::DUPLICATE_BLOCK, detail, second, "Multiple data resource blocks");
        }
        let asserts = self.conditions(&content, "assert");
        if asserts.is_empty() {
            let detail = "A `check` block must have at least one `assert` block.";
            self.diagnostics
                .push(Diagnostic::error(ids::NO_ASSERTION, detail).at(&declaration.file, declaration.span));
        }
        if let Some(earlier) = self.module.check_blocks.get(&name.text) {
            let id = ids::DUPLICATE_CHECK;
            let diagnostic = duplicate(id, "check block", &name.text, earlier, &declaration);
            self.diagnostics
                .push(diagnostic.titled(format!("Duplicate check \"{}\" configuration", name.text)));
            return;
        }
        self.module.check_blocks.insert(name.text.clone(), declaration);
        self.module.checks.insert(name.text, asserts);
    }

    /// Reports every block of a type behind the first one; the first one.
    pub(crate) fn only<'c>(
        &mut self,
        content: &'c Content,
        block_type: &str,
        owner: &str,
    ) -> Option<&'c Block> {
        let mut blocks = content.blocks_of(block_type);
        let first = blocks.next()?;
        let title = match block_type {
            "_" => "Duplicate escaping block".to_owned(),
            _ => format!("Duplicate {block_type} block"),
        };
        for second in blocks {
            let article = article(owner);
            let detail = format!(
                "{article} {owner} can have only one `{block_type}` block; the first one is at {}. Move \
                 the content there.",
                place(&declaration(first))
            );
            let id = if block_type == "lifecycle" { ids::DUPLICATE_LIFECYCLE } else { ids::DUPLICATE_BLOCK };
            self.diagnostics.push(
                Diagnostic::error(id, detail)
                    .titled(title.clone())
                    .at(second.body.source(), second.header_span),
            );
        }
        Some(first)
    }

    /// Reports blocks whose types are reserved for later.
    pub(crate) fn reserved_blocks(&mut self, content: &Content, allowed: &[&str], owner: &str) {
        let mut seen = HashSet::new();
        for block in &content.blocks {
            let block_type = &*block.block_type;
            if allowed.contains(&block_type) || !seen.insert((block_type, block.type_span)) {
                continue;
            }
            let detail =
                format!("Blocks of type \"{block_type}\" in a `{owner}` block are reserved for future use.");
            let title = format!("Reserved block type name in {owner} block");
            self.error_at(ids::RESERVED_BLOCK, detail, block, &title);
        }
    }
}
