//! The objects of a state by their addresses in the configuration.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

use foldhash::fast::RandomState;
use terrane_config::address::{Address, InstanceKey, ModulePath, ResourceMode};
use terrane_config::state::{State, StateInstance, StateInstanceId, StateResource, StateResourceId};
use terrane_value::SmolStr;

use crate::model::ids::{Arena, ConvertedId};
use crate::model::module::ResourceKey;
use crate::model::provider::ProviderAddress;

/// The address of the built-in provider, as states write it.
const BUILT_IN: &str = "terraform.io/builtin/terraform";

/// The state that an evaluation begins with.
#[derive(Clone, Debug)]
pub struct PriorState {
    state: Arc<State>,
    /// The current objects.
    modules: HashMap<ModulePath, PriorResources, RandomState>,
    /// Instances that have deposed objects but no current object.
    deposed_only: HashMap<ModulePath, DeposedOnlyResources, RandomState>,
    /// The keys of the objects that are left to destroy, by the resources that the state has for them.
    deposed: HashMap<ModulePath, HashMap<ResourceKey, BTreeSet<InstanceKey>>, RandomState>,
    /// The source addresses of providers, by their text in the state: many resources have the same.
    providers: HashMap<SmolStr, ProviderAddress, RandomState>,
    blocked: BTreeSet<BlockedMove>,
    /// The objects that the built-in provider has converted to its type.
    converted: Arena<ConvertedId, StateInstance>,
}

/// A move that did not happen, because an object is at the new address already.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BlockedMove {
    /// The address of the module, resource or instance that does not move.
    pub from: String,
    /// The address that it would have.
    pub to: String,
}

/// The address of an object in the state.
#[derive(Clone, Copy)]
pub(crate) struct PriorAddress<'a> {
    pub(crate) module: &'a ModulePath,
    pub(crate) resource: &'a ResourceKey,
    pub(crate) key: &'a InstanceKey,
}

impl fmt::Display for PriorAddress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let object = self.resource.object(self.key.clone());
        Address { module: self.module.clone(), object }.fmt(f)
    }
}

/// The instances of a resource in the state, by key.
pub(crate) type PriorInstances = BTreeMap<InstanceKey, Recorded>;

/// The resources of a module instance in the state.
type PriorResources = HashMap<ResourceKey, PriorInstances, RandomState>;

/// The instances of a module instance that have deposed objects but no current object.
type DeposedOnlyResources = HashMap<ResourceKey, BTreeMap<InstanceKey, DeposedOnlyInstance>, RandomState>;

/// The place of an instance in the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recorded {
    resource: StateResourceId,
    instance: StateInstanceId,
    /// The object that its conversion to the type of the built-in provider has made.
    converted: Option<ConvertedId>,
}

/// The place in the state of an instance that has deposed objects but no current object.
#[derive(Clone, Debug)]
struct DeposedOnlyInstance {
    resource: StateResourceId,
    /// The key that the state has for it.
    key: InstanceKey,
}

/// An object that is left to destroy.
pub(crate) struct Deposed {
    pub(crate) module: ModulePath,
    pub(crate) resource: ResourceKey,
    pub(crate) key: InstanceKey,
    pub(crate) place: Recorded,
}

impl PriorState {
    /// Returns the approximate bytes of memory of the objects in the state.
    pub(crate) fn recorded_bytes(&self) -> u64 {
        self.state.bytes()
    }

    /// The current objects of a state at the addresses that it has for them. Those that are left to destroy are skipped.
    pub(crate) fn new(state: Arc<State>) -> PriorState {
        let mut modules: HashMap<ModulePath, PriorResources, RandomState> = HashMap::default();
        let mut deposed: HashMap<ModulePath, HashMap<ResourceKey, BTreeSet<InstanceKey>>, RandomState> =
            HashMap::default();
        let mut deposed_only: HashMap<ModulePath, DeposedOnlyResources, RandomState> = HashMap::default();
        for (id, resource) in state.resources.enumerate() {
            for left in resource.instances.iter().filter(|one| one.deposed.is_some()) {
                let own = deposed.entry(resource.module.clone()).or_default();
                own.entry(key_of(resource)).or_default().insert(left.key.clone());
            }
            let own = modules.entry(resource.module.clone()).or_default();
            let own = own.entry(key_of(resource)).or_default();
            let current = resource.instances.enumerate().filter(|(_, one)| one.deposed.is_none());
            own.extend(current.map(|(instance, one)| {
                (one.key.clone(), Recorded { resource: id, instance, converted: None })
            }));
            for one in resource.instances.iter().filter(|one| one.deposed.is_some()) {
                if !own.contains_key(&one.key) {
                    let deposed_only = deposed_only.entry(resource.module.clone()).or_default();
                    let place = DeposedOnlyInstance { resource: id, key: one.key.clone() };
                    deposed_only.entry(key_of(resource)).or_default().insert(one.key.clone(), place);
                }
            }
        }
        let mut providers: HashMap<SmolStr, ProviderAddress, RandomState> = HashMap::default();
        for StateResource { provider, .. } in &state.resources {
            if !providers.contains_key(provider)
                && let Ok(address) = provider.parse()
            {
                providers.insert(provider.clone(), address);
            }
        }
        PriorState {
            state,
            modules,
            deposed_only,
            deposed,
            providers,
            blocked: BTreeSet::new(),
            converted: Arena::default(),
        }
    }

    /// The moves that other objects prevent, by address.
    pub fn blocked_moves(&self) -> &BTreeSet<BlockedMove> {
        &self.blocked
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The recorded instances of a resource in a module instance.
    pub(crate) fn instances(&self, module: &ModulePath, key: &ResourceKey) -> Option<&PriorInstances> {
        self.modules.get(module)?.get(key).filter(|instances| !instances.is_empty())
    }

    /// The module instances with objects.
    pub(crate) fn modules(&self) -> impl Iterator<Item = &ModulePath> {
        self.modules.keys()
    }

    /// The resources of a module instance.
    pub(crate) fn resources_of(&self, module: &ModulePath) -> impl Iterator<Item = &ResourceKey> {
        self.modules.get(module).into_iter().flat_map(HashMap::keys)
    }

    /// The resources with their instances.
    pub(crate) fn resources(&self) -> impl Iterator<Item = (&ModulePath, &ResourceKey, &PriorInstances)> {
        self.modules
            .iter()
            .flat_map(|(path, all)| all.iter().map(move |(key, instances)| (path, key, instances)))
    }

    /// Moves the objects of a module instance, unless there is another one with the new path.
    pub(crate) fn move_module(&mut self, from: &ModulePath, to: &ModulePath) {
        if !self.modules.contains_key(from) {
            return;
        }
        if self.modules.contains_key(to) {
            self.blocked.insert(BlockedMove { from: from.to_string(), to: to.to_string() });
        } else if let Some(module) = self.modules.remove(from) {
            self.modules.insert(to.clone(), module);
            if let Some(deposed_only) = self.deposed_only.remove(from) {
                self.deposed_only.insert(to.clone(), deposed_only);
            }
        }
    }

    /// Moves all instances of a resource, unless the new one is in the state: it is there although all its instances have moved away.
    /// Returns whether they have moved.
    pub(crate) fn move_resource(
        &mut self,
        module: &ModulePath,
        from: &ResourceKey,
        to_module: &ModulePath,
        to: &ResourceKey,
    ) -> bool {
        if !self.has_resource(module, from) {
            return false;
        }
        if self.has_resource(to_module, to) {
            let key = &InstanceKey::None;
            let from = PriorAddress { module, resource: from, key };
            self.block(&from, &PriorAddress { module: to_module, resource: to, key });
            return false;
        }
        let Some(resources) = self.modules.get_mut(module) else { return false };
        let moved = resources.remove(from);
        if resources.is_empty() {
            self.modules.remove(module);
        }
        let Some(moved) = moved else { return false };
        self.modules.entry(to_module.clone()).or_default().insert(to.clone(), moved);
        let others = self.deposed_only.get_mut(module).and_then(|resources| resources.remove(from));
        if let Some(others) = others {
            self.deposed_only.entry(to_module.clone()).or_default().insert(to.clone(), others);
        }
        true
    }

    /// Moves one instance of a resource, unless there is an object at its new address. Returns whether it has moved.
    pub(crate) fn move_instance(&mut self, from: &PriorAddress<'_>, to: &PriorAddress<'_>) -> bool {
        if !self.has(from) {
            return false;
        }
        if self.has(to) {
            self.block(from, to);
            return false;
        }
        let instances = self.modules.get_mut(from.module).and_then(|module| module.get_mut(from.resource));
        let moved = instances.and_then(|instances| instances.remove(from.key));
        let module = self.modules.entry(to.module.clone()).or_default();
        let instances = module.entry(to.resource.clone()).or_default();
        if let Some(moved) = moved {
            instances.insert(to.key.clone(), moved);
            return true;
        }
        let resources = self.deposed_only.get_mut(from.module);
        let instances = resources.and_then(|resources| resources.get_mut(from.resource));
        let Some(moved) = instances.and_then(|instances| instances.remove(from.key)) else { return false };
        let resources = self.deposed_only.entry(to.module.clone()).or_default();
        resources.entry(to.resource.clone()).or_default().insert(to.key.clone(), moved);
        true
    }

    /// Converts an object of a resource, or all without a key, to the type of the built-in provider, where `convert` has a result for
    /// the resource and the object that the state has.
    pub(crate) fn convert(
        &mut self,
        module: &ModulePath,
        resource: &ResourceKey,
        key: Option<&InstanceKey>,
        convert: impl Fn(&StateResource, &StateInstance) -> Option<StateInstance>,
    ) {
        let state = Arc::clone(&self.state);
        let instances = self.modules.get_mut(module).and_then(|resources| resources.get_mut(resource));
        let places: Vec<&mut Recorded> = match (instances, key) {
            (Some(instances), Some(key)) => instances.get_mut(key).into_iter().collect(),
            (Some(instances), None) => instances.values_mut().collect(),
            (None, _) => return,
        };
        for place in places {
            let recorded = &state.resources[place.resource];
            if place.converted.is_none()
                && let Some(converted) = convert(recorded, &recorded.instances[place.instance])
            {
                place.converted = Some(self.converted.push(converted));
            }
        }
        if !self.converted.is_empty() && !self.providers.contains_key(BUILT_IN) {
            self.providers.insert(BUILT_IN.into(), ProviderAddress::implied("terraform"));
        }
    }

    /// The keys of the objects of a resource that are left to destroy, at the addresses that the state has for them.
    pub(crate) fn deposed_keys(
        &self,
        module: &ModulePath,
        resource: &ResourceKey,
    ) -> impl Iterator<Item = &InstanceKey> {
        let own = self.deposed.get(module).and_then(|resources| resources.get(resource));
        own.into_iter().flatten()
    }

    /// Whether a resource is in the state, perhaps without current objects.
    pub(crate) fn has_resource(&self, module: &ModulePath, resource: &ResourceKey) -> bool {
        self.modules.get(module).is_some_and(|resources| resources.contains_key(resource))
    }

    /// Whether there is a current object of an instance, after all moves.
    pub fn has_object(&self, module: &ModulePath, resource: &ResourceKey, key: &InstanceKey) -> bool {
        self.instances(module, resource).is_some_and(|instances| instances.contains_key(key))
    }

    /// Whether there is an object of an instance, after all moves, also one that is left to destroy.
    pub fn has_instance(&self, module: &ModulePath, resource: &ResourceKey, key: &InstanceKey) -> bool {
        self.has(&PriorAddress { module, resource, key })
    }

    /// Whether there is an object at an address, also one that is left to destroy.
    fn has(&self, address: &PriorAddress<'_>) -> bool {
        let PriorAddress { module, resource, key } = *address;
        self.has_object(module, resource, key) || self.deposed_only_at(address).is_some()
    }

    /// Returns the instance at an address that has only objects which are left to destroy.
    fn deposed_only_at(&self, address: &PriorAddress<'_>) -> Option<&DeposedOnlyInstance> {
        self.deposed_only.get(address.module)?.get(address.resource)?.get(address.key)
    }

    /// Returns the address that the state has for an instance; `None` if the state does not have the instance.
    pub(crate) fn recorded_address(&self, address: &PriorAddress<'_>) -> Option<Address> {
        let current = self.instances(address.module, address.resource);
        let (resource, key) = match current.and_then(|instances| instances.get(address.key)) {
            Some(place) => (place.resource, &self.object(*place).key),
            None => self.deposed_only_at(address).map(|one| (one.resource, &one.key))?,
        };
        let resource = &self.state.resources[resource];
        Some(Address { module: resource.module.clone(), object: resource.object(key.clone()) })
    }

    fn block(&mut self, from: &PriorAddress<'_>, to: &PriorAddress<'_>) {
        self.blocked.insert(BlockedMove { from: from.to_string(), to: to.to_string() });
    }

    /// The objects that are left to destroy, at the addresses of their instances.
    pub(crate) fn deposed(&self) -> Vec<Deposed> {
        let resources = self.state.resources.enumerate();
        let managed = resources.filter(|(_, resource)| resource.mode == ResourceMode::Managed);
        let mut all: Vec<Deposed> = Vec::new();
        for (id, resource) in managed {
            let deposed = resource.instances.enumerate().filter(|(_, one)| one.deposed.is_some());
            all.extend(deposed.map(|(instance, one)| Deposed {
                module: resource.module.clone(),
                resource: key_of(resource),
                key: one.key.clone(),
                place: Recorded { resource: id, instance, converted: None },
            }));
        }
        if all.is_empty() {
            return all;
        }
        let mut current = HashMap::new();
        for (module, resource, instances) in self.resources() {
            let own = instances
                .iter()
                .map(|(key, place)| ((place.resource, &self.object(*place).key), (module, resource, key)));
            current.extend(own);
        }
        let deposed_only =
            self.deposed_only.iter().flat_map(|(module, all)| all.iter().map(move |one| (module, one)));
        current.extend(deposed_only.flat_map(|(module, (resource, instances))| {
            instances.iter().map(move |(key, one)| ((one.resource, &one.key), (module, resource, key)))
        }));
        for one in &mut all {
            if let Some((module, resource, key)) = current.get(&(one.place.resource, &one.key)) {
                (one.module, one.resource) = ((*module).clone(), (*resource).clone());
                one.key = (*key).clone();
            }
        }
        all
    }

    /// The object at a place.
    pub(crate) fn object(&self, place: Recorded) -> &StateInstance {
        match place.converted {
            Some(converted) => &self.converted[converted],
            None => &self.resource(place).instances[place.instance],
        }
    }

    /// The resource of the object at a place, with the address that the state has for it.
    pub(crate) fn resource(&self, place: Recorded) -> &StateResource {
        &self.state.resources[place.resource]
    }

    /// The provider of the object at a place, as the state writes it.
    pub(crate) fn provider(&self, place: Recorded) -> &str {
        if place.converted.is_some() { BUILT_IN } else { &self.resource(place).provider }
    }

    /// The provider of the object at a place; none if the state does not write it as a source address.
    pub(crate) fn provider_address(&self, place: Recorded) -> Option<&ProviderAddress> {
        self.providers.get(self.provider(place))
    }

    /// Whether the object at a place is of this provider. A state of an old version has only the name.
    pub(crate) fn is_of_provider(&self, place: Recorded, provider: &ProviderAddress) -> bool {
        let recorded = self.provider(place);
        match recorded.contains('/') {
            true => self.provider_address(place) == Some(provider),
            false => recorded.is_empty() || recorded == &*provider.name,
        }
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
