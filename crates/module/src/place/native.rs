//! Reads files in native syntax.

use std::sync::Arc;

use terrane_source::SourceFile;
use terrane_syntax::tree::{self, BodyId};
use terrane_syntax::{Expr, ExprId, Expression, Tree, parse_body};
use terrane_value::SmolStr;

use crate::place::items::{Content, Item, SyntaxReader};

/// A file in native syntax.
pub(super) struct Native {
    tree: Arc<Tree>,
    root: BodyId,
}

impl Native {
    pub(super) fn read(source: &Arc<SourceFile>) -> Native {
        let parsed = parse_body(source);
        Native { tree: parsed.tree, root: parsed.root }
    }
}

impl SyntaxReader for Native {
    type Body = BodyId;
    type Value = ExprId;

    fn root(&self) -> BodyId {
        self.root
    }

    fn items(&self, body: BodyId, _outer: Option<&str>) -> Vec<Item<BodyId, ExprId>> {
        let tree = &self.tree;
        let item = |item: &tree::Item| match item {
            tree::Item::Attribute(id) => {
                let attribute = tree.attribute(*id);
                Item {
                    name: SmolStr::from(tree.name(attribute)),
                    labels: Vec::new(),
                    span: tree.attribute_span(attribute),
                    content: Content::Argument(attribute.expr),
                }
            }
            tree::Item::Block(id) => {
                let block = tree.block(*id);
                Item {
                    name: SmolStr::from(tree.block_type(block)),
                    labels: tree.labels(block).map(SmolStr::from).collect(),
                    span: tree.block_span(block),
                    content: Content::Block(block.body),
                }
            }
        };
        tree.list(tree.body(body).items).iter().map(item).collect()
    }

    fn expression(&self, value: ExprId) -> Expression {
        Expression { tree: Arc::clone(&self.tree), id: value }
    }

    fn plain_name(&self, value: ExprId) -> Option<SmolStr> {
        let Expr::Traversal { .. } = self.tree.expr(value) else { return None };
        self.tree.plain_key(value).map(SmolStr::from)
    }
}
