//! The ways to evaluate an expression: once, as a [`Program`] many times, as a constant, and on the console.

use terrane_function::Limits;
use terrane_source::Diagnostics;
use terrane_syntax::Expression;
use terrane_value::Value;

use crate::fast::CompiledExpression;
use crate::functions::table::FunctionTable;
use crate::names::scope::{Names, Scope};
use crate::rules::evaluator::{Evaluator, Stage};
use crate::state::frame::Environment;
use crate::state::requested_types::Answer;

/// Returns the value of `expression`. Errors are added to `diagnostics`, and values that depend on them are unknown.
pub fn evaluate(expression: &Expression, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Value {
    let mut evaluator = Evaluator::new(&expression.tree, scope);
    let value = evaluator.rule(expression.id, Stage::Begun);
    diagnostics.extend(evaluator.finish(expression.id, &value));
    value
}

/// Returns the value of an expression that may use neither names nor functions.
pub fn constant(expression: &Expression, diagnostics: &mut Diagnostics) -> Value {
    let limits = Limits::default();
    let mut evaluator = Evaluator::closed(&expression.tree, &limits);
    let value = evaluator.rule(expression.id, Stage::Begun);
    diagnostics.extend(evaluator.finish(expression.id, &value));
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
    diagnostics.extend(evaluator.finish(expression.id, &value));
    answer
}

/// An expression compiled for any number of evaluations, on any number of threads: its constants are computed, its
/// calls and the names that its loops bind are resolved.
///
/// For a single evaluation, [`evaluate()`] is faster.
#[derive(Debug)]
pub struct Program {
    expression: Expression,
    compiled: CompiledExpression,
    /// The number of the function table to which the code and the calls refer.
    functions: u64,
}

impl Program {
    /// Compiles an expression. It is fast with these functions; with others it is evaluated as if it were not compiled.
    /// Constant parts are computed now, within the default limits.
    pub fn new(expression: Expression, functions: &FunctionTable) -> Program {
        let compiled = CompiledExpression::new(&expression, functions);
        Program { expression, compiled, functions: functions.number() }
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
        let environment = Environment::Scope(scope);
        let at_once = self.compiled.value(&self.expression, environment, scope.env.limits);
        at_once.unwrap_or_else(|| self.evaluate_step_by_step(scope, diagnostics))
    }

    /// Does the same as [`Program::evaluate`], after [`Program::at_once`] has returned no value for the same names,
    /// functions and limits, so that the fast path is not tried again.
    pub fn evaluate_step_by_step(&self, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Value {
        if scope.functions.number() != self.functions {
            return evaluate(&self.expression, scope, diagnostics);
        }
        let mut evaluator = Evaluator::new(&self.expression.tree, scope).with_program(&self.compiled);
        let value = evaluator.eval(self.expression.id);
        diagnostics.extend(evaluator.finish(self.expression.id, &value));
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
        self.compiled.value(&self.expression, Environment::Pure(names, functions), limits)
    }
}
