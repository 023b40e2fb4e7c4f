//! Finds objects of a state whose block and provider configuration are both gone, so that no plan can destroy them.

use std::collections::HashMap;

use terrane_config::address::{Address, ModulePath, ResourceMode};
use terrane_config::module_path;
use terrane_value::SmolStr;

use crate::model::ids::{CallInModule, NodeId};
use crate::model::module::ResourceKey;
use crate::model::prior::PriorState;
use crate::model::provider::ProviderAddress;
use crate::model::tree::{Config, ModuleNode};
use crate::state::evaluation::Evaluation;

/// An object of the state without a block and without its provider configuration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ObjectWithoutProvider {
    /// The address, after all moves.
    pub address: Address,
    /// The deposed key, if an apply left the object beside the current one.
    pub deposed: Option<SmolStr>,
    /// The provider configuration, as the state names it.
    pub configuration: SmolStr,
}

/// Returns the managed objects of the state without a block and without their provider configuration, sorted by address. With
/// `includes_data`, data sources are returned, too. Nothing is returned if a part of the configuration could not be read.
pub fn objects_without_provider(evaluation: &Evaluation, includes_data: bool) -> Vec<ObjectWithoutProvider> {
    let config = &evaluation.config;
    let Some(prior) = &config.recorded.prior else { return Vec::new() };
    if config.nodes().any(|(_, node)| !node.module.doubt.is_none()) {
        return Vec::new();
    }
    let search = ProviderSearch::new(config, prior);
    let mut all = Vec::new();
    for (module, resource, instances) in prior.resources() {
        if search.has_block(module, resource) || !includes_data && resource.mode != ResourceMode::Managed {
            continue;
        }
        for (key, place) in instances {
            let address = || Address { module: module.clone(), object: resource.object(key.clone()) };
            let configuration = &prior.resource(*place).provider_configuration;
            all.extend(search.object(address, None, configuration));
        }
    }
    for one in prior.deposed() {
        if search.has_block(&one.module, &one.resource) {
            continue;
        }
        let address = || Address { module: one.module.clone(), object: one.resource.object(one.key.clone()) };
        let configuration = &prior.resource(one.place).provider_configuration;
        all.extend(search.object(address, prior.object(one.place).deposed.clone(), configuration));
    }
    all.sort_unstable();
    all
}

struct ProviderSearch<'c> {
    config: &'c Config,
    nodes: HashMap<&'c ModulePath, NodeId>,
    /// Whether the provider configurations of the state are missing, by their names.
    missing: HashMap<&'c SmolStr, bool>,
}

impl<'c> ProviderSearch<'c> {
    fn new(config: &'c Config, prior: &'c PriorState) -> ProviderSearch<'c> {
        let nodes = config.nodes().map(|(id, node)| (&node.path, id)).collect();
        let mut search = ProviderSearch { config, nodes, missing: HashMap::new() };
        for resource in &prior.state().resources {
            let name = &resource.provider_configuration;
            if !search.missing.contains_key(name) {
                let is_missing = Configuration::read(name)
                    .is_some_and(|configuration| !search.is_declared(&configuration));
                search.missing.insert(name, is_missing);
            }
        }
        search
    }

    /// Whether the configuration declares a resource, or its module is not on disk and may declare it.
    fn has_block(&self, module: &ModulePath, resource: &ResourceKey) -> bool {
        self.config.is_missing_module(module)
            || self.node(module).is_some_and(|(_, node)| node.module.resources.id_of(resource).is_some())
    }

    fn node(&self, module: &ModulePath) -> Option<(NodeId, &'c ModuleNode)> {
        let id = *self.nodes.get(&module.without_keys())?;
        Some((id, self.config.node(id)))
    }

    /// Returns the object with an address if its provider configuration is missing.
    fn object(
        &self,
        address: impl FnOnce() -> Address,
        deposed: Option<SmolStr>,
        configuration: &SmolStr,
    ) -> Option<ObjectWithoutProvider> {
        let is_missing = self.missing.get(configuration).copied().unwrap_or(false);
        is_missing.then(|| ObjectWithoutProvider {
            address: address(),
            deposed,
            configuration: configuration.clone(),
        })
    }

    /// Whether a provider configuration is declared, passed by a module call, or the default configuration of the root module,
    /// which needs no block. A module that is not on disk may declare any.
    fn is_declared(&self, configuration: &Configuration<'_>) -> bool {
        let Configuration { module, provider, alias } = configuration;
        if module.is_root() && alias.is_none() || self.config.is_missing_module(module) {
            return true;
        }
        let Some((_, node)) = self.node(module) else { return false };
        let is_meant = |name: &str, own: Option<&SmolStr>| {
            own.map(SmolStr::as_str) == *alias && node.module.provider_address(name) == *provider
        };
        let passed = node.caller.map(|CallInModule { module: caller, call }| {
            self.config.node(caller).module.calls.at(call).providers.values()
        });
        let mut declared = node.module.providers.values();
        declared.any(|provider| is_meant(&provider.name, provider.alias.as_ref()))
            || passed
                .into_iter()
                .flatten()
                .any(|passed| is_meant(&passed.child.name, passed.child.alias.as_ref()))
    }
}

/// A provider configuration of a state.
struct Configuration<'n> {
    module: ModulePath,
    provider: ProviderAddress,
    alias: Option<&'n str>,
}

impl<'n> Configuration<'n> {
    /// Reads `module.a.provider["registry.terraform.io/acme/demo"].east`, perhaps with the key of an instance behind it. `None` for
    /// other forms.
    fn read(name: &'n str) -> Option<Configuration<'n>> {
        let (before, rest) = name.split_once("provider[\"")?;
        let (source, after) = rest.split_once("\"]")?;
        let module = match before.strip_suffix('.') {
            Some(path) => module_path(path)?,
            None if before.is_empty() => ModulePath::ROOT,
            None => return None,
        };
        let alias =
            after.strip_prefix('.').map(|alias| alias.split_once('[').map_or(alias, |(alias, _)| alias));
        Some(Configuration { module, provider: source.parse().ok()?, alias })
    }
}
