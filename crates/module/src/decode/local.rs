//! Decodes `locals` blocks.

use std::sync::Arc;

use terrane_body::Block;
use terrane_config::Declaration;
use terrane_source::ids;

use crate::decode::decoder::{Decoder, duplicate};
use crate::model::doubt::DeclarationKind;
use crate::model::module::Local;

impl Decoder<'_> {
    pub(crate) fn locals(&mut self, block: &Block) {
        let attributes = block.body.just_attributes(self.diagnostics).attributes;
        for (name, attribute) in attributes {
            let declaration = Declaration { file: Arc::clone(attribute.source()), span: attribute.span };
            let is_name = self.check_name(&name, ids::INVALID_LOCAL_NAME, &declaration);
            let value = attribute.expression(self.diagnostics);
            if !is_name {
                self.hide(DeclarationKind::Local);
                continue;
            }
            if let Some(Local { declaration: first, .. }) = self.module.locals.get(&name) {
                let diagnostic = duplicate(ids::DUPLICATE_LOCAL, "local value", &name, first, &declaration);
                self.diagnostics.push(diagnostic);
                continue;
            }
            self.module
                .locals
                .insert(name, Local { declaration, value, is_name_only: attribute.is_name_only() });
        }
        // A block in it was reported. It is a local value whose equals sign is missing.
        if block.body.as_native().is_some_and(|(tree, body)| tree.blocks(body).next().is_some()) {
            self.hide(DeclarationKind::Local);
        }
    }
}
