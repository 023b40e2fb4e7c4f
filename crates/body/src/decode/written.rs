//! Reads the content of a body as written, according to the schema of a provider, and hides the secrets in it.

use terrane_source::Diagnostics;

use super::schema::{Nesting, Schema, SchemaAttribute};
use crate::body::Body;
use crate::body_schema::{BodySchema, DYNAMIC};
use crate::content::{Content, SecretNames};

/// A part of a [`Schema`].
#[derive(Clone, Copy, Debug)]
pub enum SchemaPart<'s> {
    /// An attribute, or a nested attribute.
    Attribute(&'s SchemaAttribute),
    /// The content of the blocks of a type.
    Block(&'s Schema),
}

impl Schema {
    /// Returns the arguments, blocks and `dynamic` blocks of a body. Other content is left out.
    pub fn written_content(&self, body: &Body) -> Content {
        let names = self.written_names.get_or_init(|| self.names());
        body.partial_content(names, &mut Diagnostics::new()).0
    }

    /// Returns the names that a body may write.
    fn names(&self) -> BodySchema {
        let mut names = BodySchema::new();
        for (name, attribute) in self.attributes() {
            names = names.optional(name);
            if attribute.may_be_blocks() {
                names = names.block(name, &[]);
            }
        }
        for (name, block) in self.blocks() {
            names = names.block(name, if block.nesting == Nesting::Map { &["key"] } else { &[] });
        }
        // A `dynamic` block in an override hides the blocks that it overrides.
        if !self.blocks().contains_key(DYNAMIC) {
            names = names.block(DYNAMIC, &["type"]);
        }
        names
    }

    /// Returns the part of the schema at a path of the names of nested blocks, of an argument, and of keys in its value. Names
    /// that the schema lacks, such as keys of maps, are skipped. The parts of a secret attribute have no schema of their own.
    /// `None` if the schema has none of the names.
    pub fn part_at<'n>(&self, path: impl IntoIterator<Item = &'n str>) -> Option<SchemaPart<'_>> {
        let (mut schema, mut found) = (self, None);
        for name in path {
            let nested = match found {
                Some(SchemaPart::Attribute(attribute)) => attribute
                    .nested_attributes()
                    .filter(|_| !attribute.sensitive && !attribute.write_only)
                    .and_then(|nested| nested.attributes.get(name))
                    .map(SchemaPart::Attribute),
                Some(SchemaPart::Block(_)) | None => match schema.blocks().get(name) {
                    Some(block) => {
                        schema = &block.schema;
                        Some(SchemaPart::Block(schema))
                    }
                    None => schema.attributes().get(name).map(SchemaPart::Attribute),
                },
            };
            found = nested.or(found);
        }
        found
    }

    /// Whether an attribute or a part of one is sensitive or write-only, at any depth of blocks.
    pub fn has_secret_attributes(&self) -> bool {
        *self.has_secrets.get_or_init(|| {
            let mut left = vec![self];
            while let Some(schema) = left.pop() {
                let known = schema.has_secrets.get().copied();
                if known.unwrap_or_else(|| schema.attributes().values().any(SchemaAttribute::is_secret)) {
                    return true;
                }
                if known.is_none() {
                    left.extend(schema.blocks().values().map(|block| &block.schema));
                }
            }
            false
        })
    }

    /// Whether the attribute, or an attribute of the blocks, with a name is sensitive or write-only, at any depth.
    pub fn is_secret(&self, name: &str) -> bool {
        self.attributes().get(name).is_some_and(SchemaAttribute::is_secret)
            || self.blocks().get(name).is_some_and(|block| block.schema.has_secret_attributes())
    }

    /// Hides the values of sensitive and write-only arguments of a body in its source files: see [`Body::hide_values`]. This
    /// includes the collection of a `dynamic` block whose content has such arguments. A reference or a call whose first word is not
    /// one for which `is_word` returns true is hidden in these values.
    pub fn hide_secrets(&self, body: &Body, is_word: &dyn Fn(&str) -> bool) {
        let mut left: Vec<(Body, &Schema)> = vec![(body.clone(), self)];
        while let Some((body, schema)) = left.pop() {
            if !schema.has_secret_attributes() {
                continue;
            }
            let known = schema.written_names.get_or_init(|| schema.names());
            let is_word = |word: &str| is_word(word) || schema.blocks().contains_key(word);
            let is_secret =
                |name: &str| schema.attributes().get(name).is_some_and(SchemaAttribute::is_secret);
            body.hide_values(SecretNames {
                is_secret: &is_secret,
                is_argument: &|name| known.has_attribute(name),
                is_block: &|name| known.has_block(name),
                is_word: &is_word,
            });
            for block in &schema.written_content(&body).blocks {
                let block_type = block.generated_type();
                let nested = schema.blocks().get(block_type).map(|nested| &nested.schema);
                let may_be_secret =
                    is_secret(block_type) || nested.is_some_and(Schema::has_secret_attributes);
                let bodies = match block.dynamic() {
                    Some(dynamic) => {
                        block.body.hide_values(SecretNames {
                            is_secret: &|name| name == "for_each" && may_be_secret,
                            is_argument: &|name| ["for_each", "iterator", "labels"].contains(&name),
                            is_block: &|name| name == "content",
                            is_word: &is_word,
                        });
                        dynamic.contents.into_iter().map(|content| content.body).collect()
                    }
                    None => vec![block.body.clone()],
                };
                match nested {
                    Some(nested) => left.extend(bodies.into_iter().map(|body| (body, nested))),
                    // The attribute is written as blocks, or the type is misspelt.
                    None if is_secret(block_type) || !known.has_attribute(block_type) => {
                        bodies.iter().for_each(Body::hide_all_values);
                    }
                    None => {}
                }
            }
        }
    }
}

impl SchemaAttribute {
    /// Whether the attribute or a nested one is sensitive or write-only.
    pub fn is_secret(&self) -> bool {
        let mut left = Vec::new();
        let mut next = Some(self);
        while let Some(attribute) = next {
            if attribute.sensitive || attribute.write_only {
                return true;
            }
            left.extend(
                attribute.nested_attributes().into_iter().flat_map(|nested| nested.attributes.values()),
            );
            next = left.pop();
        }
        false
    }
}
