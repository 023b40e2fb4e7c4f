//! The context of a step or a check: the state that it reads, and the diagnostics that it reports.

use terrane_eval::evaluate;
use terrane_function::Meter;
use terrane_source::{Diagnostic, Diagnostics, Files};
use terrane_syntax::Expression;
use terrane_value::Value;

use crate::state::evaluation::Evaluation;
use crate::state::scope::ModuleScope;

/// The context of a step or a check.
pub(crate) struct Context<'c> {
    pub(crate) evaluation: &'c Evaluation,
    pub(crate) files: &'c dyn Files,
    /// The meter that the evaluation of expressions counts on: the one of the evaluation, or of a part of it.
    pub(crate) meter: &'c Meter,
    pub(crate) diagnostics: &'c mut Diagnostics,
}

impl<'c> Context<'c> {
    /// The context of a check, which reads the finished state.
    pub(crate) fn new(
        evaluation: &'c Evaluation,
        files: &'c dyn Files,
        diagnostics: &'c mut Diagnostics,
    ) -> Context<'c> {
        Context { evaluation, files, meter: &evaluation.meter, diagnostics }
    }

    /// The same context, with diagnostics of its own.
    pub(crate) fn reporting_to<'d>(&self, diagnostics: &'d mut Diagnostics) -> Context<'d>
    where
        Self: 'd,
    {
        Context { evaluation: self.evaluation, files: self.files, meter: self.meter, diagnostics }
    }

    /// Reports a diagnostic.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The value of an expression of the configuration. One with a wrong reference is not evaluated, because its other
    /// errors may follow from that.
    pub(crate) fn value(&mut self, expression: &Expression, names: &ModuleScope<'_>) -> Value {
        if self.evaluation.is_broken(expression, names) {
            return Value::error();
        }
        let env = self.evaluation.env(self.files, self.meter);
        evaluate(expression, &self.evaluation.expression_scope(names, &env), self.diagnostics)
    }
}
