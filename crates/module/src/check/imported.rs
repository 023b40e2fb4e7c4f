//! The identifiers under which `import` blocks import the instances of a resource.

use std::sync::Arc;

use terrane_source::{Diagnostic, Diagnostics, Files, ids};
use terrane_value::{Mark, Marks, Type, Value, convert};

use crate::check::import_targets::instances;
use crate::check::imports::target;
use crate::check::paths::module_at;
use crate::model::ids::{InstanceId, NodeId};
use crate::model::module::{Import, ResourceKey};
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::imports::ImportIds;
use crate::state::scope::ModuleScope;

/// The identifiers for the resource with a key in the module `node`. The expressions of the blocks refer to objects that have been evaluated
/// before the resource.
pub fn import_ids(
    evaluation: &Evaluation,
    files: &dyn Files,
    node: NodeId,
    key: &ResourceKey,
) -> Arc<ImportIds> {
    let config = &evaluation.config;
    let Some((root, root_node)) = config.nodes().next() else { return Arc::default() };
    let is_about = |import: &&Import| {
        import.to.resource.as_ref() == Some(key) && module_at(config, root, &import.to.module) == Some(node)
    };
    let mut imports = root_node.module.imports.iter().filter(is_about).peekable();
    if imports.peek().is_none() || evaluation.phase().reads_state_alone() {
        return Arc::default();
    }
    evaluation.imports.of(node, key, || {
        let mut ids = ImportIds::default();
        imports.for_each(|import| ids.add(evaluation, files, import));
        ids
    })
}

impl ImportIds {
    fn add(&mut self, evaluation: &Evaluation, files: &dyn Files, import: &Import) {
        let Some(id) = &import.id else { return };
        let mut unreported = Diagnostics::new();
        let mut context = Context::new(evaluation, files, &mut unreported);
        let names = evaluation.scope(InstanceId::ROOT);
        for data in instances(&mut context, import, &names).unwrap_or_default() {
            let names = ModuleScope { repetition: Some(&data), ..names };
            let to = target(evaluation, import, &names, files, context.diagnostics);
            let text = convert(&context.value(id, &names), &Type::String);
            let is_id = |id: &Value| id.unmarked().as_str().is_some_and(|text| !text.is_empty());
            if let Ok(id) = text
                && is_id(&id)
                && to.resolved
            {
                // The identifier is stored, so it cannot stay ephemeral.
                let marks = if id.has_mark(&Mark::Sensitive) { Marks::sensitive() } else { Marks::NONE };
                self.ids.insert((to.module, to.key), id.unmarked().clone().with_marks(&marks));
            }
        }
        let is_over = |found: &&Diagnostic| [ids::LIMIT_EXCEEDED, ids::INTERRUPTED].contains(&found.id);
        let exceeded = unreported.as_slice().iter().find(is_over).cloned();
        self.exceeded = self.exceeded.take().or(exceeded);
    }
}
