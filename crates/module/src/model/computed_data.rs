//! Finds the data sources that can be computed from their arguments, and the resources whose plan can be computed.

use terrane_config::Version;
use terrane_config::address::ResourceMode;
use terrane_stdlib::{DataSource, data_sources};
use terrane_value::{Known, Marks, SmolStr, Unknown, Value, ValueKind};

use crate::model::module::{Module, Resource, ResourceKey};
use crate::model::provider::ProviderAddress;

/// Whether the attributes of a data source are computed from its arguments, and by which row of the table.
#[derive(Clone, Debug)]
pub(crate) enum Computability {
    /// The row computes them.
    Computed(&'static DataSource),
    /// The table has a row for the type, but it may not hold for the data source, for the reason in the text.
    Uncertain(&'static DataSource, String),
}

/// The versions of providers that the lock file of the root module selects.
#[derive(Debug)]
pub(crate) enum LockedVersions {
    /// The versions of the providers in the file; `None` for a provider without a constant version. Without a
    /// file, there are no providers.
    Read(Vec<(ProviderAddress, Option<Version>)>),
    /// The file could not be read.
    Unreadable,
}

impl LockedVersions {
    /// Returns whether the locked version of the provider computes as the row does; the error is a clause with the
    /// reason. `None` if the lock file does not have the provider, so that the constraints decide.
    pub(crate) fn decide(&self, row: &DataSource, provider: &ProviderAddress) -> Option<Result<(), String>> {
        let LockedVersions::Read(versions) = self else {
            return Some(Err("the lock file cannot be read".into()));
        };
        // A file of both Terraform and OpenTofu has one entry for each.
        let mut own =
            versions.iter().filter(|(locked, _)| locked == provider).map(|(_, version)| version).peekable();
        own.peek()?;
        let [major, minor, patch] = row.since;
        let refused = own.find_map(|version| match version {
            None => Some(format!("the lock file has no version of {provider}")),
            Some(version) if version.is_from(row.since) => None,
            Some(version) => Some(format!(
                "the lock file has {provider} {version}, which is older than {major}.{minor}.{patch}"
            )),
        });
        Some(refused.map_or(Ok(()), Err))
    }
}

/// Returns the rows for the type of a data source or resource, newest versions of the provider first.
fn rows_of(key: &ResourceKey) -> impl Iterator<Item = &'static DataSource> {
    let mode = key.mode;
    let is_of_mode = move |row: &&DataSource| match mode {
        ResourceMode::Data => !row.is_resource,
        ResourceMode::Managed => row.is_resource,
        ResourceMode::Ephemeral | ResourceMode::Action => false,
    };
    data_sources().iter().filter(is_of_mode).filter(move |row| key.resource_type == row.name)
}

/// Whether a module has a data source for which there is a row.
pub(crate) fn has_rows(module: &Module) -> bool {
    module.resources.keys().any(|key| rows_of(key).next().is_some())
}

/// Returns the row that computes a data source or resource of `module`, or the last row that does not hold and the
/// reason. `refused` returns the reason why a row does not hold for a provider. `None` if there is no row.
pub(crate) fn computable(
    module: &Module,
    key: &ResourceKey,
    resource: &Resource,
    refused: impl Fn(&'static DataSource, &ProviderAddress) -> Option<String>,
) -> Option<Computability> {
    let mut rows = rows_of(key).peekable();
    let provider = ProviderAddress::registered(rows.peek()?.provider);
    let local = resource.local_provider(&key.resource_type);
    let own = module.provider_address(local);
    let is_doubtful = module.provider_is_doubtful(local);
    let mut reason = None;
    for row in rows {
        let refusal = match own == provider {
            _ if is_doubtful => Some("text that cannot be read may name another provider".to_owned()),
            true => refused(row, &provider),
            false => Some(format!("its provider is {own}, not {provider}")),
        };
        match refusal {
            None => return Some(Computability::Computed(row)),
            Some(refusal) => reason = Some((row, refusal)),
        }
    }
    reason.map(|(row, reason)| Computability::Uncertain(row, reason))
}

impl Module {
    /// Returns the arguments and attributes of a data source or resource that are sensitive even without a schema,
    /// because the row for its type says so.
    pub fn sensitive_attributes(&self, key: &ResourceKey, resource: &Resource) -> &'static [&'static str] {
        let Some(row) = rows_of(key).find(|row| !row.sensitive.is_empty()) else { return &[] };
        let own = self.provider_address(resource.local_provider(&key.resource_type));
        if own == ProviderAddress::registered(row.provider) { row.sensitive } else { &[] }
    }
}

/// Marks the attributes with these names as sensitive.
pub(crate) fn with_sensitive(value: Value, names: &[&str]) -> Value {
    if names.is_empty() {
        return value;
    }
    let inner = value.unmarked();
    let mark = |(name, value): (&SmolStr, &Value)| {
        let is_secret = names.contains(&name.as_str()) && !value.is_null();
        (name.clone(), if is_secret { value.clone().with_marks(&Marks::sensitive()) } else { value.clone() })
    };
    let with = match inner.kind() {
        ValueKind::Object(entries) => Value::object(entries.iter().map(mark)),
        ValueKind::Unknown(Unknown { known: Known::Object(entries), origins, .. }) => {
            Value::open_object(entries.iter().map(mark).collect(), origins.clone())
        }
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Map(_)
        | ValueKind::Tuple(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => return value,
    };
    with.with_marks(value.marks())
}

/// The type of the data sources that read the outputs of another state.
pub(crate) const REMOTE_STATE: &str = "terraform_remote_state";

/// Whether a resource is the data source `terraform_remote_state` of the built-in provider.
pub(crate) fn is_remote_state(module: &Module, key: &ResourceKey, resource: &Resource) -> bool {
    let ResourceKey { mode, resource_type, .. } = key;
    *mode == ResourceMode::Data
        && &**resource_type == REMOTE_STATE
        && module.provider_address(resource.local_provider(resource_type)).is_built_in()
}
