//! Splats: `source[*]` and `source.*`.

use terrane_source::ids;
use terrane_syntax::{Expr, ExprId};
use terrane_value::{Agreement, Known, Origins, Type, Unknown, Value, ValueKind};

use crate::rules::evaluator::Evaluator;
use crate::rules::fast_path::LoopBody;
use crate::state::binding::Binding;

/// Returns the elements of an open sequence as a tuple, if the splat has the same result for a list, a set
/// and a tuple. With one element, the result is the same even if the sequence is that element itself, like a
/// block that occurs only once.
fn of_any_kind(unknown: &Unknown) -> Option<Value> {
    match &unknown.known {
        Known::Sequence(elements) => match elements.as_slice() {
            [only] if !only.contains_marked() => Some(Value::tuple([only.clone()])),
            _ => unknown.as_tuple(Agreement::Order),
        },
        Known::Nothing | Known::Object(_) => None,
    }
}

impl Evaluator<'_> {
    /// Evaluates `source[*]…` or `source.*…`.
    pub(crate) fn splat(&mut self, id: ExprId, source: ExprId, each: ExprId) -> Value {
        let mark = self.report.mark();
        let value = self.eval(source);
        if self.report.has_errors_since(mark) {
            return Value::error();
        }
        if value.as_sequence().is_some() {
            return self.splat_sequence(id, &value, each, None);
        }
        let ty = value.ty();
        let is_sequence = matches!(ty, Type::Tuple(_) | Type::List(_) | Type::Set(_));
        if value.is_null() && !is_sequence {
            return Value::tuple([]).with_marks(value.marks());
        }
        if value.is_null() {
            let detail = "The list, set or tuple before the splat is null. Use `coalesce` or a conditional to give \
                          a default.";
            let diagnostic = self.report.diagnostic(ids::SPLAT_OF_NULL, self.tree.span(source), detail);
            self.report.push(diagnostic.within(self.tree.span(source).to(self.marker(each))));
            return Value::error();
        }
        if let Some(tuple) = value.as_unknown().and_then(of_any_kind) {
            let values = self.splat_sequence(id, &tuple, each, None);
            let elements = values.as_sequence().unwrap_or_default().to_vec();
            return Value::open_sequence(elements, value.origins().clone()).with_marks(value.marks());
        }
        // An open object, which is never null, counts as a sequence of itself.
        let is_object = value.as_unknown().is_some_and(|unknown| matches!(unknown.known, Known::Object(_)));
        if ty == Type::Dynamic && !is_object {
            return Value::unknown_from(ty, value.origins().clone()).with_marks(value.marks());
        }
        if is_sequence {
            return self.splat_sequence(id, &value, each, None);
        }
        // Any other value counts as a sequence of itself, or as an empty one if it is null: a value that may be null
        // gives an unknown number of elements.
        let may_be_null = (!value.is_known() && !value.is_never_null()).then(|| value.origins().clone());
        let sequence = Value::tuple([value.clone()]).with_marks(value.marks());
        self.splat_sequence(id, &sequence, each, may_be_null)
    }

    fn splat_sequence(
        &mut self,
        id: ExprId,
        source: &Value,
        each: ExprId,
        may_be_null: Option<Origins>,
    ) -> Value {
        let marks = source.marks();
        let Some(elements) = source.as_sequence() else {
            return self.splat_unknown(source, &source.ty(), each).with_marks(marks);
        };
        let before = self.report.mark();
        let mut values = Vec::with_capacity(elements.len());
        self.in_loop(LoopBody::Splat(each), elements.len(), |this| {
            this.frame.items.push(Binding::Element(source.unmarked().clone(), 0));
            for position in 0..elements.len() {
                if this.budget.is_stopped() || !this.step(each) {
                    break;
                }
                if let Some(item) = this.frame.items.last_mut() {
                    item.move_to(position);
                }
                values.push(this.eval(each));
            }
            this.frame.items.pop();
        });
        let failed = self.report.has_errors_since(before);
        self.report.drop_repeated(before);
        if let Some(origins) = may_be_null {
            return Value::unknown_from(Type::Dynamic, origins).with_marks(marks);
        }
        if failed {
            let ty = self.quietly(|this| this.splat_type(&source.ty(), each));
            return Value::unknown_from(ty, Origins::error()).with_marks(marks);
        }
        if matches!(source.unmarked().kind(), ValueKind::Tuple(_)) {
            return Value::tuple(values).with_marks(marks);
        }
        let element = if values.is_empty() {
            let list = self.splat_type(&source.ty(), each);
            list.element().cloned()
        } else {
            common_type(&values)
        };
        let Some(element) = element else {
            let detail = "The inner splat gives elements of different types, which cannot form a list. Use a `for` \
                          expression instead.";
            let diagnostic = self.report.diagnostic(ids::INVALID_NESTED_SPLAT, self.tree.span(each), detail);
            self.report.push(diagnostic.within(self.tree.span(id)));
            return Value::error();
        };
        Value::list(element, values).with_marks(marks)
    }

    /// Returns the result for an unknown list, set or tuple, whose type and length may be known.
    fn splat_unknown(&mut self, source: &Value, ty: &Type, each: ExprId) -> Value {
        let result = self.splat_type(ty, each);
        let is_list = matches!(result, Type::List(_)) && ty.is_collection();
        let unknown = Value::unknown_from(result, source.origins().clone()).not_null();
        if !is_list {
            return unknown;
        }
        let range = source.range();
        unknown.with_length_bounds(range.length_min, range.length_max)
    }

    /// Returns the type of the result for a source of type `ty`.
    fn splat_type(&mut self, ty: &Type, each: ExprId) -> Type {
        match ty {
            Type::List(element) | Type::Set(element) => {
                Type::list(self.each(each, Value::unknown((**element).clone())).ty())
            }
            Type::Tuple(elements) => Type::tuple(
                elements.iter().map(|element| self.each(each, Value::unknown(element.clone())).ty()),
            ),
            Type::Bool | Type::Number | Type::String | Type::Dynamic | Type::Map(_) | Type::Object(_) => {
                Type::Dynamic
            }
        }
    }

    fn each(&mut self, each: ExprId, item: Value) -> Value {
        self.frame.items.push(Binding::Value(item));
        let value = self.eval(each);
        self.frame.items.pop();
        value
    }

    /// Returns the result of `eval` without its diagnostics, which were reported before.
    fn quietly<T>(&mut self, eval: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.report.mark();
        let result = eval(self);
        self.report.drop_since(mark);
        result
    }

    /// Returns the span of the `[*]` or `.*` to which `each` belongs.
    pub(crate) fn marker(&self, each: ExprId) -> terrane_source::Span {
        let mut id = each;
        loop {
            match self.tree.expr(id) {
                Expr::Relative { source, .. } | Expr::Splat { source, .. } => id = source,
                Expr::Item
                | Expr::Missing
                | Expr::Literal(_)
                | Expr::Template { .. }
                | Expr::Traversal { .. }
                | Expr::Call(_)
                | Expr::Conditional { .. }
                | Expr::Binary { .. }
                | Expr::Unary { .. }
                | Expr::Tuple(_)
                | Expr::Object(_)
                | Expr::For(_)
                | Expr::Parens(_) => return self.tree.span(id),
            }
        }
    }
}

/// Returns the type that all values have, except values of dynamic type.
fn common_type(values: &[Value]) -> Option<Type> {
    let mut common = Type::Dynamic;
    for value in values {
        // A fast check for primitive types.
        if value.is_plain(&common) {
            continue;
        }
        let ty = value.ty();
        if common == Type::Dynamic {
            common = ty;
        } else if ty != Type::Dynamic && ty != common {
            return None;
        }
    }
    Some(common)
}
