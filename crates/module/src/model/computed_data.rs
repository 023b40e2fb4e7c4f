//! Finds the data sources of a module that can be computed from their arguments, and resources whose plan can.

use terrane_config::address::ResourceMode;
use terrane_stdlib::{DataSource, data_sources};

use crate::model::module::{Module, Resource, ResourceKey};
use crate::model::provider::ProviderAddress;

/// The row of a data source or resource of `module`, if it can be computed.
pub(crate) fn computable(
    module: &Module,
    key: &ResourceKey,
    resource: &Resource,
) -> Option<&'static DataSource> {
    let is_resource = match key.mode {
        ResourceMode::Data => false,
        ResourceMode::Managed => true,
        ResourceMode::Ephemeral | ResourceMode::Action => return None,
    };
    let mut rows = data_sources().iter();
    let row = rows.find(|row| key.resource_type == row.name && row.is_resource == is_resource)?;
    let provider = module.provider_address(resource.local_provider(&key.resource_type));
    (provider == ProviderAddress::registered(row.provider)).then_some(row)
}
