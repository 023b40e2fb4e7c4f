//! The objects of a state by their addresses in the configuration.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use terrane_config::address::{InstanceKey, ModulePath, ResourceMode};
use terrane_config::state::{State, StateInstance, StateResource};

use crate::model::module::ResourceKey;

/// The state that an evaluation begins with.
#[derive(Clone, Debug)]
pub struct PriorState {
    state: Arc<State>,
    /// The current objects.
    modules: HashMap<ModulePath, HashMap<ResourceKey, PriorResource>>,
}

/// The instances of a resource in the state, by key.
pub(crate) type PriorResource = BTreeMap<InstanceKey, Recorded>;

/// The place of an instance in the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recorded {
    resource: usize,
    instance: usize,
}

impl PriorState {
    /// The current objects of a state at the addresses that it has for them. Those that are left to destroy are skipped.
    pub(crate) fn new(state: Arc<State>) -> PriorState {
        let mut modules: HashMap<ModulePath, HashMap<ResourceKey, PriorResource>> = HashMap::new();
        for (place, resource) in state.resources.iter().enumerate() {
            let own = modules.entry(resource.module.clone()).or_default();
            let own = own.entry(key_of(resource)).or_default();
            let current = resource.instances.iter().enumerate().filter(|(_, one)| one.deposed.is_none());
            own.extend(
                current.map(|(at, one)| (one.key.clone(), Recorded { resource: place, instance: at })),
            );
        }
        PriorState { state, modules }
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The recorded instances of a resource in a module instance.
    pub(crate) fn instances(&self, module: &ModulePath, key: &ResourceKey) -> Option<&PriorResource> {
        self.modules.get(module)?.get(key)
    }

    /// The object at a place.
    pub(crate) fn object(&self, place: Recorded) -> Option<&StateInstance> {
        self.state.resources.get(place.resource)?.instances.get(place.instance)
    }

    /// Whether both come from the same read of a state.
    pub(crate) fn is_same(&self, other: &PriorState) -> bool {
        Arc::ptr_eq(&self.state, &other.state)
    }
}

fn key_of(resource: &StateResource) -> ResourceKey {
    let StateResource { mode, resource_type, name, .. } = resource;
    ResourceKey { mode: *mode, resource_type: resource_type.clone(), name: name.clone() }
}

/// Whether a state has objects of this mode.
pub(crate) fn is_stored(mode: ResourceMode) -> bool {
    matches!(mode, ResourceMode::Managed | ResourceMode::Data)
}
