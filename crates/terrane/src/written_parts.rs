//! The arguments and nested blocks of a block as they are written, with their places.

use std::collections::HashMap;
use std::sync::Arc;

use terrane_body::{Block, Body};
use terrane_source::{Diagnostics, Span, Subject};
use terrane_syntax::Expression;
use terrane_value::SmolStr;

/// A written argument, or the nested blocks of one type.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WrittenPart {
    /// The name of the argument, or the type of the blocks.
    pub name: SmolStr,
    /// The place of the argument, or of the header of the first block.
    pub place: Subject,
    /// The blocks in the order in which they are written; none for an argument.
    pub blocks: Vec<WrittenBlock>,
}

/// A nested block, or a `dynamic` block, which generates any number of them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WrittenBlock {
    /// The place of the header.
    pub place: Subject,
    /// Whether it is a `dynamic` block. Then the parts are those of its `content`.
    pub is_dynamic: bool,
    /// Its arguments and nested blocks.
    pub parts: Vec<WrittenPart>,
}

impl WrittenPart {
    /// An argument.
    pub(crate) fn argument(name: &SmolStr, name_span: Span, value: &Expression) -> WrittenPart {
        let place = Subject { file: Arc::clone(value.source()), span: name_span.to(value.span()) };
        WrittenPart { name: name.clone(), place, blocks: Vec::new() }
    }
}

/// The parts of a body: first its arguments, then its nested blocks. The depth is bounded by that of the text.
pub(crate) fn written_parts(body: &Body) -> Vec<WrittenPart> {
    // Mistakes in the content have been reported.
    let content = body.open_content(&mut Diagnostics::new());
    let arguments = content.attributes.values().map(|attribute| WrittenPart {
        name: attribute.name.clone(),
        place: Subject { file: Arc::clone(attribute.source()), span: attribute.span },
        blocks: Vec::new(),
    });
    let mut parts: Vec<WrittenPart> = arguments.collect();
    let mut positions: HashMap<SmolStr, usize> =
        parts.iter().enumerate().map(|(position, part)| (part.name.clone(), position)).collect();
    for block in &content.blocks {
        let written = written_block(block);
        let name = block.generated_type();
        match positions.get(name).and_then(|position| parts.get_mut(*position)) {
            Some(part) => part.blocks.push(written),
            None => {
                positions.insert(name.clone(), parts.len());
                let place = written.place.clone();
                parts.push(WrittenPart { name: name.clone(), place, blocks: vec![written] });
            }
        }
    }
    parts
}

fn written_block(block: &Block) -> WrittenBlock {
    let place = Subject { file: Arc::clone(block.body.source()), span: block.header_span };
    match block.dynamic() {
        None => WrittenBlock { place, is_dynamic: false, parts: written_parts(&block.body) },
        Some(dynamic) => {
            let parts = dynamic.contents.iter().flat_map(|content| written_parts(&content.body)).collect();
            WrittenBlock { place, is_dynamic: true, parts }
        }
    }
}
