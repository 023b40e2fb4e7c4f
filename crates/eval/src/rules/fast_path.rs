//! The entry of the fast path: the only place at which the rules use it.
//!
//! The value of an operand enters by one method, [`Evaluator::fast_value`], and a loop by another, [`Evaluator::enter_loop`].
//! The other methods exist because their callers would otherwise copy a value or walk the tree in every iteration: a
//! condition of a `for` needs only its truth ([`Evaluator::fast_truth`]), a key only its text
//! ([`Evaluator::existing_value`], [`Evaluator::compiled_constant`]), a chain of operators asks where it ends
//! ([`Evaluator::is_by_rules`]), and values that are used again ask for their slot. They cannot move into `fast/`, whose
//! code knows no evaluator. Without compiled code each of them is a look-up in an empty table.

use terrane_syntax::ExprId;
use terrane_value::Value;

use crate::fast::compiled::{Compiled, Form, Node, NodeId};
use crate::fast::compiler::Compiler;
use crate::fast::run::Run;
use crate::functions::table::ResolvedCalls;
use crate::plain::for_parts::ForParts;
use crate::rules::evaluator::Evaluator;
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
    pub(crate) fn with_program(mut self, code: &'e Compiled, calls: &'e ResolvedCalls) -> Evaluator<'e> {
        self.fast.use_program(code);
        self.calls.resolved = Some(calls);
        self
    }

    /// The value of an expression where the fast path gives one. Its steps are those of its text, its calls and
    /// the iterations of its loops.
    #[inline]
    pub(crate) fn fast_value(&mut self, id: ExprId) -> Option<Value> {
        match self.fast.form(id) {
            Form::Fast(node) => self.run(id, node),
            Form::Invariant(slot) => self.fast.memory.invariants.get(slot).cloned(),
            Form::Rules => None,
        }
    }

    #[inline]
    fn run(&mut self, id: ExprId, node_id: NodeId) -> Option<Value> {
        let run = self.fast_run();
        let node = run.node(node_id)?;
        // An existing value is shared and takes no memory.
        if let Some(value) = run.existing(node, None) {
            let value = value.clone();
            // The condition of a choice may have calls.
            return if self.count_fast_use() { Some(value) } else { Some(self.out_of_memory(id)) };
        }
        let value = run.computed(node_id, node, None);
        self.budget.work(steps_of_text(self.tree.span(id)));
        // The value is moved once.
        if self.count_fast_use() { value } else { Some(self.out_of_memory(id)) }
    }

    #[inline]
    fn fast_run(&self) -> Run<'_> {
        Run {
            tree: self.tree,
            nodes: self.fast.code().nodes(),
            frame: self.frame.view(),
            limits: self.budget.limits,
            budget: &self.budget,
            memory: &self.fast.memory,
            call_env: self.frame.environment.call_env(),
            is_attempt: self.attempt.is_active(),
        }
    }

    /// Counts the use of the fast path. Returns false where there is more memory than the limit.
    #[inline]
    fn count_fast_use(&mut self) -> bool {
        self.budget.take(self.fast.memory.usage.take())
    }

    /// The truth value of a condition, where it is a plain bool on the fast path.
    #[inline]
    pub(crate) fn fast_truth(&mut self, id: ExprId) -> Option<bool> {
        let node = self.fast.code().node_of(id)?;
        let truth = self.fast_run().truth(node, None);
        if self.count_fast_use() { truth } else { None }
    }

    /// The value of an expression, where the fast path need not compute it.
    #[inline]
    pub(crate) fn existing_value(&self, id: ExprId) -> Option<&Value> {
        match self.fast.form(id) {
            Form::Fast(node) => self.fast_run().existing(self.fast.code().node(node)?, None),
            Form::Invariant(slot) => self.fast.memory.invariants.get(slot),
            Form::Rules => None,
        }
    }

    /// The value of an expression that was compiled to a constant.
    #[inline]
    pub(crate) fn compiled_constant(&self, id: ExprId) -> Option<&Value> {
        if let Node::Constant(value) = self.fast.node(id)? { Some(value) } else { None }
    }

    /// Whether an expression is evaluated by the rules each time.
    #[inline]
    pub(crate) fn is_by_rules(&self, id: ExprId) -> bool {
        matches!(self.fast.form(id), Form::Rules)
    }

    /// Whether there is compiled code at this point.
    pub(crate) fn is_compiled(&self) -> bool {
        !self.fast.code().is_empty()
    }

    /// Compiles the body of a loop, if it is an outermost one with enough iterations. Returns whether it did: then
    /// [`Evaluator::leave_loop`] follows the last iteration.
    pub(crate) fn enter_loop(&mut self, body: LoopBody<'_>, iterations: usize) -> bool {
        let is_worth = !self.is_compiled() && iterations >= FEWEST_ITERATIONS;
        if is_worth {
            let (functions, bound) = (self.frame.environment.functions(), self.frame.bindings.len());
            self.fast.enter_loop(match body {
                LoopBody::For(parts) => Compiler::for_loop(self.tree, functions, parts, bound),
                LoopBody::Splat(each) => Compiler::splat_loop(self.tree, functions, each, bound),
            });
        }
        is_worth
    }

    /// Drops the code of the outermost loop.
    pub(crate) fn leave_loop(&mut self) {
        self.fast.leave_loop();
    }

    /// The slot of a loop-invariant expression that has no value yet and may get one.
    pub(crate) fn invariant_slot(&self, id: ExprId) -> Option<usize> {
        match self.fast.form(id) {
            Form::Invariant(slot) if !self.fast.memory.invariants.is_refused(slot) => Some(slot),
            Form::Invariant(_) | Form::Fast(_) | Form::Rules => None,
        }
    }

    /// Keeps the value of a loop-invariant expression for the next iterations. Without a value it is evaluated in each.
    pub(crate) fn set_invariant(&mut self, slot: usize, value: Option<&Value>) {
        self.fast.memory.invariants.set(slot, value);
    }
}
