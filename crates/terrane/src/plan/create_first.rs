//! Finds the resources that others depend on. The replacement of a resource is created before the old object is destroyed if it or one
//! that depends on it has `create_before_destroy`.

use std::collections::{HashMap, HashSet};

use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath, Object};
use terrane_module::Config;
use terrane_module::graph::object_references;
use terrane_value::SmolStr;

/// The blocks of these resources, without instance keys.
pub(super) fn created_first(config: &Config) -> HashSet<Address> {
    let own: Vec<Address> = config.nodes().flat_map(|(_, node)| own(&node.path, &node.module)).collect();
    if own.is_empty() {
        return HashSet::new();
    }
    resources_behind(config, own)
}

/// The addresses of the resources that a resource depends on, as a state records them: sorted, without instance keys.
pub(super) fn dependencies(config: &Config, resource: &Address) -> Vec<SmolStr> {
    let resource = resource.without_keys();
    let behind = resources_behind(config, vec![resource.clone()]);
    let mut addresses: Vec<SmolStr> =
        behind.iter().filter(|found| **found != resource).map(|found| found.to_string().into()).collect();
    addresses.sort();
    addresses
}

/// These resources, and those that they depend on.
fn resources_behind(config: &Config, resources: Vec<Address>) -> HashSet<Address> {
    let mut search = Search::of(config);
    resources.into_iter().for_each(|resource| search.visit(resource));
    while let Some(object) = search.left.pop() {
        search.pass_on(&object);
    }
    search.found.retain(|found| matches!(found.object, Object::Resource(..)));
    search.found
}

/// The resources of a module with `create_before_destroy = true`.
fn own<'c>(
    path: &'c ModulePath,
    module: &'c terrane_module::Module,
) -> impl Iterator<Item = Address> + use<'c> {
    let resources = module.resources.iter();
    let own = resources.filter(|(_, resource)| resource.lifecycle.create_before_destroy == Some(true));
    own.map(|(key, _)| Address { module: path.clone(), object: key.object(InstanceKey::None) })
}

/// Follows references from the resources.
struct Search {
    /// The objects that each object refers to.
    dependencies: HashMap<Address, Vec<Address>>,
    /// The outputs and resources of each module.
    members: HashMap<ModulePath, Vec<Address>>,
    found: HashSet<Address>,
    /// Objects whose references are still to be followed.
    left: Vec<Address>,
    /// The calls that are referred to as a whole.
    whole: HashSet<ModulePath>,
}

impl Search {
    fn of(config: &Config) -> Search {
        let mut dependencies: HashMap<Address, Vec<Address>> = HashMap::new();
        for reference in object_references(config) {
            dependencies.entry(reference.from).or_default().push(reference.to);
        }
        let mut members: HashMap<ModulePath, Vec<Address>> = HashMap::new();
        for (_, node) in config.nodes() {
            let resources = node.module.resources.keys().map(|key| key.object(InstanceKey::None));
            let objects = node.module.outputs.keys().cloned().map(Object::Output).chain(resources);
            let addresses = objects.map(|object| Address { module: node.path.clone(), object });
            members.insert(node.path.clone(), addresses.collect());
        }
        Search { dependencies, members, found: HashSet::new(), left: Vec::new(), whole: HashSet::new() }
    }

    fn visit(&mut self, object: Address) {
        if self.found.insert(object.clone()) {
            self.left.push(object);
        }
    }

    /// Visits everything that an object depends on: the objects that it refers to, and those that the calls of its module do.
    fn pass_on(&mut self, object: &Address) {
        for dependency in self.dependencies.remove(object).unwrap_or_default() {
            if let Object::ModuleCall(name, _) = &dependency.object {
                self.visit_members(&dependency.module.child(name, InstanceKey::None));
            }
            self.visit(dependency);
        }
        if let Some((module, call)) = object.module.split_last() {
            let call = Object::ModuleCall(call.name.clone(), InstanceKey::None);
            self.visit(Address { module, object: call });
        }
    }

    /// Visits the objects of a module and of the modules that it calls.
    fn visit_members(&mut self, module: &ModulePath) {
        if !self.whole.insert(module.clone()) {
            return;
        }
        let inside: Vec<ModulePath> =
            self.members.keys().filter(|path| path.steps().starts_with(module.steps())).cloned().collect();
        for path in inside {
            for object in self.members.get(&path).cloned().unwrap_or_default() {
                self.visit(object);
            }
        }
    }
}
