//! Finds the resources whose replacements are created before the old objects are destroyed.
//!
//! A replacement is created before the old object is destroyed if the resource, or a resource that depends on it, has
//! `create_before_destroy`.

use std::collections::HashSet;

use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath};
use terrane_module::Config;

use super::dependency_search::DependencySearch;

/// Returns the blocks of resources whose replacements are created first, without instance keys.
pub(super) fn created_first(config: &Config) -> HashSet<Address> {
    let own: Vec<Address> = config.nodes().flat_map(|(_, node)| own(&node.path, &node.module)).collect();
    if own.is_empty() {
        return HashSet::new();
    }
    let mut search = DependencySearch::of(config, &[]);
    // One search visits each reference once.
    let mut visits = u64::MAX;
    let found = search.resources_behind(&own, &mut visits).unwrap_or_default();
    found.into_iter().map(|id| search.address(id).clone()).collect()
}

/// Returns the resources of a module with `create_before_destroy = true`.
fn own<'c>(
    path: &'c ModulePath,
    module: &'c terrane_module::Module,
) -> impl Iterator<Item = Address> + use<'c> {
    let resources = module.resources.iter();
    let own = resources.filter(|(_, resource)| resource.lifecycle.create_before_destroy == Some(true));
    own.map(|(key, _)| Address { module: path.clone(), object: key.object(InstanceKey::None) })
}
