//! Finds the data sources of a module that can be computed from their arguments, and resources whose plan can.

use terrane_config::Version;
use terrane_config::address::ResourceMode;
use terrane_stdlib::{DataSource, data_sources};
use terrane_value::{Known, Marks, SmolStr, Unknown, Value, ValueKind};

use crate::model::module::{Module, Resource, ResourceKey};
use crate::model::provider::ProviderAddress;

/// Whether a data source is computed from its arguments.
#[derive(Clone, Debug)]
pub(crate) enum Computability {
    /// As the row does.
    Computed(&'static DataSource),
    /// There is a row of its type, but for the reason in words it is not certain to hold.
    Uncertain(&'static DataSource, String),
}

/// The versions of providers that the lock file of the root module selects.
#[derive(Debug)]
pub(crate) enum LockedVersions {
    /// Those of the providers in it; none where the file has no constant version. Without a file, no provider.
    Read(Vec<(ProviderAddress, Option<Version>)>),
    /// The file could not be read.
    Unreadable,
}

impl LockedVersions {
    /// Why a row does not compute as the locked version of its provider does: a clause. None if the lock file does not have the
    /// provider, so that the constraints decide.
    pub(crate) fn decide(&self, row: &DataSource, provider: &ProviderAddress) -> Option<Result<(), String>> {
        let LockedVersions::Read(versions) = self else {
            return Some(Err("the lock file cannot be read".into()));
        };
        // A file of both products has an entry for each.
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

/// The rows of the type of a data source or resource, those of the newest versions of the provider first.
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

/// The rows of a data source or resource of `module`, as [`rows_of`] has them; the clause says why they do not hold.
pub(crate) fn computable(
    module: &Module,
    key: &ResourceKey,
    resource: &Resource,
    refused: impl Fn(&'static DataSource, &ProviderAddress) -> Option<String>,
) -> Option<Computability> {
    let mut rows = rows_of(key).peekable();
    let provider = ProviderAddress::registered(rows.peek()?.provider);
    let own = module.provider_address(resource.local_provider(&key.resource_type));
    let mut reason = None;
    for row in rows {
        let refusal = match own == provider {
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
    /// The arguments and attributes of a data source or resource that are sensitive without a schema that says so, because there is
    /// a row of its type.
    pub fn sensitive_attributes(&self, key: &ResourceKey, resource: &Resource) -> &'static [&'static str] {
        let Some(row) = rows_of(key).find(|row| !row.sensitive.is_empty()) else { return &[] };
        let own = self.provider_address(resource.local_provider(&key.resource_type));
        if own == ProviderAddress::registered(row.provider) { row.sensitive } else { &[] }
    }
}

/// An object whose attributes of these names are sensitive.
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

/// Whether it is the data source that the built-in provider has: the outputs of another state.
pub(crate) fn is_remote_state(module: &Module, key: &ResourceKey, resource: &Resource) -> bool {
    let ResourceKey { mode, resource_type, .. } = key;
    *mode == ResourceMode::Data
        && &**resource_type == REMOTE_STATE
        && module.provider_address(resource.local_provider(resource_type)).is_built_in()
}
