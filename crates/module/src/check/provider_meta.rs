//! Checks that no `provider_meta` block is for the built-in provider, which takes none.

use std::collections::HashMap;

use terrane_config::address::ResourceMode;
use terrane_source::{Diagnostic, Diagnostics, ids, titles};

use crate::model::ids::{NodeId, ResourceId};
use crate::model::module::Module;
use crate::model::provider::ProviderAddress;
use crate::state::evaluation::Evaluation;

/// Reports the `provider_meta` blocks for the built-in provider in modules that have an instance of one of its managed resources
/// or data sources. Each block is reported once.
pub(crate) fn check(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    for (id, node) in evaluation.config.nodes() {
        if node.module.provider_meta.is_empty() {
            continue;
        }
        let users = users(evaluation, id, &node.module);
        for (name, declaration) in &node.module.provider_meta {
            let provider = node.module.provider_address(name);
            let Some(user) = users.get(&provider) else { continue };
            let detail = format!(
                "The provider {provider} takes no `provider_meta`, but `{user}` is one of its resources. Remove the block."
            );
            let diagnostic = Diagnostic::error(ids::UNSUPPORTED_PROVIDER_META, detail)
                .titled(titles::unsupported_provider_meta(&provider.to_string()));
            diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
        }
    }
}

/// Returns the address of the first resource of each built-in provider that has an instance in an instance of the module.
fn users(evaluation: &Evaluation, id: NodeId, module: &Module) -> HashMap<ProviderAddress, String> {
    let mut without_user = built_in_resources(module);
    let mut users = HashMap::new();
    for state in evaluation.instances_of(id).filter(|state| state.unexpanded.is_none()) {
        without_user.retain(|provider, resources| {
            let first = resources.iter().find_map(|id| {
                let (key, _) = state.resources[*id].expansion.iter().next()?;
                Some(module.resources.entry_of(*id).0.object(key))
            });
            let is_without = first.is_none();
            users.extend(first.map(|first| (provider.clone(), first.to_string())));
            is_without
        });
        if without_user.is_empty() {
            break;
        }
    }
    users
}

/// Returns the managed resources and data sources of each built-in provider of a module.
fn built_in_resources(module: &Module) -> HashMap<ProviderAddress, Vec<ResourceId>> {
    let mut resources: HashMap<ProviderAddress, Vec<ResourceId>> = HashMap::new();
    for (id, resource) in module.resources.enumerate() {
        let (key, _) = module.resources.entry_of(id);
        let provider = module.provider_address(resource.local_provider(&key.resource_type));
        if matches!(key.mode, ResourceMode::Managed | ResourceMode::Data) && provider.is_built_in() {
            resources.entry(provider).or_default().push(id);
        }
    }
    resources
}
