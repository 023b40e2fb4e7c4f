//! The syntax around a place: blocks, loops, and the innermost expression.

use std::sync::Arc;

use terrane_body::DYNAMIC;
use terrane_source::{SourceFile, Span};
use terrane_syntax::tree::Literal;
use terrane_syntax::walk::{Event, NamesOfFor};
use terrane_syntax::{Expr, ExprId, Expression};
use terrane_value::SmolStr;

use crate::decode::block_type::BlockType;
use crate::decode::schema::{ArgumentKind, argument_kind};

/// A loop that binds names.
#[derive(Debug)]
pub(super) struct BoundLoop {
    pub(super) names: LoopNames,
    pub(super) collection: Expression,
    /// The condition of a `for`, unless the place is in it.
    pub(super) condition: Option<Expression>,
}

/// The names that a loop binds.
#[derive(Debug)]
pub(super) enum LoopNames {
    /// A `for`: an optional name for the key, and a name for the element.
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
    /// The keys of objects in the value of the argument that lead to the expression.
    pub(super) keys: Vec<SmolStr>,
    pub(super) loops: Vec<BoundLoop>,
    pub(super) expression: Option<Expression>,
}

impl Syntax {
    /// Returns the block of the object that contains the place, and the nested blocks around the place. A data source
    /// inside a `check` block is such an object.
    pub(super) fn object(&self) -> Option<(&Header, &[Header])> {
        let (top, nested) = self.blocks.split_first()?;
        let data = nested.split_first().filter(|(data, _)| data.block_type == "data");
        Some(data.filter(|_| top.block_type == "check").unwrap_or((top, nested)))
    }

    /// Returns the kind of value that the argument has.
    pub(super) fn argument_kind(&self) -> ArgumentKind {
        let (Some((block, within)), Some(argument)) = (self.object(), &self.argument) else {
            return ArgumentKind::Value;
        };
        match within.last() {
            // A provider may give a nested block the name of a top-level block type.
            Some(inner) if BlockType::named(&inner.block_type).is_some() => ArgumentKind::Value,
            Some(inner) => argument_kind(&inner.block_type, argument),
            None => argument_kind(&block.block_type, argument),
        }
    }

    /// Returns the names that lead from the block of the object to the place.
    pub(super) fn path(&self) -> Vec<SmolStr> {
        let within = self.object().map_or(&[][..], |(_, within)| within);
        let name = |block: &Header| {
            let label = block.labels.first().filter(|_| block.block_type == DYNAMIC);
            label.unwrap_or(&block.block_type).clone()
        };
        within.iter().map(name).chain(self.argument.clone()).chain(self.keys.iter().cloned()).collect()
    }
}

/// The type and labels of a block.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) block_type: SmolStr,
    pub(super) labels: Vec<SmolStr>,
    /// The `alias` of a provider configuration.
    pub(super) alias: Option<SmolStr>,
    pub(super) file: Arc<SourceFile>,
    /// The bytes of the whole block.
    pub(super) span: Span,
}

/// Whether `outer` contains `inner`, which may be a position without text.
pub(super) fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Returns the innermost part of the value of the argument that contains `span`. Adds the loops and keys
/// around the part to `syntax`.
pub(super) fn innermost(expression: &Expression, span: Span, syntax: &mut Syntax) -> Expression {
    let mut at = expression.clone();
    while let Some((part, loops)) = part(&at, span) {
        syntax.keys.extend(key_of(&at, part));
        for LoopIn { collection, bound } in loops {
            let text = |span| SmolStr::from(at.tree.slice(span));
            let names = LoopNames::For { key: bound.key.map(text), value: text(bound.value) };
            let condition = condition_of(&at).filter(|condition| *condition != part);
            let condition = condition.map(|condition| in_tree(&at, condition));
            syntax.loops.push(BoundLoop { names, collection: in_tree(&at, collection), condition });
        }
        at = in_tree(&at, part);
    }
    at
}

/// Returns the condition of a `for`.
fn condition_of(expression: &Expression) -> Option<ExprId> {
    let Expr::For(id) = expression.tree.expr(expression.id) else { return None };
    expression.tree.for_expr(id).condition
}

/// A loop within an expression: its collection, and the names that it binds.
#[derive(Clone)]
struct LoopIn {
    collection: ExprId,
    bound: NamesOfFor,
}

/// Returns the direct part of an expression that contains `span`, with the loops that bind names for it, outermost
/// first: directives of a template can be nested.
fn part(expression: &Expression, span: Span) -> Option<(ExprId, Vec<LoopIn>)> {
    let tree = &expression.tree;
    // The part after a splat has no value by itself.
    if let Expr::Splat { source, .. } = tree.expr(expression.id) {
        return contains(tree.span(source), span).then_some((source, Vec::new()));
    }
    let (mut found, mut last, mut bound) = (None, None, Vec::new());
    tree.walk(expression.id, &mut |event| match event {
        Event::Expr(part) => {
            if contains(tree.span(part), span) {
                found = Some((part, bound.clone()));
            }
            last = Some(part);
        }
        // The collection comes before the names.
        Event::Bind(names) => bound.extend(last.map(|collection| LoopIn { collection, bound: names })),
        Event::Unbind => drop(bound.pop()),
    });
    found
}

/// Returns the text of a string without interpolation.
pub(super) fn constant_text(expression: &Expression) -> Option<SmolStr> {
    let Expr::Literal(Literal::String(text)) = expression.tree.expr(expression.id) else { return None };
    Some(SmolStr::from(expression.tree.text(text)))
}

/// Returns the key of the object item with this value, if it is a constant.
fn key_of(object: &Expression, value: ExprId) -> Option<SmolStr> {
    let tree = &object.tree;
    let Expr::Object(items) = tree.expr(object.id) else { return None };
    let key = tree.list(items).iter().find(|item| item.value == value)?.key;
    constant_text(&in_tree(object, key)).or_else(|| tree.plain_key(key).map(SmolStr::from))
}

/// Returns another expression of the same tree.
fn in_tree(expression: &Expression, id: ExprId) -> Expression {
    Expression { tree: Arc::clone(&expression.tree), id }
}
