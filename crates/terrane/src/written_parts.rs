//! The arguments and nested blocks of a block as they are written, with their places.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use foldhash::fast::RandomState;
use terrane_body::{Attribute, Block, Body};
use terrane_source::{Diagnostics, Span, Subject};
use terrane_syntax::tree::{Literal, ObjectItem};
use terrane_syntax::{Expr, Expression};
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
    /// The members of the object that is written as the value of an argument, if their names are no expressions.
    pub members: Vec<WrittenPart>,
    /// The value of an argument if it is a literal.
    pub(crate) literal: Option<Expression>,
}

/// A nested block, or a `dynamic` block, which generates any number of them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WrittenBlock {
    /// The place of the header.
    pub place: Subject,
    /// Whether it is a `dynamic` block. Then the parts are those of its `content`.
    pub is_dynamic: bool,
    /// Its first label; none for a `dynamic` block.
    pub(crate) label: Option<SmolStr>,
    /// Its arguments and nested blocks.
    pub parts: Vec<WrittenPart>,
}

impl WrittenPart {
    /// An argument.
    pub(crate) fn argument(name: &SmolStr, name_span: Span, value: &Expression) -> WrittenPart {
        let place = Subject { file: Arc::clone(value.source()), span: name_span.to(value.span()) };
        WrittenPart {
            name: name.clone(),
            place,
            blocks: Vec::new(),
            members: Vec::new(),
            literal: literal(value),
        }
    }

    /// The argument with the members of its value.
    pub(crate) fn with_members(self, value: &Expression) -> WrittenPart {
        WrittenPart { members: members(value), ..self }
    }
}

/// Returns an expression if it is a literal.
fn literal(value: &Expression) -> Option<Expression> {
    matches!(value.tree.expr(value.id), Expr::Literal(_)).then(|| value.clone())
}

/// Returns the members of the object that an expression writes. The depth is bounded by the depth of the text.
fn members(value: &Expression) -> Vec<WrittenPart> {
    let tree = &*value.tree;
    let Expr::Object(items) = tree.expr(value.id) else { return Vec::new() };
    let mut seen: HashSet<SmolStr, RandomState> = HashSet::default();
    let member = |item: &ObjectItem| {
        let name = if let Expr::Literal(Literal::String(text)) = tree.expr(item.key) {
            tree.text(text)
        } else {
            tree.plain_key(item.key)?
        };
        let name = Some(SmolStr::from(name)).filter(|name| seen.insert(name.clone()))?;
        let value = Expression { tree: Arc::clone(&value.tree), id: item.value };
        Some(WrittenPart::argument(&name, tree.span(item.key), &value).with_members(&value))
    };
    tree.list(items).iter().filter_map(member).collect()
}

/// Returns the parts of bodies that count as one: first the arguments of each body, then its nested blocks. The depth is bounded by
/// the depth of the text.
pub(crate) fn written_parts<'b>(bodies: impl IntoIterator<Item = &'b Body>) -> Vec<WrittenPart> {
    let mut parts: Vec<WrittenPart> = Vec::new();
    let mut positions: HashMap<SmolStr, usize, RandomState> = HashMap::default();
    for body in bodies {
        // Mistakes in the content have been reported.
        let content = body.open_content(&mut Diagnostics::new());
        // A name that is hidden may be a part of a secret with a syntax error.
        let is_shown = |attribute: &&Attribute| !attribute.source().is_hidden(attribute.name_span);
        let arguments = content.attributes.values().filter(is_shown).map(|attribute| {
            let value = attribute.expression(&mut Diagnostics::new());
            WrittenPart {
                name: attribute.name.clone(),
                place: Subject { file: Arc::clone(attribute.source()), span: attribute.span },
                blocks: Vec::new(),
                members: members(&value),
                literal: literal(&value),
            }
        });
        let shown = content.blocks.iter().filter(|block| !block.body.source().is_hidden(block.header_span));
        let blocks = shown.map(|block| {
            let written = written_block(block);
            let (name, place) = (block.generated_type().clone(), written.place.clone());
            WrittenPart { name, place, blocks: vec![written], members: Vec::new(), literal: None }
        });
        for part in arguments.chain(blocks) {
            match positions.get(&part.name).and_then(|position| parts.get_mut(*position)) {
                Some(earlier) => earlier.blocks.extend(part.blocks),
                None => {
                    positions.insert(part.name.clone(), parts.len());
                    parts.push(part);
                }
            }
        }
    }
    parts
}

fn written_block(block: &Block) -> WrittenBlock {
    let place = block.declaration();
    match block.dynamic() {
        None => {
            let label = block.labels.first().map(|label| label.text.clone());
            WrittenBlock { place, is_dynamic: false, label, parts: written_parts([&block.body]) }
        }
        Some(dynamic) => {
            let parts = written_parts(dynamic.contents.iter().map(|content| &content.body));
            WrittenBlock { place, is_dynamic: true, label: None, parts }
        }
    }
}
