//! Which data sources of a module can be computed from their arguments.

use terrane_config::address::ResourceMode;
use terrane_stdlib::{DataSource, data_sources};

use crate::model::module::{Module, Resource, ResourceKey};
use crate::model::provider::ProviderAddress;

/// The row of a data source of `module`, if it can be computed.
pub(crate) fn computable(
    module: &Module,
    key: &ResourceKey,
    resource: &Resource,
) -> Option<&'static DataSource> {
    if key.mode != ResourceMode::Data {
        return None;
    }
    let row = data_sources().iter().find(|row| key.resource_type == row.name)?;
    let provider = module.provider_address(resource.local_provider(&key.resource_type));
    (provider == ProviderAddress::registered(row.provider)).then_some(row)
}
