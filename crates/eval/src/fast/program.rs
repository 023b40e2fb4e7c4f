//! Compiles an expression once for any number of evaluations.

use terrane_function::{Limits, Meter};
use terrane_syntax::Expression;
use terrane_value::Value;

use crate::fast::calls::pure_call_env;
use crate::fast::compiled::{Compiled, Node};
use crate::fast::compiler::Compiler;
use crate::fast::memory::Memory;
use crate::fast::path::FastPath;
use crate::fast::run::Run;
use crate::functions::table::{FunctionTable, ResolvedCalls};
use crate::state::budget::{Budget, Use, steps_of_text};
use crate::state::frame::{Environment, FrameView};

/// A compiled expression: its code and its resolved calls.
#[derive(Debug)]
pub(crate) struct CompiledExpression {
    code: Compiled,
    pub(crate) calls: ResolvedCalls,
}

impl CompiledExpression {
    /// Compiles an expression that may call these functions.
    pub(crate) fn new(expression: &Expression, functions: &FunctionTable) -> CompiledExpression {
        let (code, calls) = Compiler::program(&expression.tree, expression.id, functions);
        let calls = functions.resolve(&expression.tree, &calls);
        CompiledExpression { code, calls }
    }

    /// Returns the state of the fast path for the parts of the expression; `None` if the code is empty.
    pub(crate) fn path(&self) -> Option<Box<FastPath<'_>>> {
        FastPath::of_program(&self.code)
    }

    /// Returns the value of the compiled expression if the fast path computes it as a whole.
    #[inline]
    pub(crate) fn value(
        &self,
        expression: &Expression,
        environment: Environment<'_>,
        limits: &Limits,
    ) -> Option<Value> {
        let node = self.code.node_of(expression.id)?;
        let meter = environment.call_env().and_then(|env| env.meter);
        if limits.is_cancelled() || meter.is_some_and(Meter::is_stopped) {
            return None;
        }
        if let Node::Constant(value) = self.code.node(node)
            && meter.is_none()
            && limits.steps > 0
        {
            return Some(value.clone());
        }
        let (mut budget, memory) = (Budget::new(limits, meter), Memory::for_code(&self.code));
        let meter_of_calls = (!self.calls.is_empty()).then(Meter::default);
        let pure_env = meter_of_calls.as_ref().map(|meter| pure_call_env(limits, meter));
        let run = Run {
            tree: &expression.tree,
            nodes: self.code.nodes(),
            frame: FrameView::new(environment),
            limits,
            budget: &budget,
            memory: &memory,
            call_env: environment.call_env().or(pure_env.as_ref()),
            is_attempt: false,
        };
        // The value is moved only once.
        let value = run.value(node, None);
        let usage = memory.usage.get();
        let own = 1 + steps_of_text(expression.span());
        let usage = Use { steps: usage.steps.saturating_add(own), ..usage };
        let is_allowed = budget.take(usage) && budget.is_within_steps();
        budget.release_except(value.as_ref().filter(|_| is_allowed)?);
        budget.settle();
        value
    }
}
