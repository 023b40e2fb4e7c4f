//! Finds objects of the state that a newer version of their provider has written.

use terrane_config::address::{Address, ResourceMode};
use terrane_source::Subject;

use crate::state::evaluation::Evaluation;

/// A managed object of the state whose version of the schema is newer than the schema that is read.
#[derive(Clone, Debug)]
pub struct NewerObject {
    /// The address, after all moves.
    pub address: Address,
    /// The version of the schema that the state names.
    pub recorded_version: u64,
    /// The version of the schema that is read.
    pub schema_version: u64,
    /// The block of the resource, if the configuration has it.
    pub declaration: Option<Subject>,
}

/// Returns the current managed objects of the state that a newer version of their provider has written, sorted by address. No provider can
/// read them, so a plan of them fails.
pub fn newer_objects(evaluation: &Evaluation) -> Vec<NewerObject> {
    let config = &evaluation.config;
    let Some(prior) = &config.recorded.prior else { return Vec::new() };
    let mut all = Vec::new();
    for (module, resource, instances) in prior.resources() {
        for (key, place) in instances.iter().filter(|_| resource.mode == ResourceMode::Managed) {
            let provider = prior.provider_address(*place);
            let schema = provider.and_then(|provider| config.request.schemas.provider(provider));
            let schema = schema.and_then(|schema| schema.resource(resource.mode, &resource.resource_type));
            let Some(schema_version) = schema.map(|schema| schema.schema().version()) else { continue };
            let recorded_version = prior.object(*place).schema_version;
            if recorded_version > schema_version {
                let path = module.without_keys();
                let node = config.nodes().find(|(_, node)| node.path == path);
                let block = node.and_then(|(_, node)| node.module.resources.get(resource));
                let declaration = block.map(|block| block.declaration.clone());
                let address = Address { module: module.clone(), object: resource.object(key.clone()) };
                all.push(NewerObject { address, recorded_version, schema_version, declaration });
            }
        }
    }
    all.sort_unstable_by(|one, other| one.address.cmp(&other.address));
    all
}
