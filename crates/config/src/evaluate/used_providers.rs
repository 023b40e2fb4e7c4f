//! Which provider configurations something uses. The others are never asked for, so the reference does not evaluate them.

use std::collections::HashSet;
use std::sync::Arc;

use crate::load::{Config, NodeId};
use crate::module::ProviderRef;

/// Provider configurations by the module that declares them and their [`ProviderRef::key`].
pub(super) struct UsedProviders(HashSet<(NodeId, Arc<str>)>);

impl UsedProviders {
    /// Those to which a resource or an import of any module leads, or that a module may use that is not on disk.
    pub(super) fn of(config: &Config) -> UsedProviders {
        let mut used = UsedProviders(HashSet::new());
        if config.nodes().all(|(_, node)| node.module.providers.is_empty()) {
            return used;
        }
        for (id, node) in config.nodes() {
            let module = &node.module;
            for ((_, resource_type, _), resource) in &module.resources {
                let alias = resource.provider.as_ref().and_then(|provider| provider.alias.as_deref());
                used.add(config, id, resource.local_provider(resource_type), alias);
            }
            let imported = module.imports.iter().filter_map(|import| import.to.resource.as_ref());
            for (_, resource_type, _) in imported {
                let implied = resource_type.split_once('_').map_or(&**resource_type, |(name, _)| name);
                used.add(config, id, implied, None);
            }
            let absent = module.calls.values().zip(&node.called).filter(|(_, called)| called.is_none());
            for (call, _) in absent {
                for passed in &call.providers {
                    used.add(config, id, &passed.parent.name, passed.parent.alias.as_deref());
                }
                // The configurations without an alias are passed on without being named.
                for provider in module.providers.values().filter(|provider| provider.alias.is_none()) {
                    used.add(config, id, &provider.name, None);
                }
            }
        }
        used
    }

    pub(super) fn contains(&self, id: NodeId, key: &Arc<str>) -> bool {
        self.0.contains(&(id, Arc::clone(key)))
    }

    /// Adds the configuration that the module at `id` means by `name` and `alias`: its own, or one of its callers.
    fn add(&mut self, config: &Config, id: NodeId, name: &str, alias: Option<&str>) {
        let (mut id, mut name, mut alias) = (id, Arc::<str>::from(name), alias.map(Arc::<str>::from));
        loop {
            let node = config.node(id);
            let key = ProviderRef::key_of(&name, alias.as_deref());
            let own = node.module.providers.get(&key);
            if own.is_some() {
                self.0.insert((id, Arc::clone(&key)));
            }
            let Some((caller, call)) = node.caller.filter(|_| !own.is_some_and(|own| own.configured)) else {
                return;
            };
            let above = &config.node(caller).module;
            let passed = above.calls.get_index(call).and_then(|(_, call)| {
                call.providers.iter().find(|passed| passed.child.key() == key).map(|passed| &passed.parent)
            });
            (name, alias) = match passed {
                Some(parent) => (Arc::clone(&parent.name), parent.alias.clone()),
                // What has no alias is passed on without being named.
                None if alias.is_none() => (above.local_name(&node.module.provider_address(&name)), None),
                None => return,
            };
            id = caller;
        }
    }
}
