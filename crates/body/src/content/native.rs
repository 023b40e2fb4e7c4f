use std::sync::Arc;

use terrane_source::Span;
use terrane_syntax::Tree;
use terrane_syntax::tree::{self, BodyId, Item};
use terrane_value::SmolStr;

use super::errors::Mistakes;
use super::{Attribute, Block, Content, Label};
use crate::body::{Body, Taken};
use crate::body_schema::BodySchema;

/// The offset that stands for all that is missing in the body of a block: its opening brace, or its argument where it
/// is a block of one line.
pub(crate) fn start(tree: &Tree, block: &tree::Block) -> u32 {
    let first = tree.list(tree.body(block.body).items).first();
    let Some(Item::Attribute(id)) = first else { return block.open };
    let name = tree.attribute(*id).name;
    let is_same_line = !tree.slice(Span::new(block.open, name.start)).contains('\n');
    if is_same_line { name.start } else { block.open }
}

/// The offset that stands for all that is missing in a file: its first token.
pub(crate) fn file_start(tree: &Tree, id: BodyId) -> u32 {
    let span = tree.body(id).span;
    let text = tree.slice(span);
    let mut rest = text.trim_start_matches('\u{feff}');
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        let comment = rest.strip_prefix("/*").and_then(|comment| comment.split_once("*/"));
        match comment {
            Some((_, behind)) => rest = behind,
            None => return span.end - u32::try_from(rest.len()).unwrap_or(0),
        }
    }
}

/// Adds what the schema names.
pub(crate) fn read(
    tree: &Arc<Tree>,
    id: BodyId,
    taken: Option<&Taken>,
    schema: &BodySchema,
    content: &mut Content,
    mistakes: &mut Mistakes<'_>,
) {
    for item in tree.list(tree.body(id).items) {
        match item {
            Item::Attribute(id) => {
                let attribute = tree.attribute(*id);
                let name = tree.name(attribute);
                if let Some(name) = schema.find_attribute(name)
                    && !Taken::attribute(taken, name)
                {
                    add_attribute(tree, attribute, name.clone(), content);
                }
            }
            Item::Block(id) => {
                let block = tree.block(*id);
                let block_type = tree.block_type(block);
                if let Some((block_type, names)) = schema.find_block(block_type)
                    && !Taken::block(taken, block_type)
                    && has_labels(tree, block, names, mistakes)
                {
                    content.blocks.push(read_block(tree, block, block_type.clone()));
                }
            }
        }
    }
}

/// Adds all attributes.
pub(crate) fn all_attributes(tree: &Arc<Tree>, id: BodyId, taken: Option<&Taken>, content: &mut Content) {
    content.attributes.reserve(tree.attributes(id).count());
    for attribute in tree.attributes(id) {
        let name = tree.name(attribute);
        if !Taken::attribute(taken, name) {
            add_attribute(tree, attribute, SmolStr::from(name), content);
        }
    }
}

/// Adds all blocks.
pub(crate) fn all_blocks(tree: &Arc<Tree>, id: BodyId, taken: Option<&Taken>, content: &mut Content) {
    for block in tree.blocks(id) {
        let block_type = tree.block_type(block);
        if !Taken::block(taken, block_type) {
            content.blocks.push(read_block(tree, block, SmolStr::from(block_type)));
        }
    }
}

/// Reports what the schema does not name.
pub(crate) fn report_others(
    tree: &Tree,
    id: BodyId,
    taken: Option<&Taken>,
    schema: &BodySchema,
    content: &Content,
    mistakes: &mut Mistakes<'_>,
) {
    for attribute in tree.attributes(id) {
        let name = tree.name(attribute);
        if schema.find_attribute(name).is_none() && !Taken::attribute(taken, name) {
            mistakes.unsupported_attribute(name, attribute.name, schema, content);
        }
    }
    for block in tree.blocks(id) {
        let block_type = tree.block_type(block);
        if schema.find_block(block_type).is_none() && !Taken::block(taken, block_type) {
            mistakes.unsupported_block(block_type, block.block_type, schema);
        }
    }
}

/// Of two attributes of one name the first one counts; the parser reports the second one.
fn add_attribute(tree: &Arc<Tree>, attribute: &tree::Attribute, name: SmolStr, content: &mut Content) {
    content
        .attributes
        .entry(name.clone())
        .or_insert_with(|| Attribute::native(tree, name, attribute.name, attribute.expr));
}

fn has_labels(tree: &Tree, block: &tree::Block, names: &[String], mistakes: &mut Mistakes<'_>) -> bool {
    let labels = tree.list(block.labels);
    let brace = Span::new(block.open, block.open + 1);
    let context = block.block_type.to(brace);
    let block_type = tree.block_type(block);
    if let Some(extra) = labels.get(names.len()) {
        mistakes.extraneous_label(block_type, names, (extra.span, context));
        return false;
    }
    if let Some(missing) = names.get(labels.len()) {
        mistakes.missing_label(block_type, names, missing, (brace, context));
        return false;
    }
    true
}

fn read_block(tree: &Arc<Tree>, block: &tree::Block, block_type: SmolStr) -> Block {
    let label = |label: &tree::Label| Label { text: SmolStr::from(tree.label(label)), span: label.span };
    Block {
        block_type: block_type.clone(),
        type_span: block.block_type,
        labels: tree.list(block.labels).iter().map(label).collect(),
        header_span: tree.header_span(block),
        body: Body { block_type: Some(block_type), ..Body::of_native_block(tree, block) },
    }
}
