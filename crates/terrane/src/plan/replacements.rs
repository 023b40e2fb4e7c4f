//! Finds addresses to replace on request that name no instance.

use terrane_config::Address;
use terrane_config::address::{InstanceKey, Object};
use terrane_source::{Diagnostic, Diagnostics, first_of, ids};

use super::{MAX_NAMED, Plan, PlannedResource};

impl Plan<'_> {
    /// Returns a warning for each address to replace that names no instance. A block that has failed, or that has an unknown
    /// number of instances, may have the instance.
    pub(super) fn unmatched_replacements(&self) -> Diagnostics {
        let mut found = Diagnostics::new();
        for wanted in &self.report.evaluation().config.request.replaced {
            let is_same_block = |planned: &&PlannedResource<'_>| {
                planned.module == wanted.module
                    && planned.resource.object(InstanceKey::None) == wanted.object.without_key()
            };
            let instances: Vec<Address> =
                self.resources.iter().filter(is_same_block).map(PlannedResource::address).collect();
            if instances.contains(wanted)
                || self.failed.iter().any(|planned| is_same_block(&planned))
                || self.is_undecided(wanted)
            {
                continue;
            }
            let option = |address: &Address| format!("`-replace='{address}'`");
            let detail = match first_of(instances.iter().map(option), MAX_NAMED) {
                None => format!(
                    "The configuration has no instance `{wanted}`, so nothing is replaced for this address."
                ),
                Some(options) => format!(
                    "The configuration has no instance `{wanted}`, but instances with other keys: {options}."
                ),
            };
            found.push(Diagnostic::warning(ids::UNMATCHED_REPLACEMENT, detail));
        }
        found
    }

    /// Whether the block of an instance, or a call of a module around it, has failed or has an unknown number of instances.
    fn is_undecided(&self, wanted: &Address) -> bool {
        self.failures.as_ref().is_some_and(|failures| failures.has_resource(wanted))
            || self.unexpanded.iter().any(|block| {
                let Address { module, object } = &block.address;
                let Object::ModuleCall(name, _) = object else {
                    return *module == wanted.module && *object == wanted.object.without_key();
                };
                let inner = wanted.module.steps().strip_prefix(module.steps());
                inner.and_then(<[_]>::first).is_some_and(|step| step.name == *name)
            })
    }
}
