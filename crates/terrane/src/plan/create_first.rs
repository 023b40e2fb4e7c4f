//! Finds the resources whose replacements are created before the old objects are destroyed.
//!
//! A replacement is created before the old object is destroyed if the resource, or a resource that depends on it, has
//! `create_before_destroy`.

use std::collections::HashSet;

use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath};
use terrane_module::Config;
use terrane_source::Diagnostic;

use super::dependencies::{most_visits, too_many_visits};
use super::dependency_search::DependencySearch;
use super::resources::PlannedResource;

/// Decides for each resource whether its replacement is created first. Returns the error about a search that exceeds its limit.
pub(super) fn decide(config: &Config, resources: &mut [PlannedResource<'_>]) -> Option<Diagnostic> {
    if !resources.iter().any(|resource| resource.action.is_replacement()) {
        return None;
    }
    match created_first(config) {
        Ok(first) => {
            for resource in resources {
                resource.creates_first = first.contains(&resource.address().without_keys());
            }
            None
        }
        Err(exceeded) => Some(exceeded),
    }
}

/// Returns the blocks of resources whose replacements are created first, without instance keys.
///
/// # Errors
///
/// `Limit exceeded`, if the search visits too many objects.
fn created_first(config: &Config) -> Result<HashSet<Address>, Diagnostic> {
    let own: Vec<Address> = config.nodes().flat_map(|(_, node)| own(&node.path, &node.module)).collect();
    if own.is_empty() {
        return Ok(HashSet::new());
    }
    let mut search = DependencySearch::of(config, &[]);
    let most = most_visits(config);
    let mut visits = most;
    let found = search.resources_behind(&own, &mut visits).ok_or_else(|| too_many_visits(most))?;
    Ok(found.into_iter().map(|id| search.address(id).clone()).collect())
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
