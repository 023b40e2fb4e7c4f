//! The machine as the configuration sees it: files, clock, random numbers, home directory and environment.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

use terrane::function::{Clock, EnvironmentVariables, Host, Random};
use terrane::source::FileError;
use terrane::{Files, OsFiles, SchemaDirectory, SchemaStores};

/// Returns the time, random numbers, home directory and environment variables of the machine.
pub(crate) fn host() -> Host {
    Host {
        clock: Some(Arc::new(SystemClock { started: now() })),
        plan_time: None,
        random: Some(Arc::new(SystemRandom)),
        home: home(),
        environment: Some(Arc::new(ProcessEnvironment)),
    }
}

/// Returns the home directory of the user.
#[expect(clippy::disallowed_methods, reason = "the command reads the environment")]
pub(crate) fn home() -> Option<PathBuf> {
    let directory = |name| std::env::var_os(name).filter(|directory| !directory.is_empty());
    directory("HOME").or_else(|| directory("USERPROFILE")).map(PathBuf::from)
}

/// Returns the directory of stored provider schemas: a folder of `TERRANE_CACHE_DIR` or of the user's cache directory. `None`
/// if the environment names neither. The directory need not exist.
#[expect(clippy::disallowed_methods, reason = "the command reads the environment")]
pub(crate) fn schema_store() -> Option<PathBuf> {
    let directory = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let own = directory("TERRANE_CACHE_DIR").or_else(|| {
        // A relative path in this variable is invalid.
        let cache = directory("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        let local = if cfg!(windows) { directory("LOCALAPPDATA") } else { None };
        let usual = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        let cache = cache.or(local).or_else(|| Some(home()?.join(usual)))?;
        Some(cache.join("terrane"))
    })?;
    Some(own.join("schemas"))
}

/// Returns the directories of provider schemas besides the data directory of the root module.
pub(crate) fn schema_stores() -> SchemaStores {
    // All roots share the opened schemas.
    static STORES: OnceLock<SchemaStores> = OnceLock::new();
    STORES.get_or_init(|| SchemaStores::new(schema_store().map(SchemaDirectory::new))).clone()
}

/// Returns the variables of the process, and the names of variables whose value is not Unicode. A name that is not Unicode
/// cannot be the name of a Terraform variable, so it is skipped.
#[expect(clippy::disallowed_methods, reason = "the command reads the environment")]
pub(crate) fn environment() -> (Vec<(String, String)>, Vec<String>) {
    let mut variables = Vec::new();
    let mut unreadable = Vec::new();
    for (name, value) in std::env::vars_os() {
        let Ok(name) = name.into_string() else { continue };
        match value.into_string() {
            Ok(value) => variables.push((name, value)),
            Err(_) => unreadable.push(name),
        }
    }
    (variables, unreadable)
}

/// Returns the value of an environment variable, if it is not empty.
pub(crate) fn variable(name: &str) -> Option<String> {
    environment()
        .0
        .into_iter()
        .find(|(found, value)| found == name && !value.is_empty())
        .map(|(_, value)| value)
}

/// The last second of the year 9999: RFC 3339 cannot write a later time.
const LAST_TIME: i64 = 253_402_300_799;

/// Returns the time in `SOURCE_DATE_EPOCH`, in seconds since 1970-01-01T00:00:00Z. It replaces the current time for
/// reproducible results.
pub(crate) fn source_date() -> Result<Option<i64>, String> {
    let Some(text) = variable("SOURCE_DATE_EPOCH") else { return Ok(None) };
    match text.parse() {
        Ok(seconds @ 0..=LAST_TIME) => Ok(Some(seconds)),
        Ok(_) | Err(_) => Err(format!(
            "the environment variable SOURCE_DATE_EPOCH is {text:?}, but must be a number of seconds since 1970, at most {LAST_TIME}"
        )),
    }
}

/// Returns the files in the directory `sandbox`, or all files without one. The command line's `paths` may lead there through links.
#[cfg(unix)]
pub(crate) fn readable<'p>(
    sandbox: Option<&Path>,
    paths: impl Iterator<Item = &'p Path>,
) -> Result<Box<dyn Files>, FileError> {
    use terrane::source::ConfinedFiles;

    let Some(directory) = sandbox else { return Ok(Box::new(OsFiles)) };
    Ok(Box::new(paths.fold(ConfinedFiles::new(directory)?, ConfinedFiles::entered_at)))
}

#[cfg(not(unix))]
pub(crate) fn readable<'p>(
    sandbox: Option<&Path>,
    _paths: impl Iterator<Item = &'p Path>,
) -> Result<Box<dyn Files>, FileError> {
    use terrane::source::FileErrorKind;

    let Some(directory) = sandbox else { return Ok(Box::new(OsFiles)) };
    let kind = FileErrorKind::Other("this system has no way to open files beneath a directory".to_owned());
    Err(FileError { path: directory.to_owned(), kind })
}

struct SystemClock {
    started: i64,
}

impl Clock for SystemClock {
    fn unix_seconds(&self) -> i64 {
        now()
    }

    fn started(&self) -> i64 {
        self.started
    }
}

#[expect(clippy::disallowed_methods, reason = "the command knows the time")]
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.ok().and_then(|since| i64::try_from(since.as_secs()).ok()).unwrap_or_default()
}

struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        // If the system has no random numbers, there is no better source. The values are only shown.
        let _ = getrandom::fill(bytes);
    }
}

struct ProcessEnvironment;

impl EnvironmentVariables for ProcessEnvironment {
    #[expect(clippy::disallowed_methods, reason = "the command reads the environment")]
    fn get(&self, name: &str) -> Option<String> {
        if name.is_empty() || name.contains(['=', '\0']) {
            return None;
        }
        std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
    }
}
