//! Appends one tree to another.
//!
//! JSON expressions are parsed string by string; their trees are absorbed into the tree of the whole value.

use terrane_source::Span;

use super::{
    Call, CallId, DecodedId, Expr, ExprId, For, ForDirective, ForDirectiveId, ForId, IfDirective,
    IfDirectiveId, List, Literal, Node, ObjectItem, Part, Step, Text, Tree,
};

impl Tree {
    /// Takes over all expressions of `other`, the tree of a later part of the same file, which must not contain bodies. Returns
    /// the new id of `root`.
    pub(crate) fn absorb(&mut self, other: &Tree, root: ExprId) -> ExprId {
        let moved = Moved::behind(self);
        self.nodes.extend(other.nodes.iter().map(|node| moved.node(*node)));
        self.expr_ids.extend(other.expr_ids.iter().map(|id| moved.expr(*id)));
        self.parts.extend(other.parts.iter().map(|part| moved.part(*part)));
        self.steps.extend(other.steps.iter().map(|step| moved.step(*step)));
        self.object_items.extend(other.object_items.iter().map(|item| moved.item(*item)));
        self.calls.extend(other.calls.iter().map(|call| moved.call(*call)));
        self.fors.extend(other.fors.iter().map(|for_expr| moved.for_expr(*for_expr)));
        self.if_directives.extend(other.if_directives.iter().map(|found| moved.if_directive(*found)));
        self.for_directives.extend(other.for_directives.iter().map(|found| moved.for_directive(*found)));
        self.decoded.extend(other.decoded.iter().map(|span| moved.decoded_span(*span)));
        self.decoded_text.push_str(&other.decoded_text);
        self.json_objects.extend(other.json_objects.iter().map(|id| moved.expr(*id)));
        self.excerpts.extend(other.excerpts.iter().cloned());
        moved.expr(root)
    }
}

/// The distances by which ids move: the numbers of elements that the tree already has.
struct Moved {
    nodes: usize,
    expr_ids: u32,
    parts: u32,
    steps: u32,
    object_items: u32,
    calls: usize,
    fors: usize,
    if_directives: usize,
    for_directives: usize,
    decoded: usize,
    decoded_text: u32,
}

impl Moved {
    fn behind(tree: &Tree) -> Moved {
        Moved {
            nodes: tree.nodes.len(),
            expr_ids: len(&tree.expr_ids),
            parts: len(&tree.parts),
            steps: len(&tree.steps),
            object_items: len(&tree.object_items),
            calls: tree.calls.len(),
            fors: tree.fors.len(),
            if_directives: tree.if_directives.len(),
            for_directives: tree.for_directives.len(),
            decoded: tree.decoded.len(),
            decoded_text: u32::try_from(tree.decoded_text.len()).unwrap_or(u32::MAX),
        }
    }

    fn expr(&self, id: ExprId) -> ExprId {
        ExprId::from_index(id.index() + self.nodes)
    }

    fn exprs(&self, list: List<ExprId>) -> List<ExprId> {
        moved(list, self.expr_ids)
    }

    fn parts(&self, list: List<Part>) -> List<Part> {
        moved(list, self.parts)
    }

    fn steps(&self, list: List<Step>) -> List<Step> {
        moved(list, self.steps)
    }

    fn text(&self, text: Text) -> Text {
        match text {
            Text::Source(_) => text,
            Text::Decoded(id) => Text::Decoded(DecodedId::from_index(id.index() + self.decoded)),
        }
    }

    fn decoded_span(&self, span: Span) -> Span {
        Span::new(span.start + self.decoded_text, span.end + self.decoded_text)
    }

    fn node(&self, node: Node) -> Node {
        let expr = match node.expr {
            Expr::Missing
            | Expr::Item
            | Expr::Literal(Literal::Null | Literal::Bool(_) | Literal::Number) => node.expr,
            Expr::Literal(Literal::String(text)) => Expr::Literal(Literal::String(self.text(text))),
            Expr::Template { parts, form } => Expr::Template { parts: self.parts(parts), form },
            Expr::Traversal { root_end, steps } => Expr::Traversal { root_end, steps: self.steps(steps) },
            Expr::Relative { source, steps } => {
                Expr::Relative { source: self.expr(source), steps: self.steps(steps) }
            }
            Expr::Splat { source, each, full } => {
                Expr::Splat { source: self.expr(source), each: self.expr(each), full }
            }
            Expr::Call(id) => Expr::Call(CallId::from_index(id.index() + self.calls)),
            Expr::Conditional { condition, yes, no } => {
                Expr::Conditional { condition: self.expr(condition), yes: self.expr(yes), no: self.expr(no) }
            }
            Expr::Binary { op, left, right } => {
                Expr::Binary { op, left: self.expr(left), right: self.expr(right) }
            }
            Expr::Unary { op, operand } => Expr::Unary { op, operand: self.expr(operand) },
            Expr::Tuple(elements) => Expr::Tuple(self.exprs(elements)),
            Expr::Object(items) => Expr::Object(moved(items, self.object_items)),
            Expr::For(id) => Expr::For(ForId::from_index(id.index() + self.fors)),
            Expr::Parens(inner) => Expr::Parens(self.expr(inner)),
        };
        Node { expr, span: node.span }
    }

    fn part(&self, part: Part) -> Part {
        match part {
            Part::Literal { text, span } => Part::Literal { text: self.text(text), span },
            Part::Interpolation { expr, span } => Part::Interpolation { expr: self.expr(expr), span },
            Part::If(id) => Part::If(IfDirectiveId::from_index(id.index() + self.if_directives)),
            Part::For(id) => Part::For(ForDirectiveId::from_index(id.index() + self.for_directives)),
        }
    }

    fn step(&self, step: Step) -> Step {
        match step {
            Step::Attr { .. } | Step::LegacyIndex { .. } => step,
            Step::Index { key, brackets } => Step::Index { key: self.expr(key), brackets },
        }
    }

    fn item(&self, item: ObjectItem) -> ObjectItem {
        ObjectItem { key: self.expr(item.key), value: self.expr(item.value) }
    }

    fn call(&self, call: Call) -> Call {
        Call { arguments: self.exprs(call.arguments), ..call }
    }

    fn for_expr(&self, found: For) -> For {
        For {
            collection: self.expr(found.collection),
            key: found.key.map(|key| self.expr(key)),
            value: self.expr(found.value),
            condition: found.condition.map(|condition| self.expr(condition)),
            ..found
        }
    }

    fn if_directive(&self, found: IfDirective) -> IfDirective {
        IfDirective {
            condition: self.expr(found.condition),
            yes: self.parts(found.yes),
            no: self.parts(found.no),
            ..found
        }
    }

    fn for_directive(&self, found: ForDirective) -> ForDirective {
        ForDirective { collection: self.expr(found.collection), body: self.parts(found.body), ..found }
    }
}

fn moved<T>(list: List<T>, by: u32) -> List<T> {
    if list.is_empty() { list } else { List::new(list.start + by, list.len) }
}

fn len<T>(arena: &[T]) -> u32 {
    u32::try_from(arena.len()).unwrap_or(u32::MAX)
}
