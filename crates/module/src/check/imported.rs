//! Evaluates the identifiers and identities under which `import` blocks import the instances of a resource.

use std::sync::Arc;

use terrane_source::{Diagnostic, Diagnostics, Files, ids};
use terrane_value::{Mark, Marks, Type, Value, convert};

use crate::check::import_ids::report_unusable;
use crate::check::import_targets::{instances, refers_to_itself};
use crate::check::imports::target;
use crate::model::ids::{InstanceId, NodeId};
use crate::model::module::{Import, ResourceKey};
use crate::state::context::{Context, Environment};
use crate::state::evaluation::Evaluation;
use crate::state::imports::ImportIds;
use crate::state::scope::ModuleScope;

/// Evaluates the identifiers of all imports and keeps them, because the changes of a plan read them
/// when no files are at hand.
pub(crate) fn evaluate(context: &Context<'_>) {
    let environment = context.environment();
    let evaluation = environment.evaluation;
    for import in &evaluation.config.root().module.imports {
        let target =
            evaluation.config.module_at(NodeId::ROOT, &import.to.module).zip(import.to.resource.as_ref());
        if let Some((node, key)) = target {
            import_ids_in(environment, node, key);
        }
    }
}

/// Returns the identifiers under which the resource `key` of the module `node` is imported. The blocks may refer only
/// to objects that were evaluated before the resource.
pub fn import_ids(
    evaluation: &Evaluation,
    files: &dyn Files,
    node: NodeId,
    key: &ResourceKey,
) -> Arc<ImportIds> {
    import_ids_in(Environment::of(evaluation, files), node, key)
}

/// Returns the same as [`import_ids`], within a step of the evaluation.
pub(crate) fn import_ids_in(environment: Environment<'_>, node: NodeId, key: &ResourceKey) -> Arc<ImportIds> {
    let evaluation = environment.evaluation;
    let blocks = evaluation.imports.blocks(&evaluation.config, node, key);
    if blocks.is_empty() || evaluation.phase().reads_state_alone() {
        return ImportIds::none();
    }
    evaluation.imports.of(node, key, || {
        let mut ids = ImportIds::default();
        blocks
            .iter()
            .for_each(|block| ids.add(environment, &evaluation.config.root().module.imports[*block]));
        ids
    })
}

/// Returns an identifier as the state stores it, without the ephemeral mark; `None` if it is not a
/// known string, or is empty.
fn identifier(value: &Value) -> Option<Value> {
    let id = convert(value, &Type::String).ok()?;
    let is_id = id.unmarked().as_str().is_some_and(|text| !text.is_empty());
    is_id.then(|| id.unmarked().clone().with_marks(&kept(id.marks())))
}

/// Returns an identity, sensitive as a whole if a part of it is; `None` if the value is no object
/// or not known as a whole.
fn identity(value: &Value) -> Option<Value> {
    let (open, marks) = value.unmark_deep();
    let is_identity = open.is_wholly_known() && open.as_entries().is_some();
    is_identity.then(|| open.with_marks(&kept(&marks)))
}

/// Keeps of `marks` only whether the value may be shown: sensitive or hidden.
fn kept(marks: &Marks) -> Marks {
    if marks.contains(&Mark::Sensitive) {
        Marks::sensitive()
    } else if marks.contains(&Mark::Hidden) {
        Marks::one(Mark::Hidden)
    } else {
        Marks::NONE
    }
}

impl ImportIds {
    fn add(&mut self, environment: Environment<'_>, import: &Import) {
        let Some(written) = import.id.as_ref().or(import.identity.as_ref()) else { return };
        let mut unreported = Diagnostics::new();
        let Environment { evaluation, files, .. } = environment;
        let root = &evaluation.config.node(NodeId::ROOT).module;
        self.has_error |= refers_to_itself(import, written, root);
        let mut context = environment.reporting_to(&mut unreported);
        let names = evaluation.scope(InstanceId::ROOT);
        for data in instances(&mut context, import, &names).unwrap_or_default() {
            let names = ModuleScope { repetition: Some(&data), ..names };
            let to = target(evaluation, import, &names, files, context.diagnostics).address;
            let value = context.value(written, &names);
            let found = match &import.id {
                Some(id) => {
                    report_unusable(&mut context, import, id, &value);
                    identifier(&value)
                }
                None => identity(&value),
            };
            self.has_error |= found.is_none() && value.as_unknown().is_none();
            if let Some(found) = found
                && to.resolved
            {
                self.ids.insert((to.module, to.key), found);
            }
        }
        self.has_error |= unreported.has_errors();
        let is_over = |found: &&Diagnostic| [ids::LIMIT_EXCEEDED, ids::INTERRUPTED].contains(&found.id);
        let exceeded = unreported.as_slice().iter().find(is_over).cloned();
        self.exceeded = self.exceeded.take().or(exceeded);
    }
}
