//! The console: expressions and bodies evaluated against a finished evaluation.

use terrane_body::{Body, BodySpec, decode};
use terrane_eval::{Answer, Scope, evaluate_in_console};
use terrane_function::{CallEnv, Host, Meter};
use terrane_source::{Diagnostics, Files};
use terrane_syntax::Expression;
use terrane_value::Value;

use super::context::Context;
use super::evaluation::TemplateEvaluation;
use super::scope::ExpressionSite;

/// An evaluation, and the files and the host for functions on the console.
#[derive(Clone, Copy)]
pub struct Console<'c> {
    /// The evaluation whose values expressions use.
    pub evaluation: &'c TemplateEvaluation,
    /// The files that functions read.
    pub files: &'c dyn Files,
    /// Clock, random numbers and environment of functions.
    pub host: &'c Host,
    /// Whether local values with errors are not declared, as on the console of Packer, which does not report their errors. They are unknown
    /// otherwise.
    pub hides_errors: bool,
    /// The bytes of memory that share the limit with the values of an expression.
    pub memory_in_use: u64,
}

impl Console<'_> {
    /// Evaluates an expression.
    pub fn evaluate(self, expression: &Expression, diagnostics: &mut Diagnostics) -> Answer {
        self.with_scope(diagnostics, |scope, found| evaluate_in_console(expression, scope, found))
    }

    /// Returns the value of a body, decoded according to a specification.
    pub fn decode(self, body: &Body, spec: &BodySpec, diagnostics: &mut Diagnostics) -> Value {
        self.with_scope(diagnostics, |scope, found| decode(body, spec, scope, found))
    }

    fn with_scope<T>(
        self,
        diagnostics: &mut Diagnostics,
        evaluate: impl FnOnce(&Scope<'_>, &mut Diagnostics) -> T,
    ) -> T {
        let meter = Meter::beside(self.memory_in_use, &self.evaluation.request.limits);
        let context = Context { evaluation: self.evaluation, files: self.files };
        let env = CallEnv { world: self.host.world(), meter: Some(&meter), ..context.env() };
        let names = context.names(ExpressionSite::Console { hides_errors: self.hides_errors });
        let mut found = Diagnostics::new();
        let result = evaluate(&context.scope(&names, &env), &mut found);
        diagnostics.extend(self.evaluation.without_secrets(found));
        result
    }
}
