use terrane_eval::Block;
use terrane_source::ids;

use super::check::Conditions;
use super::constant::{bool_of, string_of};
use super::{Decoder, declaration, duplicate, label, label_place, schema};
use crate::module::Output;
use crate::reference::unresolved;

impl Decoder<'_> {
    pub(super) fn output(&mut self, block: &Block) {
        let name = label(block, 0);
        self.check_name(&name.text, ids::INVALID_OUTPUT_NAME, &label_place(block, &name));
        let content = self.content(&block.body, "output", schema::output());
        let declaration = declaration(block);
        for postcondition in content.blocks_of("postcondition") {
            let detail = "An output is only checked before its value is used. Write the check as a `precondition` block.";
            let title = ids::POSTCONDITION_NOT_ALLOWED.title();
            self.error_at(ids::POSTCONDITION_NOT_ALLOWED, detail, postcondition, title);
        }
        if let Some(earlier) = self.module.outputs.get(&name.text) {
            let id = ids::DUPLICATE_OUTPUT;
            self.diagnostics.push(duplicate(id, "output", &name.text, &earlier.declaration, &declaration));
            return;
        }
        let value = content.attribute("value").map(|value| value.expression(self.diagnostics));
        let output = Output {
            declaration,
            value: value.map(unresolved),
            constraint: content.attribute("type").map(|ty| self.variable_type(Some(ty))),
            sensitive: bool_of(content.attribute("sensitive"), self.diagnostics).unwrap_or(false),
            ephemeral: bool_of(content.attribute("ephemeral"), self.diagnostics).unwrap_or(false),
            deprecated: self.deprecated(&content),
            description: string_of(content.attribute("description"), self.diagnostics),
            preconditions: Conditions::new(self.diagnostics).read(&content, "precondition"),
            depends_on: Vec::new(),
            depends_on_expression: content.attribute("depends_on").map(terrane_eval::Attribute::reference),
        };
        self.module.outputs.insert(name.text.clone(), output);
    }
}
