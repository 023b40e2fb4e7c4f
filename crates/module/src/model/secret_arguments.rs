//! Hides arguments that the schema of a provider or the variable of a called module makes secret.

use terrane_source::{Diagnostic, Diagnostics};

use crate::model::module::Variable;
use crate::model::tree::{Config, ModuleNode};

impl Config {
    /// Hides secrets in the diagnostics of the configuration: in their excerpts, and in the words of errors about arguments
    /// that are secret. `read` was found before any value was known, and `evaluated` after that.
    pub fn without_secrets(&self, read: Diagnostics, evaluated: Diagnostics) -> Diagnostics {
        if read.is_empty() && evaluated.is_empty() {
            return read;
        }
        self.hide_secret_arguments();
        let read = read.into_iter().map(Diagnostic::without_secret_texts);
        read.chain(evaluated.into_iter().map(Diagnostic::without_secrets)).collect()
    }

    /// Hides the secret arguments of resources, providers and module calls in their files.
    fn hide_secret_arguments(&self) {
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
                if !sensitive.is_empty() {
                    resource.config.hide_values(&|name| sensitive.contains(&name));
                }
            }
            for block in module.providers.values() {
                let provider = module.provider_address(&block.name);
                let schema = schemas.provider(&provider).and_then(|found| found.configuration());
                schema.into_iter().for_each(|schema| schema.schema().hide_secrets(&block.config));
            }
            self.hide_secret_inputs(node);
        }
    }

    /// Hides the arguments of module calls for secret variables of the called modules.
    fn hide_secret_inputs(&self, node: &ModuleNode) {
        for (id, call) in node.module.calls.enumerate() {
            let Some(called) = node.called[id] else { continue };
            let variables = &self.node(called).module.variables;
            if variables.values().any(Variable::is_secret) {
                call.config.hide_values(&|name| variables.get(name).is_some_and(Variable::is_secret));
            }
        }
    }
}
