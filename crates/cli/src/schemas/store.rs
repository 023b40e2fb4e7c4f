//! The directory of stored schemas, and the providers in it that a command line names.

use std::io;
use std::path::PathBuf;

use clap::Args;
use terrane::config::Version;
use terrane::module::provider::{ProviderAddress, SourceProblem};
use terrane::value::ClosestNames;
use terrane::{OsFiles, SchemaDirectory, StoredVersion};

use crate::exit::USAGE;
use crate::host;
use crate::terminal::Terminal;

/// The directory of the store.
#[derive(Args, Debug)]
pub(super) struct Store {
    /// The directory of the store. Without it, `schemas` in TERRANE_CACHE_DIR, or in the folder `terrane` of the user's cache
    /// directory.
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
}

/// A provider with an optional version.
#[derive(Clone, Debug)]
pub(super) struct WantedVersion {
    address: ProviderAddress,
    version: Option<Version>,
}

impl Store {
    /// Returns the directory of the store. If there is none, reports it and returns the exit code.
    pub(super) fn directory(&self, terminal: &mut Terminal) -> io::Result<Result<SchemaDirectory, u8>> {
        match self.store.clone().or_else(host::schema_store) {
            Some(path) => Ok(Ok(SchemaDirectory::new(path))),
            None => {
                terminal.error("the environment names no cache directory for the store")?;
                terminal.help("set TERRANE_CACHE_DIR or HOME, or pass `--store DIR`")?;
                Ok(Err(USAGE))
            }
        }
    }
}

impl WantedVersion {
    /// Returns the stored versions, the lowest first. An error if there are none.
    pub(super) fn find(&self, directory: &SchemaDirectory) -> Result<Vec<StoredVersion>, String> {
        let versions = directory.versions(&self.address, &OsFiles).map_err(|error| error.to_string())?;
        let is_wanted =
            |stored: &StoredVersion| self.version.as_ref().is_none_or(|wanted| *wanted == stored.version);
        let found: Vec<StoredVersion> = versions.iter().filter(|stored| is_wanted(stored)).cloned().collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let store = directory.path().display();
        let address = &self.address;
        if let (Some(version), Some(newest)) = (&self.version, versions.last()) {
            let newest = &newest.version;
            return Err(format!("{store} has no version {version} of {address}; the newest is {newest}"));
        }
        let all = directory.all(&OsFiles).map_err(|error| error.to_string())?;
        let names: Vec<String> = all.iter().map(|stored| stored.address.to_string()).collect();
        let nearest = ClosestNames::default().of(&address.to_string(), names.iter().map(String::as_str));
        let advice = nearest.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
        Err(format!("{store} has no schemas of {address}{advice}"))
    }
}

/// Reads `ADDRESS[@VERSION]`.
pub(super) fn stored(text: &str) -> Result<WantedVersion, String> {
    let (address, version) = match text.split_once('@') {
        Some((address, version)) => (address, Some(version.parse()?)),
        None => (text, None),
    };
    let address = address.parse().map_err(|problem: SourceProblem| problem.reason)?;
    Ok(WantedVersion { address, version })
}
