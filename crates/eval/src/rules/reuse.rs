//! Values that are evaluated once and used again: in the next iterations of a loop, and in the other instances of a block.

use terrane_syntax::{Expr, ExprId};
use terrane_value::Value;

use crate::functions::name::function_name;
use crate::names::instance_cache::{Cached, ExprKey, InstanceCache, Variance};
use crate::names::references::references_of;
use crate::names::scope::Scope;
use crate::rules::evaluator::{Evaluator, Stage};

/// An evaluation is costly if it takes this many steps for each byte of its text. Without loops, one
/// rarely takes half as many.
const COSTLY: u64 = 32;

/// The first value of a loop-invariant expression.
pub(super) struct OncePerLoop {
    pub(super) value: Value,
    /// Whether the next iterations can use the value: its evaluation reported nothing that they would have to repeat.
    pub(super) is_reusable: bool,
}

impl<'e> Evaluator<'e> {
    /// Returns the place that keeps the value of an expression, if it has one.
    #[inline]
    pub(super) fn reuse(&self, id: ExprId) -> Option<&'e InstanceCache> {
        let (_, expr) = self.tree.inside_parentheses(id);
        // A conditional converts its result as a whole.
        let is_large =
            matches!(expr, Expr::Splat { .. } | Expr::For(_) | Expr::Call(_) | Expr::Conditional { .. });
        if !is_large || !self.frame.items.is_empty() {
            return None;
        }
        self.frame.scope()?.names.instance_cache()
    }

    /// Returns the value of a loop-invariant expression, and whether the next iterations can use it.
    #[cold]
    pub(super) fn eval_once_per_loop(&mut self, id: ExprId) -> OncePerLoop {
        let mark = self.report.mark();
        let value = self.rule(id, Stage::Counted);
        self.budget.keep_in_loop(&value);
        OncePerLoop { is_reusable: self.is_reusable(mark), value }
    }

    /// Returns the kept value of an expression. The first time, evaluates it by its rule.
    pub(super) fn eval_once_per_block(&mut self, id: ExprId, cache: &InstanceCache) -> Value {
        let key = ExprKey { file: self.tree.source().version(), span: self.tree.span(id), id };
        match cache.get(key) {
            Some(Cached::Value(value)) => return value,
            Some(Cached::Never) => return self.rule(id, Stage::Counted),
            None => {}
        }
        let bound = self.frame.bindings.len();
        let is_invariant =
            |this: &Self| cache.is_invariant(key, bound, || this.variance(key, cache.varying()));
        // The variance of an outermost expression also has the variance of its parts, so it is computed before them. If
        // only costly evaluations are kept, it is computed only for those.
        let before = (!cache.is_for_costly()).then(|| is_invariant(self));
        let (mark, steps) = (self.report.mark(), self.budget.steps());
        let value = self.rule(id, Stage::Counted);
        let taken = self.budget.steps().saturating_sub(steps);
        if cache.is_for_costly() && taken < u64::from(key.span.len()) * COSTLY {
            return value;
        }
        let is_invariant = before.unwrap_or_else(|| is_invariant(self));
        let is_kept = is_invariant && self.is_reusable(mark);
        if is_kept {
            self.budget.keep_in_block(&value);
        }
        cache.set(key, if is_kept { Cached::Value(value.clone()) } else { Cached::Never });
        value
    }

    /// Whether a value can be used again: since `mark` nothing was reported, and no instance that it reads may be missing, which another
    /// evaluation would have to find out again.
    fn is_reusable(&self, mark: usize) -> bool {
        self.report.is_clean_since(mark)
            && !self.budget.is_stopped()
            && self.attempt.unknown_instances.is_empty()
    }

    /// Returns the parts of an expression that read a bound name or one of `names`, or call a
    /// function that is not repeatable.
    fn variance(&self, key: ExprKey, names: &[&str]) -> Variance {
        let bindings = &self.frame.bindings;
        let is_varying = |root: &str| names.contains(&root) || bindings.iter().any(|(name, _)| *name == root);
        let references = references_of(self.tree, key.id);
        let references = references.iter().filter(|reference| is_varying(reference.root));
        let mut varying: Vec<u32> = references.map(|reference| reference.span.start).collect();
        self.tree.expressions(key.id, &mut |id| {
            if let Expr::Call(call) = self.tree.expr(id) {
                let name = function_name(self.tree.slice(self.tree.call(call).name));
                let is_repeatable =
                    |scope: &Scope<'_>| scope.functions.is_repeatable(&name, &scope.env.world);
                if !self.frame.scope().is_some_and(is_repeatable) {
                    varying.push(self.tree.span(id).start);
                }
            }
        });
        varying.sort_unstable();
        Variance { file: key.file, span: key.span, bound: bindings.len(), varying }
    }
}
