//! Places the objects of a state at their addresses in the configuration: behind `moved` blocks, and where a block has got or lost
//! `count`.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use terrane_config::address::{InstanceKey, ModulePath, ModuleStep};
use terrane_config::state::State;

use crate::graph::moves::{self, CallStep, MoveEnd, Statement, StatementId};
use crate::load::converted::{convert, is_converted};
use crate::model::ids::{Arena, NodeId};
use crate::model::module::{Repetition, ResourceKey};
use crate::model::prior::{PriorAddress, PriorState};
use crate::model::tree::ModuleNode;

/// The steps of a move for each module on the path of the objects.
const STEPS_OF_MODULE: usize = 64;
/// The steps of a move for each resource that moves.
const STEPS_OF_RESOURCE: usize = 32;

/// The current objects of a state at their addresses after all moves. A move to an address that has an object is left out. So is one
/// to another resource type, which is left to the provider, except where that is the built-in one. `takes` counts the steps of
/// the moves; after it returns false, no `moved` block moves an object.
pub(crate) fn placed(
    state: Arc<State>,
    nodes: &Arena<NodeId, ModuleNode>,
    takes: &dyn Fn(usize) -> bool,
) -> PriorState {
    let mut prior = PriorState::new(state);
    let statements = moves::statements(nodes);
    // As in the reference, these follow from the addresses before all moves.
    let implied = implied(&prior, nodes, &statements);
    if statements.iter().next().is_some() {
        let mut places = OccupiedModules::of(&prior);
        // Moves that form a cycle are reported, and left out.
        for id in moves::order(&statements).sorted(|id| id) {
            if !apply(&mut prior, &statements[id], &mut places, takes) {
                break;
            }
        }
    }
    for ImpliedMove { module, resource, from, to } in implied {
        let address = |key| PriorAddress { module: &module, resource: &resource, key };
        prior.move_instance(&address(&from), &address(&to));
    }
    prior
}

/// An object that moves because its block has got or lost `count`.
struct ImpliedMove {
    module: ModulePath,
    resource: ResourceKey,
    from: InstanceKey,
    to: InstanceKey,
}

/// Moves between no key and `[0]`, unless a `moved` block is about the resource. An instance with only deposed objects moves, too.
fn implied(
    prior: &PriorState,
    nodes: &Arena<NodeId, ModuleNode>,
    statements: &Arena<StatementId, Statement<'_>>,
) -> Vec<ImpliedMove> {
    let mut all = Vec::new();
    let nodes: HashMap<&ModulePath, &ModuleNode> = nodes.iter().map(|node| (&node.path, node)).collect();
    let explicit = Explicit::of(statements);
    for (module, resource, _) in prior.resources() {
        let has = |key: &InstanceKey| prior.has_instance(module, resource, key);
        if !has(&InstanceKey::None) && !has(&InstanceKey::Index(0)) {
            continue;
        }
        let names = module.without_keys();
        let Some(node) = nodes.get(&names) else { continue };
        let Some(id) = node.module.resources.id_of(resource) else { continue };
        let (from, to) = match &node.module.resources.at(id).repetition {
            Repetition::Count(_) => (InstanceKey::None, InstanceKey::Index(0)),
            Repetition::Once => (InstanceKey::Index(0), InstanceKey::None),
            Repetition::ForEach(_) | Repetition::Enabled(_) => continue,
        };
        if has(&from) && !explicit.has(module, &names, resource) {
            all.push(ImpliedMove { module: module.clone(), resource: resource.clone(), from, to });
        }
    }
    all
}

/// The resources at the ends of `moved` blocks, by their modules without keys.
struct Explicit<'s>(HashMap<(ModulePath, &'s ResourceKey), Ends<'s>>);

/// The ends of `moved` blocks at a resource.
#[derive(Default)]
struct Ends<'s> {
    /// The module instances of ends that name the keys of all modules.
    exact: HashSet<ModulePath>,
    /// The ends that name the keys of some modules.
    patterns: Vec<&'s [CallStep]>,
    /// Whether an end is for all module instances.
    has_all: bool,
}

impl<'s> Explicit<'s> {
    fn of(statements: &'s Arena<StatementId, Statement<'_>>) -> Explicit<'s> {
        let mut by_resource: HashMap<(ModulePath, &ResourceKey), Ends<'s>> = HashMap::new();
        for end in statements.iter().flat_map(|one| [&one.from, &one.to]) {
            let Some(resource) = &end.resource else { continue };
            let ends = by_resource.entry((names(&end.modules), &resource.resource)).or_default();
            match exact(&end.modules) {
                Some(path) => _ = ends.exact.insert(path),
                None if end.modules.iter().all(|call| call.key.is_none()) => ends.has_all = true,
                None => ends.patterns.push(&end.modules),
            }
        }
        Explicit(by_resource)
    }

    fn has(&self, module: &ModulePath, names: &ModulePath, resource: &'s ResourceKey) -> bool {
        self.0.get(&(names.clone(), resource)).is_some_and(|ends| {
            ends.has_all
                || ends.exact.contains(module)
                || ends.patterns.iter().any(|calls| is_along(calls, module.steps()))
        })
    }
}

/// The path of these calls without keys.
fn names(calls: &[CallStep]) -> ModulePath {
    let name = |path: ModulePath, call: &CallStep| path.child(&call.name.as_str().into(), InstanceKey::None);
    calls.iter().fold(ModulePath::ROOT, name)
}

/// The path of these calls, if each has its key.
fn exact(calls: &[CallStep]) -> Option<ModulePath> {
    calls.iter().try_fold(ModulePath::ROOT, |path, call| {
        Some(path.child(&call.name.as_str().into(), call.key.clone()?))
    })
}

/// A resource by the names of its module calls, without instance keys.
#[derive(PartialEq, Eq, Hash)]
struct UnkeyedResource {
    modules: ModulePath,
    resource: ResourceKey,
}

/// The module instances that have had objects, for statements to find. A place that an object has left stays in it.
#[derive(Default)]
struct OccupiedModules {
    /// Those in a module instance or below it, which are looked for by their whole path.
    below: HashMap<ModulePath, BTreeSet<ModulePath>>,
    /// As `below`, by the names of modules without instance keys.
    below_names: HashMap<ModulePath, BTreeSet<ModulePath>>,
    /// The module instances with a resource.
    with_resource: HashMap<UnkeyedResource, BTreeSet<ModulePath>>,
}

impl OccupiedModules {
    fn of(prior: &PriorState) -> OccupiedModules {
        let mut places = OccupiedModules::default();
        for (module, resource, _) in prior.resources() {
            places.add_resource(module, resource);
        }
        for module in prior.modules() {
            places.add_module(module);
        }
        places
    }

    fn add_resource(&mut self, module: &ModulePath, resource: &ResourceKey) {
        let named = UnkeyedResource { modules: module.without_keys(), resource: resource.clone() };
        self.with_resource.entry(named).or_default().insert(module.clone());
    }

    fn add_module(&mut self, module: &ModulePath) {
        let (mut path, mut names) = (ModulePath::ROOT, ModulePath::ROOT);
        for step in module.steps() {
            (path, names) = (child(&path, step), names.child(&step.name, InstanceKey::None));
            self.below.entry(path.clone()).or_default().insert(module.clone());
            self.below_names.entry(names.clone()).or_default().insert(module.clone());
        }
    }

    /// The module instances that may have objects which a statement moves.
    fn affected(&self, from: &MoveEnd) -> Vec<ModulePath> {
        let matching = |found: Option<&BTreeSet<ModulePath>>, is_matching: &dyn Fn(&ModulePath) -> bool| {
            found.into_iter().flatten().filter(|path| is_matching(path)).cloned().collect()
        };
        let calls = from.modules.as_slice();
        match (&from.resource, exact(calls)) {
            (Some(_), Some(path)) => vec![path],
            (Some(end), None) => {
                let named = UnkeyedResource { modules: names(calls), resource: end.resource.clone() };
                matching(self.with_resource.get(&named), &|path| is_along(calls, path.steps()))
            }
            (None, Some(path)) => matching(self.below.get(&path), &|_| true),
            (None, None) => {
                matching(self.below_names.get(&names(calls)), &|path| begins_with(path.steps(), calls))
            }
        }
    }

    /// Notes that the resources of a module instance have another path.
    fn follow(&mut self, prior: &PriorState, module: &ModulePath) {
        for resource in prior.resources_of(module) {
            self.add_resource(module, resource);
        }
        self.add_module(module);
    }
}

/// Whether a path leads through these calls, and no further.
fn is_along(calls: &[CallStep], path: &[ModuleStep]) -> bool {
    calls.len() == path.len() && begins_with(path, calls)
}

/// Whether a path begins with these calls.
fn begins_with(path: &[ModuleStep], calls: &[CallStep]) -> bool {
    calls.len() <= path.len()
        && path.iter().zip(calls).all(|(step, call)| {
            *step.name == *call.name && call.key.as_ref().is_none_or(|key| *key == step.key)
        })
}

/// Moves the objects that a statement is about. Returns false if `takes` does.
fn apply(
    prior: &mut PriorState,
    statement: &Statement<'_>,
    places: &mut OccupiedModules,
    takes: &dyn Fn(usize) -> bool,
) -> bool {
    let Statement { from, to, depth, .. } = statement;
    for path in places.affected(from) {
        // The resources of a module move together, and are noted one by one.
        let resources = if from.resource.is_none() { prior.resources_of(&path).count() } else { 1 };
        let steps = STEPS_OF_MODULE * (1 + path.steps().len()) + STEPS_OF_RESOURCE * resources;
        if !takes(steps) {
            return false;
        }
        let target = target(&path, from, to, *depth);
        match (&from.resource, &to.resource) {
            (None, None) => {
                prior.move_module(&path, &target);
                places.follow(prior, &target);
            }
            (Some(before), Some(after)) => {
                let is_converted = is_converted(&before.resource, &after.resource);
                if before.resource.resource_type != after.resource.resource_type && !is_converted {
                    continue;
                }
                let key = before.key.as_ref().and(after.key.as_ref());
                let has_moved = match (&before.key, key) {
                    (Some(key), Some(new)) => {
                        let from = PriorAddress { module: &path, resource: &before.resource, key };
                        let to = PriorAddress { module: &target, resource: &after.resource, key: new };
                        prior.move_instance(&from, &to)
                    }
                    (_, _) => prior.move_resource(&path, &before.resource, &target, &after.resource),
                };
                // Only the objects that have moved just now: one that cannot be converted is not read again at each move.
                if is_converted && has_moved {
                    convert(prior, &target, &after.resource, key);
                }
                places.add_resource(&target, &after.resource);
                places.add_module(&target);
            }
            (_, _) => {}
        }
    }
    true
}

/// The path of a module instance behind a move: the modules around the block keep their keys, and so does the last one if all its
/// instances move.
fn target(path: &ModulePath, from: &MoveEnd, to: &MoveEnd, depth: usize) -> ModulePath {
    let steps = path.steps();
    let last = from.modules.len().checked_sub(1).and_then(|last| steps.get(last)).map(|step| &step.key);
    let mut target = steps.iter().take(depth).fold(ModulePath::ROOT, |path, step| child(&path, step));
    for call in to.modules.iter().skip(depth) {
        let key = call.key.as_ref().or(last).cloned().unwrap_or(InstanceKey::None);
        target = target.child(&call.name.as_str().into(), key);
    }
    steps.iter().skip(from.modules.len()).fold(target, |path, step| child(&path, step))
}

fn child(path: &ModulePath, step: &ModuleStep) -> ModulePath {
    path.child(&step.name, step.key.clone())
}
