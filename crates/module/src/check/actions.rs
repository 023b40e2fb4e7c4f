//! Checks the actions that resources trigger: their instances and their conditions.

use std::sync::Arc;

use terrane_config::address::{InstanceKey, ResourceMode};
use terrane_eval::references;
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Files, ids};
use terrane_syntax::Expression;
use terrane_syntax::tree::Step;
use terrane_value::{SmolStr, Type, convert};

use crate::check::paths::last_key;
use crate::expansion::{self, RepetitionData};
use crate::model::ids::ResourceId;
use crate::model::module::{ActionTrigger, Module, ResourceKey};
use crate::resolve::root::Root;
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::instance::ModuleInstance;
use crate::state::scope::ModuleScope;

/// Checks the triggers that run when everything is created.
pub(crate) fn check(context: &mut Context<'_>) {
    let (evaluation, files) = (context.evaluation, context.files);
    let diagnostics = &mut *context.diagnostics;
    for (instance, state) in evaluation.instances.enumerate() {
        // Perhaps there is no such instance.
        if state.unexpanded.is_some() {
            continue;
        }
        let module = &evaluation.config.node(state.node).module;
        for (resource, instances) in module.resources.values().zip(&state.resources) {
            let triggers = resource.lifecycle.action_triggers.iter().filter(|trigger| trigger.creates);
            for trigger in triggers {
                for (key, _) in instances.expansion.iter() {
                    let data = RepetitionData::of_key(&key);
                    let names = evaluation.scope(instance);
                    let names = ModuleScope { repetition: Some(&data), ..names };
                    let mut checker =
                        TriggerChecker { evaluation, files, names: &names, diagnostics: &mut *diagnostics };
                    checker.actions(trigger, module, state);
                    checker.condition(trigger);
                }
            }
        }
    }
}

struct TriggerChecker<'r> {
    evaluation: &'r Evaluation,
    files: &'r dyn Files,
    names: &'r ModuleScope<'r>,
    diagnostics: &'r mut Diagnostics,
}

impl TriggerChecker<'_> {
    fn error(&mut self, id: DiagnosticId, title: &'static str, detail: String, at: &Expression) {
        let diagnostic = Diagnostic::error(id, detail).titled(title);
        self.diagnostics.push(diagnostic.at(at.source(), at.span()));
    }

    /// Each action must have the instance that is named.
    fn actions(&mut self, trigger: &ActionTrigger, module: &Module, state: &ModuleInstance) {
        for item in &trigger.actions {
            let Some((action, key)) = action(item, module) else { continue };
            let instances = &state.resources[action];
            if instances.expansion.unknown().is_some() {
                continue;
            }
            let key = match key {
                None => Some(InstanceKey::None),
                Some(key) => {
                    let value = self.evaluation.expression(&key, self.names, self.files, self.diagnostics);
                    expansion::instance_key(&value)
                }
            };
            if key.is_some_and(|key| !instances.expansion.has(&key)) {
                let detail =
                    "The action has no instance with this key: its `count` or `for_each` gives other keys."
                        .to_owned();
                self.error(ids::UNDECLARED_ACTION, "Reference to non-existent action instance", detail, item);
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
                (id, id.title(), format!("The `condition` must be true or false: {error}."))
            }
            Ok(value) => {
                let causes = value.as_unknown().and_then(|unknown| expansion::late_causes(&unknown.origins));
                let Some(causes) = causes else { return };
                let detail = format!("The `condition` must be known before anything is created: {causes}.");
                (ids::INVALID_ACTION_TRIGGER, "Condition must be known", detail)
            }
        };
        self.error(id, title, detail, condition);
    }
}

/// The action that an item names, and the key behind its name.
fn action(item: &Expression, module: &Module) -> Option<(ResourceId, Option<Expression>)> {
    let references = references(item);
    let reference = references
        .iter()
        .find(|reference| Root::of(reference.root) == Root::Resource(ResourceMode::Action))?;
    let [Step::Attr { name: action_type, .. }, Step::Attr { name, .. }, behind @ ..] = reference.steps else {
        return None;
    };
    let name_of = |span| SmolStr::from(reference.tree.slice(span));
    let key = match behind.first() {
        Some(Step::Index { key, .. }) => Some(Expression { tree: Arc::clone(&item.tree), id: *key }),
        Some(Step::Attr { .. } | Step::LegacyIndex { .. }) => None,
        // The name may be in parentheses.
        None => last_key(item),
    };
    let (resource_type, name) = (name_of(*action_type), name_of(*name));
    let id = module.resources.id_of(&ResourceKey { mode: ResourceMode::Action, resource_type, name })?;
    Some((id, key))
}
