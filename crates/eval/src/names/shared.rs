//! Values that several evaluations share: what is the same in each of the instances of a block is computed once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use terrane_source::Span;
use terrane_syntax::{Expr, ExprId};
use terrane_value::{Unification, Value, ValueKind};

use crate::names::references::references_of;
use crate::rules::call::function_name;
use crate::rules::evaluator::Evaluator;

/// The parts of expressions that have the same value in all scopes that differ only in what a few names stand for, as far as
/// they were evaluated: loops, conditionals, and calls of pure functions.
///
/// Where one of these names occurs in a part, or there is a mistake in it, it is evaluated each time.
#[derive(Debug)]
pub struct Shared {
    varying: &'static [&'static str],
    values: Mutex<HashMap<Place, SharedValue>>,
    /// The outermost expression that was looked through last.
    outermost: Mutex<Option<Outermost>>,
    /// The elements of sequences, by where they are, as a body without a schema has them. The sequence is kept so that
    /// nothing else comes to be there.
    sequences: Mutex<HashMap<usize, (Value, Elements)>>,
    /// What results of conditionals were converted to, in the same way.
    converted: Mutex<HashMap<usize, (Value, Unification, Value)>>,
}

/// The elements of a sequence, where a provider gives each back as it is.
type Elements = Option<Arc<Vec<Value>>>;

/// Shorter sequences are not worth to be shared by the instances of a block.
pub const FEWEST_SHARED: usize = 32;

/// How many sequences are kept: those that differ from instance to instance are there in vain.
const MOST_SEQUENCES: usize = 64;

/// An expression, wherever a tree of it was made: a string of JSON is parsed each time.
type Place = (usize, Span, ExprId);

#[derive(Clone, Debug)]
enum SharedValue {
    Value(Value),
    /// It is not the same each time, or has a mistake, which is reported each time.
    Never,
}

/// An expression that was looked through once for all that are within it.
#[derive(Debug)]
struct Outermost {
    /// The file in which it is.
    source: usize,
    span: Span,
    /// How many names are bound around it.
    bound: usize,
    /// Where there is in it what may differ each time, in source order.
    varying: Vec<u32>,
}

impl Outermost {
    fn contains(&self, source: usize, span: Span, bound: usize) -> bool {
        let is_within = self.span.start <= span.start && span.end <= self.span.end;
        self.source == source && self.bound == bound && is_within
    }

    /// Whether what is within these bytes is the same each time.
    fn is_same(&self, span: Span) -> bool {
        let before = self.varying.partition_point(|start| *start < span.start);
        self.varying.get(before).is_none_or(|start| *start >= span.end)
    }
}

impl Shared {
    /// For scopes that differ in what the names `varying` stand for. The files must be the same ones.
    pub fn except(varying: &'static [&'static str]) -> Shared {
        Shared {
            varying,
            values: Mutex::default(),
            outermost: Mutex::default(),
            sequences: Mutex::default(),
            converted: Mutex::default(),
        }
    }

    /// A result of a conditional in its common type, from the second time on what `convert` gave before.
    pub(crate) fn converted(
        &self,
        value: &Value,
        unification: &Unification,
        convert: impl FnOnce() -> Result<Value, String>,
    ) -> Result<Value, String> {
        // The type of a tuple is that of its elements, so where these are the same, all is.
        let ValueKind::Tuple(elements) = value.kind() else { return convert() };
        let Some(mut known) = self.converted.lock().ok().filter(|_| elements.len() >= FEWEST_SHARED) else {
            return convert();
        };
        let place = elements.as_ptr().addr();
        match known.get(&place) {
            Some((_, wanted, converted)) if wanted == unification => Ok(converted.clone()),
            None if known.len() < MOST_SEQUENCES => {
                let converted = convert()?;
                known.insert(place, (value.clone(), unification.clone(), converted.clone()));
                Ok(converted)
            }
            Some(_) | None => convert(),
        }
    }

    /// What `elements` gives for a sequence, from the second time on what it gave before.
    pub fn elements(
        &self,
        sequence: &Value,
        elements: impl FnOnce(&[Value]) -> Option<Vec<Value>>,
    ) -> Option<Arc<Vec<Value>>> {
        let all = sequence.as_sequence()?;
        let mut known = self.sequences.lock().ok()?;
        let place = all.as_ptr().addr();
        if known.len() >= MOST_SEQUENCES && !known.contains_key(&place) {
            return None;
        }
        let (_, known) =
            known.entry(place).or_insert_with(|| (sequence.clone(), elements(all).map(Arc::new)));
        known.clone()
    }

    fn get(&self, place: Place) -> Option<SharedValue> {
        self.values.lock().ok()?.get(&place).cloned()
    }

    fn set(&self, place: Place, value: SharedValue) {
        if let Ok(mut values) = self.values.lock() {
            values.insert(place, value);
        }
    }
}

impl Evaluator<'_> {
    /// Where to share the value of an expression with other evaluations.
    #[inline]
    pub(crate) fn shared(&self, id: ExprId) -> Option<&Shared> {
        let (_, expr) = self.tree.inside_parentheses(id);
        // A conditional converts its result as a whole.
        let is_large =
            matches!(expr, Expr::Splat { .. } | Expr::For(_) | Expr::Call(_) | Expr::Conditional { .. });
        if !is_large || !self.plan.is_empty() || !self.items.is_empty() {
            return None;
        }
        self.scope?.names.shared()
    }

    /// The value of an expression that may have been evaluated in another scope that shares it.
    pub(crate) fn eval_shared(&mut self, id: ExprId) -> Value {
        let place = (Arc::as_ptr(self.tree.source()).addr(), self.tree.span(id), id);
        match self.shared(id).and_then(|shared| shared.get(place)) {
            Some(SharedValue::Value(value)) => return value,
            Some(SharedValue::Never) => return self.eval_expr(id),
            None => {}
        }
        let is_same = self.shared(id).is_some_and(|shared| self.is_same(id, shared));
        let mark = self.diagnostics.len();
        let value = self.eval_expr(id);
        let is_sound = self.diagnostics.len() == mark && !self.is_stopped() && self.doubt.is_empty();
        let kept = if is_same && is_sound { SharedValue::Value(value.clone()) } else { SharedValue::Never };
        if let Some(shared) = self.shared(id) {
            shared.set(place, kept);
        }
        value
    }

    /// Whether nothing in an expression is bound around it or varies by its name, and all that it calls is pure.
    fn is_same(&self, id: ExprId, shared: &Shared) -> bool {
        let Ok(mut outermost) = shared.outermost.lock() else { return false };
        let (source, span) = (Arc::as_ptr(self.tree.source()).addr(), self.tree.span(id));
        let bound = self.locals.len();
        if let Some(known) = outermost.as_ref().filter(|known| known.contains(source, span, bound)) {
            return known.is_same(span);
        }
        let varying = self.varying(id, shared.varying);
        let found = Outermost { source, span, bound, varying };
        let is_same = found.is_same(span);
        *outermost = Some(found);
        is_same
    }

    /// Where an expression reads a name that is bound around it or one of these, or calls what is not pure.
    fn varying(&self, id: ExprId, names: &[&str]) -> Vec<u32> {
        let is_bound =
            |root: &str| names.contains(&root) || self.locals.iter().any(|(name, _)| *name == root);
        let references = references_of(self.tree, id);
        let references = references.iter().filter(|reference| is_bound(reference.root));
        let mut varying: Vec<u32> = references.map(|reference| reference.span.start).collect();
        self.tree.expressions(id, &mut |id| {
            if let Expr::Call(call) = self.tree.expr(id) {
                let name = function_name(self.tree.slice(self.tree.call(call).name));
                if !self.scope.is_some_and(|scope| scope.functions.is_pure(&name)) {
                    varying.push(self.tree.span(id).start);
                }
            }
        });
        varying.sort_unstable();
        varying
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use terrane_value::{Type, convert};

    use super::*;

    #[test]
    fn long_tuples_are_converted_once() {
        for (length, wanted) in [(FEWEST_SHARED - 1, 2), (FEWEST_SHARED, 1)] {
            let shared = Shared::except(&["count"]);
            let tuple = Value::tuple(vec![Value::from(1); length]);
            let list = Type::list(Type::String);
            let unification = Unification::from(list.clone());
            let conversions = Cell::new(0);
            for _ in 0..2 {
                let converted = shared.converted(&tuple, &unification, || {
                    conversions.set(conversions.get() + 1);
                    convert(&tuple, &list).map_err(|error| error.message)
                });
                assert_eq!(converted.map(|value| value.ty()), Ok(list.clone()));
            }
            assert_eq!(conversions.get(), wanted, "{length} elements");
        }
    }

    #[test]
    fn what_varies_is_found_by_its_place() {
        let outermost = Outermost { source: 1, span: Span::new(10, 50), bound: 0, varying: vec![20, 30] };
        assert!(outermost.contains(1, Span::new(10, 12), 0));
        for (source, start, end, bound) in [(2, 10, 12, 0), (1, 9, 12, 0), (1, 12, 51, 0), (1, 10, 12, 1)] {
            assert!(!outermost.contains(source, Span::new(start, end), bound));
        }
        for (start, end, is_same) in [
            (10, 50, false),
            (10, 20, true),
            (10, 21, false),
            (20, 25, false),
            (21, 30, true),
            (31, 50, true),
        ] {
            assert_eq!(outermost.is_same(Span::new(start, end)), is_same, "{start} to {end}");
        }
    }
}
