//! Evaluates expressions and bodies in a module instance of an evaluated configuration.
//!
//! References are checked against the declarations of the module first, like those of an expression in a file.

use terrane_body::{Body, BodySpec, references_by_spec};
use terrane_config::address::ResourceMode;
use terrane_eval::Answer;
use terrane_function::{Meter, World};
use terrane_module::module::ResourceKey;
use terrane_module::{ConsoleScope, Evaluation, InstanceId};
use terrane_source::{Diagnostics, Files};
use terrane_syntax::Expression;
use terrane_value::Value;

/// A module instance, and the outside world that its functions see.
pub(super) struct ModuleContext<'c> {
    pub(super) evaluation: &'c Evaluation,
    /// The module instance.
    pub(super) instance: InstanceId,
    pub(super) files: &'c dyn Files,
    pub(super) world: World<'c>,
}

impl ModuleContext<'_> {
    /// Returns the answer to an expression, as on the console.
    pub(super) fn answer(&self, expression: &Expression, diagnostics: &mut Diagnostics) -> Answer {
        let evaluation = self.evaluation;
        let module = &evaluation.config.node(evaluation.instances()[self.instance].node).module;
        let schemas = &evaluation.config.request.schemas;
        terrane_module::reference::check(expression, module, schemas, diagnostics);
        if diagnostics.has_errors() {
            return Answer::Value(Value::error());
        }
        let scope = evaluation.scope(self.instance);
        evaluation.console(
            expression,
            ConsoleScope { names: &scope, files: self.files, world: self.world },
            diagnostics,
        )
    }

    /// Returns the value of an expression, which counts on `meter`.
    pub(super) fn value(
        &self,
        expression: &Expression,
        meter: &Meter,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let evaluation = self.evaluation;
        let module = &evaluation.config.node(evaluation.instances()[self.instance].node).module;
        let schemas = &evaluation.config.request.schemas;
        terrane_module::reference::check(expression, module, schemas, diagnostics);
        if diagnostics.has_errors() {
            return Value::error();
        }
        let scope = evaluation.scope(self.instance);
        evaluation.query(
            expression,
            ConsoleScope { names: &scope, files: self.files, world: self.world },
            meter,
            diagnostics,
        )
    }

    /// Returns the value of a body.
    pub(super) fn decode(&self, body: &Body, spec: &BodySpec, diagnostics: &mut Diagnostics) -> Value {
        let evaluation = self.evaluation;
        let module = &evaluation.config.node(evaluation.instances()[self.instance].node).module;
        let schemas = &evaluation.config.request.schemas;
        references_by_spec(body, spec, &mut |reference| {
            terrane_module::reference::check_references(&[*reference], module, schemas, diagnostics);
        });
        if diagnostics.has_errors() {
            return Value::error();
        }
        let scope = evaluation.scope(self.instance);
        evaluation.decode(
            body,
            spec,
            ConsoleScope { names: &scope, files: self.files, world: self.world },
            diagnostics,
        )
    }
}

/// Returns the possible references in a module instance, sorted.
pub(super) fn names(evaluation: &Evaluation, instance: InstanceId) -> Vec<String> {
    let module = &evaluation.config.node(evaluation.instances()[instance].node).module;
    let built_in = ["path.cwd", "path.module", "path.root", "terraform.workspace"];
    let mut names: Vec<String> = built_in.into_iter().map(str::to_owned).collect();
    names.extend(module.variables.keys().map(|name| format!("var.{name}")));
    names.extend(module.locals.keys().map(|name| format!("local.{name}")));
    names.extend(module.calls.keys().map(|name| format!("module.{name}")));
    names.extend(module.resources.keys().filter_map(
        |ResourceKey { mode, resource_type, name }| match mode {
            ResourceMode::Managed => Some(format!("{resource_type}.{name}")),
            ResourceMode::Data => Some(format!("data.{resource_type}.{name}")),
            ResourceMode::Ephemeral => Some(format!("ephemeral.{resource_type}.{name}")),
            // No expression may read an action.
            ResourceMode::Action => None,
        },
    ));
    names.sort_unstable();
    names
}
