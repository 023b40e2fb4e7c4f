//! Finds the syntax of a place in a file in native syntax.

use std::sync::Arc;

use terrane_source::{SourceFile, Span};
use terrane_syntax::tree::{Block, BodyId, Item};
use terrane_syntax::{Expr, Expression, Tree, parse_body};
use terrane_value::SmolStr;

use crate::place::syntax::{BoundLoop, Header, LoopNames, Syntax, contains, innermost};

/// The syntax at `span` of a file.
pub(super) fn find(source: &Arc<SourceFile>, span: Span) -> Syntax {
    let parsed = parse_body(source);
    let (tree, mut body) = (parsed.tree, parsed.root);
    let mut syntax = Syntax::default();
    loop {
        let item = tree.list(tree.body(body).items).iter().find(|item| match item {
            Item::Attribute(id) => contains(tree.attribute_span(tree.attribute(*id)), span),
            Item::Block(id) => contains(tree.block_span(tree.block(*id)), span),
        });
        match item {
            None => return syntax,
            Some(Item::Attribute(id)) => {
                let attribute = tree.attribute(*id);
                syntax.argument = Some(SmolStr::from(tree.name(attribute)));
                let value = Expression { tree: Arc::clone(&tree), id: attribute.expr };
                if contains(value.span(), span) {
                    syntax.expression = Some(innermost(&value, span, &mut syntax));
                }
                return syntax;
            }
            Some(Item::Block(id)) => {
                let block = tree.block(*id);
                body = block.body;
                if tree.block_type(block) == "dynamic" && !syntax.blocks.is_empty() {
                    syntax.loops.extend(iterator(&tree, block, span));
                }
                syntax.blocks.push(Header {
                    block_type: SmolStr::from(tree.block_type(block)),
                    labels: tree.labels(block).map(SmolStr::from).collect(),
                    file: Arc::clone(source),
                    span: tree.block_span(block),
                });
            }
        }
    }
}

/// The loop of a `dynamic` block, whose iterator is bound in its labels and content.
fn iterator(tree: &Arc<Tree>, block: &Block, span: Span) -> Option<BoundLoop> {
    let for_each = tree.find_attribute(block.body, "for_each")?;
    let is_bound = tree.blocks(block.body).any(|content| contains(tree.block_span(content), span))
        || tree
            .find_attribute(block.body, "labels")
            .is_some_and(|labels| contains(tree.attribute_span(labels), span));
    let name = iterator_name(tree, block.body).or_else(|| tree.labels(block).next().map(SmolStr::from))?;
    let collection = Expression { tree: Arc::clone(tree), id: for_each.expr };
    is_bound.then_some(BoundLoop { names: LoopNames::Iterator(name), collection })
}

/// The argument `iterator`, which is a plain name.
fn iterator_name(tree: &Tree, body: BodyId) -> Option<SmolStr> {
    let iterator = tree.find_attribute(body, "iterator")?;
    let Expr::Traversal { .. } = tree.expr(iterator.expr) else { return None };
    tree.plain_key(iterator.expr).map(SmolStr::from)
}
