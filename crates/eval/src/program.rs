//! The ways to evaluate an expression: once, as a [`Program`] many times, as a constant, and on the console.

use terrane_function::{Limits, Meter};
use terrane_source::Diagnostics;
use terrane_syntax::Expression;
use terrane_value::Value;

use crate::fast::calls::pure_call_env;
use crate::fast::compiled::{Compiled, Node};
use crate::fast::compiler::Compiler;
use crate::fast::memory::Memory;
use crate::fast::run::Run;
use crate::functions::table::{FunctionTable, ResolvedCalls};
use crate::names::scope::{Names, Scope};
use crate::rules::evaluator::{Evaluator, Stage};
use crate::state::budget::{Budget, Use, steps_of_text};
use crate::state::frame::{Environment, FrameView};
use crate::state::requested_types::Answer;

/// Returns the value of `expression`. Errors are added to `diagnostics`, and values that depend on them are unknown.
pub fn evaluate(expression: &Expression, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Value {
    let mut evaluator = Evaluator::new(&expression.tree, scope);
    let value = evaluator.rule(expression.id, Stage::Begun);
    diagnostics.extend(evaluator.finish(&value));
    value
}

/// Returns the value of an expression that may use neither names nor functions.
pub fn constant(expression: &Expression, diagnostics: &mut Diagnostics) -> Value {
    let limits = Limits::default();
    let mut evaluator = Evaluator::closed(&expression.tree, &limits);
    let value = evaluator.rule(expression.id, Stage::Begun);
    diagnostics.extend(evaluator.finish(&value));
    value
}

/// Does the same as [`evaluate`], for the console, where an expression may be `type(value)`.
pub fn evaluate_in_console(
    expression: &Expression,
    scope: &Scope<'_>,
    diagnostics: &mut Diagnostics,
) -> Answer {
    let mut evaluator = Evaluator::new(&expression.tree, scope).for_console();
    let value = evaluator.rule(expression.id, Stage::Begun);
    let answer = evaluator.answer(&value);
    diagnostics.extend(evaluator.finish(&value));
    answer
}

/// An expression compiled for any number of evaluations, on any number of threads: its constants are computed, its
/// calls and the names that its loops bind are resolved.
///
/// For a single evaluation, [`evaluate()`] is faster.
#[derive(Debug)]
pub struct Program {
    expression: Expression,
    code: Compiled,
    calls: ResolvedCalls,
    /// The number of the function table to which the code and the calls refer.
    functions: u64,
}

impl Program {
    /// Compiles an expression. It is fast with these functions; with others it is evaluated as if it were not compiled.
    /// Constant parts are computed now, within the default limits.
    pub fn new(expression: Expression, functions: &FunctionTable) -> Program {
        let (code, calls) = Compiler::program(&expression.tree, expression.id, functions);
        let calls = functions.resolve(&expression.tree, &calls);
        Program { expression, code, calls, functions: functions.number() }
    }

    /// Returns the expression.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// Returns the same value as [`evaluate()`].
    pub fn evaluate(&self, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Value {
        if scope.functions.number() != self.functions {
            return evaluate(&self.expression, scope, diagnostics);
        }
        let at_once = self.run(Environment::Scope(scope), scope.env.limits);
        at_once.unwrap_or_else(|| self.evaluate_step_by_step(scope, diagnostics))
    }

    /// Does the same as [`Program::evaluate`], after [`Program::at_once`] has returned no value for the same names,
    /// functions and limits, so that the fast path is not tried again.
    pub fn evaluate_step_by_step(&self, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Value {
        if scope.functions.number() != self.functions {
            return evaluate(&self.expression, scope, diagnostics);
        }
        let mut evaluator =
            Evaluator::new(&self.expression.tree, scope).with_program(&self.code, &self.calls);
        let value = evaluator.eval(self.expression.id);
        diagnostics.extend(evaluator.finish(&value));
        value
    }

    /// Returns the value if all parts of the expression are plain, no function needs files, clock or environment
    /// variables, and no limit is exceeded. Otherwise returns `None`, and [`Program::evaluate`] returns the value. It
    /// is the fastest way for small expressions that are evaluated very often.
    #[inline]
    pub fn at_once(&self, names: &dyn Names, functions: &FunctionTable, limits: &Limits) -> Option<Value> {
        if functions.number() != self.functions {
            return None;
        }
        self.run(Environment::Pure(names, functions), limits)
    }

    /// Returns the value if the fast path computes it as a whole.
    fn run(&self, environment: Environment<'_>, limits: &Limits) -> Option<Value> {
        let node = self.code.node_of(self.expression.id)?;
        let meter = environment.call_env().and_then(|env| env.meter);
        if limits.is_cancelled() || meter.is_some_and(Meter::is_stopped) {
            return None;
        }
        if let Node::Constant(value) = self.code.node(node)?
            && meter.is_none()
            && limits.steps > 0
        {
            return Some(value.clone());
        }
        let (mut budget, memory) = (Budget::new(limits, meter), Memory::for_code(&self.code));
        let meter_of_calls = Meter::default();
        let pure_env = (!self.calls.is_empty()).then(|| pure_call_env(limits, &meter_of_calls));
        let run = Run {
            tree: &self.expression.tree,
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
        let own = 1 + steps_of_text(self.expression.span());
        let usage = Use { steps: usage.steps.saturating_add(own), ..usage };
        let is_allowed = budget.take(usage) && budget.is_within_steps();
        budget.release_except(value.as_ref().filter(|_| is_allowed)?);
        budget.settle();
        value
    }
}
