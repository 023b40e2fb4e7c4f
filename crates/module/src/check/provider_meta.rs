//! Checks that no `provider_meta` block is for the built-in provider, which takes none.

use terrane_config::address::ResourceMode;
use terrane_source::{Diagnostic, Diagnostics, ids};

use crate::model::module::Module;
use crate::model::provider::ProviderAddress;
use crate::state::evaluation::Evaluation;
use crate::state::instance::ModuleInstance;

/// Reports the `provider_meta` blocks for the built-in provider in modules that have an instance of one of its managed resources
/// or data sources. Each block is reported once.
pub(crate) fn check(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    for (id, node) in evaluation.config.nodes() {
        for (name, declaration) in &node.module.provider_meta {
            let provider = node.module.provider_address(name);
            let mut instances = evaluation.instances_of(id).filter(|_| provider.is_built_in());
            let Some(user) = instances.find_map(|state| user_of(&provider, &node.module, state)) else {
                continue;
            };
            let detail = format!(
                "The provider {provider} takes no `provider_meta`, but `{user}` is one of its resources. Remove the block."
            );
            let diagnostic = Diagnostic::error(ids::UNSUPPORTED_PROVIDER_META, detail)
                .titled(format!("Provider {provider} doesn't support provider_meta"));
            diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
        }
    }
}

/// Returns the address of the first resource of a provider that has an instance.
fn user_of(provider: &ProviderAddress, module: &Module, state: &ModuleInstance) -> Option<String> {
    if state.unexpanded.is_some() {
        return None;
    }
    module.resources.enumerate().find_map(|(id, resource)| {
        let (key, _) = module.resources.entry_of(id);
        let is_read = matches!(key.mode, ResourceMode::Managed | ResourceMode::Data);
        let local = resource.local_provider(&key.resource_type);
        let (instance, _) = state.resources[id].expansion.iter().next()?;
        let is_user = is_read && module.provider_address(local) == *provider;
        is_user.then(|| key.object(instance).to_string())
    })
}
