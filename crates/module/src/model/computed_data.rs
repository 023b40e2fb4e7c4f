//! Finds the data sources of a module that can be computed from their arguments, and resources whose plan can.

use terrane_config::address::ResourceMode;
use terrane_stdlib::{DataSource, data_sources};

use crate::model::module::{Module, Resource, ResourceKey};
use crate::model::provider::ProviderAddress;

/// The rows of a data source or resource of `module`, those of the newest versions of the provider first; none if it cannot be
/// computed.
pub(crate) fn computable(
    module: &Module,
    key: &ResourceKey,
    resource: &Resource,
) -> impl Iterator<Item = &'static DataSource> {
    let mode = key.mode;
    let is_of_mode = move |row: &&DataSource| match mode {
        ResourceMode::Data => !row.is_resource,
        ResourceMode::Managed => row.is_resource,
        ResourceMode::Ephemeral | ResourceMode::Action => false,
    };
    let mut rows =
        data_sources().iter().filter(is_of_mode).filter(|row| key.resource_type == row.name).peekable();
    let provider = rows.peek().map(|row| ProviderAddress::registered(row.provider));
    let is_of_provider = provider.is_some_and(|provider| {
        module.provider_address(resource.local_provider(&key.resource_type)) == provider
    });
    rows.take_while(move |_| is_of_provider)
}

/// Whether it is the data source that the built-in provider has: the outputs of another state.
pub(crate) fn is_remote_state(module: &Module, key: &ResourceKey, resource: &Resource) -> bool {
    let ResourceKey { mode, resource_type, .. } = key;
    *mode == ResourceMode::Data
        && &**resource_type == "terraform_remote_state"
        && module.provider_address(resource.local_provider(resource_type)).is_built_in()
}
