//! The `checks` of a plan: objects with conditions, and the status of each instance.

use std::collections::BTreeMap;

use serde::Serialize;
use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath, Object, ResourceMode};
use terrane_module::module::Resource;
use terrane_module::{CheckKind, CheckStatus, Evaluation, ModuleNode};
use terrane_value::SmolStr;

use super::failures::Failures;
use crate::document::json::lazy::DisplayText;

#[derive(Serialize)]
pub(super) struct PlanCheckJson {
    address: CheckedObjectJson,
    status: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    instances: Vec<CheckedInstanceJson>,
}

#[derive(Serialize)]
struct CheckedObjectJson {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<String>,
    name: String,
    to_display: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<String>,
}

#[derive(Serialize)]
struct CheckedInstanceJson {
    address: InstanceAddressJson,
    status: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<ProblemJson>,
}

#[derive(Serialize)]
struct InstanceAddressJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    instance_key: Option<KeyJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<String>,
    to_display: String,
}

/// The instance key: a number or a string.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
pub(super) enum KeyJson {
    Index(u64),
    Key(String),
}

impl KeyJson {
    pub(super) fn of(key: &InstanceKey) -> Option<KeyJson> {
        match key {
            InstanceKey::None => None,
            InstanceKey::Index(index) => Some(KeyJson::Index(*index)),
            InstanceKey::Key(key) => Some(KeyJson::Key(key.to_string())),
        }
    }
}

#[derive(Serialize)]
struct ProblemJson {
    message: DisplayText<SmolStr>,
}

/// The conditions of each instance of an object, by address.
type ConditionsByInstance = BTreeMap<String, Conditions>;

/// The conditions of one instance of an object.
struct Conditions {
    module: ModulePath,
    key: InstanceKey,
    status: CheckStatus,
    messages: Vec<SmolStr>,
}

/// An object with conditions.
struct Checked {
    address: CheckedObjectJson,
    instances: ConditionsByInstance,
    /// Whether it is not evaluated, because it depends on an object with an error.
    is_behind_failure: bool,
    /// Whether its instances are listed even then.
    has_instances: bool,
    /// The module.
    module: ModulePath,
    /// Whether the number of its instances is unknown.
    is_unexpanded: bool,
}

/// Returns all objects with conditions, in the order of their addresses.
pub(super) fn checks(
    evaluation: &Evaluation,
    failures: Option<&Failures>,
    is_destruction: bool,
) -> Vec<PlanCheckJson> {
    let mut all: BTreeMap<String, Checked> = BTreeMap::new();
    for (_, node) in evaluation.config.nodes() {
        for (object, json) in objects(node) {
            let address = Address { module: node.path.clone(), object };
            // A destruction has no results of conditions.
            let is_behind_failure =
                is_destruction || failures.is_some_and(|failures| failures.is_behind(&address));
            let is_root_output = matches!(address.object, Object::Output(_)) && address.module.is_root();
            let has_instances = match is_destruction {
                true => is_root_output,
                false => {
                    !is_behind_failure || failures.is_some_and(|failures| failures.has_instances(&address))
                }
            };
            let instances = ConditionsByInstance::new();
            let module = node.path.clone();
            let checked = Checked {
                address: json,
                instances,
                is_behind_failure,
                has_instances,
                module,
                is_unexpanded: false,
            };
            all.insert(checked.address.to_display.clone(), checked);
        }
    }
    mark_unexpanded(evaluation, &mut all);
    for instance in evaluation.instances() {
        let node = evaluation.config.node(instance.node);
        for checked in &instance.checks {
            let object = checked.object.without_key();
            let Some(Checked { instances, is_behind_failure, has_instances, .. }) =
                all.get_mut(&in_module(&node.path, &object))
            else {
                continue;
            };
            if !*has_instances {
                continue;
            }
            let address = Address { module: instance.path.clone(), object: checked.object.clone() };
            let is_unchecked = checked.kind == CheckKind::Postcondition
                && failures.is_some_and(|failures| failures.is_prevented(&address));
            let own = instances.entry(address.to_string()).or_insert_with(|| Conditions {
                module: instance.path.clone(),
                key: checked.object.key().cloned().unwrap_or(InstanceKey::None),
                status: if *is_behind_failure { CheckStatus::Unknown } else { CheckStatus::Pass },
                messages: Vec::new(),
            });
            if is_unchecked {
                own.status = worse(own.status, CheckStatus::Unknown);
                continue;
            }
            for result in checked.results.iter().filter(|_| !*is_behind_failure) {
                own.status = worse(own.status, result.status);
                own.messages.extend(result.message.clone());
            }
        }
    }
    all.into_values().map(check).collect()
}

/// Returns the bytes of the messages of all conditions.
pub(super) fn bytes_of_messages(evaluation: &Evaluation) -> usize {
    let checked = evaluation.instances().iter().flat_map(|instance| &instance.checks);
    let messages = checked.flat_map(|checked| &checked.results).filter_map(|result| result.message.as_ref());
    messages.map(|message| message.len()).fold(0, usize::saturating_add)
}

/// Marks objects with an unknown number of instances. No instances are listed for them.
fn mark_unexpanded(evaluation: &Evaluation, all: &mut BTreeMap<String, Checked>) {
    let mut calls = Vec::new();
    for instance in evaluation.instances() {
        let ModuleNode { module, path, .. } = evaluation.config.node(instance.node);
        for ((key, _), instances) in module.resources.iter().zip(&instance.resources) {
            if instances.expansion.unknown().is_some()
                && let Some(checked) = all.get_mut(&in_module(path, &key.object(InstanceKey::None)))
            {
                checked.is_unexpanded = true;
            }
        }
        for ((name, _), instances) in module.calls.iter().zip(&instance.calls) {
            calls.extend(instances.expansion.unknown().map(|_| path.child(name, InstanceKey::None)));
        }
    }
    for checked in all.values_mut() {
        checked.is_unexpanded |= calls.iter().any(|call| checked.module.steps().starts_with(call.steps()));
        checked.has_instances &= !checked.is_unexpanded;
    }
}

fn check(Checked { address, instances, has_instances, .. }: Checked) -> PlanCheckJson {
    // Nothing is wrong with an object without instances.
    let none = if has_instances { CheckStatus::Pass } else { CheckStatus::Unknown };
    let status = instances.values().fold(none, |status, one| worse(status, one.status));
    let instance = |(to_display, mut conditions): (String, Conditions)| {
        conditions.messages.sort_unstable();
        CheckedInstanceJson {
            address: InstanceAddressJson {
                instance_key: KeyJson::of(&conditions.key),
                module: (!conditions.module.is_root()).then(|| conditions.module.to_string()),
                to_display,
            },
            status: conditions.status.name(),
            problems: conditions
                .messages
                .into_iter()
                .map(|message| ProblemJson { message: DisplayText(message) })
                .collect(),
        }
    };
    PlanCheckJson { address, status: status.name(), instances: instances.into_iter().map(instance).collect() }
}

fn worse(one: CheckStatus, other: CheckStatus) -> CheckStatus {
    match (one, other) {
        (CheckStatus::Error, _) | (_, CheckStatus::Error) => CheckStatus::Error,
        (CheckStatus::Fail, _) | (_, CheckStatus::Fail) => CheckStatus::Fail,
        (CheckStatus::Unknown, _) | (_, CheckStatus::Unknown) => CheckStatus::Unknown,
        (CheckStatus::Pass, CheckStatus::Pass) => CheckStatus::Pass,
    }
}

/// Returns the objects of a module that have conditions.
fn objects(node: &ModuleNode) -> Vec<(Object, CheckedObjectJson)> {
    let module = &node.module;
    let json = |kind, object: Object, name: &SmolStr, resource: Option<(ResourceMode, &SmolStr)>| {
        let json = CheckedObjectJson {
            kind,
            mode: resource.map(|(mode, _)| mode.name()),
            module: (!node.path.is_root()).then(|| node.path.to_string()),
            name: name.to_string(),
            to_display: in_module(&node.path, &object),
            r#type: resource.map(|(_, resource_type)| resource_type.to_string()),
        };
        (object, json)
    };
    let mut all = Vec::new();
    for (name, _) in module.variables.iter().filter(|(_, variable)| !variable.validations.is_empty()) {
        all.push(json("var", Object::Variable(name.clone()), name, None));
    }
    for (name, _) in module.outputs.iter().filter(|(_, output)| !output.preconditions.is_empty()) {
        all.push(json("output_value", Object::Output(name.clone()), name, None));
    }
    for name in module.checks.keys() {
        all.push(json("check", Object::Check(name.clone()), name, None));
    }
    let has_conditions =
        |resource: &Resource| !resource.preconditions.is_empty() || !resource.postconditions.is_empty();
    for (key, _) in module.resources.iter().filter(|(_, resource)| has_conditions(resource)) {
        let resource = Some((key.mode, &key.resource_type));
        all.push(json("resource", key.object(InstanceKey::None), &key.name, resource));
    }
    all
}

fn in_module(module: &ModulePath, object: &Object) -> String {
    Address { module: module.clone(), object: object.clone() }.to_string()
}
