//! Checks `moved` and `removed` blocks against the declarations.

use std::collections::HashMap;

use terrane_config::Declaration;
use terrane_config::address::{Address, InstanceKey, ModulePath, ModuleStep, ResourceMode};
use terrane_config::digraph::{Digraph, Edge};
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, ids};

use crate::check::paths::module_at;
use crate::model::ids::{Arena, NodeId};
use crate::model::module::{Move, ObjectAddress, ResourceKey};
use crate::model::tree::{Config, ModuleNode};
use crate::rules::constructs::MOVES_TO_TYPES;
use crate::state::evaluation::Evaluation;
use crate::state::instance::ModuleInstance;

/// Reports blocks about objects that are still declared, and moves that contradict each other.
pub(crate) fn check(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    let mut of_moves = Diagnostics::new();
    moves(evaluation, &mut of_moves);
    // A contradiction mostly makes a cycle, too, and says more about the mistake.
    if !of_moves.has_errors() {
        cycles(&evaluation.config, &mut of_moves);
    }
    diagnostics.extend(of_moves);
    removals(&evaluation.config, diagnostics);
}

fn moves(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    let config = &evaluation.config;
    let (mut seen, mut owners) = (Seen::default(), Owners::new(evaluation));
    for (id, node) in config.nodes() {
        for moved in &node.module.moves {
            let (from, to) = (absolute(&node.path, &moved.from), absolute(&node.path, &moved.to));
            let mut report =
                |id: DiagnosticId, detail: String| report(id, detail, &moved.declaration, diagnostics);
            if from == to {
                report(ids::REDUNDANT_MOVE, format!("`{from}` moves to itself. Remove the block."));
                continue;
            }
            if owners.still_have(id, moved) {
                let detail = format!(
                    "`{from}` is still declared, so it cannot move to `{to}`. Rename the block, or remove \
                     the `moved` block."
                );
                report(ids::MOVED_EXISTS, detail);
            }
            if let (Some(before), Some(after)) = (&moved.from.resource, &moved.to.resource)
                && before.resource_type != after.resource_type
                && before.mode != ResourceMode::Data
                && let construct =
                    format_args!("A move to a resource of another type, from `{from}` to `{to}`,")
                && let Some(detail) = config.rules.lacks(MOVES_TO_TYPES, construct)
            {
                report(ids::MOVED_TYPE, detail);
            }
            // All instances are noted; a contradiction in several is reported once.
            let instances = evaluation.instances_of(id);
            let contradictions: Vec<String> =
                instances.filter_map(|state| seen.contradiction(moved, &state.path)).collect();
            if let Some(detail) = contradictions.into_iter().next() {
                report(ids::AMBIGUOUS_MOVE, detail);
            }
        }
    }
}

fn removals(config: &Config, diagnostics: &mut Diagnostics) {
    let titles = config.rules.titles;
    for (id, node) in config.nodes() {
        for removal in &node.module.removals {
            let address = absolute(&node.path, &removal.from);
            let Some(owner) = module_at(config, id, &removal.from.module) else { continue };
            let (title, kind) = match &removal.from.resource {
                Some(key) if config.node(owner).module.resources.contains_key(key) => {
                    (titles.removed_resource_exists, "resource")
                }
                None => (titles.removed_module_exists, "module"),
                Some(_) => continue,
            };
            let detail = format!("The {kind} `{address}` is still declared. Remove its block, or this one.");
            let diagnostic = Diagnostic::error(ids::REMOVED_EXISTS, detail).titled(title);
            diagnostics.push(diagnostic.at(&removal.declaration.file, removal.declaration.span));
        }
    }
}

/// The ends of the moves in the instances of modules. A move of all instances of an object is not a move of one of them.
#[derive(Default)]
struct Seen {
    from: HashMap<SeenEnd, String>,
    to: HashMap<SeenEnd, String>,
}

/// An end of a move, in an instance of its module.
#[derive(PartialEq, Eq, Hash)]
struct SeenEnd {
    address: String,
    /// Whether all instances of the object move.
    is_whole: bool,
}

impl Seen {
    /// The contradiction with another move in an instance of its module.
    fn contradiction(&mut self, moved: &Move, path: &ModulePath) -> Option<String> {
        let is_whole = moves_all(moved);
        let (from, to) = (absolute(path, &moved.from), absolute(path, &moved.to));
        let end = |address: &String| SeenEnd { address: address.clone(), is_whole };
        let other = self.from.insert(end(&from), to.clone()).filter(|other| *other != to);
        let further = self.to.insert(end(&to), from.clone()).filter(|other| *other != from);
        let contradiction = match (other, further) {
            (Some(other), _) => format!("`{from}` moves to `{other}` and to `{to}`"),
            (None, Some(other)) => format!("`{other}` and `{from}` both move to `{to}`"),
            (None, None) => return None,
        };
        Some(format!("{contradiction}. Remove one of the blocks."))
    }
}

terrane_config::ids! {
    /// Names a `moved` block of a configuration.
    StatementId;
}

/// A `moved` block with its ends as seen from the root module.
struct Statement<'m> {
    moved: &'m Move,
    /// How deep the module is that declares it.
    depth: usize,
    from: End,
    to: End,
}

/// A resource that moves.
#[derive(PartialEq, Eq, Hash)]
struct ResourceEnd {
    resource: ResourceKey,
    /// The key of its instance, where not all instances are meant.
    key: Option<InstanceKey>,
}

/// A module on the way from the root to an end of a move.
struct CallStep {
    name: String,
    /// The key, where that is not any one.
    key: Option<InstanceKey>,
}

/// Between the modules of an address: a dot would also stand inside of `module.a`.
const SEPARATOR: &str = "/";

/// One end of a move, as a pattern: the modules above the one with the statement may have any keys.
struct End {
    /// The modules from the root on, the module that moves included.
    modules: Vec<CallStep>,
    /// The resource, where no module moves.
    resource: Option<ResourceEnd>,
    /// The address without keys.
    address: String,
    /// The keys that it is written with.
    text: String,
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

/// Reports moves that form a cycle, so that an object has no final address.
fn cycles(config: &Config, diagnostics: &mut Diagnostics) {
    let mut statements = Arena::default();
    for (_, node) in config.nodes() {
        for moved in &node.module.moves {
            let is_whole = moves_all(moved);
            let (from, to) = (End::of(node, &moved.from, is_whole), End::of(node, &moved.to, is_whole));
            statements.push(Statement { moved, depth: node.path.steps().len(), from, to });
        }
    }
    let near = Near::new(&statements);
    let mut edges = Vec::new();
    for (from, statement) in statements.enumerate() {
        let near = near.of(statement).filter(|(to, before)| *to != from && depends(statement, before));
        edges.extend(near.map(|(to, _)| Edge { from, to }));
    }
    for group in Digraph::new(&statements, edges.iter().copied()).groups() {
        let mut members: Vec<&Statement<'_>> = group.iter().map(|id| &statements[*id]).collect();
        if members.len() < 2 {
            continue;
        }
        members.sort_by_key(|one| (one.moved.declaration.file.id().clone(), one.moved.declaration.span));
        let listed: Vec<String> =
            members.iter().take(10).map(|one| format!("`{}` to `{}`", one.from.text, one.to.text)).collect();
        let detail = format!(
            "These moves form a cycle, so the object has no final address: {}. Remove one of the blocks.",
            listed.join(", ")
        );
        if let Some(first) = members.first() {
            report(ids::CYCLIC_MOVES, detail, &first.moved.declaration, diagnostics);
        }
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
fn moves_all(moved: &Move) -> bool {
    last_key(&moved.from) == InstanceKey::None && last_key(&moved.to) == InstanceKey::None
}

fn last_key(address: &ObjectAddress) -> InstanceKey {
    match &address.resource {
        Some(_) => address.key.clone(),
        None => address.module.steps().last().map_or(InstanceKey::None, |step| step.key.clone()),
    }
}

fn report(id: DiagnosticId, detail: String, place: &Declaration, diagnostics: &mut Diagnostics) {
    diagnostics.push(Diagnostic::error(id, detail).at(&place.file, place.span));
}

/// The address as seen from the root module, in an instance of the module that it is written in.
fn absolute(path: &ModulePath, address: &ObjectAddress) -> String {
    let below = address.module.steps().iter();
    let module = below.fold(path.clone(), |path, step| path.child(&step.name, step.key.clone()));
    match &address.resource {
        None => module.to_string(),
        Some(resource) => Address { module, object: resource.object(address.key.clone()) }.to_string(),
    }
}

/// Instances of a module by the end of their paths.
type ByEnd<'e> = HashMap<&'e [ModuleStep], Vec<&'e ModuleInstance>>;

/// The instances of modules by the end of their paths, for each length of it that was asked for.
struct Owners<'e> {
    evaluation: &'e Evaluation,
    by_end: HashMap<(NodeId, usize), ByEnd<'e>>,
}

impl<'e> Owners<'e> {
    fn new(evaluation: &'e Evaluation) -> Owners<'e> {
        Owners { evaluation, by_end: HashMap::new() }
    }

    /// The instances of a module at an address that begins in those of `node`.
    fn of(&mut self, node: NodeId, below: &[ModuleStep]) -> &[&'e ModuleInstance] {
        let path =
            below.iter().fold(ModulePath::ROOT, |path, step| path.child(&step.name, InstanceKey::None));
        let Some(owner) = module_at(&self.evaluation.config, node, &path) else { return &[] };
        let by_end = self.by_end.entry((owner, below.len())).or_insert_with(|| {
            let mut by_end = ByEnd::new();
            for state in self.evaluation.instances_of(owner) {
                let steps = state.path.steps();
                let end = steps.len().checked_sub(below.len()).and_then(|start| steps.get(start..));
                by_end.entry(end.unwrap_or_default()).or_default().push(state);
            }
            by_end
        });
        by_end.get(below).map_or(&[], Vec::as_slice)
    }

    /// Whether the moved object is still declared. Without keys on both sides all instances are meant, otherwise one.
    fn still_have(&mut self, node: NodeId, moved: &Move) -> bool {
        let (from, whole) = (&moved.from, moves_all(moved));
        let config = &self.evaluation.config;
        match &from.resource {
            None => {
                let Some((last, before)) = from.module.steps().split_last() else { return false };
                self.of(node, before).iter().any(|state| {
                    let calls = &config.node(state.node).module.calls;
                    let instances = calls.id_of(&last.name).map(|call| &state.calls[call]);
                    instances.is_some_and(|instances| whole || instances.expansion.has(&last.key))
                })
            }
            Some(key) => self.of(node, from.module.steps()).iter().any(|state| {
                let resources = &config.node(state.node).module.resources;
                let instances = resources.id_of(key).map(|resource| &state.resources[resource]);
                instances.is_some_and(|instances| whole || instances.expansion.has(&from.key))
            }),
        }
    }
}
