//! Follows references of the configuration from resources to the resources behind them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use foldhash::fast::RandomState;
use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath, Object};
use terrane_config::ids::Arena;
use terrane_module::Config;
use terrane_module::graph::object_references;
use terrane_value::SmolStr;

terrane_config::ids! {
    /// An object of the configuration, or a resource that only the state has.
    SearchedId;
    /// The address of a resource, in the order of the texts.
    NameId;
}

/// The objects of a configuration and their references.
#[derive(Default)]
pub(super) struct DependencySearch {
    ids: HashMap<Arc<Address>, SearchedId, RandomState>,
    objects: Arena<SearchedId, SearchObject>,
    /// The objects of each module that a reference to the whole module waits for.
    members: BTreeMap<ModulePath, Vec<SearchedId>>,
    /// The resources, sorted by the texts of their addresses.
    names: Arena<NameId, (SmolStr, SearchedId)>,
    /// The number of searches so far.
    searches: u32,
}

struct SearchObject {
    address: Arc<Address>,
    /// The name of a resource.
    name: Option<NameId>,
    /// The objects that it refers to.
    dependencies: Vec<SearchedId>,
    /// The module of a module call.
    module: Option<ModulePath>,
    /// The call of the module that contains it.
    call: Option<SearchedId>,
    /// The number of the last search that found it.
    found_in: u32,
}

/// The state of a search.
struct Progress<'s> {
    /// Objects whose references have not been followed yet.
    left: Vec<SearchedId>,
    /// The resources that were found.
    found: Vec<NameId>,
    /// The modules that were visited as a whole, because a reference names their call.
    whole: BTreeSet<ModulePath>,
    /// The number of visits that are left. Each visit of an object counts, also a repeated one.
    visits: &'s mut u64,
}

impl DependencySearch {
    /// Returns the objects of a configuration. `removed` are resources that only the state has.
    pub(super) fn of(config: &Config, removed: &[Address]) -> DependencySearch {
        let mut search = DependencySearch::default();
        for (_, node) in config.nodes() {
            let module = &node.module;
            let calls = module.calls.keys().map(|name| Object::ModuleCall(name.clone(), InstanceKey::None));
            let objects = module.variables.keys().cloned().map(Object::Variable).chain(calls);
            let objects = objects.chain(module.locals.keys().cloned().map(Object::Local));
            let objects = objects.chain(module.checks.keys().cloned().map(Object::Check));
            let objects = objects.chain(module.outputs.keys().cloned().map(Object::Output));
            let objects = objects.chain(module.resources.keys().map(|key| key.object(InstanceKey::None)));
            let ids = objects.map(|object| search.id(Address { module: node.path.clone(), object }.into()));
            let members = ids.collect();
            search.members.insert(node.path.clone(), members);
        }
        for reference in object_references(config) {
            let (from, to) = (search.id(reference.from), search.id(reference.to));
            search.objects[from].dependencies.push(to);
        }
        for resource in removed {
            let id = search.id(Arc::new(resource.clone()));
            if let Some(members) = search.members.get_mut(&resource.module) {
                members.push(id);
            }
        }
        search.find_calls();
        search.name_resources();
        search
    }

    /// Returns the id of an object, which is new or known.
    fn id(&mut self, address: Arc<Address>) -> SearchedId {
        if let Some(id) = self.ids.get(&address) {
            return *id;
        }
        let module = if let Object::ModuleCall(name, _) = &address.object {
            Some(address.module.child(name, InstanceKey::None))
        } else {
            None
        };
        let object = SearchObject {
            address: Arc::clone(&address),
            name: None,
            dependencies: Vec::new(),
            module,
            call: None,
            found_in: 0,
        };
        let id = self.objects.push(object);
        self.ids.insert(address, id);
        id
    }

    /// Finds the call of the module of each object.
    fn find_calls(&mut self) {
        let mut calls: BTreeMap<ModulePath, Option<SearchedId>> = BTreeMap::new();
        for id in self.objects.ids() {
            let path = &self.objects[id].address.module;
            let Some((module, call)) = path.split_last() else { continue };
            let found = match calls.get(path) {
                Some(found) => *found,
                None => {
                    let object = Object::ModuleCall(call.name.clone(), InstanceKey::None);
                    let found = self.ids.get(&Address { module, object }).copied();
                    calls.insert(path.clone(), found);
                    found
                }
            };
            self.objects[id].call = found;
        }
    }

    /// Gives the resources names in the order of their texts.
    fn name_resources(&mut self) {
        let objects = self.objects.enumerate();
        let resources =
            objects.filter(|(_, object)| matches!(object.address.object, Object::Resource { .. }));
        let mut named: Vec<(SmolStr, SearchedId)> =
            resources.map(|(id, object)| (object.address.to_string().into(), id)).collect();
        named.sort_unstable();
        for (name, id) in named {
            self.objects[id].name = Some(self.names.push((name, id)));
        }
    }

    /// Returns the text of the address of a resource.
    pub(super) fn name(&self, id: NameId) -> &SmolStr {
        &self.names[id].0
    }

    /// Returns the address of a resource.
    pub(super) fn address(&self, id: NameId) -> &Address {
        &self.objects[self.names[id].1].address
    }

    /// Returns the name of a resource that the configuration declares.
    pub(super) fn name_of(&self, resource: &Address) -> Option<NameId> {
        self.ids.get(resource).and_then(|id| self.objects[*id].name)
    }

    /// Returns these resources and the resources that they depend on, in no particular order, and takes the visits from `visits`.
    /// `None` if there are too many.
    pub(super) fn resources_behind<'a>(
        &mut self,
        resources: impl IntoIterator<Item = &'a Address>,
        visits: &mut u64,
    ) -> Option<Vec<NameId>> {
        self.searches += 1;
        let mut progress = Progress { left: Vec::new(), found: Vec::new(), whole: BTreeSet::new(), visits };
        for resource in resources {
            if let Some(id) = self.ids.get(resource) {
                self.visit(*id, &mut progress);
            }
        }
        while let Some(id) = progress.left.pop() {
            if *progress.visits == 0 {
                return None;
            }
            self.pass_on(id, &mut progress);
        }
        Some(progress.found)
    }

    fn visit(&mut self, id: SearchedId, progress: &mut Progress<'_>) {
        *progress.visits = progress.visits.saturating_sub(1);
        let object = &mut self.objects[id];
        if object.found_in != self.searches {
            object.found_in = self.searches;
            progress.left.push(id);
            progress.found.extend(object.name);
        }
    }

    /// Visits everything that an object depends on: the objects that it refers to, and the call of its module.
    fn pass_on(&mut self, id: SearchedId, progress: &mut Progress<'_>) {
        let dependencies = std::mem::take(&mut self.objects[id].dependencies);
        for dependency in &dependencies {
            if let Some(module) = self.objects[*dependency].module.clone() {
                self.visit_members(module, progress);
            }
            self.visit(*dependency, progress);
        }
        let object = &mut self.objects[id];
        object.dependencies = dependencies;
        if let Some(call) = object.call {
            self.visit(call, progress);
        }
    }

    /// Visits the objects of a module and of the modules that it calls.
    fn visit_members(&mut self, module: ModulePath, progress: &mut Progress<'_>) {
        if progress.whole.contains(&module) {
            return;
        }
        let members = std::mem::take(&mut self.members);
        let inside =
            members.range(module.clone()..).take_while(|(path, _)| path.steps().starts_with(module.steps()));
        for id in inside.flat_map(|(_, objects)| objects) {
            self.visit(*id, progress);
        }
        self.members = members;
        progress.whole.insert(module);
    }
}
