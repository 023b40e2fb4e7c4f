//! Evaluates expressions and bodies against the values computed so far.

use terrane_body::BodyReader;
use terrane_config::limits;
use terrane_eval::{FunctionTable, Names, Scope, Variables, evaluate};
use terrane_function::{CallEnv, RAISE_STEPS};
use terrane_source::{Diagnostic, Diagnostics, Files, ids};
use terrane_syntax::Expression;
use terrane_value::Value;

use super::evaluation::TemplateEvaluation;
use super::scope::{ExpressionSite, TemplateScope};
use crate::components::converter::Converter;
use crate::model::request::TemplateRequest;
use crate::model::template::Template;

/// An evaluation and the files that its functions read.
#[derive(Clone, Copy)]
pub(crate) struct Context<'c> {
    pub(crate) evaluation: &'c TemplateEvaluation,
    pub(crate) files: &'c dyn Files,
}

impl<'c> Context<'c> {
    pub(crate) fn template(self) -> &'c Template {
        &self.evaluation.template
    }

    pub(crate) fn request(self) -> &'c TemplateRequest {
        &self.evaluation.request
    }

    /// Returns the files for checks that a component's files exist; `None` if the request does
    /// not ask for these checks.
    pub(crate) fn files_to_check(self) -> Option<&'c dyn Files> {
        self.request().complete.then_some(self.files)
    }

    /// Counts steps of the evaluation. Returns false after it exceeded a limit, which is reported once.
    pub(crate) fn takes(self, steps: usize, diagnostics: &mut Diagnostics) -> bool {
        let (meter, most) = (&self.evaluation.meter, self.request().limits.steps);
        meter.count(steps as u64);
        if meter.steps() > most && !meter.is_stopped() {
            let detail = format!("The builds take more than {most} steps. The rest of them is left out.");
            diagnostics.push(Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(RAISE_STEPS));
            meter.stop();
        }
        !meter.is_stopped()
    }

    /// Returns the converter of the values of arguments.
    pub(crate) fn converter(self) -> Converter<'c> {
        Converter { limits: &self.request().limits, meter: &self.evaluation.meter }
    }

    /// Whether the evaluation exceeded a limit that ends it.
    pub(crate) fn is_over(self, diagnostics: &mut Diagnostics) -> bool {
        limits::is_over(&self.request().limits, &self.evaluation.meter, diagnostics)
    }

    pub(crate) fn env(self) -> CallEnv<'c> {
        let base = CallEnv::new(self.files, &self.template().directory, &self.request().limits);
        CallEnv { world: self.request().host.world(), meter: Some(&self.evaluation.meter), ..base }
    }

    pub(crate) fn scope<'s>(self, names: &'s dyn Names, env: &'s CallEnv<'s>) -> Scope<'s>
    where
        'c: 's,
    {
        Scope { names, functions: &self.evaluation.functions, env }
    }

    /// Returns the value of an expression that can use only `names`.
    pub(crate) fn evaluate(
        self,
        expression: &Expression,
        names: &dyn Names,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let env = self.env();
        evaluate(expression, &self.scope(names, &env), diagnostics)
    }

    /// Returns the names that an expression at a site can use.
    pub(crate) fn names(self, site: ExpressionSite<'c>) -> TemplateScope<'c> {
        TemplateScope { evaluation: self.evaluation, site }
    }

    /// Calls `read` with a reader of bodies at a site.
    pub(crate) fn read_at<T>(
        self,
        site: ExpressionSite<'_>,
        diagnostics: &mut Diagnostics,
        read: impl FnOnce(&mut BodyReader<'_>) -> T,
    ) -> T {
        let env = self.env();
        let names = TemplateScope { evaluation: self.evaluation, site };
        let scope = self.scope(&names, &env);
        read(&mut BodyReader::new(&scope, diagnostics))
    }

    /// Calls `read` with a reader of bodies that has no functions, and only the names of `dynamic` blocks.
    pub(crate) fn read_constant<T>(
        self,
        diagnostics: &mut Diagnostics,
        read: impl FnOnce(&mut BodyReader<'_>) -> T,
    ) -> T {
        let (names, env) = (Variables::new(), self.env());
        let functions = FunctionTable::only(self.request().dialect(), Vec::new());
        let scope = Scope { functions: &functions, ..self.scope(&names, &env) };
        read(&mut BodyReader::new(&scope, diagnostics))
    }
}
