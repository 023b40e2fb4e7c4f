//! Finds the names in an expression: references to names that it does not bind itself, the names that it binds, and the
//! functions that it calls.

use terrane_source::Span;
use terrane_syntax::tree::{Call, List, ObjectItem, Part, Step};
use terrane_syntax::{Expr, ExprId, Expression, Tree};

use crate::functions::name::function_name;
use crate::functions::table::Special;
use crate::names::scope::Reference;

/// Returns the references of `expression` to names that it does not bind itself, in source order.
pub fn references(expression: &Expression) -> Vec<Reference<'_>> {
    references_of(&expression.tree, expression.id)
}

/// Calls `visit` for each of the [`references`] of an expression. There may be a million, so they are not collected.
pub fn each_reference<'e>(expression: &'e Expression, visit: &mut dyn FnMut(Reference<'e>)) {
    Walk::new(&expression.tree, visit).expr(expression.id);
}

/// The names in an expression whose meaning is in the expression itself or in the function library,
/// each list in source order.
#[derive(Default, Debug)]
pub struct InnerNames<'t> {
    /// The names that the expression binds itself, both where they are bound and where they are used.
    pub bound: Vec<BoundName>,
    /// The calls of functions.
    pub calls: Vec<&'t Call>,
}

/// A name that a `for` binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundName {
    /// The name.
    pub span: Span,
    /// The place where the name is bound.
    pub binding: Span,
    /// Its meaning.
    pub kind: ForName,
}

/// The names that a `for` binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForName {
    /// The first of two names: the key or index of an element.
    Key,
    /// The last name: an element.
    Value,
}

/// Returns the names in `expression` that are not [`references`].
pub fn inner_names(expression: &Expression) -> InnerNames<'_> {
    let mut skip = |_| {};
    let mut walk = Walk::new(&expression.tree, &mut skip);
    let mut inner = InnerNames::default();
    walk.inner = Some(&mut inner);
    walk.expr(expression.id);
    inner
}

pub(crate) fn references_of(tree: &Tree, id: ExprId) -> Vec<Reference<'_>> {
    let mut found = Vec::new();
    Walk::new(tree, &mut |reference| found.push(reference)).expr(id);
    found
}

struct Walk<'t, 'w> {
    tree: &'t Tree,
    /// The bound names at this point, with the places of their bindings, innermost last.
    bound: Vec<ForBinding<'t>>,
    visit: &'w mut dyn FnMut(Reference<'t>),
    /// Collects the other names, if they are asked for.
    inner: Option<&'w mut InnerNames<'t>>,
}

#[derive(Clone, Copy)]
struct ForBinding<'t> {
    name: &'t str,
    span: Span,
    kind: ForName,
}

impl<'t, 'w> Walk<'t, 'w> {
    fn new(tree: &'t Tree, visit: &'w mut dyn FnMut(Reference<'t>)) -> Self {
        Walk { tree, bound: Vec::new(), visit, inner: None }
    }

    /// Binds a name from here on.
    fn bind(&mut self, span: Span, kind: ForName) {
        self.bound.push(ForBinding { name: self.tree.slice(span), span, kind });
        if let Some(inner) = &mut self.inner {
            inner.bound.push(BoundName { span, binding: span, kind });
        }
    }

    fn expr(&mut self, mut id: ExprId) {
        let tree = self.tree;
        // Chains of operators nest in their left operand and may be long.
        let mut rights = Vec::new();
        while let Expr::Binary { left, right, .. } = tree.expr(id) {
            rights.push(right);
            id = left;
        }
        match tree.expr(id) {
            Expr::Missing | Expr::Literal(_) | Expr::Item => {}
            Expr::Template { parts, .. } => self.parts(parts),
            Expr::Traversal { .. } => self.traversal(id, None),
            Expr::Relative { source, steps } => {
                self.expr(source);
                self.steps(steps);
            }
            Expr::Splat { source, each, .. } => {
                if matches!(tree.expr(source), Expr::Traversal { .. }) {
                    self.traversal(source, Some(each));
                } else {
                    self.expr(source);
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

    /// Visits the reference of a traversal. `splat` is the expression for each element if a splat follows.
    fn traversal(&mut self, id: ExprId, splat: Option<ExprId>) {
        let Expr::Traversal { root_end, steps } = self.tree.expr(id) else { return };
        let span = self.tree.span(id);
        let root_span = Span::new(span.start, root_end);
        let root = self.tree.slice(root_span);
        match self.bound.iter().rev().find(|binding| binding.name == root) {
            Some(ForBinding { span: binding, kind, .. }) => {
                if let Some(inner) = &mut self.inner {
                    inner.bound.push(BoundName { span: root_span, binding: *binding, kind: *kind });
                }
            }
            None => {
                let steps = self.tree.list(steps);
                (self.visit)(Reference { tree: self.tree, root, steps, span, splat });
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
        key_name.into_iter().for_each(|name| self.bind(name, ForName::Key));
        self.bind(value_name, ForName::Value);
        walk(self);
        self.bound.truncate(bound);
    }
}

/// Whether the step belongs to a traversal in the reference: an attribute, or a literal index.
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
