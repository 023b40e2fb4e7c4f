//! The context of a step or a check: the state that it reads, and the diagnostics that it reports.

use terrane_eval::{Scope, evaluate};
use terrane_function::{CallEnv, Meter};
use terrane_source::{Diagnostic, Diagnostics, Files};
use terrane_syntax::Expression;
use terrane_value::Value;

use crate::state::evaluation::Evaluation;
use crate::state::scope::ModuleScope;

/// The state, the files and the meter for the evaluation of an expression.
#[derive(Clone, Copy)]
pub(crate) struct Environment<'e> {
    pub(crate) evaluation: &'e Evaluation,
    pub(crate) files: &'e dyn Files,
    /// The meter for the evaluation of expressions: the meter of the evaluation, or the meter of a share of it.
    pub(crate) meter: &'e Meter,
}

impl<'e> Environment<'e> {
    /// Returns the environment of a check, which reads the finished state.
    pub(crate) fn of(evaluation: &'e Evaluation, files: &'e dyn Files) -> Environment<'e> {
        Environment { evaluation, files, meter: &evaluation.meter }
    }

    /// Returns the same as [`Context::value`].
    pub(crate) fn value(
        self,
        expression: &Expression,
        names: &ModuleScope<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        self.reporting_to(diagnostics).value(expression, names)
    }

    /// Returns a context that reports to `diagnostics`.
    pub(crate) fn reporting_to<'d>(self, diagnostics: &'d mut Diagnostics) -> Context<'d>
    where
        'e: 'd,
    {
        let Environment { evaluation, files, meter } = self;
        Context { evaluation, files, meter, diagnostics }
    }
}

/// The context of a step or a check.
pub(crate) struct Context<'c> {
    pub(crate) evaluation: &'c Evaluation,
    pub(crate) files: &'c dyn Files,
    pub(crate) meter: &'c Meter,
    pub(crate) diagnostics: &'c mut Diagnostics,
}

impl<'c> Context<'c> {
    /// Returns the context of a check, which reads the finished state.
    pub(crate) fn new(
        evaluation: &'c Evaluation,
        files: &'c dyn Files,
        diagnostics: &'c mut Diagnostics,
    ) -> Context<'c> {
        Environment::of(evaluation, files).reporting_to(diagnostics)
    }

    /// Returns the context without its diagnostics.
    pub(crate) fn environment(&self) -> Environment<'c> {
        Environment { evaluation: self.evaluation, files: self.files, meter: self.meter }
    }

    /// Returns this context with other diagnostics.
    pub(crate) fn reporting_to<'d>(&self, diagnostics: &'d mut Diagnostics) -> Context<'d>
    where
        Self: 'd,
    {
        self.environment().reporting_to(diagnostics)
    }

    /// Reports a diagnostic.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Returns the value of an expression of the configuration. An expression with a wrong reference is not evaluated,
    /// because its other errors may follow from that.
    pub(crate) fn value(&mut self, expression: &Expression, names: &ModuleScope<'_>) -> Value {
        if self.evaluation.is_broken(expression, names) {
            return names.broken(expression);
        }
        let env = self.evaluation.env(self.files, self.meter);
        evaluate(expression, &self.evaluation.expression_scope(names, &env), self.diagnostics)
    }
}

impl Evaluation {
    /// Whether a reference in an expression is wrong, which has been reported.
    pub(crate) fn is_broken(&self, expression: &Expression, names: &ModuleScope<'_>) -> bool {
        let node = self.instances[names.instance].node;
        self.config.node(node).module.references.is_broken(expression)
    }

    /// The scope of an expression in the names of `names`.
    pub(crate) fn expression_scope<'s>(
        &'s self,
        names: &'s ModuleScope<'s>,
        env: &'s CallEnv<'s>,
    ) -> Scope<'s> {
        Scope { names, functions: self.functions(), env }
    }
}
