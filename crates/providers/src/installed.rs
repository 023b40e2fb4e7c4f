//! Finds the packages of providers that `init` has installed.

use std::path::{Path, PathBuf};

use terrane::config::Version;
use terrane::function::TERRAFORM_REGISTRY;
use terrane::module::LOCK_FILE;
use terrane::module::provider::ProviderAddress;
use terrane::source::FileKind;
use terrane::{Files as _, LockFile, LockedProvider, OsFiles};

use crate::failure::Failure;
use crate::package_hash::package_hash;

/// An installed provider whose package has a hash of the lock file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Package {
    /// The address of the provider as the lock file has it, with the host of the registry.
    pub written: String,
    /// The version of the provider.
    pub version: Version,
    /// The executable.
    pub executable: PathBuf,
}

/// A provider of a lock file, with the place of its package.
#[derive(Clone, Debug)]
pub struct Wanted {
    locked: LockedProvider,
    data_directory: PathBuf,
}

impl Wanted {
    /// Returns the providers in the lock file of a root module, without built-in providers. The data directory, usually
    /// `.terraform`, contains their packages.
    ///
    /// # Errors
    ///
    /// If there is no lock file, it cannot be read, or it has an address that is no provider's.
    pub fn of(directory: &Path, data_directory: &Path) -> Result<Vec<Wanted>, Failure> {
        let lock = LockFile::of(directory, &OsFiles).map_err(|error| Failure::new(error.to_string()))?;
        let lock = lock.ok_or_else(|| {
            let text = format!("{} has no lock file {LOCK_FILE}", directory.display());
            Failure::new(text).help("run `terraform init` or `tofu init` there first")
        })?;
        if let Some(wrong) = lock.wrong_addresses.first() {
            let text = format!("{wrong:?} in the lock file is not the address of a provider");
            return Err(Failure::new(text).help("run `terraform init` or `tofu init`, which writes the file"));
        }
        let wanted = |locked| Wanted { locked, data_directory: data_directory.to_owned() };
        Ok(lock.providers.into_iter().filter(|locked| !locked.address.is_built_in()).map(wanted).collect())
    }

    /// Returns the address of the provider.
    pub fn address(&self) -> &ProviderAddress {
        &self.locked.address
    }

    /// Returns the provider and its version, as messages name it.
    pub fn name(&self) -> String {
        match &self.locked.version {
            Some(version) => format!("{} {version}", self.locked.address),
            None => self.locked.address.to_string(),
        }
    }

    /// Finds the package and compares its hash with the hashes in the lock file.
    ///
    /// # Errors
    ///
    /// If the package is not installed, has no executable, or has another hash than the lock file.
    pub fn installed(&self) -> Result<Package, Failure> {
        let Some(version) = self.locked.version.clone() else {
            let text = "the lock file has no version of the provider";
            return Err(Failure::new(text).help("run `terraform init -upgrade` or `tofu init -upgrade`"));
        };
        let (written, folder) = self.folder(&version)?;
        let directory = self.data_directory.join("providers").join(folder);
        if OsFiles.metadata(&directory) != Ok(FileKind::Directory) {
            let text =
                format!("the provider is not installed: there is no directory {}", directory.display());
            return Err(Failure::new(text).help("run `terraform init` or `tofu init`"));
        }
        // The directory may be a link into a cache of packages.
        let directory = OsFiles.canonicalize(&directory).map_err(|error| Failure::new(error.to_string()))?;
        let executable = self.executable(&directory)?;
        self.check(&directory)?;
        Ok(Package { written, version, executable })
    }

    /// Returns the address with the host of the registry, and the folder of the package in `providers`.
    fn folder(&self, version: &Version) -> Result<(String, PathBuf), Failure> {
        let written = &self.locked.written;
        let address = match written.matches('/').count() {
            2 => written.clone(),
            1 => format!("{TERRAFORM_REGISTRY}/{written}"),
            _ => format!("{TERRAFORM_REGISTRY}/hashicorp/{written}"),
        };
        let is_name = |part: &str| {
            let is_part = |character: char| character.is_alphanumeric() || "-_.:".contains(character);
            !part.starts_with('.') && part.chars().all(is_part)
        };
        if !address.split('/').all(is_name) {
            return Err(Failure::new(format!("the address {written} cannot be the name of a directory")));
        }
        let folder = address.split('/').collect::<PathBuf>().join(version.as_str()).join(platform());
        Ok((address, folder))
    }

    /// Returns the first file of the package with the name of the provider's executable.
    fn executable(&self, directory: &Path) -> Result<PathBuf, Failure> {
        let prefix = format!("terraform-provider-{}", self.locked.address.name);
        let is_executable = |name: &str| {
            name.strip_prefix(&prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '.']))
        };
        let entries = OsFiles.list(directory).map_err(|error| Failure::new(error.to_string()))?;
        let found = entries.iter().find(|entry| entry.kind == FileKind::File && is_executable(&entry.name));
        found.map(|entry| directory.join(&entry.name)).ok_or_else(|| {
            let text = format!("the package {} has no file {prefix}", directory.display());
            Failure::new(text).help("remove the package, and run `terraform init` or `tofu init`")
        })
    }

    /// Compares the hash of the package with the hashes in the lock file, which has one for each platform.
    fn check(&self, directory: &Path) -> Result<(), Failure> {
        let locked: Vec<&str> =
            self.locked.hashes.iter().map(String::as_str).filter(|hash| hash.starts_with("h1:")).collect();
        let hash = package_hash(directory)?;
        if locked.contains(&&*hash) {
            return Ok(());
        }
        let address = &self.locked.written;
        let lock = format!(
            "`terraform providers lock -platform={} {address}` adds the hash that the registry has",
            platform()
        );
        if locked.is_empty() {
            let text = "the lock file has no hash h1 of the provider, so its executable is not started";
            return Err(Failure::new(text).help(lock));
        }
        let text = format!(
            "the package is not the one in the lock file, so its executable is not started: {} has the hash {hash}, but the \
             lock file has {}",
            directory.display(),
            locked.join(", ")
        );
        Err(Failure::new(text).help(format!("remove the package and run `terraform init`; {lock}")))
    }
}

/// Returns the operating system and the processor as packages name them, such as `linux_amd64`.
pub fn platform() -> String {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let processor = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "x86" => "386",
        "powerpc64" => "ppc64",
        other => other,
    };
    format!("{system}_{processor}")
}
