//! Reads the content of a body as written, according to the schema of a provider, and hides the secrets in it.

use terrane_source::Diagnostics;
use terrane_syntax::hide_literals;

use super::schema::{Nesting, Schema, SchemaAttribute};
use crate::body::Body;
use crate::body_schema::{BodySchema, DYNAMIC};
use crate::content::Content;

impl Schema {
    /// Returns the arguments, blocks and `dynamic` blocks of a body. Other content is left out.
    pub fn written_content(&self, body: &Body) -> Content {
        let mut shape = BodySchema::new();
        for (name, attribute) in self.attributes() {
            shape = shape.optional(name);
            if attribute.may_be_blocks() {
                shape = shape.block(name, &[]);
            }
        }
        for (name, block) in self.blocks() {
            shape = shape.block(name, if block.nesting == Nesting::Map { &["key"] } else { &[] });
        }
        // A `dynamic` block in an override hides the blocks that it overrides.
        if !self.blocks().contains_key(DYNAMIC) {
            shape = shape.block(DYNAMIC, &["type"]);
        }
        body.partial_content(&shape, &mut Diagnostics::new()).0
    }

    /// Whether an attribute or a part of one is sensitive or write-only, at any depth of blocks.
    pub fn has_secret_attributes(&self) -> bool {
        let mut left = vec![self];
        while let Some(schema) = left.pop() {
            if schema.attributes().values().any(SchemaAttribute::is_secret) {
                return true;
            }
            left.extend(schema.blocks().values().map(|block| &block.schema));
        }
        false
    }

    /// Hides the literals of sensitive and write-only arguments of a body in its source files, so that no excerpt shows
    /// them. This includes literals in the collection of a `dynamic` block whose content has such arguments.
    pub fn hide_secrets(&self, body: &Body) {
        let mut left: Vec<(Body, &Schema)> = vec![(body.clone(), self)];
        while let Some((body, schema)) = left.pop() {
            if !schema.has_secret_attributes() {
                continue;
            }
            let content = schema.written_content(&body);
            for (name, attribute) in &content.attributes {
                if schema.attributes().get(name).is_some_and(SchemaAttribute::is_secret) {
                    hide_literals(&attribute.expression(&mut Diagnostics::new()));
                }
            }
            for block in &content.blocks {
                let Some(nested) = schema.blocks().get(block.generated_type()) else { continue };
                let Some(dynamic) = block.dynamic() else {
                    left.push((block.body.clone(), &nested.schema));
                    continue;
                };
                if nested.schema.has_secret_attributes()
                    && let Some(all) = dynamic.collection()
                {
                    hide_literals(&all);
                }
                left.extend(dynamic.contents.into_iter().map(|content| (content.body, &nested.schema)));
            }
        }
    }
}

impl SchemaAttribute {
    /// Whether the attribute or a nested one is sensitive or write-only.
    pub fn is_secret(&self) -> bool {
        let mut left = vec![self];
        while let Some(attribute) = left.pop() {
            if attribute.sensitive || attribute.write_only {
                return true;
            }
            left.extend(
                attribute.nested_attributes().into_iter().flat_map(|nested| nested.attributes.values()),
            );
        }
        false
    }
}
