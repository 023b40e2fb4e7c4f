//! Provider configurations: `provider` blocks, and configurations without a block for providers that a module requires.
//!
//! A module inherits the configurations of its caller, or gets the configurations in `providers`. Such an entry stands for a
//! configuration of the caller, and resources of the module then have the key of that configuration.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde::Serialize;
use terrane_module::module::{Module, ResourceKey};
use terrane_module::provider::ProviderAddress;
use terrane_module::{CallInModule, Config, ModuleNode, PlanRules};
use terrane_source::sorted_map;
use terrane_value::SmolStr;

use super::document_options::full_name;
use super::expression::{ExpressionWriter, Expressions};
use crate::document::json::lazy::DisplayText;
use crate::document::version_constraints;
use crate::secrets::Secrets;

/// A provider configuration.
#[derive(Serialize)]
pub(super) struct ConfiguredProviderJson {
    name: String,
    full_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    alias: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version_constraint: Option<DisplayText<Arc<str>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    module_address: Option<String>,
    #[serde(skip_serializing_if = "Expressions::is_empty")]
    expressions: Expressions,
    /// The key of the caller's configuration that this one stands for.
    #[serde(skip)]
    inherited: Option<String>,
}

/// A module, and the versions of each provider that it accepts.
struct Owner<'c> {
    node: &'c ModuleNode,
    constraints: Constraints,
}

/// The version constraints of each provider of a module. All configurations of a provider have the same text.
type Constraints = HashMap<ProviderAddress, Arc<str>>;

fn constraints(module: &Module) -> Constraints {
    version_constraints(module, |name| module.provider_address(name))
}

/// The provider configurations of all modules by key: `aws`, `aws.west`, `module.a:aws`.
pub(super) struct Providers {
    all: BTreeMap<String, ConfiguredProviderJson>,
    rules: PlanRules,
    secrets: Secrets,
}

impl Providers {
    pub(super) fn of(config: &Config, rules: &PlanRules, secrets: Secrets) -> Providers {
        let mut providers = Providers { all: BTreeMap::new(), rules: rules.clone(), secrets };
        for (_, node) in config.nodes() {
            let owner = Owner { node, constraints: constraints(&node.module) };
            providers.add_blocks(config, &owner);
            providers.add_requirements(config, &owner);
            providers.add_passed(config, &owner);
        }
        providers
    }

    fn add_blocks(&mut self, config: &Config, owner: &Owner<'_>) {
        let node = owner.node;
        for (key, block) in node.module.providers.iter() {
            let (provider, schemas) = (node.module.provider_address(&block.name), &config.request.schemas);
            let schema = schemas.provider(&provider).and_then(|found| found.configuration());
            let may_be_secret = schemas.may_have_secret_configuration(&node.module, &block.name);
            let writer = ExpressionWriter { module: &node.module, secrets: self.secrets, may_be_secret };
            let expressions = writer.body(&block.config, schema.map(|block| block.schema()), &[]);
            let own = ConfiguredProviderJson { expressions, ..self.entry(owner, &block.name, &provider) };
            self.all.insert(
                key_in(node, key),
                ConfiguredProviderJson { alias: block.alias.as_ref().map(ToString::to_string), ..own },
            );
        }
    }

    /// Adds the providers that the module requires, and the providers of its resources.
    fn add_requirements(&mut self, config: &Config, owner: &Owner<'_>) {
        let node = owner.node;
        let module = &node.module;
        for (local, required) in &module.requirements {
            for alias in &required.aliases {
                let alias_name = alias.split_once('.').map(|(_, alias)| alias.to_owned());
                let own = ConfiguredProviderJson {
                    alias: alias_name,
                    ..self.entry(owner, local, &required.provider)
                };
                self.all.entry(key_in(node, alias)).or_insert(own);
            }
            self.add(config, owner, local, &required.provider);
        }
        let of_resources = module
            .resources
            .iter()
            .map(|(key, resource)| module.provider_address(resource.local_provider(&key.resource_type)));
        let of_requirements = module.requirements.values().map(|required| required.provider.clone());
        let mut seen = BTreeSet::new();
        for provider in of_requirements.chain(of_resources) {
            if seen.insert(provider.to_string()) {
                self.add(config, owner, &provider.name, &provider);
            }
        }
    }

    /// Adds a configuration without a block. It may be inherited from the caller.
    fn add(&mut self, config: &Config, owner: &Owner<'_>, local: &SmolStr, provider: &ProviderAddress) {
        let node = owner.node;
        let key = key_in(node, local);
        if self.all.contains_key(&key) {
            return;
        }
        let own = self.entry(owner, local, provider);
        let caller = node.caller.map(|caller| config.node(caller.module));
        let inherited = caller.and_then(|caller| self.source(key_in(caller, local), &own.full_name));
        self.all.insert(key, ConfiguredProviderJson { inherited, ..own });
    }

    /// Adds the configurations that the call of the module passes.
    fn add_passed(&mut self, config: &Config, owner: &Owner<'_>) {
        let node = owner.node;
        let Some(CallInModule { module: caller, call }) = node.caller else { return };
        let caller = config.node(caller);
        for (key, passed) in &caller.module.calls.at(call).providers {
            let provider = node.module.provider_address(&passed.child.name);
            let own = ConfiguredProviderJson {
                alias: passed.child.alias.as_ref().map(ToString::to_string),
                ..self.entry(owner, &passed.child.name, &provider)
            };
            let inherited = self.source(key_in(caller, &passed.parent.key()), &own.full_name);
            self.all.entry(key_in(node, key)).or_insert(own).inherited = inherited;
        }
    }

    /// Returns the key of the caller's configuration that an entry stands for. `None` if that belongs to another provider.
    fn source(&self, key: String, full_name: &str) -> Option<String> {
        let found = self.all.get(&key).filter(|found| found.full_name == full_name)?;
        Some(found.inherited.clone().unwrap_or(key))
    }

    /// Returns the key of the configuration of a resource.
    pub(super) fn key_of(&self, node: &ModuleNode, key: &ResourceKey, module: &Module) -> Option<String> {
        let resource = module.resources.get(key)?;
        let local = resource.local_provider(&key.resource_type);
        let named = resource.provider.as_ref().map(|provider| provider.key());
        let own = key_in(node, &named.unwrap_or_else(|| SmolStr::from(local)));
        let found = self.all.get(&own);
        Some(found.and_then(|found| found.inherited.clone()).unwrap_or(own))
    }

    /// Returns a configuration without a block.
    fn entry(&self, owner: &Owner<'_>, name: &SmolStr, provider: &ProviderAddress) -> ConfiguredProviderJson {
        let node = owner.node;
        ConfiguredProviderJson {
            name: name.to_string(),
            full_name: full_name(provider, &self.rules),
            alias: None,
            version_constraint: owner.constraints.get(provider).cloned().map(DisplayText),
            module_address: (!node.path.is_root()).then(|| node.path.to_string()),
            expressions: Expressions::default(),
            inherited: None,
        }
    }

    /// Returns the configurations that are not inherited.
    pub(super) fn own(&self) -> BTreeMap<&str, &ConfiguredProviderJson> {
        let own = self.all.iter().filter(|(_, provider)| provider.inherited.is_none());
        sorted_map(own.map(|(key, provider)| (key.as_str(), provider)))
    }
}

fn key_in(node: &ModuleNode, key: &str) -> String {
    if node.path.is_root() { key.to_owned() } else { format!("{}:{key}", node.path) }
}

/// Returns the bytes of the version constraints in the document: each configuration of a provider has all constraints on it.
pub(super) fn bytes_of_constraints(config: &Config) -> usize {
    let of_module = |module: &Module| {
        let all = constraints(module);
        let bytes = |provider: &ProviderAddress| all.get(provider).map_or(0, |text| text.len());
        let blocks = module.providers.values().map(|block| bytes(&module.provider_address(&block.name)));
        let required = module.requirements.values();
        let required =
            required.map(|required| bytes(&required.provider).saturating_mul(required.aliases.len() + 1));
        blocks.chain(required).fold(0, usize::saturating_add)
    };
    config.nodes().map(|(_, node)| of_module(&node.module)).fold(0, usize::saturating_add)
}
