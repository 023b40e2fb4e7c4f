//! Loads a configuration with the stored schemas of its providers, for evaluations, checks and outlines.

use terrane_module::{Loaded, Request};
use terrane_source::Files;

use crate::caches::Caches;
use crate::schema_store::{Chosen, KeptSchemas, SchemaStores};

/// A configuration that is loaded, with the schemas that were found for it.
pub(crate) struct LoadedProject {
    pub(crate) loaded: Loaded,
    /// The stored schemas. [`Chosen::finish`] finds their problems.
    pub(crate) chosen: Chosen,
}

/// Loads the configuration of a request, with the schemas in `stores`. Files in `caches` are not read again. The configuration is
/// read through `noted`. Unused `--module` entries are not reported: see [`Loaded::with_unused_modules`].
pub(crate) fn load(
    mut request: Request,
    stores: Option<&SchemaStores>,
    files: &dyn Files,
    noted: &dyn Files,
    caches: &Caches,
) -> LoadedProject {
    let chosen = add_stored_schemas(&mut request, stores, files, noted, &caches.schemas);
    let loaded = terrane_module::load(request, noted, &caches.directories);
    LoadedProject { loaded, chosen }
}

/// Adds the schemas in `stores` to a request. Schema files in `kept` are not read again.
pub(crate) fn add_stored_schemas(
    request: &mut Request,
    stores: Option<&SchemaStores>,
    files: &dyn Files,
    noted: &dyn Files,
    kept: &KeptSchemas,
) -> Chosen {
    let Some(stores) = stores else { return Chosen::default() };
    let chosen = stores.choose(request, files, noted, kept);
    request.schemas = chosen.schemas.clone().merged(&request.schemas);
    chosen
}
