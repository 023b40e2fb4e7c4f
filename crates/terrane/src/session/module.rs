//! The names of a module instance, for completion.

use terrane_config::address::ResourceMode;
use terrane_module::module::ResourceKey;
use terrane_module::{Evaluation, InstanceId};

/// Returns the possible references in a module instance, sorted.
pub(super) fn names(evaluation: &Evaluation, instance: InstanceId) -> Vec<String> {
    let module = &evaluation.config.node(evaluation.instances()[instance].node).module;
    let built_in = ["path.cwd", "path.module", "path.root", "terraform.workspace"];
    let mut names: Vec<String> = built_in.into_iter().map(str::to_owned).collect();
    names.extend(module.variables.keys().map(|name| format!("var.{name}")));
    names.extend(module.locals.keys().map(|name| format!("local.{name}")));
    names.extend(module.calls.keys().map(|name| format!("module.{name}")));
    names.extend(module.resources.keys().filter_map(
        |ResourceKey { mode, resource_type, name }| match mode {
            ResourceMode::Managed => Some(format!("{resource_type}.{name}")),
            ResourceMode::Data => Some(format!("data.{resource_type}.{name}")),
            ResourceMode::Ephemeral => Some(format!("ephemeral.{resource_type}.{name}")),
            // No expression may read an action.
            ResourceMode::Action => None,
        },
    ));
    names.sort_unstable();
    names
}
