//! Whether what `import` blocks name is declared.

use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, ids};

use super::{Evaluation, moves};
use crate::address::InstanceKey;
use crate::load::{Moment, NodeId};
use crate::module::{Import, Module, Repetition, Resource};

/// Reports imports to what is not declared, or is declared with other keys.
pub(super) fn check(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    let config = &evaluation.config;
    let Some((root, node)) = config.nodes().next() else { return };
    for import in &node.module.imports {
        let mut report = |id: DiagnosticId, detail: String| {
            diagnostics.push(Diagnostic::error(id, detail).at(&import.to.file, import.to.span));
        };
        if let Some(detail) = not_declared(evaluation, root, import) {
            report(ids::MISSING_IMPORT_TARGET, detail);
        } else if let Some(detail) = wrong_key(evaluation, root, import) {
            report(ids::INVALID_IMPORT_TO, detail);
        } else if let Some(detail) = no_such_instance(evaluation, root, import) {
            report(ids::MISSING_IMPORT_TARGET, detail);
        }
        refers_to_target(import, &node.module, diagnostics);
    }
}

/// What is not there of the target of an import.
fn not_declared(evaluation: &Evaluation, root: NodeId, import: &Import) -> Option<String> {
    let (to, config) = (&import.to, &evaluation.config);
    let plans = evaluation.moment() == Moment::Plan;
    let mut owner = root;
    for step in to.module.steps() {
        let node = config.node(owner);
        let Some(index) = node.module.calls.get_index_of(&step.name) else {
            return Some(format!("There is no module call `{}` on the way to `{to}`.", step.name));
        };
        // What is in a module that is not on disk is not known.
        owner = node.called.get(index).copied().flatten()?;
    }
    let is_declared = config.node(owner).module.resources.contains_key(to.resource.as_ref()?);
    // For the root module, the product can write the block.
    (!is_declared && (plans || owner != root))
        .then(|| format!("`{to}` is not declared. Write a block for what is imported."))
}

/// Which instance its block does not have, where it is known which it has.
fn no_such_instance(evaluation: &Evaluation, root: NodeId, import: &Import) -> Option<String> {
    let to = &import.to;
    let is_known = evaluation.moment() == Moment::Plan
        && to.resolved
        && to.module.is_root()
        && moves::resource(evaluation, root, to)
            .is_some_and(|instances| instances.expansion.unknown().is_none());
    (is_known && !moves::exists(evaluation, root, to, to)).then(|| {
        format!("`{to}` is not one of the instances that its block has. Write a block for what is imported.")
    })
}

/// How the key of the target differs from what its block has.
fn wrong_key(evaluation: &Evaluation, root: NodeId, import: &Import) -> Option<String> {
    let to = &import.to;
    let owner = moves::module(&evaluation.config, root, &to.module)?;
    let resource = evaluation.config.node(owner).module.resources.get(to.resource.as_ref()?)?;
    let has = argument(resource);
    let wanted = match (&to.key, to.resolved) {
        (InstanceKey::None, false) => return None,
        (InstanceKey::None, true) => None,
        (InstanceKey::Index(_), _) => Some("count"),
        (InstanceKey::Key(_), _) => Some("for_each"),
    };
    match (has, wanted) {
        (Some(has), None) => Some(format!(
            "`{to}` has `{has}`, so its instances are imported one by one. Choose one with brackets."
        )),
        (has, Some(wanted)) if has != Some(wanted) => {
            Some(format!("The block of `{to}` has no `{wanted}`, so it has no instance with such a key."))
        }
        (_, _) => None,
    }
}

fn argument(resource: &Resource) -> Option<&'static str> {
    match resource.repetition {
        Repetition::Once | Repetition::Enabled(_) => None,
        Repetition::Count(_) => Some("count"),
        Repetition::ForEach(_) => Some("for_each"),
    }
}

/// Reports an id that is made of what is imported.
fn refers_to_target(import: &Import, module: &Module, diagnostics: &mut Diagnostics) {
    for resolved in [&import.id, &import.identity].into_iter().flatten() {
        if import.is_target_of(resolved, module) {
            let detail = format!("The id of what is imported cannot be made of `{}` itself.", import.to);
            let diagnostic = Diagnostic::error(ids::INVALID_IMPORT_ID, detail);
            diagnostics.push(diagnostic.at(resolved.expression.source(), resolved.expression.span()));
        }
    }
}
