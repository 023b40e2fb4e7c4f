//! Checks the triggers of actions: the named instances of actions exist, and conditions are booleans known
//! before anything is created.

use terrane_config::address::InstanceKey;
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Files, Title, ids, titles};
use terrane_syntax::Expression;
use terrane_value::{Type, convert};

use crate::expansion::{self, RepetitionData};
use crate::model::module::ActionTrigger;
use crate::model::references::{ChosenInstances, InstanceReference};
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::instance::ModuleInstance;
use crate::state::scope::ModuleScope;

/// Checks the triggers with a creation event, for each instance of their resources.
pub(crate) fn check(context: &mut Context<'_>) {
    let (evaluation, files) = (context.evaluation, context.files);
    let diagnostics = &mut *context.diagnostics;
    for (instance, state) in evaluation.instances.enumerate() {
        // The repetition of the module is unknown: it may have no instance.
        if state.unexpanded.is_some() {
            continue;
        }
        let module = &evaluation.config.node(state.node).module;
        for (id, resource) in module.resources.enumerate() {
            let references = &module.references.resources[id].actions;
            let triggers = resource.lifecycle.action_triggers.iter().zip(references);
            for (trigger, actions) in triggers.filter(|(trigger, _)| trigger.creates) {
                for (key, _) in state.resources[id].expansion.iter() {
                    let data = RepetitionData::of_key(&key);
                    let names = evaluation.scope(instance);
                    let names = ModuleScope { repetition: Some(&data), ..names };
                    let mut checker = ActionTriggerChecker {
                        evaluation,
                        files,
                        names: &names,
                        diagnostics: &mut *diagnostics,
                    };
                    checker.actions(trigger, actions, state);
                    checker.condition(trigger);
                }
            }
        }
    }
}

struct ActionTriggerChecker<'r> {
    evaluation: &'r Evaluation,
    files: &'r dyn Files,
    names: &'r ModuleScope<'r>,
    diagnostics: &'r mut Diagnostics,
}

impl ActionTriggerChecker<'_> {
    fn error(&mut self, id: DiagnosticId, title: Title, detail: String, at: &Expression) {
        let diagnostic = Diagnostic::error(id, detail).titled(title);
        self.diagnostics.push(diagnostic.at(at.source(), at.span()));
    }

    /// Reports each action of a trigger that has no instance with the named key.
    fn actions(
        &mut self,
        trigger: &ActionTrigger,
        actions: &[Option<InstanceReference>],
        state: &ModuleInstance,
    ) {
        for (item, action) in trigger.actions.iter().zip(actions) {
            let Some(action) = action else { continue };
            let instances = &state.resources[action.resource];
            if instances.expansion.unknown().is_some() {
                continue;
            }
            let key = match &action.instances {
                ChosenInstances::All | ChosenInstances::Single => Some(InstanceKey::None),
                ChosenInstances::Key(key) => {
                    let value = self.evaluation.expression(key, self.names, self.files, self.diagnostics);
                    expansion::instance_key(&value)
                }
            };
            if key.is_some_and(|key| !instances.expansion.has(&key)) {
                let detail =
                    "The action has no instance with this key: its `count` or `for_each` gives other keys."
                        .to_owned();
                self.error(
                    ids::UNDECLARED_ACTION,
                    titles::REFERENCE_TO_NON_EXISTENT_ACTION_INSTANCE,
                    detail,
                    item,
                );
            }
        }
    }

    fn condition(&mut self, trigger: &ActionTrigger) {
        let Some(condition) = &trigger.condition else { return };
        let (evaluation, files) = (self.evaluation, self.files);
        let mut context = Context::new(evaluation, files, self.diagnostics);
        let value = context.value(condition, self.names);
        let (id, title, detail) = match convert(&value, &Type::Bool) {
            Err(error) => {
                let id = ids::INCORRECT_VALUE_TYPE;
                (id, Title::of(id), format!("The `condition` must be true or false: {error}."))
            }
            Ok(value) => {
                let causes = value.as_unknown().and_then(|unknown| expansion::late_causes(&unknown.origins));
                let Some(causes) = causes else { return };
                let detail = format!("The `condition` must be known before anything is created: {causes}.");
                (ids::INVALID_ACTION_TRIGGER, titles::CONDITION_MUST_BE_KNOWN, detail)
            }
        };
        self.error(id, title, detail, condition);
    }
}
