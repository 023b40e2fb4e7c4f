//! Visits the expressions of a tree, with the names that `for` expressions bind.
//!
//! [`Tree::free_traversals`] finds the references of an expression.

use terrane_source::Span;

use crate::tree::{List, Part, Step};
use crate::{Expr, ExprId, Tree};

/// Names that a `for` binds for some of its children.
#[derive(Clone, Copy, Debug)]
pub struct NamesOfFor {
    /// The name for the key or index.
    pub key: Option<Span>,
    /// The name for the value.
    pub value: Span,
}

/// A step of a walk through an expression.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A direct part of the visited expression.
    Expr(ExprId),
    /// From here on, these names stand for the variables of a `for`.
    Bind(NamesOfFor),
    /// The names that were bound last are no longer bound.
    Unbind,
}

impl Tree {
    /// Visits the expressions directly within `id` in source order, and the places where names are bound for some of them.
    ///
    /// The key of an object item that is a plain name is not an expression here, see [`Tree::plain_key`]. The
    /// parts of template directives count as directly within the template.
    pub fn walk(&self, id: ExprId, visit: &mut impl FnMut(Event)) {
        match self.expr(id) {
            Expr::Missing | Expr::Literal(_) | Expr::Item => {}
            Expr::Template { parts, .. } => self.walk_parts(parts, visit),
            Expr::Traversal { steps, .. } => self.walk_steps(steps, visit),
            Expr::Relative { source, steps } => {
                visit(Event::Expr(source));
                self.walk_steps(steps, visit);
            }
            Expr::Splat { source, each, full: _ } => {
                visit(Event::Expr(source));
                visit(Event::Expr(each));
            }
            Expr::Call(call) => {
                for argument in self.list(self.call(call).arguments) {
                    visit(Event::Expr(*argument));
                }
            }
            Expr::Conditional { condition, yes, no } => {
                for child in [condition, yes, no] {
                    visit(Event::Expr(child));
                }
            }
            Expr::Binary { op: _, left, right } => {
                visit(Event::Expr(left));
                visit(Event::Expr(right));
            }
            Expr::Unary { op: _, operand } => visit(Event::Expr(operand)),
            Expr::Tuple(elements) => {
                for element in self.list(elements) {
                    visit(Event::Expr(*element));
                }
            }
            Expr::Object(items) => {
                for item in self.list(items) {
                    if self.plain_key(item.key).is_none() {
                        visit(Event::Expr(item.key));
                    }
                    visit(Event::Expr(item.value));
                }
            }
            Expr::For(id) => {
                let parts = self.for_expr(id);
                visit(Event::Expr(parts.collection));
                visit(Event::Bind(NamesOfFor { key: parts.key_name, value: parts.value_name }));
                for child in [parts.key, Some(parts.value), parts.condition].into_iter().flatten() {
                    visit(Event::Expr(child));
                }
                visit(Event::Unbind);
            }
            Expr::Parens(inner) => visit(Event::Expr(inner)),
        }
    }

    fn walk_steps(&self, steps: List<Step>, visit: &mut impl FnMut(Event)) {
        for step in self.list(steps) {
            match step {
                Step::Attr { .. } | Step::LegacyIndex { .. } => {}
                Step::Index { key, .. } => visit(Event::Expr(*key)),
            }
        }
    }

    /// Visits the parts of a template. Directives nest no deeper than the parser allows.
    fn walk_parts(&self, parts: List<Part>, visit: &mut impl FnMut(Event)) {
        for part in self.list(parts) {
            match part {
                Part::Literal { .. } => {}
                Part::Interpolation { expr, .. } => visit(Event::Expr(*expr)),
                Part::If(id) => {
                    let parts = self.if_directive(*id);
                    visit(Event::Expr(parts.condition));
                    self.walk_parts(parts.yes, visit);
                    self.walk_parts(parts.no, visit);
                }
                Part::For(id) => {
                    let parts = self.for_directive(*id);
                    visit(Event::Expr(parts.collection));
                    visit(Event::Bind(NamesOfFor { key: parts.key_name, value: parts.value_name }));
                    self.walk_parts(parts.body, visit);
                    visit(Event::Unbind);
                }
            }
        }
    }

    /// Visits `id` and every expression within it, at any depth, in source order.
    ///
    /// Takes memory, not stack, for deep trees.
    pub fn expressions(&self, id: ExprId, visit: &mut impl FnMut(ExprId)) {
        let mut unvisited = vec![id];
        while let Some(id) = unvisited.pop() {
            visit(id);
            let first = unvisited.len();
            self.walk(id, &mut |event| match event {
                Event::Expr(child) => unvisited.push(child),
                Event::Bind(_) | Event::Unbind => {}
            });
            if let Some(children) = unvisited.get_mut(first..) {
                children.reverse();
            }
        }
    }

    /// Whether `id` is or contains an object, or a `for` expression that makes one.
    pub fn has_object(&self, id: ExprId) -> bool {
        let mut is_found = false;
        self.expressions(id, &mut |part| {
            is_found |= matches!(self.expr(part), Expr::Object(_))
                || matches!(self.expr(part), Expr::For(id) if self.for_expr(id).key.is_some());
        });
        is_found
    }

    /// Visits every [`Expr::Traversal`] in `id`, including `id` itself, whose root name no `for` within `id` binds. The
    /// traversals are in the order of the source; a traversal comes before the traversals in its index keys.
    ///
    /// Takes memory, not stack, for deep trees.
    pub fn free_traversals(&self, id: ExprId, visit: &mut impl FnMut(ExprId)) {
        let mut bound = Vec::new();
        let mut unvisited = vec![Event::Expr(id)];
        while let Some(event) = unvisited.pop() {
            match event {
                Event::Bind(names) => bound.push(names),
                Event::Unbind => drop(bound.pop()),
                Event::Expr(id) => {
                    if self.root_name(id).is_some_and(|root| !self.binds(&bound, root)) {
                        visit(id);
                    }
                    let first = unvisited.len();
                    self.walk(id, &mut |event| unvisited.push(event));
                    if let Some(children) = unvisited.get_mut(first..) {
                        children.reverse();
                    }
                }
            }
        }
    }

    fn binds(&self, bound: &[NamesOfFor], root: &str) -> bool {
        let is_root = |name: Span| self.slice(name) == root;
        bound.iter().any(|names| is_root(names.value) || names.key.is_some_and(is_root))
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::{FileId, SourceFile};

    use crate::{Expr, parse_expr};

    #[test]
    fn every_expression_is_visited_at_any_depth() {
        let text =
            r#"[for v in a() : { (b()) = "${c([d()])}%{ if e() }x%{ endif }" }][f() ? -g() : (h()).i[j()]]"#;
        let parsed = parse_expr(&SourceFile::new(FileId::new("test"), text));
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let mut names = Vec::new();
        parsed.tree.expressions(parsed.root, &mut |id| {
            if let Expr::Call(call) = parsed.tree.expr(id) {
                names.push(parsed.tree.function_name(parsed.tree.call(call)));
            }
        });
        assert_eq!(names, ["a", "b", "c", "d", "e", "f", "g", "h", "j"]);
    }

    #[test]
    fn an_object_is_found_at_any_depth() {
        let has_object = |text: &str| {
            let parsed = parse_expr(&SourceFile::new(FileId::new("test"), text));
            parsed.tree.has_object(parsed.root)
        };
        assert!(has_object("a([{}])[0]") && has_object("{ for b in c : b => b }.d"));
        assert!(!has_object(r#"[for b in c : "${b}{"]"#) && !has_object("a"));
    }

    #[test]
    fn free_traversals_are_those_that_no_for_binds() {
        let text = r#"[for k, v in a.b : { (k) = v.x[c], d = v, (d) = f(e)[g] } if h ? i.*.j : -l[*].m]
            + "${n}%{ for o in p }${o}${q}%{ endfor }%{ if r }${o}%{ endif }""#;
        let parsed = parse_expr(&SourceFile::new(FileId::new("test"), text));
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let mut found = Vec::new();
        parsed.tree.free_traversals(parsed.root, &mut |id| found.push(parsed.tree.expr_text(id)));
        assert_eq!(found, ["a.b", "c", "d", "e", "g", "h", "i", "l", "n", "p", "q", "r", "o"]);
    }
}
