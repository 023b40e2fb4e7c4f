//! Places the objects of a state at their addresses in the configuration: behind `moved` blocks, and where a block has got or lost
//! `count`.

use std::collections::HashMap;
use std::sync::Arc;

use terrane_config::address::{InstanceKey, ModulePath, ModuleStep};
use terrane_config::state::State;

use crate::graph::moves::{self, CallStep, End, Statement, StatementId};
use crate::model::ids::{Arena, NodeId};
use crate::model::module::{Repetition, ResourceKey};
use crate::model::prior::{PriorAddress, PriorState};
use crate::model::tree::ModuleNode;

/// The current objects of a state at their addresses after all moves. A move to an address that has an object is left out, and so
/// is one to another resource type, which is left to the provider.
pub(crate) fn placed(state: Arc<State>, nodes: &Arena<NodeId, ModuleNode>) -> PriorState {
    let mut prior = PriorState::new(state);
    let statements = moves::statements(nodes);
    // As in the reference, these follow from the addresses before all moves.
    let implied = implied(&prior, nodes, &statements);
    let count = statements.iter().count();
    // Moves that form a cycle are reported, and left out.
    for id in if count == 0 { Vec::new() } else { moves::order(&statements).sorted(|id| id) } {
        apply(&mut prior, &statements[id]);
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

/// Moves between no key and `[0]`, unless a `moved` block is about the resource.
fn implied(
    prior: &PriorState,
    nodes: &Arena<NodeId, ModuleNode>,
    statements: &Arena<StatementId, Statement<'_>>,
) -> Vec<ImpliedMove> {
    let mut all = Vec::new();
    let nodes: HashMap<&ModulePath, &ModuleNode> = nodes.iter().map(|node| (&node.path, node)).collect();
    for (module, resource, keys) in prior.resources() {
        if !keys.contains_key(&InstanceKey::None) && !keys.contains_key(&InstanceKey::Index(0)) {
            continue;
        }
        let Some(node) = nodes.get(&module.without_keys()) else { continue };
        let Some(id) = node.module.resources.id_of(resource) else { continue };
        let (from, to) = match &node.module.resources.at(id).repetition {
            Repetition::Count(_) => (InstanceKey::None, InstanceKey::Index(0)),
            Repetition::Once => (InstanceKey::Index(0), InstanceKey::None),
            Repetition::ForEach(_) | Repetition::Enabled(_) => continue,
        };
        let is_named = |end: &End| {
            end.resource.as_ref().is_some_and(|own| own.resource == *resource)
                && is_along(&end.modules, module.steps())
        };
        let is_explicit = || statements.iter().any(|one| is_named(&one.from) || is_named(&one.to));
        if keys.contains_key(&from) && !keys.contains_key(&to) && !is_explicit() {
            all.push(ImpliedMove { module: module.clone(), resource: resource.clone(), from, to });
        }
    }
    all
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

fn apply(prior: &mut PriorState, statement: &Statement<'_>) {
    let Statement { from, to, depth, .. } = statement;
    let is_affected = |path: &ModulePath| match &from.resource {
        Some(_) => is_along(&from.modules, path.steps()),
        None => begins_with(path.steps(), &from.modules),
    };
    for path in prior.modules().filter(|path| is_affected(path)).cloned().collect::<Vec<_>>() {
        let target = target(&path, from, to, *depth);
        match (&from.resource, &to.resource) {
            (None, None) => prior.move_module(&path, &target),
            (Some(before), Some(after)) if before.resource.resource_type == after.resource.resource_type => {
                match (&before.key, &after.key) {
                    (Some(key), Some(new)) => {
                        let from = PriorAddress { module: &path, resource: &before.resource, key };
                        let to = PriorAddress { module: &target, resource: &after.resource, key: new };
                        prior.move_instance(&from, &to);
                    }
                    (_, _) => prior.move_resource(&path, &before.resource, &target, &after.resource),
                }
            }
            (_, _) => {}
        }
    }
}

/// The path of a module instance behind a move: the modules around the block keep their keys, and so does the last one if all its
/// instances move.
fn target(path: &ModulePath, from: &End, to: &End, depth: usize) -> ModulePath {
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
