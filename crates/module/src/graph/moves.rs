//! The order of `moved` blocks: a move comes after those that bring its object to where it begins.

use std::collections::HashMap;

use terrane_config::address::{Address, InstanceKey, ModulePath};
use terrane_config::digraph::{Digraph, Edge};

use crate::model::ids::{Arena, NodeId};
use crate::model::module::{Move, ObjectAddress, ResourceKey};
use crate::model::tree::ModuleNode;

/// The `moved` blocks of all modules.
pub(crate) fn statements(nodes: &Arena<NodeId, ModuleNode>) -> Arena<StatementId, Statement<'_>> {
    let mut statements = Arena::default();
    for node in nodes.iter() {
        for moved in &node.module.moves {
            let is_whole = moves_all(moved);
            let (from, to) = (End::of(node, &moved.from, is_whole), End::of(node, &moved.to, is_whole));
            statements.push(Statement { moved, depth: node.path.steps().len(), from, to });
        }
    }
    statements
}

/// The graph of the moves, with an edge from each to those that come before it.
pub(crate) fn order(statements: &Arena<StatementId, Statement<'_>>) -> Digraph<StatementId> {
    let near = Near::new(statements);
    let mut edges = Vec::new();
    for (from, statement) in statements.enumerate() {
        let near = near.of(statement).filter(|(to, before)| *to != from && depends(statement, before));
        edges.extend(near.map(|(to, _)| Edge { from, to }));
    }
    Digraph::new(statements, edges.iter().copied())
}

terrane_config::ids! {
    /// Names a `moved` block of a configuration.
    StatementId;
}

/// A `moved` block with its ends as seen from the root module.
pub(crate) struct Statement<'m> {
    pub(crate) moved: &'m Move,
    /// How deep the module is that declares it.
    pub(crate) depth: usize,
    pub(crate) from: End,
    pub(crate) to: End,
}

/// A resource that moves.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct ResourceEnd {
    pub(crate) resource: ResourceKey,
    /// The key of its instance, where not all instances are meant.
    pub(crate) key: Option<InstanceKey>,
}

/// A module on the way from the root to an end of a move.
pub(crate) struct CallStep {
    pub(crate) name: String,
    /// The key, where that is not any one.
    pub(crate) key: Option<InstanceKey>,
}

/// Between the modules of an address: a dot would also stand inside of `module.a`.
const SEPARATOR: &str = "/";

/// One end of a move, as a pattern: the modules above the one with the statement may have any keys.
pub(crate) struct End {
    /// The modules from the root on, the module that moves included.
    pub(crate) modules: Vec<CallStep>,
    /// The resource, where no module moves.
    pub(crate) resource: Option<ResourceEnd>,
    /// The address without keys.
    address: String,
    /// The keys that it is written with.
    pub(crate) text: String,
}

impl End {
    /// `is_whole` says that neither end has a key, so that all instances move.
    fn of(node: &ModuleNode, address: &ObjectAddress, is_whole: bool) -> End {
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
        End { modules, resource, address: path.join(SEPARATOR), text: absolute(&node.path, address) }
    }

    fn is_module(&self) -> bool {
        self.resource.is_none()
    }

    /// The address without keys of modules.
    fn object(&self) -> (&str, Option<&ResourceEnd>) {
        (&self.address, self.resource.as_ref())
    }

    /// The modules around it, including the one that moves.
    fn in_modules(&self) -> impl Iterator<Item = ModuleEnd<'_>> {
        let ends = self.address.match_indices(SEPARATOR).map(|(end, _)| end);
        let modules = ends.chain([self.address.len()]).filter_map(|end| self.address.get(..end));
        modules.zip(&self.modules).map(|(address, step)| ModuleEnd { address, key: step.key.as_ref() })
    }

    /// The module that moves.
    fn module(&self) -> Option<ModuleEnd<'_>> {
        let last = self.modules.last().filter(|_| self.is_module())?;
        Some(ModuleEnd { address: &self.address, key: last.key.as_ref() })
    }

    /// Whether the modules of the other end may be the first ones of these.
    fn may_begin_with(&self, other: &End) -> bool {
        other.modules.len() <= self.modules.len()
            && self.modules.iter().zip(&other.modules).all(|(own, other)| {
                let keys = own.key.as_ref().zip(other.key.as_ref());
                own.name == other.name && keys.is_none_or(|(key, other)| key == other)
            })
    }

    /// Whether an object that moves to the other end moves on from this one.
    fn follows(&self, to: &End) -> bool {
        self.modules.len() == to.modules.len() && self.may_begin_with(to) && self.resource == to.resource
    }

    /// Whether it is in the module that the other end is.
    fn is_within(&self, other: &End) -> bool {
        other.is_module()
            && self.may_begin_with(other)
            && (!self.is_module() || self.modules.len() > other.modules.len())
    }
}

/// The moves near one: those of the same object, of the modules around it, and of the objects in it.
struct Near<'m> {
    statements: &'m Arena<StatementId, Statement<'m>>,
    /// By the resource that something moves to.
    to_resource: HashMap<(&'m str, Option<&'m ResourceEnd>), Vec<StatementId>>,
    /// By the module that something moves to.
    to_module: ByModule<'m>,
    /// By each of the modules that either end is in, or is.
    within: ByModule<'m>,
}

impl<'m> Near<'m> {
    fn new(statements: &'m Arena<StatementId, Statement<'m>>) -> Near<'m> {
        let (to_module, within) = (ByModule::default(), ByModule::default());
        let mut near = Near { statements, to_resource: HashMap::new(), to_module, within };
        for (id, statement) in statements.enumerate() {
            match statement.to.module() {
                Some(module) => near.to_module.add(module, id),
                None => near.to_resource.entry(statement.to.object()).or_default().push(id),
            }
            for module in statement.from.in_modules().chain(statement.to.in_modules()) {
                near.within.add(module, id);
            }
        }
        near
    }

    /// With their ids. Some are given more than once.
    fn of(&self, one: &'m Statement<'m>) -> impl Iterator<Item = (StatementId, &'m Statement<'m>)> {
        let around = one.from.in_modules().chain(one.to.in_modules());
        let around = around.flat_map(|module| self.to_module.get(module));
        let same = self.to_resource.get(&one.from.object()).into_iter().flatten();
        let within = one.from.module().into_iter().flat_map(|module| self.within.get(module));
        let all = around.chain(same).chain(within).copied();
        all.map(|id| (id, &self.statements[id]))
    }
}

/// A module at an end of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ModuleEnd<'m> {
    /// The address without keys.
    address: &'m str,
    /// The last key, where it is not any one.
    key: Option<&'m InstanceKey>,
}

/// Moves by modules.
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

    /// Those that have the same key, or any one.
    fn get(&self, module: ModuleEnd<'m>) -> impl Iterator<Item = &StatementId> {
        let [found, of_any] = match module.key {
            None => [self.all.get(module.address), None],
            Some(_) => [self.by_key.get(&module), self.by_key.get(&ModuleEnd { key: None, ..module })],
        };
        found.into_iter().chain(of_any).flatten()
    }
}

/// Whether one move has to come after another one.
fn depends(one: &Statement<'_>, before: &Statement<'_>) -> bool {
    if one.from.follows(&before.to) {
        return true;
    }
    let is_nested = one.from.is_within(&before.to)
        || one.to.is_within(&before.to)
        || before.from.is_within(&one.from)
        || before.to.is_within(&one.from);
    // A module that only changes keys moves before the objects in it, which are in both.
    let is_rekeyed = one.from.is_module() && one.from.address == one.to.address;
    is_nested && (one.depth >= before.depth || !is_rekeyed)
}

/// Whether all instances move, as neither end has a key.
pub(crate) fn moves_all(moved: &Move) -> bool {
    last_key(&moved.from) == InstanceKey::None && last_key(&moved.to) == InstanceKey::None
}

fn last_key(address: &ObjectAddress) -> InstanceKey {
    match &address.resource {
        Some(_) => address.key.clone(),
        None => address.module.steps().last().map_or(InstanceKey::None, |step| step.key.clone()),
    }
}

/// The address as seen from the root module, in an instance of the module that it is written in.
pub(crate) fn absolute(path: &ModulePath, address: &ObjectAddress) -> String {
    let below = address.module.steps().iter();
    let module = below.fold(path.clone(), |path, step| path.child(&step.name, step.key.clone()));
    match &address.resource {
        None => module.to_string(),
        Some(resource) => Address { module, object: resource.object(address.key.clone()) }.to_string(),
    }
}
