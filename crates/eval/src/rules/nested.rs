//! Calls that evaluate other expressions, within the limits of the expression around the call.

use terrane_function::FunctionError;
use terrane_source::{Diagnostic, ids};
use terrane_syntax::ExprId;
use terrane_value::Value;

use crate::rules::evaluator::Evaluator;
use crate::state::invocation::{Invocation, Sensitive};
use crate::state::nested_run::NestedRun;

/// The levels of nesting that a nested evaluation counts for, in addition to the call and its expressions.
/// They stand for the stack that it takes: the default limit on nesting fits into the two megabytes of a
/// thread, even in a debug build.
const LEVELS_OF_NESTED: usize = 2;

impl Evaluator<'_> {
    /// Begins a call that evaluates other expressions. The evaluator with the call begins and ends it; other evaluators
    /// evaluate the expressions.
    pub(crate) fn begin_nested(&self) -> NestedRun {
        let usage = self.budget.usage();
        NestedRun {
            depth: self.budget.depth + LEVELS_OF_NESTED,
            usage,
            steps_before: usage.steps,
            limit: None,
            templates: self.frame.templates.clone(),
        }
    }

    /// Returns the value of an expression that a call evaluates, and its diagnostics. Called on the evaluator of that
    /// expression's tree, not on the evaluator with the call.
    pub(crate) fn eval_nested(&mut self, id: ExprId, run: &mut NestedRun) -> (Value, Vec<Diagnostic>) {
        self.budget.depth = run.depth;
        self.budget.start_from(run.usage);
        let value = self.eval(id);
        self.budget.release_except(&value);
        let limit = self.report.exceeded_limit().cloned();
        // The result that exceeds the limit may not be selected, and then its diagnostics are dropped.
        if let Some(limit) = &limit
            && !self.report.has_errors_since(0)
        {
            self.report.push(limit.clone());
        }
        run.limit = limit.filter(|limit| limit.id != ids::TOO_DEEP);
        run.usage = self.budget.usage();
        run.usage.stopped = run.limit.is_some();
        (value, self.report.take_diagnostics_since(0))
    }

    /// Ends a call that has evaluated other expressions. Returns its value.
    pub(crate) fn end_nested(
        &mut self,
        invocation: &Invocation<'_>,
        mut run: NestedRun,
        result: Result<Value, FunctionError>,
        sensitive: Sensitive,
    ) -> Value {
        // The work of the call itself is added to the steps of the expressions.
        let own = self.budget.usage().steps.saturating_sub(run.steps_before);
        run.usage.steps = run.usage.steps.saturating_add(own);
        self.budget.continue_from(run.usage);
        if run.limit.is_some() {
            self.report.set_limit(run.limit);
            return Value::error();
        }
        result.unwrap_or_else(|error| self.failed_call(invocation, &error, sensitive))
    }
}
