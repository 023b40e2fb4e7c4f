//! Finds dependencies of resources for the order of a replacement.
//!
//! A replacement is created before the old object is destroyed if the resource, or a resource that depends on it, has
//! `create_before_destroy`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath, Object, ResourceMode};
use terrane_module::graph::object_references;
use terrane_module::{Config, DestroyedObject};
use terrane_value::SmolStr;

use super::resources::{PlannedAction, PlannedResource, sorted};

/// Returns the blocks of resources whose replacements are created first, without instance keys.
pub(super) fn created_first(config: &Config) -> HashSet<Address> {
    let own: Vec<Address> = config.nodes().flat_map(|(_, node)| own(&node.path, &node.module)).collect();
    if own.is_empty() {
        return HashSet::new();
    }
    DependencySearch::of(config).resources_behind(own)
}

/// The dependencies of each resource, as a plan records them in the state.
pub(super) struct Dependencies<'c> {
    config: &'c Config,
    /// The blocks of the objects in the state that no block of the configuration declares.
    removed: Vec<Address>,
    /// The references of the configuration. Built for the first resource that is in the state.
    search: Option<DependencySearch>,
    /// The dependencies that were found so far, by the block of the resource.
    found: HashMap<Address, Vec<SmolStr>>,
}

impl<'c> Dependencies<'c> {
    /// Prepares a plan that destroys or forgets `destroyed`.
    pub(super) fn of<'d>(
        config: &'c Config,
        destroyed: impl Iterator<Item = &'d DestroyedObject>,
    ) -> Dependencies<'c> {
        let removed = destroyed.map(|one| one.address().without_keys()).collect();
        Dependencies { config, removed, search: None, found: HashMap::new() }
    }

    /// Returns the dependencies of a resource instance in the state that the plan begins with. After a refresh the state has
    /// the recorded dependencies and the dependencies in the configuration; for an object that does not change, it has only the
    /// dependencies in the configuration. An import adds no dependencies.
    pub(super) fn recorded(&mut self, resource: &PlannedResource<'_>) -> Vec<SmolStr> {
        let stored = resource.stored_dependencies();
        if resource.resource.mode != ResourceMode::Managed {
            return stored;
        }
        match (resource.action, &resource.import_id) {
            (PlannedAction::NoOp, _) => self.configured(&resource.address()),
            (_, Some(_)) => stored,
            (_, None) => sorted(stored.iter().chain(&self.configured(&resource.address()))),
        }
    }

    /// Returns the addresses of the resources that the block of a resource depends on: sorted, without instance keys.
    fn configured(&mut self, resource: &Address) -> Vec<SmolStr> {
        let block = resource.without_keys();
        if let Some(found) = self.found.get(&block) {
            return found.clone();
        }
        let search =
            self.search.get_or_insert_with(|| DependencySearch::of(self.config).with_members(&self.removed));
        let behind = search.resources_behind(vec![block.clone()]);
        let found = behind.iter().filter(|found| **found != block).map(|found| found.to_string().into());
        let found = sorted(&found.collect::<Vec<SmolStr>>());
        self.found.insert(block, found.clone());
        found
    }
}

/// Returns the resources of a module with `create_before_destroy = true`.
fn own<'c>(
    path: &'c ModulePath,
    module: &'c terrane_module::Module,
) -> impl Iterator<Item = Address> + use<'c> {
    let resources = module.resources.iter();
    let own = resources.filter(|(_, resource)| resource.lifecycle.create_before_destroy == Some(true));
    own.map(|(key, _)| Address { module: path.clone(), object: key.object(InstanceKey::None) })
}

/// Follows references from resources to other objects.
struct DependencySearch {
    /// The objects that each object refers to.
    dependencies: HashMap<Arc<Address>, Vec<Arc<Address>>>,
    /// The objects of each module that a reference to the whole module waits for.
    members: HashMap<ModulePath, Vec<Address>>,
}

/// The progress of one search.
#[derive(Default)]
struct Visited {
    found: HashSet<Address>,
    /// Objects whose references have not been followed yet.
    left: Vec<Address>,
    /// The modules that were visited as a whole, because a reference names their call.
    whole: HashSet<ModulePath>,
}

impl DependencySearch {
    fn of(config: &Config) -> DependencySearch {
        let mut dependencies: HashMap<Arc<Address>, Vec<Arc<Address>>> = HashMap::new();
        for reference in object_references(config) {
            dependencies.entry(reference.from).or_default().push(reference.to);
        }
        let mut members: HashMap<ModulePath, Vec<Address>> = HashMap::new();
        for (_, node) in config.nodes() {
            let module = &node.module;
            let calls = module.calls.keys().map(|name| Object::ModuleCall(name.clone(), InstanceKey::None));
            let objects = module.variables.keys().cloned().map(Object::Variable).chain(calls);
            let objects = objects.chain(module.locals.keys().cloned().map(Object::Local));
            let objects = objects.chain(module.checks.keys().cloned().map(Object::Check));
            let objects = objects.chain(module.outputs.keys().cloned().map(Object::Output));
            let objects = objects.chain(module.resources.keys().map(|key| key.object(InstanceKey::None)));
            let addresses = objects.map(|object| Address { module: node.path.clone(), object });
            members.insert(node.path.clone(), addresses.collect());
        }
        DependencySearch { dependencies, members }
    }

    /// Adds resources to the members of their modules, so that references to a whole module lead to them.
    fn with_members(mut self, resources: &[Address]) -> DependencySearch {
        for resource in resources {
            if let Some(members) = self.members.get_mut(&resource.module) {
                members.push(resource.clone());
            }
        }
        self
    }

    /// Returns these resources and the resources that they depend on.
    fn resources_behind(&self, resources: Vec<Address>) -> HashSet<Address> {
        let mut visited = Visited::default();
        resources.into_iter().for_each(|resource| visited.visit(resource));
        while let Some(object) = visited.left.pop() {
            self.pass_on(&object, &mut visited);
        }
        visited.found.retain(|found| matches!(found.object, Object::Resource { .. }));
        visited.found
    }

    /// Visits everything that an object depends on: the objects that it refers to, and the objects that the calls of its module
    /// refer to.
    fn pass_on(&self, object: &Address, visited: &mut Visited) {
        for dependency in self.dependencies.get(object).into_iter().flatten() {
            if let Object::ModuleCall(name, _) = &dependency.object {
                self.visit_members(&dependency.module.child(name, InstanceKey::None), visited);
            }
            visited.visit(Address::clone(dependency));
        }
        if let Some((module, call)) = object.module.split_last() {
            let call = Object::ModuleCall(call.name.clone(), InstanceKey::None);
            visited.visit(Address { module, object: call });
        }
    }

    /// Visits the objects of a module and of the modules that it calls.
    fn visit_members(&self, module: &ModulePath, visited: &mut Visited) {
        if !visited.whole.insert(module.clone()) {
            return;
        }
        let inside = self.members.iter().filter(|(path, _)| path.steps().starts_with(module.steps()));
        for object in inside.flat_map(|(_, objects)| objects) {
            visited.visit(object.clone());
        }
    }
}

impl Visited {
    fn visit(&mut self, object: Address) {
        if self.found.insert(object.clone()) {
            self.left.push(object);
        }
    }
}
