//! The options of a plan document: the product that it imitates, and secrets.

use terrane_module::PlanRules;
use terrane_module::provider::ProviderAddress;

use crate::secrets::Secrets;

/// The options of a plan document: the rules of the product, and whether secrets are shown.
#[derive(Clone, Copy)]
pub(super) struct DocumentOptions<'p> {
    pub(super) rules: &'p PlanRules,
    pub(super) secrets: Secrets,
}

/// Returns the address of a provider with its host.
pub(super) fn full_name(provider: &ProviderAddress, rules: &PlanRules) -> String {
    match provider.host {
        Some(_) => provider.to_string(),
        None => format!("{}/{provider}", rules.registry),
    }
}
