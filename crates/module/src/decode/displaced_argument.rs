//! Finds the blocks that may lack an argument because its line is at a wrong place, and arguments without their equals signs.

use terrane_body::Body;
use terrane_source::Span;
use terrane_syntax::tree::{Block, Item};
use terrane_value::SmolStr;

use crate::decode::block_type::{BlockType, Declares};
use crate::decode::schema;
use crate::model::doubt::Doubt;

/// Puts the blocks of a file in doubt that may lack an argument outside of blocks: one directly before or behind it, with no empty line
/// between them.
pub(super) fn doubt_blocks_beside(body: &Body, is_override: bool, doubt: &mut Doubt) {
    let Some((tree, root)) = body.as_native() else { return };
    let mut places = Vec::new();
    let mut add = |block: &Block, argument: &str| {
        let labels: Vec<SmolStr> = tree.labels(block).map(SmolStr::from).collect();
        let block_type = BlockType::named(tree.block_type(block));
        if let Some(block_type) = block_type.filter(|block_type| lacks(block_type, argument)) {
            block_type.object(&labels).into_iter().for_each(|object| doubt.add(object, is_override));
            places.push(tree.block_span(block));
        }
    };
    let (mut block, mut names, mut end) = (None, Vec::new(), 0);
    for item in tree.list(tree.body(root).items) {
        let start = tree.item_start(*item);
        let between = tree.slice(Span::new(end, start.max(end)));
        // With a brace, the arguments are those of a body without its header.
        if between.contains(['{', '}']) || has_empty_line(between) {
            (block, names) = (None, Vec::new());
        }
        match item {
            Item::Attribute(id) => {
                let attribute = tree.attribute(*id);
                end = tree.attribute_span(attribute).end;
                let name = tree.name(attribute);
                block.into_iter().for_each(|block| add(block, name));
                names.push(name);
            }
            Item::Block(id) => {
                let next = tree.block(*id);
                end = next.close_end;
                std::mem::take(&mut names).into_iter().for_each(|name| add(next, name));
                block = Some(next);
            }
        }
    }
    doubt.add_places(body.source().id(), places);
}

/// Whether a text between two items has an empty line.
fn has_empty_line(text: &str) -> bool {
    let lines = text.split('\n').count();
    text.split('\n').enumerate().any(|(at, line)| at > 0 && at + 1 < lines && line.trim().is_empty())
}

/// Whether a block of a type is in doubt as a whole if it lacks this argument. A resource is only if the argument affects all of it.
fn lacks(block_type: &BlockType, argument: &str) -> bool {
    let is_resource = matches!(block_type.declares, Declares::Resource(_));
    let has_argument =
        || schema::of_block(block_type.name).is_some_and(|schema| schema.has_attribute(argument));
    block_type.any_affects_whole(|name| name == argument) || !is_resource && has_argument()
}

/// Whether a nested block can only be an argument whose equals sign is missing.
pub(crate) fn lacks_equals_sign(block_type: &str, nested: &str) -> bool {
    BlockType::named(block_type).is_some_and(|block_type| {
        matches!(block_type.declares, Declares::Locals) || block_type.any_affects_whole(|name| name == nested)
    })
}
