//! Finds the objects of the state that a plan destroys or forgets, and the reasons.

use std::collections::{HashMap, HashSet};

use terrane_config::address::{Address, InstanceKey, ModulePath, ResourceMode};
use terrane_source::{Files, Subject};
use terrane_value::{SmolStr, Value};

use crate::evaluate::changes::{before, prevented_at, recorded_address};
use crate::evaluate::prior::PriorResource;
use crate::model::ids::InstanceId;
use crate::model::module::{PreventDestroy, Repetition, ResourceKey};
use crate::model::prior::{PriorState, Recorded};
use crate::model::provider::ProviderAddress;
use crate::state::context::Environment;
use crate::state::evaluation::Evaluation;

/// An object of the state that no instance of the configuration has, or a deposed object, which an apply
/// left to be destroyed later.
#[derive(Clone, Debug)]
pub struct DestroyedObject {
    /// The module instance.
    pub module: ModulePath,
    /// The mode, the type and the name.
    pub resource: ResourceKey,
    /// The key of the instance.
    pub key: InstanceKey,
    /// The address in the state, if a move changed it.
    pub previous: Option<Address>,
    /// The provider, if the state names it.
    pub provider: Option<ProviderAddress>,
    /// The version of the schema that the recorded object follows.
    pub schema_version: u64,
    /// The recorded object.
    pub before: Value,
    /// The addresses, without keys, of the objects that the recorded object depends on.
    pub dependencies: Vec<SmolStr>,
    /// Whether the object is tainted: an apply has failed for it.
    pub is_tainted: bool,
    /// Whether the state says that an apply destroys the object only after it changes the objects
    /// that this one depended on.
    pub creates_first: bool,
    /// Whether a `removed` block only removes the object from the state.
    pub is_forgotten: bool,
    /// The reason why the object is destroyed; `None` if it is deposed, or the plan destroys everything.
    pub reason: Option<DestroyReason>,
    /// The deposed key, if an apply left the object beside the current one.
    pub deposed: Option<SmolStr>,
    /// The block whose `prevent_destroy` forbids that the object is destroyed.
    pub prevented_at: Option<Subject>,
}

impl DestroyedObject {
    /// Returns the address.
    pub fn address(&self) -> Address {
        Address { module: self.module.clone(), object: self.resource.object(self.key.clone()) }
    }
}

/// The reason for which an object is destroyed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DestroyReason {
    /// No block declares the resource of the object.
    NoResource,
    /// No block declares the resource that the object has moved to.
    NoMoveTarget,
    /// The configuration does not have the module instance of the object.
    NoModule,
    /// The block has no `count` or `for_each`, or keys of another kind than the object.
    WrongRepetition,
    /// `count` gives no instance the index of the object.
    CountIndex,
    /// `for_each` has no element with the key of the object.
    EachKey,
}

impl DestroyReason {
    /// Returns the name in plan documents, such as `delete_because_no_module`.
    pub const fn name(self) -> &'static str {
        match self {
            DestroyReason::NoResource => "delete_because_no_resource_config",
            DestroyReason::NoMoveTarget => "delete_because_no_move_target",
            DestroyReason::NoModule => "delete_because_no_module",
            DestroyReason::WrongRepetition => "delete_because_wrong_repetition",
            DestroyReason::CountIndex => "delete_because_count_index",
            DestroyReason::EachKey => "delete_because_each_key",
        }
    }
}

/// Returns the managed objects in the state that no instance has, and the deposed objects, sorted by address. If the
/// number of instances is unknown, any object may belong to one of them. `prevent_destroy` is evaluated with `files`.
pub fn destroyed_objects(evaluation: &Evaluation, files: &dyn Files) -> Vec<DestroyedObject> {
    let Some(prior) = &evaluation.config.recorded.prior else { return Vec::new() };
    let orphans: HashSet<Address> = evaluation.orphans().into_iter().collect();
    let search = Search::new(evaluation, prior);
    let mut all = Vec::new();
    for (module, resource, instances) in prior.resources() {
        if resource.mode != ResourceMode::Managed {
            continue;
        }
        for (key, place) in instances {
            let address = Address { module: module.clone(), object: resource.object(key.clone()) };
            if orphans.contains(&address) {
                let orphan = search.object(module, resource, key, *place);
                let (reason, prevented_at) = search.reason(module, resource, key, files);
                let reason = match orphan.previous {
                    Some(_) if reason == DestroyReason::NoResource => DestroyReason::NoMoveTarget,
                    Some(_) | None => reason,
                };
                all.push(DestroyedObject { reason: Some(reason), prevented_at, ..orphan });
            }
        }
    }
    with_deposed(all, &search)
}

/// Returns all objects in the state, sorted by address: the objects that a plan to destroy everything destroys, whatever `removed`
/// blocks say, and the data sources that it removes. `prevent_destroy` is evaluated with `files`.
pub fn objects_of_destroy_plan(evaluation: &Evaluation, files: &dyn Files) -> Vec<DestroyedObject> {
    let Some(prior) = &evaluation.config.recorded.prior else { return Vec::new() };
    let search = Search { forgotten: Forgotten::default(), ..Search::new(evaluation, prior) };
    let mut all = Vec::new();
    for (module, resource, instances) in prior.resources() {
        for (key, place) in instances {
            let (_, prevented_at) = search.reason(module, resource, key, files);
            all.push(DestroyedObject { prevented_at, ..search.object(module, resource, key, *place) });
        }
    }
    with_deposed(all, &search)
}

/// Adds the deposed objects, and sorts all by address.
fn with_deposed(mut all: Vec<DestroyedObject>, search: &Search<'_>) -> Vec<DestroyedObject> {
    let deposed = search.prior.deposed();
    all.extend(deposed.iter().map(|one| search.object(&one.module, &one.resource, &one.key, one.place)));
    all.sort_by_cached_key(|one| (one.address(), one.deposed.clone()));
    all
}

/// Returns the managed objects in the state that may or may not be destroyed, because the number of instances
/// of their block is unknown.
pub fn undecided_objects(evaluation: &Evaluation) -> Vec<DestroyedObject> {
    let Some(prior) = &evaluation.config.recorded.prior else { return Vec::new() };
    let orphans: HashSet<Address> = evaluation.orphans().into_iter().collect();
    let search = Search::new(evaluation, prior);
    let has_instance = |module: &ModulePath, resource: &ResourceKey, key: &InstanceKey| {
        let Some(instance) = search.by_path.get(module).map(|id| &evaluation.instances[*id]) else {
            return false;
        };
        let id = evaluation.config.node(instance.node).module.resources.id_of(resource);
        id.is_some_and(|id| instance.resources[id].expansion.has(key))
    };
    let mut all = Vec::new();
    for (module, resource, instances) in prior.resources() {
        for (key, place) in instances.iter().filter(|_| resource.mode == ResourceMode::Managed) {
            let address = Address { module: module.clone(), object: resource.object(key.clone()) };
            if !has_instance(module, resource, key) && !orphans.contains(&address) {
                all.push(search.object(module, resource, key, *place));
            }
        }
    }
    all
}

/// Finds the objects that are destroyed.
struct Search<'e> {
    evaluation: &'e Evaluation,
    prior: &'e PriorState,
    by_path: HashMap<&'e ModulePath, InstanceId>,
    forgotten: Forgotten<'e>,
}

impl<'e> Search<'e> {
    fn new(evaluation: &'e Evaluation, prior: &'e PriorState) -> Search<'e> {
        let by_path = evaluation.instances.enumerate().map(|(id, instance)| (&instance.path, id)).collect();
        Search { evaluation, prior, by_path, forgotten: Forgotten::of(evaluation) }
    }

    /// Returns the object at a place of the state.
    fn object(
        &self,
        module: &ModulePath,
        resource: &ResourceKey,
        key: &InstanceKey,
        place: Recorded,
    ) -> DestroyedObject {
        let object = self.prior.object(place);
        let provider = self.prior.provider_address(place);
        let address = Address { module: module.clone(), object: resource.object(key.clone()) };
        let previous = recorded_address(self.prior, place, &object.key);
        DestroyedObject {
            previous: Some(previous).filter(|previous| *previous != address),
            module: module.clone(),
            resource: resource.clone(),
            key: key.clone(),
            schema_version: object.schema_version,
            before: before(self.evaluation, provider, resource, object),
            provider: provider.cloned(),
            dependencies: object.dependencies.clone(),
            is_tainted: object.is_tainted,
            creates_first: object.creates_first,
            is_forgotten: self.forgotten.contains(module, resource),
            reason: None,
            deposed: object.deposed.clone(),
            prevented_at: None,
        }
    }

    /// Returns why an object is destroyed, and the block that forbids it.
    fn reason(
        &self,
        module_path: &ModulePath,
        resource: &ResourceKey,
        key: &InstanceKey,
        files: &dyn Files,
    ) -> (DestroyReason, Option<Subject>) {
        let evaluation = self.evaluation;
        let Some(instance) = self.by_path.get(module_path).copied() else {
            let path = module_path.without_keys();
            let called = evaluation.config.nodes().find(|(_, node)| node.path == path);
            let declared = called.and_then(|(_, node)| node.module.resources.get(resource));
            let Some(resource) = declared else { return (DestroyReason::NoResource, None) };
            let is_kept = matches!(resource.lifecycle.prevent_destroy, Some(PreventDestroy::Constant(true)));
            return (DestroyReason::NoModule, is_kept.then(|| resource.declaration.clone()));
        };
        let module = &evaluation.config.node(evaluation.instances[instance].node).module;
        let Some(id) = module.resources.id_of(resource) else {
            return (DestroyReason::NoResource, None);
        };
        let prevented_at = PriorResource::of(Environment::of(evaluation, files), instance, id)
            .and_then(|resource| prevented_at(&resource, &evaluation.scope(instance)));
        let reason = match (&module.resources.at(id).repetition, key) {
            (Repetition::Count(_), InstanceKey::Index(_)) => DestroyReason::CountIndex,
            (Repetition::ForEach(_), InstanceKey::Key(_)) => DestroyReason::EachKey,
            (_, _) => DestroyReason::WrongRepetition,
        };
        (reason, prevented_at)
    }
}

/// The resources and modules that `removed` blocks only remove from the state, by their modules without instance keys.
#[derive(Default)]
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

/// Returns the names of the calls in a path.
fn names(path: &ModulePath) -> impl Iterator<Item = &SmolStr> {
    path.steps().iter().map(|step| &step.name)
}
