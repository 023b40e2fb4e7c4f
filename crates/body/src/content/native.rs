//! Reads bodies in the native syntax.

use std::sync::Arc;

use terrane_source::Span;
use terrane_syntax::Tree;
use terrane_syntax::tree::{self, Item};
use terrane_value::SmolStr;

use super::errors::{AllowedNames, BodyErrors, ErrorSpans};
use super::items::{Attribute, Block, Content, Label};
use super::reader::ContentReader;
use crate::body::{Body, NativeBody};
use crate::body_schema::BodySchema;

/// Reads the attributes and blocks that the schema names.
pub(crate) fn read(native: &NativeBody, schema: &BodySchema, reader: &mut ContentReader<'_>) {
    let tree = &native.tree;
    for item in tree.list(tree.body(native.id).items) {
        match item {
            Item::Attribute(id) => {
                let attribute = tree.attribute(*id);
                let name = tree.name(attribute);
                if let Some(name) = schema.find_attribute(name)
                    && !reader.body.has_consumed_attribute(name)
                {
                    add_attribute(tree, attribute, name.clone(), reader.content);
                }
            }
            Item::Block(id) => {
                let block = tree.block(*id);
                let block_type = tree.block_type(block);
                if let Some((block_type, labels)) = schema.find_block(block_type)
                    && !reader.body.has_consumed_block(block_type)
                    && has_labels(tree, block, labels, &mut reader.errors)
                {
                    reader.content.blocks.push(read_block(tree, block, block_type.clone()));
                }
            }
        }
    }
}

/// Reads all attributes.
pub(crate) fn read_attributes(native: &NativeBody, reader: &mut ContentReader<'_>) {
    let tree = &native.tree;
    reader.content.attributes.reserve(tree.attributes(native.id).count());
    for attribute in tree.attributes(native.id) {
        let name = tree.name(attribute);
        if !reader.body.has_consumed_attribute(name) {
            add_attribute(tree, attribute, SmolStr::from(name), reader.content);
        }
    }
}

/// Reads all blocks.
pub(crate) fn read_blocks(native: &NativeBody, reader: &mut ContentReader<'_>) {
    let tree = &native.tree;
    for block in tree.blocks(native.id) {
        let block_type = tree.block_type(block);
        if !reader.body.has_consumed_block(block_type) {
            reader.content.blocks.push(read_block(tree, block, SmolStr::from(block_type)));
        }
    }
}

/// Reports attributes and blocks that are not allowed.
pub(crate) fn report_unsupported(
    native: &NativeBody,
    allowed: &AllowedNames<'_>,
    errors: &mut BodyErrors<'_>,
) {
    let tree = &native.tree;
    for attribute in tree.attributes(native.id) {
        let name = tree.name(attribute);
        if !allowed.has_attribute(name) {
            errors.unsupported_attribute(name, attribute.name, allowed);
        }
    }
    for block in tree.blocks(native.id) {
        let block_type = tree.block_type(block);
        if !allowed.has_block(block_type) {
            errors.unsupported_block(block_type, block.block_type, allowed);
        }
    }
}

/// Adds an attribute unless the content already has its name; the parser reports the second one.
fn add_attribute(tree: &Arc<Tree>, attribute: &tree::Attribute, name: SmolStr, content: &mut Content) {
    content
        .attributes
        .entry(name.clone())
        .or_insert_with(|| Attribute::native(tree, name, attribute.name, attribute.expr));
}

/// Whether a block has as many labels as there are names. Reports a missing or extra label.
fn has_labels(tree: &Tree, block: &tree::Block, names: &[String], errors: &mut BodyErrors<'_>) -> bool {
    let labels = tree.list(block.labels);
    let brace = Span::new(block.open, block.open + 1);
    let context = block.block_type.to(brace);
    let block_type = tree.block_type(block);
    if let Some(extra) = labels.get(names.len()) {
        errors.extraneous_label(block_type, names, ErrorSpans { subject: extra.span, context });
        return false;
    }
    if let Some(missing) = names.get(labels.len()) {
        errors.missing_label(block_type, names, missing, ErrorSpans { subject: brace, context });
        return false;
    }
    true
}

#[inline]
fn read_block(tree: &Arc<Tree>, block: &tree::Block, block_type: SmolStr) -> Block {
    let label = |label: &tree::Label| Label { text: SmolStr::from(tree.label(label)), span: label.span };
    Block {
        block_type: block_type.clone(),
        type_span: block.block_type,
        labels: tree.list(block.labels).iter().map(label).collect(),
        header_span: tree.header_span(block),
        body: Body::of_native_block(tree, block, block_type),
    }
}
