//! Decodes `locals` blocks.

use std::sync::Arc;

use terrane_body::Block;
use terrane_source::{Subject, ids};

use crate::decode::decoder::{Decoder, duplicate};
use crate::model::declaration_kind::DeclarationKind;
use crate::model::module::Local;

impl Decoder<'_> {
    pub(crate) fn locals(&mut self, block: &Block) {
        let attributes = block.body.just_attributes(self.diagnostics).attributes;
        for (name, attribute) in attributes {
            let declaration = Subject { file: Arc::clone(attribute.source()), span: attribute.span };
            let is_name = self.check_name(&name, ids::INVALID_LOCAL_NAME, &declaration);
            let value = attribute.expression(self.diagnostics);
            if !is_name {
                self.hide(DeclarationKind::Local, &[&*name]);
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
        for (tree, block) in block
            .body
            .as_native()
            .iter()
            .flat_map(|(tree, body)| tree.blocks(*body).map(move |block| (tree, block)))
        {
            self.hide(DeclarationKind::Local, &[tree.block_type(block)]);
        }
    }
}
