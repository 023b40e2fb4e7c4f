//! The entry of the fast path: the only place at which the rules use it.
//!
//! [`Evaluator::in_loop`] compiles the body of a loop. Inside this loop, and inside a compiled
//! [`Program`](crate::Program), [`Evaluator::eval_in_code`] asks the code for the value of each operand. Elsewhere the evaluator
//! asks nothing, and no rule knows whether there is code.

use terrane_syntax::ExprId;
use terrane_value::Value;

use crate::fast::{CompiledExpression, Compiler, FastPath, Form, Node, NodeId, Run, Slot};
use crate::plain::for_parts::ForParts;
use crate::rules::evaluator::{Evaluator, Stage};
use crate::state::budget::steps_of_text;

/// The part of a loop that is compiled.
#[derive(Clone, Copy)]
pub(crate) enum LoopBody<'p> {
    /// The parts of a `for` behind its collection.
    For(&'p ForParts),
    /// The steps after a splat.
    Splat(ExprId),
}

/// A loop with fewer iterations is not worth compiling.
const FEWEST_ITERATIONS: usize = 4;

impl<'e> Evaluator<'e> {
    /// This evaluator with the compiled code and the resolved calls of the expression.
    pub(crate) fn with_program(mut self, program: &'e CompiledExpression) -> Evaluator<'e> {
        self.fast = program.path();
        self.calls.resolved = Some(&program.calls);
        self
    }

    /// Runs the iterations of a loop. Compiles the body if no loop is around it and there are enough iterations.
    #[inline]
    pub(crate) fn in_loop(&mut self, body: LoopBody<'_>, iterations: usize, run: impl FnOnce(&mut Self)) {
        let is_compiled = self.fast.is_none() && iterations >= FEWEST_ITERATIONS;
        if is_compiled {
            let (functions, bound) = (self.frame.environment.functions(), self.frame.bindings.len());
            self.fast = FastPath::of_loop(match body {
                LoopBody::For(parts) => Compiler::for_loop(self.tree, functions, parts, bound),
                LoopBody::Splat(each) => Compiler::splat_loop(self.tree, functions, each, bound),
            });
        }
        run(self);
        if is_compiled {
            self.fast = None;
        }
    }

    /// Returns the value of an expression inside compiled code: computed by the code, or kept from an earlier iteration.
    /// `by_rule` evaluates an expression that the code leaves to the rules.
    #[inline]
    pub(super) fn eval_in_code(&mut self, id: ExprId, by_rule: impl FnOnce(&mut Self) -> Value) -> Value {
        let Some(fast) = &self.fast else { return by_rule(self) };
        match fast.form(id) {
            Form::Fast(node) => {
                if let Some(value) = self.at_hand(fast.code().node(node)) {
                    return value.clone();
                }
                match self.run(id, node) {
                    Some(value) => value,
                    None => self.rule(id, Stage::Begun),
                }
            }
            Form::Invariant(slot) => match fast.memory.invariants.get(slot) {
                Some(value) => value.clone(),
                None => self.first_invariant(id, slot),
            },
            Form::Rules => by_rule(self),
        }
    }

    /// Returns the value of a name that a loop of the rules binds, or of a constant: values that need no run.
    #[inline]
    fn at_hand<'v>(&'v self, node: &'v Node) -> Option<&'v Value> {
        if let Node::Binding(index) = node {
            self.frame.view().binding(*index)
        } else if let Node::Constant(value) = node {
            Some(value)
        } else {
            None
        }
    }

    /// Returns the value from the fast path. Counts the steps of its text, its calls and the iterations of its loops.
    #[inline]
    fn run(&mut self, id: ExprId, node_id: NodeId) -> Option<Value> {
        let fast = self.fast.as_deref()?;
        let run = Run {
            tree: self.tree,
            nodes: fast.code().nodes(),
            frame: self.frame.view(),
            limits: self.budget.limits,
            budget: &self.budget,
            memory: &fast.memory,
            call_env: self.frame.environment.call_env(),
            is_attempt: self.attempt.is_active(),
        };
        let node = run.node(node_id);
        // An existing value is shared and takes no memory.
        if let Some(value) = run.existing(node, None) {
            let value = value.clone();
            // The condition of a choice may have calls.
            let usage = fast.memory.usage.take();
            return Some(if self.budget.take(usage) { value } else { self.out_of_memory(id) });
        }
        let value = run.computed(node_id, node, None);
        let usage = fast.memory.usage.take();
        self.budget.work(steps_of_text(self.tree.span(id)));
        // The value is moved only once.
        if self.budget.take(usage) { value } else { Some(self.out_of_memory(id)) }
    }

    /// Returns the value of a loop-invariant expression that no iteration has kept. Keeps the value if it can be used again;
    /// otherwise each iteration evaluates the expression.
    #[cold]
    fn first_invariant(&mut self, id: ExprId, slot: Slot) -> Value {
        if self.fast.as_ref().is_some_and(|fast| fast.memory.invariants.is_refused(slot)) {
            return self.rule(id, Stage::Begun);
        }
        if self.budget.is_stopped() || !self.step(id) {
            return Value::error();
        }
        let first = self.eval_once_per_loop(id);
        if let Some(fast) = &self.fast {
            fast.memory.invariants.set(slot, first.is_reusable.then_some(&first.value));
        }
        first.value
    }
}
