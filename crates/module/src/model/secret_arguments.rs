//! Hides arguments that the schema of a provider or the variable of a called module makes secret.

use std::collections::HashSet;

use terrane_body::SecretNames;
use terrane_body::constant::constant_string;
use terrane_eval::FunctionTable;
use terrane_source::{Diagnostic, Diagnostics, SourceVersion};

use crate::model::module::{Module, ModuleCall, Variable};
use crate::model::namespace::Namespace;
use crate::model::tree::{Config, ModuleNode};

/// The beginning of the names of functions of providers.
const PROVIDER_FUNCTION: &str = "provider::";

impl Config {
    /// Hides secrets in the diagnostics of the configuration: in their excerpts, and in the words of errors about arguments
    /// that are secret. `read` was found before any value was known, and `evaluated` after that. The load has done so with its own
    /// diagnostics.
    pub fn without_secrets(&self, read: Diagnostics, evaluated: Diagnostics) -> Diagnostics {
        if read.is_empty() && evaluated.is_empty() {
            return read;
        }
        self.hide_secret_arguments();
        let read = read.into_iter().map(Diagnostic::without_secret_texts);
        read.chain(evaluated.into_iter().map(Diagnostic::without_secrets)).collect()
    }

    /// Hides the secret arguments in the files if a function with one of these names does not exist.
    pub fn hide_wrong_functions<'n>(&self, mut names: impl Iterator<Item = &'n str>) {
        let functions = self.request.function_table();
        if names.any(|name| functions.get(name).is_none() && !name.starts_with(PROVIDER_FUNCTION)) {
            self.hide_secret_arguments();
        }
    }

    /// Hides the secret arguments of resources, providers and module calls in their files, once.
    pub fn hide_secret_arguments(&self) {
        self.hidden_secrets.get_or_init(|| self.hide_in_files());
    }

    fn hide_in_files(&self) {
        let functions = self.request.function_table();
        for (_, node) in self.nodes() {
            let module = &*node.module;
            let types = module.resources.iter().map(|(key, _)| &*key.resource_type).collect();
            let words = KnownWords { functions: &functions, types };
            let is_word = |word: &str| words.has(word);
            for root in &module.roots {
                root.body.hide_names_in_sensitive_calls(&is_word);
            }
            self.hide_resources(module, &is_word);
            for block in module.providers.values() {
                let provider = module.provider_address(&block.name);
                let schema = self.request.schemas.provider(&provider).and_then(|found| found.configuration());
                let possible = self.request.schemas.possible_configurations(module, &block.name);
                let schemas = schema.into_iter().chain(possible);
                schemas.for_each(|schema| schema.schema().hide_secrets(&block.config, &is_word));
            }
            self.hide_secret_inputs(node, &is_word);
            if self.may_have_secret_arguments(node) {
                module.hide_unread();
            }
        }
    }

    fn hide_resources(&self, module: &Module, is_word: &dyn Fn(&str) -> bool) {
        let schemas = &self.request.schemas;
        for (key, resource) in module.resources.iter() {
            if let Some(schema) = schemas.resource(module, key, resource) {
                schema.schema().hide_secrets(&resource.config, is_word);
                continue;
            }
            for schema in schemas.possible(module, key, resource) {
                schema.schema().hide_secrets(&resource.config, is_word);
            }
            let sensitive = module.sensitive_attributes(key, resource);
            if !sensitive.is_empty() {
                resource.config.hide_values(SecretNames {
                    is_secret: &|name| sensitive.contains(&name),
                    is_argument: &|_| true,
                    is_block: &|_| true,
                    is_word,
                });
            }
        }
    }

    /// Hides the arguments of module calls for secret variables of the called modules. The variables of a module that is not known
    /// may be secret, so text with a syntax error in its call is hidden, and all arguments beside a source that cannot be read.
    fn hide_secret_inputs(&self, node: &ModuleNode, is_word: &dyn Fn(&str) -> bool) {
        for (id, call) in node.module.calls.enumerate() {
            let Some(called) = node.called[id] else {
                let may_be_secret = !call.has_readable_source();
                call.config.hide_values(SecretNames {
                    is_secret: &|name| may_be_secret && call.arguments.contains_key(name),
                    is_argument: &|_| true,
                    is_block: &|_| false,
                    is_word,
                });
                continue;
            };
            let module = &*self.node(called).module;
            if module.has_secret_inputs() {
                call.config.hide_values(SecretNames {
                    is_secret: &|name| module.is_secret_input(name),
                    is_argument: &|name| module.variables.contains_key(name),
                    is_block: &|_| false,
                    is_word,
                });
            }
        }
    }

    /// Whether text of a module that could not be read may set a secret argument: of any provider whose schemas are known, or of a
    /// called module.
    fn may_have_secret_arguments(&self, node: &ModuleNode) -> bool {
        let mut called = node.called.enumerate().filter_map(|(_, called)| *called);
        self.request.schemas.has_providers()
            || called.any(|called| self.node(called).module.variables.values().any(Variable::is_secret))
    }
}

/// The words with which references and calls of functions begin.
struct KnownWords<'w> {
    functions: &'w FunctionTable,
    /// The types of the resources of the module.
    types: HashSet<&'w str>,
}

impl KnownWords<'_> {
    fn has(&self, word: &str) -> bool {
        Namespace::of(word) != Namespace::Type
            || self.types.contains(word)
            || self.functions.get(word).is_some()
            || word.starts_with(PROVIDER_FUNCTION)
    }
}

impl ModuleCall {
    /// Whether the source of the called module can be read, so that its variables can be known.
    pub fn has_readable_source(&self) -> bool {
        let text = |source| constant_string(source, &mut Diagnostics::new());
        self.source.as_ref().and_then(text).is_some()
    }
}

impl Module {
    /// Whether a value for the variable with this name is a secret. An undeclared name may be a misspelt one, or the block of the variable
    /// could not be read.
    pub fn is_secret_input(&self, name: &str) -> bool {
        match self.variables.get(name) {
            Some(variable) => variable.is_secret(),
            None => self.has_secret_inputs(),
        }
    }

    /// Whether the value of an output is a secret, or may be meant as one.
    pub fn is_secret_output(&self, name: &str) -> bool {
        let is_declared = self.outputs.get(name).is_some_and(|output| output.sensitive || output.ephemeral);
        is_declared || self.secrets.has_doubtful_output(name)
    }

    /// Whether the value for any variable is a secret.
    pub fn has_secret_inputs(&self) -> bool {
        self.has_unread_secret() || self.variables.values().any(Variable::is_secret)
    }

    /// Whether a secret variable could not be read.
    pub fn has_unread_secret(&self) -> bool {
        self.secrets.has_unread_variable(|name| self.variables.contains_key(name))
    }

    /// Hides the text of its files that is in no declaration. The declarations hide their own secrets.
    fn hide_unread(&self) {
        let calls = self.calls.values().map(|call| &call.declaration);
        let providers = self.providers.values().map(|provider| &provider.declaration);
        let resources = self.resources.values().map(|resource| &resource.declaration);
        let declarations = calls.chain(providers).chain(resources);
        let declared: HashSet<(SourceVersion, u32)> =
            declarations.map(|place| (place.file.version(), place.span.start)).collect();
        for root in &self.roots {
            root.body.hide_unread(root.has_errors, &|block| declared.contains(&block));
        }
    }
}
