//! `terrane schemas import`: stores the schemas in the output of `terraform providers schema -json`.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use terrane::config::Version;
use terrane::function::Limits;
use terrane::module::LOCK_FILE;
use terrane::module::provider::{ProviderAddress, SourceProblem};
use terrane::value::counted;
use terrane::{Files as _, LockFile, OsFiles, SchemaDirectory, SchemaFile, schema_files_from_json};

use super::store::Store;
use crate::exit::FAILURE;
use crate::input::utf8;
use crate::terminal::Terminal;
use crate::writes;

/// The size of a file of schemas that is allowed even if the limit on other files is lower. A file with several large providers
/// has more bytes than those.
pub(super) const MAX_BYTES: u64 = 512 << 20;

#[derive(Args, Debug)]
pub(super) struct Import {
    /// Files with the output of `terraform providers schema -json`, or `-` for standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Read the versions of the providers from this lock file.
    #[arg(long, value_name = "FILE")]
    lock_file: Option<PathBuf>,

    /// Give the version of a provider, such as `hashicorp/aws=5.31.0`; may be repeated.
    #[arg(long = "provider-version", value_name = "ADDRESS=VERSION", value_parser = provider_version)]
    versions: Vec<(ProviderAddress, Version)>,

    #[command(flatten)]
    store: Store,
}

fn provider_version(text: &str) -> Result<(ProviderAddress, Version), String> {
    let (address, version) = text.split_once('=').ok_or("write it as ADDRESS=VERSION")?;
    let address = address.parse().map_err(|problem: SourceProblem| problem.reason)?;
    Ok((address, version.parse()?))
}

pub(super) fn run(import: &Import, limits: &Limits, terminal: &mut Terminal) -> io::Result<u8> {
    let directory = match import.store.directory(terminal)? {
        Ok(directory) => directory,
        Err(code) => return Ok(code),
    };
    let most = MAX_BYTES.max(limits.bytes as u64);
    let mut code = 0;
    for file in &import.files {
        match import.convert(file, most) {
            Ok(found) => {
                for schemas in &found {
                    code = code.max(store(schemas, &directory, terminal)?);
                }
                if found.is_empty() {
                    terminal.note(&format!("{} has no schemas of providers", name(file)))?;
                }
            }
            Err(problem) => {
                problem.print(terminal)?;
                code = FAILURE;
            }
        }
    }
    Ok(code)
}

/// An error about a document from which no schema is stored, with advice below it.
pub(super) struct Problem {
    pub(super) text: String,
    pub(super) help: Option<String>,
}

impl Problem {
    /// Prints the error and the advice.
    pub(super) fn print(&self, terminal: &mut Terminal) -> io::Result<()> {
        terminal.error(&self.text)?;
        self.help.iter().try_for_each(|help| terminal.help(help))
    }
}

impl From<String> for Problem {
    fn from(text: String) -> Problem {
        Problem { text, help: None }
    }
}

impl Import {
    /// Returns the schemas of a file as files of the store. An error if the version of any provider is not known.
    fn convert(&self, file: &Path, most: u64) -> Result<Vec<SchemaFile>, Problem> {
        let bytes = if is_standard_input(file) {
            let mut bytes = Vec::new();
            let read = io::stdin().lock().take(most + 1).read_to_end(&mut bytes);
            read.map_err(|error| format!("standard input cannot be read: {error}"))?;
            if bytes.len() as u64 > most {
                return Err(format!("standard input has more than the limit of {most} bytes").into());
            }
            bytes
        } else {
            OsFiles.read_within(file, most).map_err(|error| error.to_string())?
        };
        let lock = self.lock(file)?;
        let version = |address: &ProviderAddress| {
            let given = self.versions.iter().rev().find(|(given, _)| given == address);
            given.map(|(_, version)| version.clone()).or_else(|| {
                let locked = lock.as_ref().and_then(|lock| lock.provider(address));
                locked.and_then(|locked| locked.version.clone())
            })
        };
        let document = Document { name: &name(file), origin: "terraform providers schema -json", bytes };
        document.convert(&version)
    }

    /// Returns the lock file of `--lock-file`, or the one beside the file.
    fn lock(&self, file: &Path) -> Result<Option<LockFile>, String> {
        if let Some(path) = &self.lock_file {
            return LockFile::read(path, &OsFiles).map(Some).map_err(|error| error.to_string());
        }
        let beside = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = beside.filter(|_| !is_standard_input(file)).unwrap_or(Path::new("."));
        LockFile::of(directory, &OsFiles).map_err(|error| error.to_string())
    }
}

/// A document with the schemas of providers.
pub(super) struct Document<'d> {
    /// The name of the document in messages.
    pub(super) name: &'d str,
    /// The command that writes such documents.
    pub(super) origin: &'d str,
    pub(super) bytes: Vec<u8>,
}

impl Document<'_> {
    /// Returns the schemas as files of the store. An error if the version of any provider is not known.
    pub(super) fn convert(
        self,
        version: &dyn Fn(&ProviderAddress) -> Option<Version>,
    ) -> Result<Vec<SchemaFile>, Problem> {
        let Document { name, origin, bytes } = self;
        let text = utf8(bytes).map_err(|reason| format!("{name} {reason}"))?;
        let converted =
            schema_files_from_json(&text, origin, version).map_err(|error| format!("{name}: {error}"))?;
        let Some(first) = converted.without_version.first() else { return Ok(converted.files) };
        let all: Vec<String> = converted.without_version.iter().map(ToString::to_string).collect();
        Err(Problem {
            text: format!("{name}: the versions of these providers are not known: {}", all.join(", ")),
            help: Some(format!(
                "pass `--lock-file {LOCK_FILE}` of the configuration, or `--provider-version {first}=VERSION`"
            )),
        })
    }
}

fn is_standard_input(file: &Path) -> bool {
    file == Path::new("-")
}

/// Returns the name of a file in messages.
fn name(file: &Path) -> String {
    if is_standard_input(file) { "standard input".to_owned() } else { file.display().to_string() }
}

/// Writes a file of the store. Returns the exit code.
pub(super) fn store(
    schemas: &SchemaFile,
    directory: &SchemaDirectory,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let SchemaFile { address, version, bytes, .. } = schemas;
    let Some(path) = directory.file(address, version) else {
        terminal.error(&format!("the address {address} cannot be the name of a directory"))?;
        return Ok(FAILURE);
    };
    let write = || {
        OsFiles.create_directories(path.parent().unwrap_or(Path::new(".")))?;
        OsFiles.write_atomic(&path, bytes)
    };
    match writes::hold_back(write) {
        Ok(()) => {
            let types = counted(schemas.resource_types, "resource type");
            terminal.note(&format!("stored {address} {version}: {types}, {} bytes", bytes.len()))?;
            Ok(0)
        }
        Err(error) => {
            terminal.error(&error.to_string())?;
            Ok(FAILURE)
        }
    }
}
