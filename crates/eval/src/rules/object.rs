//! Object expressions.

use std::collections::HashSet;

use terrane_source::{ids, titles};
use terrane_syntax::tree::{Literal, ObjectItem};
use terrane_syntax::{Expr, ExprId};
use terrane_value::{Marks, Origins, SmolStr, Type, Value, ValueKind, convert};

use crate::names::references::is_static_step;
use crate::rules::evaluator::Evaluator;

impl Evaluator<'_> {
    /// Evaluates `{ key = value }`. An unknown key makes the whole object unknown, but all parts are
    /// evaluated for their errors.
    pub(crate) fn object(&mut self, id: ExprId, items: &[ObjectItem]) -> Value {
        let is_json = self.tree.is_json_object(id);
        let mut attributes: Vec<(SmolStr, Value)> = Vec::with_capacity(items.len());
        let mut marks = Marks::NONE;
        let mut missing = Origins::NONE;
        let mut complete = true;
        // Only JSON forbids equal keys.
        let mut names = is_json.then(HashSet::new);
        for item in items {
            // Most keys are plain words.
            if !is_json && let Some(name) = self.tree.plain_key(item.key) {
                let name = SmolStr::from(name);
                let value = self.eval(item.value);
                attributes.push((name, value));
                continue;
            }
            let mark = self.report.mark();
            let key = self.object_key(item.key);
            let key_failed = self.report.has_errors_since(mark);
            let value = self.eval(item.value);
            let key = if key_failed { None } else { self.key_text(item, &key, is_json) };
            let Some(key) = key else {
                complete = false;
                missing = missing.union(&Origins::error());
                continue;
            };
            marks = marks.union(key.marks());
            if let ValueKind::String(text) = key.unmarked().kind() {
                if names.as_mut().is_some_and(|names| !names.insert(text.clone())) {
                    self.report_duplicate_key(item.key, text);
                    continue;
                }
                attributes.push((text.clone(), value));
            } else {
                complete = false;
                missing = missing.union(key.origins());
            }
        }
        if !complete {
            return Value::unknown_from(Type::Dynamic, missing);
        }
        Value::object(attributes).with_marks(&marks)
    }

    /// Returns the value of a key. A bare word is the key itself, even if it is a keyword.
    fn object_key(&mut self, key: ExprId) -> Value {
        let span = self.tree.span(key);
        match self.tree.expr(key) {
            Expr::Traversal { steps, .. } if steps.is_empty() => Value::from(self.tree.slice(span)),
            Expr::Literal(Literal::Null | Literal::Bool(_)) => Value::from(self.tree.slice(span)),
            Expr::Traversal { steps, .. }
                if self.tree.list(steps).iter().all(|step| is_static_step(self.tree, *step)) =>
            {
                self.report.error(
                    ids::AMBIGUOUS_KEY,
                    span,
                    "A key with dots may be a reference or a name. Put a reference in parentheses and a name in \
                     quotes.",
                );
                Value::error()
            }
            Expr::Traversal { .. }
            | Expr::Literal(Literal::Number | Literal::String(_))
            | Expr::Missing
            | Expr::Template { .. }
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
            | Expr::Parens(_) => self.eval(key),
        }
    }

    /// Returns the key as a string, which may be unknown.
    fn key_text(&mut self, item: &ObjectItem, key: &Value, is_json: bool) -> Option<Value> {
        let (key_span, value_span) = (self.tree.span(item.key), self.tree.span(item.value));
        self.budget.work_of_number(key);
        let mut report = |id, span, detail| {
            let diagnostic = self.report.diagnostic(id, span, detail);
            self.report.push(match is_json {
                true => diagnostic.titled(titles::INVALID_OBJECT_KEY_EXPRESSION),
                false => diagnostic,
            });
        };
        if key.is_null() {
            // The reference points at the value and not at the key, except in JSON.
            let span = if is_json { key_span } else { value_span };
            let detail = "The key before this value is null. It must be a string.".to_owned();
            report(ids::NULL_KEY, span, detail);
            return None;
        }
        match convert(key, &Type::String) {
            Ok(key) => Some(key),
            Err(error) => {
                let detail = format!("The key of this item cannot be used as a string: {}.", error.message);
                report(ids::INCORRECT_KEY_TYPE, key_span, detail);
                None
            }
        }
    }

    fn report_duplicate_key(&mut self, key: ExprId, name: &str) {
        let detail = format!("The object already has a property named \"{name}\". Remove one of them.");
        let diagnostic = self.report.diagnostic(ids::DUPLICATE_OBJECT_KEY, self.tree.span(key), detail);
        self.report.push(diagnostic.titled(titles::DUPLICATE_OBJECT_ATTRIBUTE));
    }
}
