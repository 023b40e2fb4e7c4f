//! Finds the provider configurations that are used. The reference implementation does not evaluate unused ones.

use std::collections::HashSet;

use foldhash::fast::RandomState;
use terrane_config::address::InstanceKey;
use terrane_source::Diagnostic;
use terrane_value::SmolStr;

use crate::model::ids::{Arena, CallInModule, NodeId, ProviderId, ResourceId};
use crate::model::module::{Module, ProviderRef, Resource, ResourceKey};
use crate::model::references::ProviderReferences;
use crate::model::tree::{Config, ModuleNode};

/// Provider configurations that are used, by the module that declares them and their [`ProviderRef::key`].
#[derive(Default, Debug)]
pub(crate) struct UsedProviders(HashSet<(NodeId, SmolStr), RandomState>);

impl UsedProviders {
    /// Returns the provider configurations used by a resource, an import or a provider function in any module, and the
    /// configurations that a missing module may use.
    pub(crate) fn of(nodes: &Arena<NodeId, ModuleNode>) -> UsedProviders {
        let mut used = UsedProviders::default();
        if nodes.iter().all(|node| node.module.providers.is_empty()) {
            return used;
        }
        for (id, node) in nodes.enumerate() {
            let module = &node.module;
            let resources = module.resources.iter();
            for (key, resource) in
                resources.filter(|(key, resource)| !may_name_provider(module, key, resource))
            {
                let alias = resource.provider.as_ref().and_then(|provider| provider.alias.as_deref());
                used.add(nodes, id, resource.local_provider(&key.resource_type), alias);
            }
            let imported = module.imports.iter().filter_map(|import| import.to.resource.as_ref());
            for ResourceKey { resource_type, .. } in imported {
                let implied = resource_type.split_once('_').map_or(&**resource_type, |(name, _)| name);
                used.add(nodes, id, implied, None);
            }
            for name in &module.references.called_providers {
                used.add(nodes, id, name, None);
            }
            let not_on_disk = module.calls.values().zip(&node.called).filter(|(_, called)| called.is_none());
            for (call, _) in not_on_disk {
                for passed in call.providers.values() {
                    used.add(nodes, id, &passed.parent.name, passed.parent.alias.as_deref());
                }
                // A call passes configurations without an alias on without naming them.
                for provider in module.providers.values().filter(|provider| provider.alias.is_none()) {
                    used.add(nodes, id, &provider.name, None);
                }
            }
        }
        used
    }

    /// Whether the configuration `key` of the module at `id` is used.
    pub(crate) fn contains(&self, id: NodeId, key: &SmolStr) -> bool {
        self.0.contains(&(id, key.clone()))
    }

    fn add(&mut self, nodes: &Arena<NodeId, ModuleNode>, id: NodeId, name: &str, alias: Option<&str>) {
        let found = meant(nodes, id, name, alias);
        let key = |(owner, id): (NodeId, ProviderId)| nodes[owner].module.providers.entry_of(id).0.clone();
        self.0.extend(found.into_iter().map(|found| (found.0, key(found))));
    }
}

/// Returns the wrong references in the used configurations.
pub(crate) fn mistakes(nodes: &Arena<NodeId, ModuleNode>) -> Vec<Diagnostic> {
    let has_mistake = |references: &ProviderReferences| !references.late_mistakes.is_empty();
    if !nodes.iter().any(|node| node.module.references.providers.iter().any(has_mistake)) {
        return Vec::new();
    }
    let (used, mut mistakes) = (UsedProviders::of(nodes), Vec::new());
    for (id, node) in nodes.enumerate() {
        let providers = node.module.providers.keys().zip(&node.module.references.providers);
        let used = providers.filter(|(key, _)| used.contains(id, key));
        mistakes.extend(used.flat_map(|(_, references)| references.late_mistakes.iter().cloned()));
    }
    mistakes
}

/// Returns the configuration that a provider name and an alias mean in the module at `id`: the declaring module, and
/// the id of the configuration there.
pub(crate) fn configuration(
    config: &Config,
    id: NodeId,
    name: &str,
    alias: Option<&str>,
) -> Option<(NodeId, ProviderId)> {
    meant(&config.nodes, id, name, alias).pop()
}

/// Returns the configuration that a resource uses; `None` if its block is in doubt and names none, because the
/// unreadable part may name one.
pub(crate) fn of_resource(
    config: &Config,
    id: NodeId,
    resource_id: ResourceId,
) -> Option<(NodeId, ProviderId)> {
    let module = &config.node(id).module;
    let (key, resource) = module.resources.entry_of(resource_id);
    if may_name_provider(module, key, resource) {
        return None;
    }
    let alias = resource.provider.as_ref().and_then(|provider| provider.alias.as_deref());
    configuration(config, id, resource.local_provider(&key.resource_type), alias)
}

/// Whether a resource names no provider, and the unreadable part of its block may name one.
fn may_name_provider(module: &Module, key: &ResourceKey, resource: &Resource) -> bool {
    resource.provider.is_none() && module.doubt.covers(&key.object(InstanceKey::None))
}

/// Returns the key, in the root module, of the configuration that a name and an alias mean in the module at `id`;
/// `None` if a called module configures it itself.
pub(crate) fn in_root(
    nodes: &Arena<NodeId, ModuleNode>,
    id: NodeId,
    name: &str,
    alias: Option<&str>,
) -> Option<SmolStr> {
    let mut in_root = None;
    walk(nodes, id, name, alias, &mut |id, key, _| {
        if id == NodeId::ROOT {
            in_root = Some(key.clone());
        }
    });
    in_root
}

/// Returns the configurations that `name` and `alias` may mean in the module at `id`, each with its module: first its
/// own, then, while they are empty or missing, those of its callers. The last one counts.
fn meant(
    nodes: &Arena<NodeId, ModuleNode>,
    id: NodeId,
    name: &str,
    alias: Option<&str>,
) -> Vec<(NodeId, ProviderId)> {
    let mut found = Vec::new();
    walk(nodes, id, name, alias, &mut |id, _, own| found.extend(own.map(|provider| (id, provider))));
    found
}

/// Follows a provider configuration from a module to its callers. Calls `visit` with each module, the key of the
/// configuration there, and its id if the module declares it.
fn walk(
    nodes: &Arena<NodeId, ModuleNode>,
    mut id: NodeId,
    name: &str,
    alias: Option<&str>,
    visit: &mut dyn FnMut(NodeId, &SmolStr, Option<ProviderId>),
) {
    let (mut name, mut alias) = (SmolStr::from(name), alias.map(SmolStr::from));
    loop {
        let node = &nodes[id];
        let key = ProviderRef::key_of(&name, alias.as_deref());
        let own = node.module.providers.find(&key);
        visit(id, &key, own.map(|(provider, _)| provider));
        let is_configured = own.is_some_and(|(_, own)| own.configured);
        let Some(CallInModule { module: caller, call }) = node.caller.filter(|_| !is_configured) else {
            break;
        };
        let above = &nodes[caller].module;
        let passed = above.calls.at(call).providers.get(&key).map(|passed| &passed.parent);
        (name, alias) = match passed {
            Some(parent) => (parent.name.clone(), parent.alias.clone()),
            // A call passes a configuration without an alias on without naming it.
            None if alias.is_none() && !above.call_is_damaged(call) => {
                (above.local_name(&node.module.provider_address(&name)), None)
            }
            None => break,
        };
        id = caller;
    }
}
