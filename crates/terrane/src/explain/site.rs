//! The site of an expression: the names that it can refer to, with the origin of each.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::RandomState;
use terrane_config::InstanceKey;
use terrane_module::InstanceId;
use terrane_module::place::{PlaceScope, ScopeBlock};
use terrane_source::{Diagnostics, Files, SourceVersion, Span, Subject};
use terrane_syntax::tree::{Part as TemplatePart, Step, UnaryOp};
use terrane_syntax::walk::Event;
use terrane_syntax::{Expr, ExprId, Expression};
use terrane_value::{Marks, SmolStr, Value};

use super::path::Key;
use crate::written::text_without_secrets;

/// The names that the expressions of a block or a loop see.
#[derive(Clone)]
pub(super) struct ExplainSite<'r> {
    pub(super) instance: InstanceId,
    pub(super) block: ScopeBlock,
    pub(super) key: InstanceKey,
    scope: Arc<PlaceScope<'r>>,
    files: &'r dyn Files,
    /// The names of the loops around the expression, outermost first.
    bound: Arc<Vec<Bound<'r>>>,
    /// Whether the values of the expressions are secret because the object that they belong to is.
    pub(super) is_secret: bool,
    /// The values of the site's expressions so far, before the marks of [`ExpressionPart::is_secret`]. Many nodes of an explanation are
    /// parts of the same expression, which can be half of the configuration.
    values: Arc<Mutex<HashMap<ExpressionKey, Value, RandomState>>>,
    /// The number of the site, if the builder keeps it.
    number: Option<SiteNumber>,
}

/// The number of a site that the builder keeps. Sites with the same number have the same names.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SiteNumber(pub(super) usize);

/// An expression by its place. Each expression of a JSON file has a tree of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ExpressionKey {
    file: SourceVersion,
    span: Span,
    id: ExprId,
}

impl ExpressionKey {
    fn at(expression: &Expression) -> ExpressionKey {
        ExpressionKey { file: expression.source().version(), span: expression.span(), id: expression.id }
    }
}

/// An expression in a site with a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Placed {
    site: SiteNumber,
    /// Whether the values of the expression are secret.
    is_secret: bool,
    expression: ExpressionKey,
}

/// A name that a loop binds.
#[derive(Clone)]
pub(super) struct Bound<'r> {
    pub(super) name: SmolStr,
    pub(super) value: Value,
    pub(super) kind: BoundKind,
    /// The collection of the loop.
    pub(super) collection: Arc<ExpressionPart<'r>>,
    /// The step from the collection to the element. `None` if the element is not known, or a secret.
    pub(super) element: Option<Key>,
}

/// The kinds of names that a loop binds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundKind {
    /// The key of an element.
    Key,
    /// An element.
    Value,
    /// An object with `key` and `value`, in a `dynamic` block.
    Iterator,
}

/// An expression at its place.
#[derive(Clone)]
pub(super) struct ExpressionPart<'r> {
    pub(super) site: ExplainSite<'r>,
    pub(super) expression: Expression,
}

impl<'r> ExplainSite<'r> {
    pub(super) fn new(
        instance: InstanceId,
        block: ScopeBlock,
        key: InstanceKey,
        scope: PlaceScope<'r>,
        files: &'r dyn Files,
    ) -> ExplainSite<'r> {
        ExplainSite {
            instance,
            block,
            key,
            scope: Arc::new(scope),
            files,
            bound: Arc::default(),
            is_secret: false,
            values: Arc::default(),
            number: None,
        }
    }

    /// Returns the site with this number.
    pub(super) fn numbered(self, number: SiteNumber) -> ExplainSite<'r> {
        ExplainSite { number: Some(number), ..self }
    }

    /// Returns the site within loops that bind these names, outermost first.
    pub(super) fn inside(&self, names: impl IntoIterator<Item = Bound<'r>>) -> ExplainSite<'r> {
        let mut inner = ExplainSite { values: Arc::default(), number: None, ..self.clone() };
        Arc::make_mut(&mut inner.bound).extend(names);
        inner
    }

    /// Returns the place of an expression in this site. `None` if the builder does not keep the site.
    pub(super) fn place_of(&self, expression: &Expression) -> Option<Placed> {
        Some(Placed {
            site: self.number?,
            is_secret: self.is_secret,
            expression: ExpressionKey::at(expression),
        })
    }

    /// Stores the value of an expression.
    pub(super) fn keep(&self, expression: &Expression, value: Value) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        values.insert(ExpressionKey::at(expression), value);
    }

    fn kept(&self, expression: &Expression) -> Option<Value> {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        values.get(&ExpressionKey::at(expression)).cloned()
    }

    /// Returns the site with the names of the loops around a place, for the elements that its scope chooses or for any element.
    /// Elements of a collection for which `hides` is true get no step.
    pub(super) fn in_loops(mut self, hides: impl Fn(&Value) -> bool) -> ExplainSite<'r> {
        for around in self.scope.loops(self.files) {
            let collection = Arc::new(self.part(around.expression));
            let chosen = around.element.filter(|_| !hides(&around.collection));
            let element = chosen.and_then(|chosen| Key::of_element(&around.collection, chosen));
            let has_key = around.names.len() > 1;
            let names = around.names.into_iter().enumerate().map(|(position, (name, value))| {
                let kind = match (around.is_dynamic, position) {
                    (true, _) => BoundKind::Iterator,
                    (false, 0) if has_key => BoundKind::Key,
                    (false, _) => BoundKind::Value,
                };
                Bound { name, value, kind, collection: Arc::clone(&collection), element: element.clone() }
            });
            self = self.inside(names);
        }
        self
    }

    pub(super) fn part(&self, expression: Expression) -> ExpressionPart<'r> {
        ExpressionPart { site: self.clone(), expression }
    }

    /// Returns the name that a loop binds. Inner loops come before outer loops.
    pub(super) fn bound(&self, name: &str) -> Option<&Bound<'r>> {
        self.bound.iter().rev().find(|bound| bound.name == name)
    }
}

/// A part of an expression, with its key if the part is an element.
pub(super) struct KeyedPart<'r> {
    pub(super) part: ExpressionPart<'r>,
    pub(super) key: Option<String>,
}

impl<'r> KeyedPart<'r> {
    /// Returns a part that is not an element.
    pub(super) fn unkeyed(part: ExpressionPart<'r>) -> KeyedPart<'r> {
        KeyedPart { part, key: None }
    }
}

impl<'r> ExpressionPart<'r> {
    /// Returns another expression of the same tree, in the same site.
    pub(super) fn at(&self, id: ExprId) -> ExpressionPart<'r> {
        self.site.part(Expression { tree: Arc::clone(&self.expression.tree), id })
    }

    pub(super) fn expr(&self) -> Expr {
        self.expression.tree.expr(self.expression.id)
    }

    pub(super) fn value(&self) -> Value {
        self.hidden_if_secret(self.own_value())
    }

    /// Returns the value without the mark of a declaration around the expression. Choices, such as the key of an element, may
    /// depend on it: the declaration hides the result of the expression.
    pub(super) fn own_value(&self) -> Value {
        self.site.kept(&self.expression).unwrap_or_else(|| self.own_evaluated(&mut Diagnostics::new()))
    }

    /// Returns the value without the mark of a declaration around the expression. Errors are added to `diagnostics`.
    pub(super) fn own_evaluated(&self, diagnostics: &mut Diagnostics) -> Value {
        let bound = self.site.bound.iter().map(|bound| (&*bound.name, &bound.value));
        let bindings: Vec<(&str, &Value)> = bound.collect();
        let value = self.site.scope.evaluate_part(&self.expression, &bindings, self.site.files, diagnostics);
        self.site.keep(&self.expression, value.clone());
        value
    }

    fn hidden_if_secret(&self, value: Value) -> Value {
        if self.is_secret() { value.with_marks(&Marks::sensitive()) } else { value }
    }

    /// Whether the text and the value are secret, even if the value has no marks.
    pub(super) fn is_secret(&self) -> bool {
        self.site.is_secret || self.expression.source().is_hidden(self.expression.span())
    }

    /// Whether the value is the text itself: no part of the expression refers to another value or computes one.
    pub(super) fn is_constant(&self) -> bool {
        let tree = &self.expression.tree;
        let mut left = vec![self.expression.id];
        while let Some(id) = left.pop() {
            let is_written = match tree.expr(id) {
                Expr::Missing | Expr::Literal(_) | Expr::Tuple(_) | Expr::Object(_) | Expr::Parens(_) => true,
                Expr::Unary { op, .. } => op == UnaryOp::Negate,
                Expr::Template { parts, .. } => {
                    tree.list(parts).iter().all(|part| matches!(part, TemplatePart::Literal { .. }))
                }
                Expr::Traversal { .. }
                | Expr::Relative { .. }
                | Expr::Splat { .. }
                | Expr::Item
                | Expr::Call(_)
                | Expr::Conditional { .. }
                | Expr::Binary { .. }
                | Expr::For(_) => false,
            };
            if !is_written {
                return false;
            }
            tree.walk(id, &mut |event| {
                if let Event::Expr(part) = event {
                    left.push(part);
                }
            });
        }
        true
    }

    /// Returns the expression as written, without secrets. `None` if all of it is a secret.
    pub(super) fn text(&self) -> Option<String> {
        (!self.is_secret()).then(|| text_without_secrets(&self.expression))
    }

    pub(super) fn place(&self) -> Subject {
        self.expression.subject()
    }

    /// Returns the steps of a traversal as a path; computed keys are evaluated. `None` if a key is unknown or `hides` is true
    /// for it.
    pub(super) fn keys(&self, steps: &[Step], hides: impl Fn(&Value) -> bool) -> Option<Vec<Key>> {
        let tree = &self.expression.tree;
        let key = |step: &Step| match *step {
            Step::Attr { name, .. } => Some(Key::Name(SmolStr::from(tree.slice(name)))),
            Step::LegacyIndex { digits, .. } => tree.slice(digits).parse().ok().map(Key::Position),
            Step::Index { key, .. } => {
                let value = self.at(key).own_value();
                if hides(&value) { None } else { Key::of(&value) }
            }
        };
        steps.iter().map(key).collect()
    }

    /// Returns the keys of steps up to the first one that is not a constant.
    pub(super) fn written_keys(&self, steps: &[Step]) -> Vec<Key> {
        let is_computed =
            |step: &Step| matches!(step, Step::Index { key, .. } if !self.at(*key).is_constant());
        let count = steps.iter().position(is_computed).unwrap_or(steps.len());
        self.keys(steps.get(..count).unwrap_or_default(), |_| false).unwrap_or_default()
    }

    /// Whether a step at the end of the expression has a key that is not a constant.
    pub(super) fn has_computed_keys(&self) -> bool {
        let (Expr::Traversal { steps, .. } | Expr::Relative { steps, .. }) = self.expr() else {
            return false;
        };
        !self.computed_keys(self.expression.tree.list(steps)).is_empty()
    }

    /// Returns the expressions in brackets that are not constants.
    pub(super) fn computed_keys(&self, steps: &[Step]) -> Vec<ExpressionPart<'r>> {
        let key = |step: &Step| match *step {
            Step::Index { key, .. } => Some(self.at(key)).filter(|key| !key.is_constant()),
            Step::Attr { .. } | Step::LegacyIndex { .. } => None,
        };
        steps.iter().filter_map(key).collect()
    }
}
