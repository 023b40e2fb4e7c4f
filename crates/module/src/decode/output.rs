//! Decodes `output` blocks.

use terrane_body::constant::{is_secret, string_of};
use terrane_body::{Attribute, Block, Content};
use terrane_source::{Title, ids};
use terrane_syntax::is_identifier;
use terrane_value::SmolStr;

use crate::decode::decoder::{Decoder, duplicate};
use crate::decode::schema;
use crate::model::declaration_kind::DeclarationKind;
use crate::model::module::Output;

/// An output with its name and the content of its block.
pub(crate) struct DecodedOutput {
    pub(crate) name: SmolStr,
    pub(crate) output: Output,
    pub(crate) content: Content,
}

impl Decoder<'_> {
    pub(crate) fn output(&mut self, block: &Block) {
        let DecodedOutput { name, output, .. } = self.output_block(block);
        if !is_identifier(&name) {
            return self.hide(DeclarationKind::Output, &[&*name]);
        }
        if let Some(earlier) = self.module.outputs.get(&name) {
            let (id, again) = (ids::DUPLICATE_OUTPUT, &output.declaration);
            self.diagnostics.push(duplicate(id, "output", &name, &earlier.declaration, again));
            return;
        }
        self.module.outputs.insert(name, output);
    }

    /// Decodes the block of an output.
    pub(crate) fn output_block(&mut self, block: &Block) -> DecodedOutput {
        let name = block.label(0);
        self.check_name(&name.text, ids::INVALID_OUTPUT_NAME, &block.place_of(&name));
        let schema = if self.overriding { schema::overriding_output() } else { schema::output() };
        let content = self.content(&block.body, "output", schema);
        for postcondition in content.blocks_of("postcondition") {
            let detail = "An output is only checked before its value is used. Write the check as a `precondition` block.";
            let title = Title::of(ids::POSTCONDITION_NOT_ALLOWED);
            self.error_at(ids::POSTCONDITION_NOT_ALLOWED, detail, postcondition, title);
        }
        let value = content.attribute("value").map(|value| value.expression(self.diagnostics));
        let read_type = content.attribute("type").map(|ty| self.variable_type(Some(ty)));
        let has_type_error = read_type.as_ref().is_some_and(|ty| ty.has_error)
            || self.module.secrets.has_doubtful_output(&name.text);
        let output = Output {
            declaration: block.declaration(),
            value,
            constraint: read_type.map(|ty| ty.constraint),
            has_type_error,
            sensitive: is_secret(&content, "sensitive", self.diagnostics),
            ephemeral: is_secret(&content, "ephemeral", self.diagnostics),
            deprecated: self.deprecated(&content),
            description: string_of(content.attribute("description"), self.diagnostics),
            preconditions: self.conditions(&content, "precondition"),
            depends_on: content.attribute("depends_on").map(Attribute::reference),
        };
        DecodedOutput { name: name.text, output, content }
    }
}
