//! Copies of a syntax tree for comparison: one in an arena, and one with a box for each node. A single traversal makes both
//! kinds.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use terrane_source::Span;
use terrane_syntax::tree::{BinaryOp, BodyId, Item, List, Literal, Part, Step, Text, UnaryOp};
use terrane_syntax::{Expr, ExprId, Tree};

use crate::counting::count;

pub fn measure(tree: &Tree, root: BodyId, source_bytes: usize) {
    let (mut arena_times, mut boxed_times): (Vec<_>, Vec<_>) = Default::default();
    for _ in 0..9 {
        arena_times.push(copy_and_drop(|| {
            let mut arena = Arena::default();
            arena.body(tree, root);
            arena.shrink();
            arena
        }));
        boxed_times.push(copy_and_drop(|| boxed_body(tree, root)));
    }
    let (_, arena) = count(|| {
        let mut arena = Arena::default();
        arena.body(tree, root);
        arena.shrink();
        arena
    });
    let (_, boxed) = count(|| boxed_body(tree, root));
    println!(
        "{:24} {:>10} {:>10} {:>12} {:>12}",
        "the tree copied into", "copy", "drop", "bytes", "allocations"
    );
    for (name, times, counts) in
        [("an arena", arena_times, arena), ("a box for each node", boxed_times, boxed)]
    {
        let copy = crate::median(times.iter().map(|(copy, _)| *copy).collect());
        let dropped = crate::median(times.iter().map(|(_, dropped)| *dropped).collect());
        let millis = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{name:24} {:7.2} ms {:7.2} ms {:11.2}x {:12}",
            millis(copy),
            millis(dropped),
            counts.bytes as f64 / source_bytes as f64,
            counts.allocations
        );
    }
}

fn copy_and_drop<T>(copy: impl FnOnce() -> T) -> (Duration, Duration) {
    let start = ThreadTime::now();
    let made = black_box(copy());
    let copied = start.elapsed();
    let start = ThreadTime::now();
    drop(made);
    (copied, start.elapsed())
}

struct BoxedBody {
    _items: Vec<BoxedItem>,
}

enum BoxedItem {
    Attribute { _name: Span, _expr: Boxed },
    Block { _block_type: Span, _labels: Vec<(Text, Span)>, _body: BoxedBody },
}

struct Boxed {
    _expr: BoxedExpr,
    _span: Span,
}

/// An expression that is as small as boxes make it: 32 bytes with the span.
enum BoxedExpr {
    Leaf,
    Literal { _literal: Literal },
    Template { _parts: Box<[BoxedPart]> },
    Traversal { _steps: Box<[BoxedStep]> },
    Relative { _inner: Box<(Boxed, Box<[BoxedStep]>)> },
    Splat { _inner: Box<(Boxed, Boxed)> },
    Call { _inner: Box<(Span, Box<[Boxed]>)> },
    Conditional { _inner: Box<(Boxed, Boxed, Boxed)> },
    Binary { _op: BinaryOp, _inner: Box<(Boxed, Boxed)> },
    Unary { _op: UnaryOp, _inner: Box<Boxed> },
    Tuple { _elements: Box<[Boxed]> },
    Object { _items: Box<[(Boxed, Boxed)]> },
    For { _inner: Box<[Boxed]> },
    Parens { _inner: Box<Boxed> },
}

enum BoxedPart {
    Literal { _text: Text },
    Interpolation { _expr: Boxed },
    Directive { _inner: Box<BoxedDirective> },
}

struct BoxedDirective {
    _head: Boxed,
    _first: Box<[BoxedPart]>,
    _second: Box<[BoxedPart]>,
}

enum BoxedStep {
    Name { _name: Span },
    Index { _key: Box<Boxed> },
}

fn boxed_body(tree: &Tree, body: BodyId) -> BoxedBody {
    let items = tree.list(tree.body(body).items).iter().map(|item| match item {
        Item::Attribute(id) => {
            let attribute = tree.attribute(*id);
            BoxedItem::Attribute { _name: attribute.name, _expr: boxed(tree, attribute.expr) }
        }
        Item::Block(id) => {
            let block = tree.block(*id);
            BoxedItem::Block {
                _block_type: block.block_type,
                _labels: tree.list(block.labels).iter().map(|label| (label.text, label.span)).collect(),
                _body: boxed_body(tree, block.body),
            }
        }
    });
    BoxedBody { _items: items.collect() }
}

fn boxed(tree: &Tree, id: ExprId) -> Boxed {
    let inner = |id| Box::new(boxed(tree, id));
    let two = |a, b| Box::new((boxed(tree, a), boxed(tree, b)));
    let all =
        |list: List<ExprId>| -> Box<[Boxed]> { tree.list(list).iter().map(|id| boxed(tree, *id)).collect() };
    let expr = match tree.expr(id) {
        Expr::Missing | Expr::Item => BoxedExpr::Leaf,
        Expr::Literal(literal) => BoxedExpr::Literal { _literal: literal },
        Expr::Template { parts, .. } => BoxedExpr::Template { _parts: boxed_parts(tree, parts) },
        Expr::Traversal { steps, .. } => BoxedExpr::Traversal { _steps: boxed_steps(tree, steps) },
        Expr::Relative { source, steps } => {
            BoxedExpr::Relative { _inner: Box::new((boxed(tree, source), boxed_steps(tree, steps))) }
        }
        Expr::Splat { source, each, .. } => BoxedExpr::Splat { _inner: two(source, each) },
        Expr::Call(call) => {
            let call = tree.call(call);
            BoxedExpr::Call { _inner: Box::new((call.name, all(call.arguments))) }
        }
        Expr::Conditional { condition, yes, no } => BoxedExpr::Conditional {
            _inner: Box::new((boxed(tree, condition), boxed(tree, yes), boxed(tree, no))),
        },
        Expr::Binary { op, left, right } => BoxedExpr::Binary { _op: op, _inner: two(left, right) },
        Expr::Unary { op, operand } => BoxedExpr::Unary { _op: op, _inner: inner(operand) },
        Expr::Tuple(elements) => BoxedExpr::Tuple { _elements: all(elements) },
        Expr::Object(items) => {
            let items = tree.list(items).iter().map(|item| (boxed(tree, item.key), boxed(tree, item.value)));
            BoxedExpr::Object { _items: items.collect() }
        }
        Expr::For(id) => {
            let parts = tree.for_expr(id);
            let children = [Some(parts.collection), parts.key, Some(parts.value), parts.condition];
            BoxedExpr::For { _inner: children.into_iter().flatten().map(|id| boxed(tree, id)).collect() }
        }
        Expr::Parens(id) => BoxedExpr::Parens { _inner: inner(id) },
    };
    Boxed { _expr: expr, _span: tree.span(id) }
}

fn boxed_parts(tree: &Tree, parts: List<Part>) -> Box<[BoxedPart]> {
    let parts = tree.list(parts).iter().map(|part| match part {
        Part::Literal { text, .. } => BoxedPart::Literal { _text: *text },
        Part::Interpolation { expr, .. } => BoxedPart::Interpolation { _expr: boxed(tree, *expr) },
        Part::If(id) => {
            let parts = tree.if_directive(*id);
            let (first, second) = (boxed_parts(tree, parts.yes), boxed_parts(tree, parts.no));
            let head = boxed(tree, parts.condition);
            let inner = BoxedDirective { _head: head, _first: first, _second: second };
            BoxedPart::Directive { _inner: Box::new(inner) }
        }
        Part::For(id) => {
            let parts = tree.for_directive(*id);
            let (head, body) = (boxed(tree, parts.collection), boxed_parts(tree, parts.body));
            let inner = BoxedDirective { _head: head, _first: body, _second: Box::default() };
            BoxedPart::Directive { _inner: Box::new(inner) }
        }
    });
    parts.collect()
}

fn boxed_steps(tree: &Tree, steps: List<Step>) -> Box<[BoxedStep]> {
    let steps = tree.list(steps).iter().map(|step| match step {
        Step::Attr { name, .. } => BoxedStep::Name { _name: *name },
        Step::LegacyIndex { digits, .. } => BoxedStep::Name { _name: *digits },
        Step::Index { key, .. } => BoxedStep::Index { _key: Box::new(boxed(tree, *key)) },
    });
    steps.collect()
}

/// A vector for each kind of element, like the vectors of the real tree.
#[derive(Default)]
struct Arena {
    nodes: Vec<(Expr, Span)>,
    ids: Vec<u32>,
    parts: Vec<Part>,
    steps: Vec<Step>,
    pairs: Vec<(u32, u32)>,
    calls: Vec<(Span, u32, u32)>,
    attributes: Vec<(Span, u32)>,
    blocks: Vec<(Span, u32, u32)>,
    labels: Vec<(Text, Span)>,
    scratch: Vec<u32>,
}

impl Arena {
    fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.ids.shrink_to_fit();
        self.parts.shrink_to_fit();
        self.steps.shrink_to_fit();
        self.pairs.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.attributes.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.labels.shrink_to_fit();
    }

    fn body(&mut self, tree: &Tree, body: BodyId) {
        let mark = self.scratch.len();
        for item in tree.list(tree.body(body).items) {
            match item {
                Item::Attribute(id) => {
                    let attribute = tree.attribute(*id);
                    let expr = self.expr(tree, attribute.expr);
                    self.attributes.push((attribute.name, expr));
                    self.scratch.push(self.attributes.len() as u32);
                }
                Item::Block(id) => {
                    let block = tree.block(*id);
                    self.labels.extend(tree.list(block.labels).iter().map(|label| (label.text, label.span)));
                    self.body(tree, block.body);
                    self.blocks.push((block.block_type, self.labels.len() as u32, self.ids.len() as u32));
                    self.scratch.push(self.blocks.len() as u32);
                }
            }
        }
        self.ids.extend(self.scratch.drain(mark..));
    }

    fn all(&mut self, tree: &Tree, children: impl IntoIterator<Item = ExprId>) {
        let mark = self.scratch.len();
        for child in children {
            let child = self.expr(tree, child);
            self.scratch.push(child);
        }
        self.ids.extend(self.scratch.drain(mark..));
    }

    fn expr(&mut self, tree: &Tree, id: ExprId) -> u32 {
        let expr = tree.expr(id);
        match expr {
            Expr::Missing | Expr::Item | Expr::Literal(_) => {}
            Expr::Template { parts, .. } => self.template(tree, parts),
            Expr::Traversal { steps, .. } => self.traversal(tree, steps),
            Expr::Relative { source, steps } => {
                self.expr(tree, source);
                self.traversal(tree, steps);
            }
            Expr::Splat { source, each, .. } => drop((self.expr(tree, source), self.expr(tree, each))),
            Expr::Call(call) => {
                let call = tree.call(call);
                self.all(tree, tree.list(call.arguments).iter().copied());
                self.calls.push((call.name, self.ids.len() as u32, call.close_end));
            }
            Expr::Conditional { condition, yes, no } => {
                for child in [condition, yes, no] {
                    self.expr(tree, child);
                }
            }
            Expr::Binary { left, right, .. } => drop((self.expr(tree, left), self.expr(tree, right))),
            Expr::Unary { operand: inner, .. } | Expr::Parens(inner) => drop(self.expr(tree, inner)),
            Expr::Tuple(elements) => self.all(tree, tree.list(elements).iter().copied()),
            Expr::Object(items) => {
                for item in tree.list(items) {
                    let pair = (self.expr(tree, item.key), self.expr(tree, item.value));
                    self.pairs.push(pair);
                }
            }
            Expr::For(id) => {
                let parts = tree.for_expr(id);
                let children = [Some(parts.collection), parts.key, Some(parts.value), parts.condition];
                self.all(tree, children.into_iter().flatten());
            }
        }
        self.nodes.push((expr, tree.span(id)));
        self.nodes.len() as u32
    }

    fn template(&mut self, tree: &Tree, parts: List<Part>) {
        for part in tree.list(parts) {
            match part {
                Part::Literal { .. } => {}
                Part::Interpolation { expr, .. } => drop(self.expr(tree, *expr)),
                Part::If(id) => {
                    let parts = tree.if_directive(*id);
                    self.expr(tree, parts.condition);
                    self.template(tree, parts.yes);
                    self.template(tree, parts.no);
                }
                Part::For(id) => {
                    let parts = tree.for_directive(*id);
                    self.expr(tree, parts.collection);
                    self.template(tree, parts.body);
                }
            }
            self.parts.push(*part);
        }
    }

    fn traversal(&mut self, tree: &Tree, steps: List<Step>) {
        for step in tree.list(steps) {
            if let Step::Index { key, .. } = step {
                self.expr(tree, *key);
            }
            self.steps.push(*step);
        }
    }
}
