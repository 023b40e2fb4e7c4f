//! Finds the rows of data sources that the version constraints of a configuration refuse: no allowed version of the provider
//! computes the data source as the row says.

use std::collections::HashMap;

use terrane_config::VersionConstraint;
use terrane_stdlib::{DataSource, data_sources};

use crate::model::module::Module;
use crate::model::provider::ProviderAddress;

/// The reasons for refusals, by provider and by the first version of the row. A reason is a clause for a message.
#[derive(Debug)]
pub(crate) struct RefusedRows(HashMap<ProviderAddress, HashMap<[u64; 3], String>>);

/// The version constraints of all modules on a provider.
#[derive(Default)]
struct Constraints {
    all: Option<VersionConstraint>,
    /// Whether a version constraint is not valid.
    has_invalid: bool,
}

impl RefusedRows {
    /// Returns the rows that the requirements of all modules together refuse.
    pub(crate) fn of<'m>(modules: impl Iterator<Item = &'m Module>) -> RefusedRows {
        let mut constraints: HashMap<ProviderAddress, Constraints> = data_sources()
            .iter()
            .map(|row| (ProviderAddress::registered(row.provider), Constraints::default()))
            .collect();
        for required in modules.flat_map(|module| module.requirements.values()) {
            let Some(of_provider) = constraints.get_mut(&required.provider) else { continue };
            match &required.version {
                Some(version) => {
                    of_provider.all = Some(match of_provider.all.take() {
                        Some(all) => all.and(version.clone()),
                        None => version.clone(),
                    });
                }
                None => of_provider.has_invalid |= required.has_version,
            }
        }
        let mut refused = RefusedRows(HashMap::new());
        for row in data_sources() {
            let provider = ProviderAddress::registered(row.provider);
            let reason = constraints.get(&provider).and_then(|all| all.refusal(&provider, row.since));
            if let Some(reason) = reason {
                refused.0.entry(provider).or_default().insert(row.since, reason);
            }
        }
        refused
    }

    /// Returns the reason why a row of the provider is refused; `None` if it is not refused.
    pub(crate) fn reason(&self, row: &DataSource, provider: &ProviderAddress) -> Option<&String> {
        self.0.get(provider)?.get(&row.since)
    }
}

impl Constraints {
    fn refusal(&self, provider: &ProviderAddress, since: [u64; 3]) -> Option<String> {
        let [major, minor, patch] = since;
        if self.has_invalid {
            return Some(format!("a version constraint of {provider} is not valid"));
        }
        self.all.as_ref().is_some_and(|all| !all.allows_any_from(since)).then(|| {
            format!("the constraints allow no version of {provider} from {major}.{minor}.{patch} on")
        })
    }
}
