//! Values that several evaluations share: what is the same in each of the instances of a block is computed once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use terrane_source::Span;
use terrane_syntax::{Expr, ExprId};
use terrane_value::{Unification, Value, ValueKind};

use crate::call::function_name;
use crate::evaluate::Evaluator;
use crate::references::references_of;

/// The parts of expressions that have the same value in all scopes that differ only in what a few names stand for, as far as
/// they were evaluated: loops, conditionals, and calls of pure functions.
///
/// Where one of these names occurs in a part, or there is a mistake in it, it is evaluated each time.
#[derive(Debug)]
pub struct Shared {
    varying: &'static [&'static str],
    values: Mutex<HashMap<Place, Found>>,
    /// The elements of sequences, by where they are, as a body without a schema has them. The sequence is kept so that
    /// nothing else comes to be there.
    sequences: Mutex<HashMap<usize, (Value, Elements)>>,
    /// What results of conditionals were converted to, in the same way.
    converted: Mutex<HashMap<usize, (Value, Unification, Value)>>,
}

/// The elements of a sequence, where a provider gives each back as it is.
type Elements = Option<Arc<Vec<Value>>>;

/// Shorter sequences are not worth to be shared by the instances of a block.
pub(crate) const FEWEST_SHARED: usize = 32;

/// How many sequences are kept: those that differ from instance to instance are there in vain.
const MOST_SEQUENCES: usize = 64;

/// An expression, wherever a tree of it was made: a string of JSON is parsed each time.
type Place = (usize, Span, ExprId);

#[derive(Clone, Debug)]
enum Found {
    Value(Value),
    /// It is not the same each time, or has a mistake, which is reported each time.
    Never,
}

impl Shared {
    /// For scopes that differ in what the names `varying` stand for. The files must be the same ones.
    pub fn except(varying: &'static [&'static str]) -> Shared {
        Shared { varying, values: Mutex::default(), sequences: Mutex::default(), converted: Mutex::default() }
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
    pub(crate) fn elements(
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

    fn get(&self, place: Place) -> Option<Found> {
        self.values.lock().ok()?.get(&place).cloned()
    }

    fn set(&self, place: Place, found: Found) {
        if let Ok(mut values) = self.values.lock() {
            values.insert(place, found);
        }
    }
}

impl Evaluator<'_> {
    /// Where to share the value of an expression with other evaluations.
    #[inline]
    pub(crate) fn shared(&self, id: ExprId) -> Option<&Shared> {
        let (_, expr) = self.inside_parentheses(id);
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
            Some(Found::Value(value)) => return value,
            Some(Found::Never) => return self.eval_expr(id),
            None => {}
        }
        let is_same = self.shared(id).is_some_and(|shared| self.is_same(id, shared.varying));
        let mark = self.diagnostics.len();
        let value = self.eval_expr(id);
        let is_sound = self.diagnostics.len() == mark && !self.is_stopped() && self.doubt.is_empty();
        let found = if is_same && is_sound { Found::Value(value.clone()) } else { Found::Never };
        if let Some(shared) = self.shared(id) {
            shared.set(place, found);
        }
        value
    }

    /// Whether nothing in an expression is bound around it or one of these names, and all that it calls is pure.
    fn is_same(&self, id: ExprId, varying: &[&str]) -> bool {
        let is_bound =
            |root: &str| varying.contains(&root) || self.locals.iter().any(|(name, _)| *name == root);
        if references_of(self.tree, id).iter().any(|reference| is_bound(reference.root)) {
            return false;
        }
        let mut is_pure = true;
        self.tree.expressions(id, &mut |id| {
            if let Expr::Call(call) = self.tree.expr(id) {
                let name = function_name(self.tree.slice(self.tree.call(call).name));
                is_pure &= self.scope.is_some_and(|scope| scope.functions.is_pure(&name));
            }
        });
        is_pure
    }
}
