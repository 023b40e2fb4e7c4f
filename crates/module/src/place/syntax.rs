//! The syntax around a place: blocks, loops, and the innermost expression.

use std::sync::Arc;

use terrane_source::{SourceFile, Span};
use terrane_syntax::walk::{Bound, Event};
use terrane_syntax::{Expr, ExprId, Expression};
use terrane_value::SmolStr;

/// A loop that binds names.
#[derive(Debug)]
pub(super) struct BoundLoop {
    pub(super) names: LoopNames,
    pub(super) collection: Expression,
}

/// The names that a loop binds.
#[derive(Debug)]
pub(super) enum LoopNames {
    /// A `for`: a name for the key, which may be missing, and one for the element.
    For { key: Option<SmolStr>, value: SmolStr },
    /// A `dynamic` block: an object with `key` and `value`.
    Iterator(SmolStr),
}

/// The syntax of a place.
#[derive(Default, Debug)]
pub(super) struct Syntax {
    /// The blocks around the place, outermost first.
    pub(super) blocks: Vec<Header>,
    /// The argument of the innermost block.
    pub(super) argument: Option<SmolStr>,
    pub(super) loops: Vec<BoundLoop>,
    pub(super) expression: Option<Expression>,
}

/// The type and labels of a block.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) block_type: SmolStr,
    pub(super) labels: Vec<SmolStr>,
    pub(super) file: Arc<SourceFile>,
    /// The bytes of the whole block.
    pub(super) span: Span,
}

/// Whether `outer` contains `inner`, which may be a position without text.
pub(super) fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The innermost part of an expression that contains `span`. Adds the loops around the part.
pub(super) fn innermost(expression: &Expression, span: Span, loops: &mut Vec<BoundLoop>) -> Expression {
    let mut at = expression.clone();
    while let Some((part, bound)) = part(&at, span) {
        if let Some((collection, bound)) = bound {
            let text = |span| SmolStr::from(at.tree.slice(span));
            let names = LoopNames::For { key: bound.key.map(text), value: text(bound.value) };
            loops.push(BoundLoop { names, collection: in_tree(&at, collection) });
        }
        at = in_tree(&at, part);
    }
    at
}

/// The direct part of an expression that contains `span`, with the loop that binds names for it: its collection and the names.
fn part(expression: &Expression, span: Span) -> Option<(ExprId, Option<(ExprId, Bound)>)> {
    let tree = &expression.tree;
    // The part behind a splat has no value by itself.
    if let Expr::Splat { source, .. } = tree.expr(expression.id) {
        return contains(tree.span(source), span).then_some((source, None));
    }
    let (mut found, mut last, mut bound) = (None, None, Vec::new());
    tree.walk(expression.id, &mut |event| match event {
        Event::Expr(part) => {
            if contains(tree.span(part), span) {
                found = Some((part, bound.last().copied()));
            }
            last = Some(part);
        }
        // The collection comes before the names.
        Event::Bind(names) => bound.extend(last.map(|collection| (collection, names))),
        Event::Unbind => drop(bound.pop()),
    });
    found
}

/// An expression of the tree of another one.
fn in_tree(expression: &Expression, id: ExprId) -> Expression {
    Expression { tree: Arc::clone(&expression.tree), id }
}
