//! The identifiers under which `import` blocks import the instances of a resource.

use std::collections::HashMap;

use terrane_config::address::{InstanceKey, ModulePath};
use terrane_source::{Diagnostics, Files};
use terrane_value::{Mark, Marks, Type, Value, convert};

use crate::check::import_targets::instances;
use crate::check::imports::target;
use crate::check::paths::module_at;
use crate::model::ids::{InstanceId, NodeId};
use crate::model::module::{Import, ResourceKey};
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::scope::ModuleScope;

/// The identifiers under which the instances of a resource are imported, by module instance and key. Mistakes in the blocks have
/// their own messages; such blocks import nothing here.
#[derive(Default)]
pub struct ImportIds(HashMap<(ModulePath, InstanceKey), Value>);

impl ImportIds {
    /// Evaluates the blocks about the resource with a key in the module `node`. What they refer to has been evaluated before the
    /// resource.
    pub fn of(evaluation: &Evaluation, files: &dyn Files, node: NodeId, key: &ResourceKey) -> ImportIds {
        let config = &evaluation.config;
        let mut ids = ImportIds::default();
        let Some((root, root_node)) = config.nodes().next() else { return ids };
        if evaluation.phase().reads_state_alone() {
            return ids;
        }
        for import in &root_node.module.imports {
            if import.to.resource.as_ref() == Some(key)
                && module_at(config, root, &import.to.module) == Some(node)
            {
                ids.add(evaluation, files, import);
            }
        }
        ids
    }

    fn add(&mut self, evaluation: &Evaluation, files: &dyn Files, import: &Import) {
        let Some(id) = &import.id else { return };
        let unreported = &mut Diagnostics::new();
        let mut context = Context::new(evaluation, files, unreported);
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
                self.0.insert((to.module, to.key), id.unmarked().clone().with_marks(&marks));
            }
        }
    }

    /// The identifier for an instance, which may be sensitive.
    pub fn get(&self, module: &ModulePath, key: &InstanceKey) -> Option<&Value> {
        // Most resources are not imported.
        if self.0.is_empty() { None } else { self.0.get(&(module.clone(), key.clone())) }
    }
}
