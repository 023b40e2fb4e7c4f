//! Whether `moved` and `removed` blocks fit what is declared.

use std::collections::HashMap;

use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, ids};

use super::{Evaluation, Expansion};
use crate::address::{Address, InstanceKey, ModulePath, Object};
use crate::load::{Config, ModuleNode, NodeId};
use crate::module::{Declaration, ObjectAddress};

/// Reports blocks about objects that are still declared, and moves that contradict each other.
pub(super) fn check(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    let config = &evaluation.config;
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
fn module(config: &Config, node: NodeId, path: &ModulePath) -> Option<NodeId> {
    path.steps().iter().try_fold(node, |node, step| {
        let state = config.node(node);
        let call = state.module.calls.get_index_of(&step.name)?;
        state.called.get(call).copied().flatten()
    })
}

/// Whether what moves is still declared. Without keys on both sides all instances are meant, otherwise one.
fn exists(evaluation: &Evaluation, node: NodeId, from: &ObjectAddress, to: &ObjectAddress) -> bool {
    let config = &evaluation.config;
    let last_key = |address: &ObjectAddress| match &address.resource {
        Some(_) => address.key.clone(),
        None => address.module.steps().last().map_or(InstanceKey::None, |step| step.key.clone()),
    };
    let whole = last_key(from) == InstanceKey::None && last_key(to) == InstanceKey::None;
    let Some(key) = &from.resource else {
        let Some((last, before)) = from.module.steps().split_last() else { return false };
        let owner =
            before.iter().fold(ModulePath::ROOT, |path, step| path.child(&step.name, InstanceKey::None));
        let Some(owner) = module(config, node, &owner) else { return false };
        let Some(index) = config.node(owner).module.calls.get_index_of(&last.name) else { return false };
        return whole
            || evaluation.instances.iter().filter(|state| state.node == owner).any(|state| {
                state.calls.get(index).is_some_and(|instances| has(&instances.expansion, &last.key))
            });
    };
    let Some(owner) = module(config, node, &from.module) else { return false };
    let Some(index) = config.node(owner).module.resources.get_index_of(key) else { return false };
    whole
        || evaluation.instances.iter().filter(|state| state.node == owner).any(|state| {
            state.resources.get(index).is_some_and(|instances| has(&instances.expansion, &from.key))
        })
}

fn has<T>(expansion: &Expansion<T>, key: &InstanceKey) -> bool {
    expansion.iter().any(|(found, _)| found == *key)
}
