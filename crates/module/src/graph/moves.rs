//! Orders `moved` blocks: a move comes after the moves that bring its object to the address where it begins.

use std::collections::{HashMap, HashSet};

use terrane_config::address::{Address, InstanceKey, ModulePath};
use terrane_config::digraph::{Digraph, Edge};

use crate::model::ids::{Arena, NodeId};
use crate::model::module::{Move, ObjectAddress, ResourceKey};
use crate::model::tree::ModuleNode;

/// Returns the `moved` blocks of all modules.
pub(crate) fn statements(nodes: &Arena<NodeId, ModuleNode>) -> Arena<StatementId, Statement<'_>> {
    let mut statements = Arena::default();
    for node in nodes.iter() {
        for moved in &node.module.moves {
            let is_whole = moves_all(moved);
            let (from, to) =
                (MoveEnd::of(node, &moved.from, is_whole), MoveEnd::of(node, &moved.to, is_whole));
            statements.push(Statement { moved, depth: node.path.steps().len(), from, to });
        }
    }
    statements
}

/// Returns the graph of the moves, with an edge from each move to the moves that must come before it. If several moves
/// have the same start, or the same end, only the first gets edges: the others contradict it, which is an error.
pub(crate) fn order(statements: &Arena<StatementId, Statement<'_>>) -> Digraph<StatementId> {
    let near = Near::new(statements);
    let mut edges = Vec::new();
    let mut origins = HashSet::new();
    for (from, statement) in
        statements.enumerate().filter(|(_, one)| origins.insert((one.depth, one.from.identity())))
    {
        let near = near.of(statement).filter(|(to, before)| *to != from && depends(statement, before));
        edges.extend(near.map(|(to, _)| Edge { from, to }));
    }
    Digraph::new(statements, edges.iter().copied())
}

terrane_config::ids! {
    /// Names a `moved` block of a configuration.
    StatementId;
}

/// A `moved` block with its two ends as seen from the root module.
pub(crate) struct Statement<'m> {
    pub(crate) moved: &'m Move,
    /// The number of calls that lead to the declaring module.
    pub(crate) depth: usize,
    pub(crate) from: MoveEnd,
    pub(crate) to: MoveEnd,
}

/// A resource that moves.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct ResourceEnd {
    pub(crate) resource: ResourceKey,
    /// The key of its instance; `None` if all instances move.
    pub(crate) key: Option<InstanceKey>,
}

/// A module on the way from the root to an end of a move.
pub(crate) struct CallStep {
    pub(crate) name: String,
    /// The key; `None` if it may be any key.
    pub(crate) key: Option<InstanceKey>,
}

/// Separates the modules of an address. A dot would also occur inside `module.a`.
const SEPARATOR: &str = "/";

/// One end of a move, as a pattern: the modules that lead to the declaring module may have any keys.
pub(crate) struct MoveEnd {
    /// The modules from the root on, including the module that moves.
    pub(crate) modules: Vec<CallStep>,
    /// The resource; `None` if a module moves.
    pub(crate) resource: Option<ResourceEnd>,
    /// The address without keys.
    address: String,
    /// The resource without the key of its instance, or the module, with the keys of modules as written.
    place: String,
    /// The address with its keys, as written.
    pub(crate) text: String,
}

impl MoveEnd {
    /// Returns an end of a move. `is_whole`: neither end has a key, so all instances move.
    fn of(node: &ModuleNode, address: &ObjectAddress, is_whole: bool) -> MoveEnd {
        let above = node.path.steps().iter().map(|step| CallStep { name: step.name.to_string(), key: None });
        let below = address.module.steps().iter();
        let below = below.map(|step| CallStep { name: step.name.to_string(), key: Some(step.key.clone()) });
        let mut modules: Vec<CallStep> = above.chain(below).collect();
        let resource = address.resource.as_ref().map(|resource| {
            let key = (!is_whole).then(|| address.key.clone());
            ResourceEnd { resource: resource.clone(), key }
        });
        if let (true, true, Some(last)) = (is_whole, resource.is_none(), modules.last_mut()) {
            last.key = None;
        }
        let mut path: Vec<String> = modules.iter().map(|step| format!("module.{}", step.name)).collect();
        if let Some(ResourceKey { mode, resource_type, name }) = &address.resource {
            path.push(format!("{mode:?}.{resource_type}.{name}"));
        }
        let place = ObjectAddress { key: InstanceKey::None, ..address.clone() };
        MoveEnd {
            modules,
            resource,
            address: path.join(SEPARATOR),
            place: absolute(&node.path, &place),
            text: absolute(&node.path, address),
        }
    }

    /// Identifies the end among the moves of modules of the same depth: by its text, and whether it has no key. An
    /// address without a key means all instances, or the instance without a key.
    fn identity(&self) -> (&str, bool) {
        let key = match &self.resource {
            Some(resource) => resource.key.as_ref(),
            None => self.modules.last().and_then(|last| last.key.as_ref()),
        };
        (&self.text, key.is_none())
    }

    fn is_module(&self) -> bool {
        self.resource.is_none()
    }

    /// Returns the key of the single instance of a resource that moves.
    fn instance(&self) -> Option<&InstanceKey> {
        self.resource.as_ref()?.key.as_ref()
    }

    /// Returns the modules around the object, including a module that moves.
    fn in_modules(&self) -> impl Iterator<Item = ModuleEnd<'_>> {
        let ends = self.address.match_indices(SEPARATOR).map(|(end, _)| end);
        let modules = ends.chain([self.address.len()]).filter_map(|end| self.address.get(..end));
        modules.zip(&self.modules).map(|(address, step)| ModuleEnd { address, key: step.key.as_ref() })
    }

    /// Returns the module that moves.
    fn module(&self) -> Option<ModuleEnd<'_>> {
        let last = self.modules.last().filter(|_| self.is_module())?;
        Some(ModuleEnd { address: &self.address, key: last.key.as_ref() })
    }

    /// Whether the modules of this end may begin with the modules of the other end.
    fn may_begin_with(&self, other: &MoveEnd) -> bool {
        other.modules.len() <= self.modules.len()
            && self.modules.iter().zip(&other.modules).all(|(own, other)| {
                let keys = own.key.as_ref().zip(other.key.as_ref());
                own.name == other.name && keys.is_none_or(|(key, other)| key == other)
            })
    }

    /// Whether an object that reaches the end `to` moves on from this end.
    fn follows(&self, to: &MoveEnd) -> bool {
        self.modules.len() == to.modules.len() && self.may_begin_with(to) && self.resource == to.resource
    }

    /// Whether this end is inside the module that is the other end, or is an instance of the
    /// resource that is the other end.
    fn is_within(&self, other: &MoveEnd) -> bool {
        self.may_begin_with(other)
            && match (&self.resource, &other.resource) {
                (Some(_), None) => true,
                (None, None) => self.modules.len() > other.modules.len(),
                (Some(own), Some(whole)) => {
                    self.modules.len() == other.modules.len()
                        && own.resource == whole.resource
                        && own.key.is_some()
                        && whole.key.is_none()
                }
                (None, Some(_)) => false,
            }
    }
}

/// Finds the moves that may have to come before or after a move: moves of the same object, of the modules and the
/// resource around it, and of the objects in it.
struct Near<'m> {
    statements: &'m Arena<StatementId, Statement<'m>>,
    /// The moves, by the resource or instance that they move to.
    to_resource: ByResource<'m>,
    /// The moves that begin or end at an instance of a resource, by the resource.
    of_instance: ByResource<'m>,
    /// The moves, by the module that they move to.
    to_module: ByModule<'m>,
    /// The moves, by each module that contains or is one of their ends.
    within: ByModule<'m>,
}

impl<'m> Near<'m> {
    fn new(statements: &'m Arena<StatementId, Statement<'m>>) -> Near<'m> {
        let mut near = Near {
            statements,
            to_resource: ByResource::default(),
            of_instance: ByResource::default(),
            to_module: ByModule::default(),
            within: ByModule::default(),
        };
        let mut targets = HashSet::new();
        for (id, statement) in statements.enumerate() {
            if targets.insert((statement.depth, statement.to.identity())) {
                match statement.to.module() {
                    Some(module) => near.to_module.add(module, id),
                    None => near.to_resource.add(statement, ResourceAt::of(&statement.to), id),
                }
            }
            for end in [&statement.from, &statement.to] {
                end.in_modules().for_each(|module| near.within.add(module, id));
                if end.instance().is_some() {
                    near.of_instance.add(statement, ResourceAt::whole(end), id);
                }
            }
        }
        near
    }

    /// Returns the moves near `one`, with their ids. A move may occur more than once.
    fn of(&self, one: &'m Statement<'m>) -> impl Iterator<Item = (StatementId, &'m Statement<'m>)> {
        let modules = one.from.in_modules().chain(one.to.in_modules());
        let around = modules.flat_map(|module| self.to_module.get(module));
        let resources = [&one.from, &one.to].into_iter().filter(|end| end.instance().is_some());
        let resources = resources.map(ResourceAt::whole).chain([ResourceAt::of(&one.from)]);
        let same = resources.flat_map(|resource| self.to_resource.get(one, resource));
        let within = one.from.module().into_iter().flat_map(|module| self.within.get(module));
        let is_whole = !one.from.is_module() && one.from.instance().is_none();
        let instances = is_whole.then(|| self.of_instance.get(one, ResourceAt::whole(&one.from)));
        let all = around.chain(same).chain(within).chain(instances.into_iter().flatten()).copied();
        all.map(|id| (id, &self.statements[id]))
    }
}

/// A resource at an end of a move, or one of its instances.
#[derive(Clone, Copy)]
struct ResourceAt<'m> {
    end: &'m MoveEnd,
    /// The key of the instance; `None` if all instances are meant.
    key: Option<&'m InstanceKey>,
}

impl<'m> ResourceAt<'m> {
    fn of(end: &'m MoveEnd) -> ResourceAt<'m> {
        ResourceAt { end, key: end.instance() }
    }

    /// Returns the resource with all its instances.
    fn whole(end: &'m MoveEnd) -> ResourceAt<'m> {
        ResourceAt { end, key: None }
    }
}

/// Moves by the resource or instance at one of their ends.
#[derive(Default)]
struct ByResource<'m> {
    /// The moves that the root module declares, by addresses with the keys of modules.
    of_root: HashMap<(&'m str, Option<&'m InstanceKey>), Vec<StatementId>>,
    /// The moves that other modules declare, by addresses without the keys of modules, because the modules
    /// above may have any keys.
    of_others: HashMap<(&'m str, Option<&'m InstanceKey>), Vec<StatementId>>,
    /// All moves, by addresses without the keys of modules.
    all: HashMap<(&'m str, Option<&'m InstanceKey>), Vec<StatementId>>,
}

impl<'m> ByResource<'m> {
    fn add(&mut self, statement: &Statement<'_>, resource: ResourceAt<'m>, id: StatementId) {
        let ResourceAt { end, key } = resource;
        match statement.depth {
            0 => self.of_root.entry((&end.place, key)).or_default().push(id),
            _ => self.of_others.entry((&end.address, key)).or_default().push(id),
        }
        self.all.entry((&end.address, key)).or_default().push(id);
    }

    /// Returns the moves whose resource may be the same as in `statement`.
    fn get(&self, statement: &Statement<'_>, resource: ResourceAt<'m>) -> impl Iterator<Item = &StatementId> {
        let ResourceAt { end, key } = resource;
        let without_keys = (end.address.as_str(), key);
        let [found, of_others] = match statement.depth {
            0 => [self.of_root.get(&(&end.place, key)), self.of_others.get(&without_keys)],
            _ => [self.all.get(&without_keys), None],
        };
        found.into_iter().chain(of_others).flatten()
    }
}

/// A module at an end of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ModuleEnd<'m> {
    /// The address without keys.
    address: &'m str,
    /// The last key; `None` if it may be any key.
    key: Option<&'m InstanceKey>,
}

/// Moves by the module at one of their ends, or around it.
#[derive(Default)]
struct ByModule<'m> {
    all: HashMap<&'m str, Vec<StatementId>>,
    by_key: HashMap<ModuleEnd<'m>, Vec<StatementId>>,
}

impl<'m> ByModule<'m> {
    fn add(&mut self, module: ModuleEnd<'m>, id: StatementId) {
        self.all.entry(module.address).or_default().push(id);
        self.by_key.entry(module).or_default().push(id);
    }

    /// Returns the moves whose module has the same key, or may have it.
    fn get(&self, module: ModuleEnd<'m>) -> impl Iterator<Item = &StatementId> {
        let [found, of_any] = match module.key {
            None => [self.all.get(module.address), None],
            Some(_) => [self.by_key.get(&module), self.by_key.get(&ModuleEnd { key: None, ..module })],
        };
        found.into_iter().chain(of_any).flatten()
    }
}

/// Whether the move `one` has to come after the move `before`.
fn depends(one: &Statement<'_>, before: &Statement<'_>) -> bool {
    if one.from.follows(&before.to) {
        return true;
    }
    let is_nested = one.from.is_within(&before.to)
        || one.to.is_within(&before.to)
        || before.from.is_within(&one.from)
        || before.to.is_within(&one.from);
    // A module that only changes keys moves before the objects in it, which both ends contain.
    let is_rekeyed = one.from.is_module() && one.from.address == one.to.address;
    is_nested && (one.depth >= before.depth || !is_rekeyed)
}

/// Whether all instances move, because neither end has a key.
pub(crate) fn moves_all(moved: &Move) -> bool {
    last_key(&moved.from) == InstanceKey::None && last_key(&moved.to) == InstanceKey::None
}

fn last_key(address: &ObjectAddress) -> InstanceKey {
    match &address.resource {
        Some(_) => address.key.clone(),
        None => address.module.steps().last().map_or(InstanceKey::None, |step| step.key.clone()),
    }
}

/// Returns the address as seen from the root module, in an instance of the module in which it is written.
pub(crate) fn absolute(path: &ModulePath, address: &ObjectAddress) -> String {
    let below = address.module.steps().iter();
    let module = below.fold(path.clone(), |path, step| path.child(&step.name, step.key.clone()));
    match &address.resource {
        None => module.to_string(),
        Some(resource) => Address { module, object: resource.object(address.key.clone()) }.to_string(),
    }
}
