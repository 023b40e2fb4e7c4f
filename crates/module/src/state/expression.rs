//! Evaluates expressions and bodies in the scope of a module instance.

use terrane_body::{Body, BodySpec, decode};
use terrane_eval::{Answer, evaluate, evaluate_in_console};
use terrane_function::{CallEnv, Meter, World};
use terrane_source::{Diagnostics, Files};
use terrane_syntax::Expression;
use terrane_value::Value;

use crate::model::ids::InstanceId;
use crate::state::context::Environment;
use crate::state::evaluation::Evaluation;
use crate::state::scope::ModuleScope;

/// The names, files and world of an expression on the console.
#[derive(Clone, Copy)]
pub struct ConsoleScope<'s> {
    /// The names of a module instance.
    pub names: &'s ModuleScope<'s>,
    /// The files that functions read.
    pub files: &'s dyn Files,
    /// The clock and the random numbers of functions.
    pub world: World<'s>,
}

impl Evaluation {
    /// Returns the names of a module instance as an expression sees them.
    pub fn scope(&self, instance: InstanceId) -> ModuleScope<'_> {
        ModuleScope {
            evaluation: self,
            instance,
            repetition: None,
            this: None,
            own: None,
            trace: None,
            instance_cache: self.instances[instance].parts.as_ref(),
        }
    }

    /// Evaluates an expression of the configuration in the names of a scope. It counts in the run of the evaluation.
    pub(crate) fn expression(
        &self,
        expression: &Expression,
        names: &ModuleScope<'_>,
        files: &dyn Files,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        Environment::of(self, files).value(expression, names, diagnostics)
    }

    /// Evaluates an expression of a query on the finished evaluation, which counts on `meter`.
    pub fn query(
        &self,
        expression: &Expression,
        session: ConsoleScope<'_>,
        meter: &Meter,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let env = self.env(session.files, meter);
        let env = CallEnv { world: session.world.or(env.world), ..env };
        evaluate(expression, &self.expression_scope(session.names, &env), diagnostics)
    }

    /// Returns a meter with the use of the evaluation, for queries that count together with it.
    pub fn continued_meter(&self) -> Meter {
        let meter = Meter::default();
        meter.count_to(self.meter.steps());
        meter.hold(self.meter.memory());
        if self.meter.is_stopped() {
            meter.stop();
        }
        meter
    }

    /// Does the same as [`Evaluation::query`] in a run of its own, for the console: an expression may be `type(value)`, and
    /// results of functions may differ from run to run.
    pub fn console(
        &self,
        expression: &Expression,
        session: ConsoleScope<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Answer {
        let meter = Meter::default();
        let env = self.env(session.files, &meter);
        let env = CallEnv { world: session.world.or(env.world), ..env };
        evaluate_in_console(expression, &self.expression_scope(session.names, &env), diagnostics)
    }

    /// Returns the value of a body in the scope `names`, decoded according to `spec`. Results of functions
    /// may differ from run to run.
    pub fn decode(
        &self,
        body: &Body,
        spec: &BodySpec,
        session: ConsoleScope<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let meter = Meter::default();
        let env = self.env(session.files, &meter);
        let env = CallEnv { world: session.world.or(env.world), ..env };
        decode(body, spec, &self.expression_scope(session.names, &env), diagnostics)
    }
}
