//! Finds blocks with an unknown number of instances. Their instances are missing in a plan.

use terrane_config::Address;
use terrane_config::address::{InstanceKey, Object};
use terrane_module::{Evaluation, ModuleInstance};
use terrane_value::Origins;

/// A resource, a data source or a module call with an unknown number of instances. The plan lacks these instances.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnexpandedBlock {
    /// The address of the block.
    pub address: Address,
    /// Why the number of its instances is unknown.
    pub origins: Origins,
}

/// Returns the blocks with an unknown number of instances, by address.
pub(crate) fn blocks(evaluation: &Evaluation) -> Vec<UnexpandedBlock> {
    blocks_in(evaluation, |_| true)
}

/// Returns the [`blocks`] without blocks in modules that have an unknown number of instances themselves.
pub(crate) fn outermost(evaluation: &Evaluation) -> Vec<UnexpandedBlock> {
    blocks_in(evaluation, |instance| instance.unexpanded.is_none())
}

fn blocks_in(evaluation: &Evaluation, is_meant: impl Fn(&ModuleInstance) -> bool) -> Vec<UnexpandedBlock> {
    let mut all = Vec::new();
    for instance in evaluation.instances().iter().filter(|instance| is_meant(instance)) {
        let module = &evaluation.config.node(instance.node).module;
        let mut add = |object: Object, origins: Option<&Origins>| {
            let address = || Address { module: instance.path.clone(), object };
            all.extend(
                origins.map(|origins| UnexpandedBlock { address: address(), origins: origins.clone() }),
            );
        };
        for ((name, _), calls) in module.calls.iter().zip(&instance.calls) {
            add(Object::ModuleCall(name.clone(), InstanceKey::None), calls.expansion.unknown());
        }
        for ((key, _), instances) in module.resources.iter().zip(&instance.resources) {
            add(key.object(InstanceKey::None), instances.expansion.unknown());
        }
    }
    all.sort_unstable_by(|one, other| one.address.cmp(&other.address));
    all
}
