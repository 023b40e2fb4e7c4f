//! Chooses stored schemas for a root module, by the versions in its lock file.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use terrane_config::Version;
use terrane_config::recorder::{AccessLog, Accesses, Recorder};
use terrane_module::provider::ProviderAddress;
use terrane_module::{Config, LOCK_FILE, LockFile, LockedProvider, Request, Schemas};
use terrane_source::paths::without_dots;
use terrane_source::{Diagnostic, Diagnostics, FileErrorKind, FileKind, Files, ids, sorted_map};

use super::directory::{SchemaDirectory, StoredVersion};
use super::kept::{KeptSchema, KeptSchemas};
use super::opened::Opened;

/// The folder of stored schemas in the data directory of a root module.
const IN_DATA_DIRECTORY: &str = "terrane/schemas";

/// Directories with stored schemas of providers. The versions in the lock file of the root module select the schemas of an
/// evaluation.
///
/// The folder `terrane/schemas` in the data directory of the root module, `.terraform`, takes precedence over these
/// directories, and earlier directories over later ones. A file that was opened is kept until its content changes.
///
/// ```
/// use terrane::{Files as _, MemoryFiles, Project, SchemaDirectory, SchemaStores, schema_files_from_json};
///
/// let text = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/demo": {"resource_schemas": {
///     "demo_thing": {"version": 0, "block": {"attributes": {"size": {"type": "number", "optional": true}}}}
/// }}}}"#;
/// let file = schema_files_from_json(text, "an example", &|_| "1.0.0".parse().ok())?.files.remove(0);
/// let lock = "provider \"registry.terraform.io/hashicorp/demo\" {\n  version = \"1.0.0\"\n}\n";
/// let main = "resource \"demo_thing\" \"a\" { size = \"7\" }\noutput \"next\" { value = demo_thing.a.size + 1 }\n";
/// let files = MemoryFiles::from_iter([("main.tf", main), (".terraform.lock.hcl", lock)]);
/// let store = SchemaDirectory::new("cache");
/// files.write_atomic(&store.file(&file.address, &file.version).ok_or("no path")?, &file.bytes)?;
///
/// let report = Project::new(".").schema_stores(SchemaStores::new([store])).evaluate(&files);
/// let document = report.document(terrane::Secrets::Hidden);
/// assert_eq!(document.schemas[0].version.as_ref().map(|version| version.as_str()), Some("1.0.0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct SchemaStores {
    directories: Vec<SchemaDirectory>,
    opened: Arc<Mutex<HashMap<PathBuf, Arc<Opened>>>>,
}

/// A schema that an evaluation used.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UsedSchema {
    /// The provider.
    pub provider: ProviderAddress,
    /// The version of the provider that the schema belongs to. `None` if the file does not contain it.
    pub version: Option<Version>,
    /// The version that the lock file selects. `None` if the schema was not chosen by a lock file.
    pub locked: Option<Version>,
    /// The file.
    pub path: PathBuf,
}

impl UsedSchema {
    /// Returns the entry for a schema in a file that was named.
    pub fn given(
        provider: ProviderAddress,
        version: Option<Version>,
        path: impl Into<PathBuf>,
    ) -> UsedSchema {
        UsedSchema { provider, version, locked: None, path: path.into() }
    }
}

/// The schemas that were found for a root module.
#[derive(Default)]
pub(crate) struct Chosen {
    pub(crate) schemas: Schemas,
    pub(crate) used: Vec<UsedSchema>,
    /// The versions that the lock file selects.
    pub(crate) locked: BTreeMap<ProviderAddress, Version>,
    /// The schema files that were read.
    pub(crate) accesses: Accesses,
    /// Errors in directories and, after [`Chosen::finish`], problems of the used schemas.
    pub(crate) diagnostics: Diagnostics,
    candidates: Vec<Candidate>,
}

/// The stored schema for a provider of the lock file.
struct Candidate {
    provider: LockedProvider,
    locked: Version,
    stored: StoredVersion,
    /// The schema file, or the reason why it cannot be used.
    opened: Result<Arc<Opened>, Diagnostic>,
}

impl Chosen {
    /// Records the schemas of the providers that a configuration uses, and reports their problems.
    pub(crate) fn finish(mut self, config: &Config) -> Chosen {
        if self.candidates.is_empty() {
            return self;
        }
        let in_use = config.providers_in_use();
        for candidate in std::mem::take(&mut self.candidates) {
            let address = &candidate.provider.address;
            if !in_use.contains(address) && !config.request.schemas.is_opened(address) {
                continue;
            }
            let Candidate { provider, locked, stored, opened } = candidate;
            let opened = match &opened {
                Ok(opened) => opened.schemas().map_err(|problem| unusable(&provider, &stored, problem)),
                Err(diagnostic) => Err(diagnostic.clone()),
            };
            if let Err(diagnostic) = opened {
                self.diagnostics.push(diagnostic);
                continue;
            }
            if stored.version != locked {
                self.diagnostics.push(of_other_version(&provider, &locked, &stored.version));
            }
            self.used.push(UsedSchema {
                provider: provider.address,
                version: Some(stored.version),
                locked: Some(locked),
                path: stored.path,
            });
        }
        self
    }
}

fn unusable(provider: &LockedProvider, stored: &StoredVersion, problem: &str) -> Diagnostic {
    let path = stored.path.display();
    let detail = format!(
        "The schema file {path} cannot be used: {problem}. Resources of {} have no schema.",
        provider.address
    );
    Diagnostic::warning(ids::UNREADABLE_SCHEMA, detail)
}

/// A search for the schemas of a root module.
struct SchemaSearch<'s> {
    /// The directories that exist.
    directories: Vec<&'s SchemaDirectory>,
    files: &'s dyn Files,
    /// The schema files that were read before.
    kept: &'s KeptSchemas,
    /// Limit on the bytes of a schema file.
    most: u64,
}

impl SchemaStores {
    /// Returns a store that searches these directories, which need not exist.
    pub fn new(directories: impl IntoIterator<Item = SchemaDirectory>) -> SchemaStores {
        SchemaStores { directories: directories.into_iter().collect(), opened: Arc::default() }
    }

    /// Returns the schemas for the root module of a request, without opening them. [`Chosen::finish`] then decides which of
    /// them are used. Providers whose schemas the request already has are left out. The lock file is read through `noted`,
    /// because it is a part of the configuration. Schema files in `kept` are not read again.
    pub(crate) fn choose(
        &self,
        request: &Request,
        files: &dyn Files,
        noted: &dyn Files,
        kept: &KeptSchemas,
    ) -> Chosen {
        let mut chosen = Chosen::default();
        let data = request.data_directory.clone().unwrap_or_else(|| request.directory.join(".terraform"));
        let own = SchemaDirectory::new(without_dots(&data.join(IN_DATA_DIRECTORY)));
        let is_there =
            |directory: &&SchemaDirectory| files.metadata(directory.path()) == Ok(FileKind::Directory);
        let directories: Vec<&SchemaDirectory> =
            [&own].into_iter().chain(&self.directories).filter(is_there).collect();
        // Without a directory of schemas, a missing lock file makes no difference.
        if directories.is_empty() && files.metadata(&request.directory.join(LOCK_FILE)).is_err() {
            return chosen;
        }
        // A lock file that cannot be read is reported elsewhere.
        let Ok(Some(lock)) = LockFile::of(&request.directory, noted) else { return chosen };
        let search = SchemaSearch { directories, files, kept, most: request.limits.bytes as u64 };
        for provider in &lock.providers {
            if request.schemas.provider(&provider.address).is_none() {
                self.add(provider, &search, &mut chosen);
            }
        }
        let locked = lock.providers.into_iter();
        chosen.locked = sorted_map(locked.filter_map(|one| Some((one.address, one.version?))));
        chosen
    }

    /// Adds the schemas of a provider.
    fn add(&self, provider: &LockedProvider, search: &SchemaSearch<'_>, chosen: &mut Chosen) {
        let Some(locked) = &provider.version else { return };
        let mut found = Vec::new();
        for directory in &search.directories {
            match directory.versions(&provider.address, search.files) {
                Ok(versions) => found.extend(versions),
                // A sandbox hides the directory of the user.
                Err(error) if error.kind == FileErrorKind::Confined => {}
                Err(error) => {
                    let warning = Diagnostic::warning(ids::UNREADABLE_SCHEMA, error.sentence());
                    chosen.diagnostics.push(warning);
                }
            }
        }
        if found.is_empty() {
            return;
        }
        let mut candidate = |stored: &StoredVersion, opened| {
            let (provider, locked, stored) = (provider.clone(), locked.clone(), stored.clone());
            chosen.candidates.push(Candidate { provider, locked, stored, opened });
        };
        let Some(stored) = nearest(&found, locked) else {
            if let Some(any) = found.first() {
                candidate(any, Err(too_different(provider, locked, &found)));
            }
            return;
        };
        match self.read(stored, search, &mut chosen.accesses) {
            Ok(opened) => {
                candidate(stored, Ok(Arc::clone(&opened)));
                let schemas = std::mem::take(&mut chosen.schemas);
                chosen.schemas = schemas.with_lazy(provider.address.clone(), opened);
            }
            Err(problem) => candidate(stored, Err(unusable(provider, stored, &problem))),
        }
    }

    /// Returns a schema file, and adds the record of its content to `accesses`.
    fn read(
        &self,
        stored: &StoredVersion,
        search: &SchemaSearch<'_>,
        accesses: &mut Accesses,
    ) -> Result<Arc<Opened>, String> {
        if let Some(file) = search.kept.get(&stored.path, search.most) {
            accesses.extend(&file.accesses);
            return Ok(file.opened);
        }
        let log = AccessLog::default();
        let read = Recorder::new(search.files, &log).read_within(&stored.path, search.most);
        let noted = log.take();
        accesses.extend(&noted);
        let opened = self.opened(stored, read.map_err(|error| error.to_string())?);
        search.kept.keep(&stored.path, KeptSchema { opened: Arc::clone(&opened), accesses: noted });
        Ok(opened)
    }

    /// Returns a schema file with this content. If the file has not changed, it is the file that was opened before.
    fn opened(&self, stored: &StoredVersion, bytes: Vec<u8>) -> Arc<Opened> {
        let mut all = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = all.get(&stored.path).filter(|opened| opened.has_content(&bytes)) {
            return Arc::clone(opened);
        }
        let opened = Arc::new(Opened::new(stored, bytes));
        all.insert(stored.path.clone(), Arc::clone(&opened));
        opened
    }
}

/// Returns the stored schema for a version: that version itself, or else the highest lower version with the same major number,
/// or else the lowest higher one. Of equal versions, the first counts.
fn nearest<'s>(found: &'s [StoredVersion], wanted: &Version) -> Option<&'s StoredVersion> {
    let exact = found.iter().find(|stored| stored.version == *wanted);
    let alike = || found.iter().filter(|stored| stored.version.major() == wanted.major());
    let lower = || alike().filter(|stored| stored.version < *wanted).max_by(|a, b| a.version.cmp(&b.version));
    let higher =
        || alike().filter(|stored| stored.version > *wanted).min_by(|a, b| a.version.cmp(&b.version));
    exact.or_else(lower).or_else(higher)
}

const ADVICE: &str = "`terraform providers schema -json | terrane schemas import -` stores it.";

fn of_other_version(provider: &LockedProvider, locked: &Version, used: &Version) -> Diagnostic {
    let address = &provider.address;
    let detail = format!(
        "The lock file selects version {locked} of {address}, whose schema is not stored, so the schema of version {used} is used. \
         Arguments and attributes that only one of the two versions has are reported wrongly. {ADVICE}"
    );
    Diagnostic::warning(ids::SCHEMA_OF_OTHER_VERSION, detail)
}

fn too_different(provider: &LockedProvider, locked: &Version, found: &[StoredVersion]) -> Diagnostic {
    let address = &provider.address;
    let mut versions: Vec<&Version> = found.iter().map(|stored| &stored.version).collect();
    versions.sort_unstable();
    versions.dedup();
    let versions: Vec<String> = versions.iter().map(ToString::to_string).collect();
    let detail = format!(
        "The lock file selects version {locked} of {address}, whose schema is not stored. The stored schemas are of other major \
         versions ({}), so none is used. {ADVICE}",
        versions.join(", ")
    );
    Diagnostic::warning(ids::SCHEMA_OF_OTHER_VERSION, detail)
}
