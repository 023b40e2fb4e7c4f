//! Checks that items of `replace_triggered_by` name objects that are in the plan.

use std::collections::HashSet;

use terrane_config::address::{Address, InstanceKey};
use terrane_source::{Diagnostic, Diagnostics, Files, ids, titles};
use terrane_syntax::Expression;

use crate::expansion::{self, RepetitionData};
use crate::model::ids::{InstanceId, ResourceId};
use crate::model::module::{Module, ResourceKey};
use crate::model::references::{ChosenInstances, InstanceReference};
use crate::resolve::triggers::is_readable_key;
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::instance::ModuleInstance;
use crate::state::scope::ModuleScope;

/// Reports items that name an object without instances, or the resource itself.
pub(crate) fn check(context: &mut Context<'_>) {
    let mut reported = HashSet::new();
    let (evaluation, files, diagnostics) = (context.evaluation, context.files, &mut *context.diagnostics);
    each_wrong_trigger(evaluation, files, &mut |checker, _, wrong| {
        // The instances of a resource have one error.
        if reported.insert((checker.state.path.clone(), checker.id)) {
            diagnostics.push(checker.unchanged(wrong));
        }
    });
}

/// Whether a plan evaluates nothing of an instance of a resource, because an item of `replace_triggered_by` names no
/// object. `names` is the scope of the instance with the key `own`.
pub(crate) fn has_wrong_trigger(
    names: &ModuleScope<'_>,
    id: ResourceId,
    own: &InstanceKey,
    files: &dyn Files,
) -> bool {
    let (module, instance) = (names.module(), names.instance);
    if module.resources.at(id).lifecycle.replace_triggered_by.is_empty() {
        return false;
    }
    let state = &names.evaluation.instances[instance];
    let checker = ReplaceTriggerChecker { evaluation: names.evaluation, instance, state, module, id };
    state.unexpanded.is_none()
        && (has_undeclared_trigger(module, id) || checker.wrong_item(own, names, files).is_some())
}

/// Whether an item of `replace_triggered_by` names nothing that is declared. A name is no error if it may be declared in
/// a part that cannot be read.
fn has_undeclared_trigger(module: &Module, id: ResourceId) -> bool {
    module.doubt.is_none() && module.references.resources[id].replacing.iter().any(Option::is_none)
}

/// Returns the instances of resources that are not planned, because an item of `replace_triggered_by` names no object.
pub fn instances_with_wrong_triggers(evaluation: &Evaluation, files: &dyn Files) -> Vec<Address> {
    let mut addresses = Vec::new();
    each_wrong_trigger(evaluation, files, &mut |checker, own, _| {
        let (key, _) = checker.module.resources.entry_of(checker.id);
        addresses.push(evaluation.address(checker.instance, key.object(own)));
    });
    for (instance, state) in evaluation.instances.enumerate().filter(|(_, state)| state.unexpanded.is_none())
    {
        let module = &evaluation.config.node(state.node).module;
        for (id, (key, _)) in module.resources.ids().zip(module.resources.iter()) {
            if has_undeclared_trigger(module, id) {
                let keys = state.resources[id].expansion.iter().map(|(own, _)| own);
                addresses.extend(keys.map(|own| evaluation.address(instance, key.object(own))));
            }
        }
    }
    addresses
}

/// Calls `visit` with each instance that has an item which names no object: its key, and the first such item.
fn each_wrong_trigger(
    evaluation: &Evaluation,
    files: &dyn Files,
    visit: &mut dyn FnMut(&ReplaceTriggerChecker<'_>, InstanceKey, WrongItem<'_>),
) {
    for (instance, state) in evaluation.instances.enumerate() {
        // An unexpanded module may have no instance at all.
        if state.unexpanded.is_some() {
            continue;
        }
        let module = &evaluation.config.node(state.node).module;
        for (id, resource) in module.resources.enumerate() {
            if resource.lifecycle.replace_triggered_by.is_empty() {
                continue;
            }
            let instances = &state.resources[id];
            let checker = ReplaceTriggerChecker { evaluation, instance, state, module, id };
            for (own, _) in instances.expansion.iter() {
                let data = RepetitionData::of_key(&own);
                let names = ModuleScope { repetition: Some(&data), ..evaluation.scope(instance) };
                if let Some(wrong) = checker.wrong_item(&own, &names, files) {
                    visit(&checker, own, wrong);
                }
            }
        }
    }
}

struct ReplaceTriggerChecker<'t> {
    evaluation: &'t Evaluation,
    instance: InstanceId,
    state: &'t ModuleInstance,
    module: &'t Module,
    /// The resource with the `replace_triggered_by`.
    id: ResourceId,
}

impl ReplaceTriggerChecker<'_> {
    /// Returns the first item that names no object for the instance with the key `own`.
    fn wrong_item(
        &self,
        own: &InstanceKey,
        names: &ModuleScope<'_>,
        files: &dyn Files,
    ) -> Option<WrongItem<'_>> {
        let (_, resource) = self.module.resources.entry_of(self.id);
        let references = &self.module.references.resources[self.id].replacing;
        resource.lifecycle.replace_triggered_by.iter().zip(references).find_map(|(item, reference)| {
            let named = self.chosen(reference.as_ref()?, names, files)?;
            let expansion = &self.state.resources[named.id].expansion;
            if expansion.unknown().is_some() {
                return None;
            }
            let count = expansion.len();
            let is_there = match &named.key {
                Some(key) => expansion.has(key),
                None => count > 0,
            };
            // A reference to its own instance is a cycle, and has been reported as one.
            let is_itself = named.id == self.id && named.key.as_ref().is_none_or(|key| key == own);
            if !is_itself && (is_there || self.is_destroyed(&named)) {
                return None;
            }
            Some(WrongItem { named, item })
        })
    }

    /// Whether the plan may destroy the named object. A destruction is a change in the plan, but
    /// triggers no replacement.
    fn is_destroyed(&self, named: &TriggeringResource) -> bool {
        let (key, _) = self.module.resources.entry_of(named.id);
        let prior = self.evaluation.config.prior();
        let Some(instances) = prior.and_then(|prior| prior.instances(&self.state.path, key)) else {
            return false;
        };
        named.key.as_ref().is_none_or(|key| instances.contains_key(key))
    }

    /// Returns the error about an item whose object has no change in the plan.
    fn unchanged(&self, WrongItem { named, item }: WrongItem<'_>) -> Diagnostic {
        let (ResourceKey { mode, .. }, _) = self.module.resources.entry_of(self.id);
        let (found, _) = self.module.resources.entry_of(named.id);
        let key = named.key.unwrap_or(InstanceKey::None);
        let object = ResourceKey { mode: *mode, ..found.clone() }.object(key);
        let module = match self.state.path.is_root() {
            true => "the root module".to_owned(),
            false => self.state.path.to_string(),
        };
        let address = self.evaluation.address(self.instance, object.clone());
        let detail = format!(
            "`{address}` is not in the plan, so its changes cannot trigger a replacement. Name another \
             resource, or an existing instance."
        );
        let title = titles::no_change(&object.to_string(), &module);
        let diagnostic = Diagnostic::error(ids::INVALID_REPLACE_TRIGGER, detail).titled(title);
        diagnostic.at(item.source(), item.span())
    }

    /// Returns the resource and the key that an item names; `None` if the key is unknown or its
    /// error is reported elsewhere.
    fn chosen(
        &self,
        reference: &InstanceReference,
        names: &ModuleScope<'_>,
        files: &dyn Files,
    ) -> Option<TriggeringResource> {
        let key = match &reference.instances {
            ChosenInstances::All => None,
            ChosenInstances::Single => Some(InstanceKey::None),
            // Unreadable keys have been reported.
            ChosenInstances::Key(key) => {
                let key = Some(key).filter(|key| is_readable_key(key, names.module()))?;
                let value = self.evaluation.expression(key, names, files, &mut Diagnostics::new());
                Some(expansion::instance_key(&value)?)
            }
        };
        Some(TriggeringResource { id: reference.resource, key })
    }
}

/// A resource that an item names, with the key of one instance; `None` for all instances.
struct TriggeringResource {
    id: ResourceId,
    key: Option<InstanceKey>,
}

/// An item that names no object.
struct WrongItem<'t> {
    named: TriggeringResource,
    item: &'t Expression,
}
