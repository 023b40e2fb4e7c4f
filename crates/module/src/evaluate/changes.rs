//! How a plan changes the objects of the state that it begins with.

use std::collections::{HashMap, HashSet};

use terrane_config::address::{Address, InstanceKey, ModulePath, ResourceMode};
use terrane_config::state::StateInstance;
use terrane_source::{Diagnostics, MemoryFiles};
use terrane_value::{SmolStr, Value, json};

use crate::evaluate::given::GivenFor;
use crate::evaluate::prior::{PriorResource, written};
use crate::evaluate::recorded::with_secrets;
use crate::evaluate::sameness::Sameness;
use crate::model::ids::{InstanceId, ResourceId};
use crate::model::module::{Repetition, ResourceKey};
use crate::model::prior::{PriorState, Recorded};
use crate::model::provider::ProviderAddress;
use crate::state::evaluation::Evaluation;
use crate::state::instance::ModuleInstance;

/// The object that the state has for an instance, and how the plan changes it.
#[derive(Clone, Debug)]
pub struct ObjectChange {
    /// The recorded object.
    pub before: Value,
    /// The addresses of the objects that it depends on, without keys.
    pub dependencies: Vec<SmolStr>,
    /// Whether an apply has failed for it.
    pub is_tainted: bool,
    /// The change.
    pub change: Change,
    /// The address in the state, if it is another one.
    pub previous: Option<Address>,
}

/// A change of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nothing about it changes.
    None,
    /// Something changes. Its provider may replace it for that, unless it is built in.
    Update {
        /// Whether the provider may replace it.
        may_replace: bool,
    },
    /// It is replaced, because an apply has failed.
    ReplaceTainted,
    /// It is replaced, because an item of `replace_triggered_by` changes.
    ReplaceTriggered,
    /// It is replaced, because this argument changes.
    ReplaceArgument(&'static str),
}

/// An object of the state that no instance of the configuration has.
#[derive(Clone, Debug)]
pub struct DestroyedObject {
    /// The module instance.
    pub module: ModulePath,
    /// The mode, the type and the name.
    pub resource: ResourceKey,
    /// The key of the instance.
    pub key: InstanceKey,
    /// The provider, if the state names it.
    pub provider: Option<ProviderAddress>,
    /// The version of the schema that the recorded object follows.
    pub schema_version: u64,
    /// The recorded object.
    pub before: Value,
    /// The addresses of the objects that it depends on, without keys.
    pub dependencies: Vec<SmolStr>,
    /// Whether an apply has failed for it.
    pub is_tainted: bool,
    /// Whether it is only removed from the state, as a `removed` block says.
    pub is_forgotten: bool,
    /// Why it is destroyed, as the plan document says it.
    pub reason: &'static str,
}

/// An object of the state, at its address in the configuration.
#[derive(Clone, Debug)]
pub struct RecordedObject {
    /// The address, after all moves.
    pub address: Address,
    /// The address in the state, if it is another one.
    pub previous: Option<Address>,
    /// The object.
    pub value: Value,
}

/// The objects of the state that the evaluation begins with, data sources included.
pub fn recorded_objects(evaluation: &Evaluation) -> Vec<RecordedObject> {
    let Some(prior) = &evaluation.config.recorded.prior else { return Vec::new() };
    let mut all = Vec::new();
    for (module, resource, instances) in prior.resources() {
        for (key, place) in instances {
            let Some(object) = prior.object(*place) else { continue };
            let address = Address { module: module.clone(), object: resource.object(key.clone()) };
            let provider = prior.provider(*place).parse::<ProviderAddress>().ok();
            let previous = recorded_address(prior, *place, &object.key);
            all.push(RecordedObject {
                previous: previous.filter(|previous| *previous != address),
                value: before(evaluation, provider.as_ref(), resource, object),
                address,
            });
        }
    }
    all.sort_by(|one, other| one.address.cmp(&other.address));
    all
}

/// The change of an instance of a managed resource, whose planned value is `value`; none if the state has no object for it.
pub fn object_change(
    evaluation: &Evaluation,
    instance: InstanceId,
    id: ResourceId,
    key: &InstanceKey,
    value: &Value,
) -> Option<ObjectChange> {
    evaluation.config.recorded.prior.as_ref()?;
    let files = MemoryFiles::new();
    let resource = PriorResource::of(evaluation, &files, instance, id)?;
    let state = &evaluation.instances[instance];
    let place = *resource.prior.instances(&state.path, resource.key)?.get(key)?;
    let object = resource.prior.object(place).filter(|_| resource.key.mode == ResourceMode::Managed)?;
    let address = evaluation.address(instance, resource.key.object(key.clone()));
    let text = address.to_string();
    let names = evaluation.scope(instance);
    let own = GivenFor { address: &text, module: &state.path, key };
    let recorded = resource.object(&names, &own, &mut Diagnostics::new());
    let previous =
        recorded_address(resource.prior, place, &object.key).filter(|previous| *previous != address);
    let may_replace = !resource.is_terraform_data;
    let (dependencies, is_tainted) = (object.dependencies.clone(), object.is_tainted);
    let Some(recorded) = recorded else {
        // Only its provider can read it.
        let (before, change) = (untyped(object), Change::Update { may_replace });
        return Some(ObjectChange { before, dependencies, is_tainted, change, previous });
    };
    let before = match resource.schema {
        Some(_) => recorded.recorded.clone(),
        None => untyped(object),
    };
    let sameness = Sameness { address: &text, is_ordered: resource.schema.is_some(), is_planned: false };
    let is_same = match resource.is_terraform_data {
        true => is_identical(value, &before),
        false => sameness.touched(value, &recorded.recorded, &written(resource.resource).1).is_empty(),
    };
    let is_same_argument = |name: &str| match (value.known_attributes(), before.as_entries()) {
        (Some(planned), Some(before)) => {
            planned.get(name).zip(before.get(name)).is_some_and(|(one, other)| is_identical(one, other))
        }
        (_, _) => false,
    };
    let change = if object.is_tainted {
        Change::ReplaceTainted
    } else if resource.is_triggered(&names) {
        Change::ReplaceTriggered
    } else if resource.is_terraform_data && !is_same_argument("triggers_replace") {
        Change::ReplaceArgument("triggers_replace")
    } else if is_same {
        Change::None
    } else {
        Change::Update { may_replace }
    };
    Some(ObjectChange { before, dependencies, is_tainted, change, previous })
}

/// Whether two values are wholly known and the same, marks aside.
fn is_identical(one: &Value, other: &Value) -> bool {
    let (one, other) = (one.unmark_deep().0, other.unmark_deep().0);
    one.is_wholly_known() && other.is_wholly_known() && json::encode(&one).ok() == json::encode(&other).ok()
}

/// A recorded object without a schema: types follow from the JSON text, and secrets from the names of attributes. An object that is
/// nested too deeply is an error.
fn untyped(object: &StateInstance) -> Value {
    object.untyped().map_or_else(|_| Value::error(), |value| with_secrets(&value))
}

/// The address that the state has for an object.
fn recorded_address(prior: &PriorState, place: Recorded, key: &InstanceKey) -> Option<Address> {
    let resource = prior.resource(place)?;
    Some(Address { module: resource.module.clone(), object: resource.object(key.clone()) })
}

/// The objects of managed resources in the state that no instance has, by address. With an unknown number of instances, any of
/// them may have it.
pub fn destroyed(evaluation: &Evaluation) -> Vec<DestroyedObject> {
    let Some(prior) = &evaluation.config.recorded.prior else { return Vec::new() };
    let orphans: HashSet<String> = evaluation.orphans().iter().map(ToString::to_string).collect();
    let by_path: HashMap<&ModulePath, &ModuleInstance> =
        evaluation.instances.iter().map(|instance| (&instance.path, instance)).collect();
    let forgotten = Forgotten::of(evaluation);
    let mut all = Vec::new();
    for (module, resource, instances) in prior.resources() {
        if resource.mode != ResourceMode::Managed {
            continue;
        }
        let instance = by_path.get(module).copied();
        for (key, place) in instances {
            let address = Address { module: module.clone(), object: resource.object(key.clone()) };
            let Some(object) =
                prior.object(*place).filter(|_| orphans.contains(address.to_string().as_str()))
            else {
                continue;
            };
            let provider = prior.provider(*place).parse::<ProviderAddress>().ok();
            all.push(DestroyedObject {
                module: module.clone(),
                resource: resource.clone(),
                key: key.clone(),
                schema_version: object.schema_version,
                before: before(evaluation, provider.as_ref(), resource, object),
                provider,
                dependencies: object.dependencies.clone(),
                is_tainted: object.is_tainted,
                is_forgotten: forgotten.contains(module, resource),
                reason: reason(evaluation, module, instance, resource, key),
            });
        }
    }
    all.sort_by_cached_key(|one| Address {
        module: one.module.clone(),
        object: one.resource.object(one.key.clone()),
    });
    all
}

/// The recorded object, with the schema of its type where that is known.
fn before(
    evaluation: &Evaluation,
    provider: Option<&ProviderAddress>,
    resource: &ResourceKey,
    object: &StateInstance,
) -> Value {
    let schema = provider.and_then(|provider| evaluation.config.request.schemas.provider(provider));
    let schema = schema.and_then(|schema| schema.resource(resource.mode, &resource.resource_type));
    let typed = schema.and_then(|schema| {
        let value = object.value(&schema.spec().ty().without_optional()).ok()?;
        Some(schema.schema().recorded(&value))
    });
    typed.unwrap_or_else(|| untyped(object))
}

/// The objects that `removed` blocks only remove from the state, by their modules without instance keys.
struct Forgotten<'e> {
    resources: HashSet<(Vec<&'e SmolStr>, &'e ResourceKey)>,
    modules: HashSet<Vec<&'e SmolStr>>,
}

impl<'e> Forgotten<'e> {
    fn of(evaluation: &'e Evaluation) -> Forgotten<'e> {
        let mut forgotten = Forgotten { resources: HashSet::new(), modules: HashSet::new() };
        for (_, node) in evaluation.config.nodes() {
            for removed in node.module.removals.iter().filter(|removed| removed.keeps_objects) {
                let from = &removed.from;
                let path = names(&node.path).chain(names(&from.module)).collect();
                match &from.resource {
                    Some(resource) => _ = forgotten.resources.insert((path, resource)),
                    None => _ = forgotten.modules.insert(path),
                }
            }
        }
        forgotten
    }

    fn contains(&self, module: &ModulePath, resource: &ResourceKey) -> bool {
        let path: Vec<&SmolStr> = names(module).collect();
        let in_module = |length| path.get(..length).is_some_and(|path| self.modules.contains(path));
        !self.modules.is_empty() && (0..=path.len()).any(in_module)
            || !self.resources.is_empty() && self.resources.contains(&(path, resource))
    }
}

/// The names of the calls in a path.
fn names(path: &ModulePath) -> impl Iterator<Item = &SmolStr> {
    path.steps().iter().map(|step| &step.name)
}

/// Why an object is destroyed.
fn reason(
    evaluation: &Evaluation,
    module_path: &ModulePath,
    instance: Option<&ModuleInstance>,
    resource: &ResourceKey,
    key: &InstanceKey,
) -> &'static str {
    let Some(instance) = instance else {
        let is_called = evaluation.config.nodes().any(|(_, node)| node.path == module_path.without_keys());
        return if is_called { "delete_because_no_module" } else { "delete_because_no_resource_config" };
    };
    let module = &evaluation.config.node(instance.node).module;
    let Some(id) = module.resources.id_of(resource) else { return "delete_because_no_resource_config" };
    match (&module.resources.at(id).repetition, key) {
        (Repetition::Count(_), InstanceKey::Index(_)) => "delete_because_count_index",
        (Repetition::ForEach(_), InstanceKey::Key(_)) => "delete_because_each_key",
        (_, _) => "delete_because_wrong_repetition",
    }
}
