//! Whether `moved` and `removed` blocks fit what is declared.

use std::collections::HashMap;

use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, ids};

use super::Evaluation;
use crate::address::{Address, InstanceKey, ModulePath, Object, ResourceMode};
use crate::constructs::{MOVES_TO_TYPES, explanation};
use crate::digraph::Digraph;
use crate::load::{Config, ModuleNode, NodeId};
use crate::module::{Declaration, Move, ObjectAddress};

/// Reports blocks about objects that are still declared, and moves that contradict each other.
pub(super) fn check(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    let config = &evaluation.config;
    cycles(config, diagnostics);
    let mut from_seen: HashMap<String, String> = HashMap::new();
    let mut to_seen: HashMap<String, String> = HashMap::new();
    for (id, node) in config.nodes() {
        for moved in &node.module.moves {
            let (from, to) = (absolute(node, &moved.from), absolute(node, &moved.to));
            let mut report =
                |id: DiagnosticId, detail: String| report(id, detail, &moved.declaration, diagnostics);
            if from == to {
                report(ids::REDUNDANT_MOVE, format!("`{from}` moves to itself. Remove the block."));
                continue;
            }
            if exists(evaluation, id, &moved.from, &moved.to) {
                let detail = format!(
                    "`{from}` is still declared, so nothing of it can move to `{to}`. Rename the block itself."
                );
                report(ids::MOVED_EXISTS, detail);
            }
            if let (Some((mode, before, _)), Some((_, after, _))) = (&moved.from.resource, &moved.to.resource)
                && before != after
                && !MOVES_TO_TYPES.is_in(config.request.dialect)
                && *mode != ResourceMode::Data
            {
                let what = format!("A move to a resource of another type, from `{from}` to `{to}`,");
                report(ids::MOVED_TYPE, explanation(&what, MOVES_TO_TYPES, config.request.dialect));
            }
            if let Some(other) = from_seen.insert(from.clone(), to.clone()).filter(|other| *other != to) {
                report(
                    ids::AMBIGUOUS_MOVE,
                    format!("`{from}` moves to `{other}` and to `{to}`. Remove one of the blocks."),
                );
            }
            if let Some(other) = to_seen.insert(to.clone(), from.clone()).filter(|other| *other != from) {
                report(
                    ids::AMBIGUOUS_MOVE,
                    format!("`{other}` and `{from}` both move to `{to}`. Remove one of the blocks."),
                );
            }
        }
        for removal in &node.module.removals {
            let address = absolute(node, &removal.from);
            let Some(owner) = module(config, id, &removal.from.module) else { continue };
            let (title, what) = match &removal.from.resource {
                Some(key) if config.node(owner).module.resources.contains_key(key) => {
                    ("Removed resource block still exists", "resource")
                }
                None => ("Removed module block still exists", "module"),
                Some(_) => continue,
            };
            let detail = format!("The {what} `{address}` is still declared. Remove its block, or this one.");
            let diagnostic = Diagnostic::error(ids::REMOVED_EXISTS, detail).titled(title);
            diagnostics.push(diagnostic.at(&removal.declaration.file, removal.declaration.span));
        }
    }
}

/// A `moved` block with its ends as seen from the root module, without keys.
struct Statement<'m> {
    moved: &'m Move,
    /// How deep the module is that declares it.
    depth: usize,
    from: End,
    to: End,
}

/// What moves, or where to.
struct End {
    /// The module that it is, or that it is in.
    module: String,
    /// The whole.
    address: String,
    is_module: bool,
    /// The keys that it is written with.
    text: String,
    is_whole: bool,
}

impl End {
    fn of(node: &ModuleNode, address: &ObjectAddress, is_whole: bool) -> End {
        let plain = |path: &ModulePath| {
            path.steps().iter().fold(ModulePath::ROOT, |path, step| path.child(&step.name, InstanceKey::None))
        };
        let mut without = address.clone();
        without.module = plain(&address.module);
        without.key = InstanceKey::None;
        let module = ObjectAddress { resource: None, ..without.clone() };
        let bare = ModuleNode {
            path: plain(&node.path),
            module: node.module.clone(),
            module_dir: String::new(),
            caller: None,
            called: Vec::new(),
        };
        End {
            module: absolute(&bare, &module),
            address: absolute(&bare, &without),
            is_module: address.resource.is_none(),
            text: absolute(node, address),
            is_whole,
        }
    }

    /// Whether what is moved to the other end is moved on from this one.
    fn follows(&self, to: &End) -> bool {
        self.is_module == to.is_module
            && self.address == to.address
            && (self.is_whole || to.is_whole || self.text == to.text)
    }

    /// Whether it is in the module that the other end is.
    fn is_within(&self, other: &End) -> bool {
        let inside = self.module.strip_prefix(other.address.as_str());
        other.is_module
            && self.address != other.address
            && inside.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// Reports moves that lead around in a cycle, so that there is no last place.
fn cycles(config: &Config, diagnostics: &mut Diagnostics) {
    let mut statements: Vec<Statement<'_>> = Vec::new();
    for (_, node) in config.nodes() {
        for moved in &node.module.moves {
            let is_whole =
                last_key(&moved.from) == InstanceKey::None && last_key(&moved.to) == InstanceKey::None;
            let (from, to) = (End::of(node, &moved.from, is_whole), End::of(node, &moved.to, is_whole));
            statements.push(Statement { moved, depth: node.path.steps().len(), from, to });
        }
    }
    let mut edges = Vec::new();
    // Only moves of one object, and moves of modules, have to do with each other.
    let mut by_address: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, statement) in statements.iter().enumerate() {
        for end in [&statement.from, &statement.to] {
            by_address.entry(end.address.as_str()).or_default().push(index);
        }
    }
    let modules: Vec<usize> =
        (0..).zip(&statements).filter(|(_, one)| one.from.is_module).map(|(index, _)| index).collect();
    for (index, statement) in statements.iter().enumerate() {
        let near = [&statement.from, &statement.to]
            .into_iter()
            .filter_map(|end| by_address.get(end.address.as_str()));
        let all = (0..statements.len()).filter(|_| statement.from.is_module);
        for other in near.flatten().copied().chain(modules.iter().copied()).chain(all) {
            let (Some(before), true) = (statements.get(other), other != index) else { continue };
            if let (true, Ok(from), Ok(to)) =
                (depends(statement, before), u32::try_from(index), u32::try_from(other))
            {
                edges.push((from, to));
            }
        }
    }
    for group in Digraph::new(statements.len(), edges.iter().copied()).groups() {
        let mut members: Vec<&Statement<'_>> =
            group.iter().filter_map(|index| statements.get(*index)).collect();
        if members.len() < 2 {
            continue;
        }
        members.sort_by_key(|one| (one.moved.declaration.file.id().clone(), one.moved.declaration.span));
        let listed: Vec<String> =
            members.iter().take(10).map(|one| format!("`{}` to `{}`", one.from.text, one.to.text)).collect();
        let detail = format!(
            "These moves lead around in a cycle, so there is no last place to move to: {}. Remove one of the blocks.",
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
    // A module that only gets other keys is moved before what a module in it moves, which is in both.
    let is_rekeyed = one.from.is_module && one.from.address == one.to.address;
    is_nested && (one.depth >= before.depth || !is_rekeyed)
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

/// The address as seen from the root module.
fn absolute(node: &ModuleNode, address: &ObjectAddress) -> String {
    let module = address
        .module
        .steps()
        .iter()
        .fold(node.path.clone(), |path, step| path.child(&step.name, step.key.clone()));
    match &address.resource {
        None => module.to_string(),
        Some((mode, resource_type, name)) => {
            let object = Object::Resource(*mode, resource_type.clone(), name.clone(), address.key.clone());
            Address { module, object }.to_string()
        }
    }
}

/// The module that a path leads to from `node`, without regard to instances.
pub(super) fn module(config: &Config, node: NodeId, path: &ModulePath) -> Option<NodeId> {
    path.steps().iter().try_fold(node, |node, step| {
        let state = config.node(node);
        let call = state.module.calls.get_index_of(&step.name)?;
        state.called.get(call).copied().flatten()
    })
}

/// Whether what moves is still declared. Without keys on both sides all instances are meant, otherwise one.
pub(super) fn exists(
    evaluation: &Evaluation,
    node: NodeId,
    from: &ObjectAddress,
    to: &ObjectAddress,
) -> bool {
    let config = &evaluation.config;
    let whole = last_key(from) == InstanceKey::None && last_key(to) == InstanceKey::None;
    let Some(key) = &from.resource else {
        let Some((last, before)) = from.module.steps().split_last() else { return false };
        let owner =
            before.iter().fold(ModulePath::ROOT, |path, step| path.child(&step.name, InstanceKey::None));
        let Some(owner) = module(config, node, &owner) else { return false };
        let Some(index) = config.node(owner).module.calls.get_index_of(&last.name) else { return false };
        return whole
            || evaluation.instances.iter().filter(|state| state.node == owner).any(|state| {
                state.calls.get(index).is_some_and(|instances| instances.expansion.has(&last.key))
            });
    };
    let Some(owner) = module(config, node, &from.module) else { return false };
    let Some(index) = config.node(owner).module.resources.get_index_of(key) else { return false };
    whole
        || evaluation.instances.iter().filter(|state| state.node == owner).any(|state| {
            state.resources.get(index).is_some_and(|instances| instances.expansion.has(&from.key))
        })
}
