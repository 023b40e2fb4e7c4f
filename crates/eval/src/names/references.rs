//! The names in an expression or a body: references to names that it does not bind itself, the names that it binds, and
//! the functions that it calls.

use std::sync::Arc;

use terrane_source::Span;
use terrane_syntax::tree::{Attribute, Block, BodyId, Call, Item, List, ObjectItem, Part, Step};
use terrane_syntax::{Expr, ExprId, Expression, Tree};

use crate::functions::name::function_name;
use crate::functions::table::Special;
use crate::names::scope::Reference;

/// The references of `expression` to names that it does not bind itself, in source order.
pub fn references(expression: &Expression) -> Vec<Reference<'_>> {
    references_of(&expression.tree, expression.id)
}

/// The names in an expression that have their meaning there or in the function library, each list in source order.
#[derive(Default, Debug)]
pub struct InnerNames<'t> {
    /// The names that the expression binds itself, where they are bound and where they are used.
    pub bound: Vec<BoundName>,
    /// The calls of functions.
    pub calls: Vec<&'t Call>,
}

/// A name that a `for` or a `dynamic` block binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundName {
    /// The name.
    pub span: Span,
    /// The name where it is bound.
    pub binding: Span,
    /// The construct that binds it.
    pub kind: BindingKind,
}

/// A construct that binds a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BindingKind {
    /// The first of two names of a `for`: the key or index of an element.
    ForKey,
    /// The last name of a `for`: an element.
    ForValue,
    /// The argument `iterator` of a `dynamic` block.
    Iterator,
    /// The label of a `dynamic` block without `iterator`: also the type of the blocks that it generates.
    DynamicLabel,
}

/// The names in `expression` that are no [`references`].
pub fn inner_names(expression: &Expression) -> InnerNames<'_> {
    let mut walk = Walk::new(&expression.tree);
    let mut inner = InnerNames::default();
    walk.inner = Some(&mut inner);
    walk.expr(expression.id);
    inner
}

pub(crate) fn references_of(tree: &Tree, id: ExprId) -> Vec<Reference<'_>> {
    let mut walk = Walk::new(tree);
    walk.expr(id);
    walk.found
}

/// The references of all expressions in a body and its blocks to names that are not bound in the body itself,
/// in source order. A `dynamic` block binds its iterator.
pub fn references_in_body(tree: &Arc<Tree>, body: BodyId) -> Vec<Reference<'_>> {
    let mut walk = Walk::new(tree);
    walk.body(body);
    walk.found
}

struct Walk<'t, 'w> {
    tree: &'t Tree,
    /// The bound names at this point with the places of their bindings, innermost last.
    bound: Vec<Binding<'t>>,
    found: Vec<Reference<'t>>,
    /// The other names, where they are asked for.
    inner: Option<&'w mut InnerNames<'t>>,
}

#[derive(Clone, Copy)]
struct Binding<'t> {
    name: &'t str,
    span: Span,
    kind: BindingKind,
}

impl<'t> Walk<'t, '_> {
    fn new(tree: &'t Tree) -> Self {
        Walk { tree, bound: Vec::new(), found: Vec::new(), inner: None }
    }

    /// Binds a name from here on.
    fn bind(&mut self, span: Span, kind: BindingKind) {
        self.bound.push(Binding { name: self.tree.slice(span), span, kind });
        if let Some(inner) = &mut self.inner {
            inner.bound.push(BoundName { span, binding: span, kind });
        }
    }

    fn expr(&mut self, mut id: ExprId) {
        let tree = self.tree;
        // Chains of operators lean to the left and may be long.
        let mut rights = Vec::new();
        while let Expr::Binary { left, right, .. } = tree.expr(id) {
            rights.push(right);
            id = left;
        }
        match tree.expr(id) {
            Expr::Missing | Expr::Literal(_) | Expr::Item => {}
            Expr::Template { parts, .. } => self.parts(parts),
            Expr::Traversal { root_end, steps } => self.traversal(id, root_end, steps),
            Expr::Relative { source, steps } => {
                self.expr(source);
                self.steps(steps);
            }
            Expr::Splat { source, each, .. } => {
                let first = self.found.len();
                self.expr(source);
                if let (Expr::Traversal { .. }, Some(reference)) =
                    (tree.expr(source), self.found.get_mut(first))
                {
                    reference.splat = Some(each);
                }
                self.expr(each);
            }
            Expr::Call(call) => self.call(tree.call(call)),
            Expr::Conditional { condition, yes, no } => self.all(&[condition, yes, no]),
            Expr::Binary { left, right, .. } => self.all(&[left, right]),
            Expr::Unary { operand, .. } => self.expr(operand),
            Expr::Tuple(elements) => self.all(tree.list(elements)),
            Expr::Object(items) => self.object(items),
            Expr::For(for_id) => {
                let expr = tree.for_expr(for_id);
                self.expr(expr.collection);
                let inner = [expr.key, Some(expr.value), expr.condition];
                self.binding(expr.key_name, expr.value_name, |this| {
                    inner.into_iter().flatten().for_each(|id| this.expr(id));
                });
            }
            Expr::Parens(inner) => self.expr(inner),
        }
        rights.into_iter().rev().for_each(|right| self.expr(right));
    }

    /// The second argument of `convert` is a type, not a reference.
    fn call(&mut self, call: &'t Call) {
        if let Some(inner) = &mut self.inner {
            inner.calls.push(call);
        }
        let arguments = self.tree.list(call.arguments);
        let name = function_name(self.tree.slice(call.name));
        match arguments {
            [value, _] if !call.expand_last && Special::named(&name) == Some(Special::Convert) => {
                self.expr(*value);
            }
            _ => self.all(arguments),
        }
    }

    fn all(&mut self, ids: &[ExprId]) {
        ids.iter().for_each(|id| self.expr(*id));
    }

    fn traversal(&mut self, id: ExprId, root_end: u32, steps: List<Step>) {
        let span = self.tree.span(id);
        let root_span = Span::new(span.start, root_end);
        let root = self.tree.slice(root_span);
        match self.bound.iter().rev().find(|binding| binding.name == root) {
            Some(Binding { span: binding, kind, .. }) => {
                if let Some(inner) = &mut self.inner {
                    inner.bound.push(BoundName { span: root_span, binding: *binding, kind: *kind });
                }
            }
            None => {
                let steps = self.tree.list(steps);
                self.found.push(Reference { tree: self.tree, root, steps, span, splat: None });
            }
        }
        self.steps(steps);
    }

    fn steps(&mut self, steps: List<Step>) {
        for step in self.tree.list(steps) {
            if let Step::Index { key, .. } = step {
                self.expr(*key);
            }
        }
    }

    fn object(&mut self, items: List<ObjectItem>) {
        for item in self.tree.list(items) {
            let is_word =
                matches!(self.tree.expr(item.key), Expr::Traversal { steps, .. } if steps.is_empty());
            if !is_word {
                self.expr(item.key);
            }
            self.expr(item.value);
        }
    }

    fn parts(&mut self, parts: List<Part>) {
        let tree = self.tree;
        for part in tree.list(parts) {
            match part {
                Part::Literal { .. } => {}
                Part::Interpolation { expr, .. } => self.expr(*expr),
                Part::If(directive) => {
                    let directive = tree.if_directive(*directive);
                    self.expr(directive.condition);
                    self.parts(directive.yes);
                    self.parts(directive.no);
                }
                Part::For(directive) => {
                    let directive = tree.for_directive(*directive);
                    self.expr(directive.collection);
                    self.binding(directive.key_name, directive.value_name, |this| this.parts(directive.body));
                }
            }
        }
    }

    fn binding(&mut self, key_name: Option<Span>, value_name: Span, walk: impl FnOnce(&mut Self)) {
        let bound = self.bound.len();
        key_name.into_iter().for_each(|name| self.bind(name, BindingKind::ForKey));
        self.bind(value_name, BindingKind::ForValue);
        walk(self);
        self.bound.truncate(bound);
    }

    fn body(&mut self, body: BodyId) {
        let tree = self.tree;
        for item in tree.list(tree.body(body).items) {
            match item {
                Item::Attribute(attribute) => self.expr(tree.attribute(*attribute).expr),
                Item::Block(block) => self.block(tree.block(*block)),
            }
        }
    }

    fn block(&mut self, block: &'t Block) {
        let tree = self.tree;
        let label = tree.list(block.labels).first().map(|label| (tree.text(label.text), label.span));
        let Some((label, label_span)) = label.filter(|_| tree.slice(block.block_type) == "dynamic") else {
            return self.body(block.body);
        };
        let items = tree.list(tree.body(block.body).items);
        let attribute = |name: &str| -> Option<&'t Attribute> {
            let mut attributes = items.iter().filter_map(|item| match item {
                Item::Attribute(attribute) => Some(tree.attribute(*attribute)),
                Item::Block(_) => None,
            });
            attributes.find(|attribute| tree.slice(attribute.name) == name)
        };
        let iterator = match attribute("iterator").map(|iterator| tree.span(iterator.expr)) {
            Some(span) => Binding { name: tree.slice(span), span, kind: BindingKind::Iterator },
            None => Binding { name: label, span: label_span, kind: BindingKind::DynamicLabel },
        };
        let bound = self.bound.len();
        for item in items {
            match item {
                Item::Attribute(attribute) => {
                    let attribute = tree.attribute(*attribute);
                    match tree.slice(attribute.name) {
                        "iterator" => {}
                        "labels" => {
                            self.bound.push(iterator);
                            self.expr(attribute.expr);
                        }
                        _ => self.expr(attribute.expr),
                    }
                }
                Item::Block(content) => {
                    self.bound.push(iterator);
                    self.body(tree.block(*content).body);
                }
            }
            self.bound.truncate(bound);
        }
    }
}

/// Whether the step is part of a traversal in the reference's sense: an attribute, or an index written as a literal.
pub fn is_static_step(tree: &Tree, step: Step) -> bool {
    match step {
        Step::Attr { .. } | Step::LegacyIndex { .. } => true,
        Step::Index { key, .. } => is_literal_key(tree, key),
    }
}

fn is_literal_key(tree: &Tree, key: ExprId) -> bool {
    match tree.expr(key) {
        Expr::Literal(_) => true,
        Expr::Template { parts, .. } => matches!(tree.list(parts), [] | [Part::Literal { .. }]),
        Expr::Missing
        | Expr::Traversal { .. }
        | Expr::Relative { .. }
        | Expr::Splat { .. }
        | Expr::Item
        | Expr::Call(_)
        | Expr::Conditional { .. }
        | Expr::Binary { .. }
        | Expr::Unary { .. }
        | Expr::Tuple(_)
        | Expr::Object(_)
        | Expr::For(_)
        | Expr::Parens(_) => false,
    }
}
