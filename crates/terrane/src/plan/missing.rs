//! What a plan leaves out, because it cannot be known: instances of unknown number, modules that are not on disk, and parts
//! that could not be read.

use terrane_config::Address;
use terrane_config::address::{InstanceKey, Object};
use terrane_module::Evaluation;
use terrane_value::Origins;

use super::Plan;
use crate::document::listing::reasons;

/// A resource, a data source or a module call with an unknown number of instances, which are missing in the plan.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnexpandedBlock {
    /// The address of the block.
    pub address: Address,
    /// Why the number of its instances is unknown.
    pub origins: Origins,
}

/// The blocks with an unknown number of instances, by address.
pub(super) fn unexpanded(evaluation: &Evaluation) -> Vec<UnexpandedBlock> {
    let mut all = Vec::new();
    for instance in evaluation.instances().iter().filter(|instance| instance.unexpanded.is_none()) {
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
    all.sort_by(|one, other| one.address.cmp(&other.address));
    all
}

impl Plan<'_> {
    /// The blocks whose instances are missing, because their number is unknown, by address.
    pub fn unexpanded(&self) -> &[UnexpandedBlock] {
        &self.unexpanded
    }

    /// Whether there are blocks whose instances are not in the plan.
    pub(super) fn leaves_out_blocks(&self) -> bool {
        !self.unexpanded.is_empty() || !self.report.evaluation().config.absent.is_empty()
    }

    /// What the plan leaves out, as comments; empty if it has everything.
    pub(super) fn missing_text(&self) -> String {
        let mut lines: Vec<String> = self.report.partial_note().into_iter().collect();
        if self.report.has_errors() {
            lines.push("objects that have an error or depend on one are missing".to_owned());
        }
        let number = |block: &UnexpandedBlock| {
            format!("{}: number of instances unknown: {}", block.address, reasons(&block.origins))
        };
        lines.extend(self.unexpanded.iter().map(number));
        let absent = &self.report.evaluation().config.absent;
        lines.extend(absent.iter().map(|absent| format!("{}: not on disk", absent.path)));
        lines.iter().map(|line| format!("# {line}\n")).collect()
    }
}
