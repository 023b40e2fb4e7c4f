//! Directories of schema files: `HOST/NAMESPACE/NAME/VERSION.tfschema`.

use std::path::{Path, PathBuf};

use terrane_config::Version;
use terrane_function::TERRAFORM_REGISTRY;
use terrane_module::provider::{ProviderAddress, check_part};
use terrane_source::{FileEntry, FileError, FileErrorKind, Files};

/// The ending of the names of schema files.
const ENDING: &str = ".tfschema";

/// A directory of schema files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaDirectory {
    path: PathBuf,
}

/// A version of a provider in a [`SchemaDirectory`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub struct StoredVersion {
    /// The address of the provider.
    pub address: ProviderAddress,
    /// The version.
    pub version: Version,
    /// The schema file.
    pub path: PathBuf,
}

impl SchemaDirectory {
    /// Returns the directory at a path, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> SchemaDirectory {
        SchemaDirectory { path: path.into() }
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the file of a version. `None` if a part of the address cannot be the name of a directory.
    pub fn file(&self, address: &ProviderAddress, version: &Version) -> Option<PathBuf> {
        Some(self.folder(address)?.join(format!("{version}{ENDING}")))
    }

    /// Returns the versions of a provider, the lowest first.
    ///
    /// # Errors
    ///
    /// If the directory exists and cannot be read.
    pub fn versions(
        &self,
        address: &ProviderAddress,
        files: &dyn Files,
    ) -> Result<Vec<StoredVersion>, FileError> {
        let Some(folder) = self.folder(address) else { return Ok(Vec::new()) };
        let mut versions = Vec::new();
        for entry in entries(&folder, files)? {
            if let Some(version) = entry.name.strip_suffix(ENDING).and_then(|name| name.parse().ok()) {
                let path = folder.join(&entry.name);
                versions.push(StoredVersion { address: address.clone(), version, path });
            }
        }
        versions.sort_unstable();
        Ok(versions)
    }

    /// Returns all versions of all providers, by address and version.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read.
    pub fn all(&self, files: &dyn Files) -> Result<Vec<StoredVersion>, FileError> {
        let mut all = Vec::new();
        for host in entries(&self.path, files)? {
            for namespace in entries(&self.path.join(&host.name), files)? {
                for name in entries(&self.path.join(&host.name).join(&namespace.name), files)? {
                    let address = format!("{}/{}/{}", host.name, namespace.name, name.name);
                    if let Ok(address) = address.parse::<ProviderAddress>() {
                        all.extend(self.versions(&address, files)?);
                    }
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    fn folder(&self, address: &ProviderAddress) -> Option<PathBuf> {
        // The registries of both products have the same providers.
        let host = address.host.as_deref().unwrap_or(TERRAFORM_REGISTRY);
        // A host comes from a configuration file, and must not lead out of the directory. A port becomes a part of the name.
        let is_name = |text: &str| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':');
            !text.starts_with('.') && text.bytes().all(plain)
        };
        let parts = [&address.namespace, &address.name];
        let is_safe = is_name(host) && parts.iter().all(|part| check_part(part).is_ok());
        is_safe.then(|| self.path.join(host).join(&*address.namespace).join(&*address.name))
    }
}

/// Returns the entries of a directory. Empty if it does not exist.
fn entries(path: &Path, files: &dyn Files) -> Result<Vec<FileEntry>, FileError> {
    match files.list(path) {
        Err(error) if matches!(error.kind, FileErrorKind::NotFound | FileErrorKind::NotDirectory) => {
            Ok(Vec::new())
        }
        listed => listed,
    }
}
