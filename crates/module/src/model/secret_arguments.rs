//! Hides arguments that the schema of a provider makes secret.

use terrane_source::Diagnostics;
use terrane_syntax::hide_literals;

use crate::model::tree::Config;

impl Config {
    /// Hides the literals of secret arguments of resources and providers in their files, so that neither excerpts of
    /// diagnostics nor texts of expressions show them.
    pub fn hide_secret_arguments(&self) {
        let schemas = &self.request.schemas;
        for (_, node) in self.nodes() {
            let module = &*node.module;
            for (key, resource) in module.resources.iter() {
                if let Some(schema) = schemas.resource(module, key, resource) {
                    schema.schema().hide_secrets(&resource.config);
                    continue;
                }
                for schema in schemas.possible(module, key, resource) {
                    schema.schema().hide_secrets(&resource.config);
                }
                let sensitive = module.sensitive_attributes(key, resource);
                if sensitive.is_empty() {
                    continue;
                }
                let content = resource.config.open_content(&mut Diagnostics::new());
                let secret = sensitive.iter().filter_map(|name| content.attribute(name));
                secret.for_each(|attribute| hide_literals(&attribute.expression(&mut Diagnostics::new())));
            }
            for block in module.providers.values() {
                let provider = module.provider_address(&block.name);
                let schema = schemas.provider(&provider).and_then(|found| found.configuration());
                schema.into_iter().for_each(|schema| schema.schema().hide_secrets(&block.config));
            }
        }
    }
}
