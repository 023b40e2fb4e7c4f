//! `terrane schemas fetch`: runs `terrane-providers`, which asks installed providers, and stores their schemas.

use std::io::{self, Read as _};
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};

use clap::Args;
use terrane::module::LOCK_FILE;
use terrane::module::provider::ProviderAddress;
use terrane::{LockFile, LockedProvider, OsFiles, SchemaDirectory};

use super::import::{Document, MAX_BYTES, Problem, store};
use super::store::Store;
use crate::exit::FAILURE;
use crate::limits::{LimitOptions, size};
use crate::provider_program::{self, PROGRAM, Refused, not_started};
use crate::terminal::Terminal;

#[derive(Args, Debug)]
pub(super) struct Fetch {
    /// The root module, in which `terraform init` or `tofu init` was run.
    #[arg(default_value = ".", value_name = "DIR")]
    directory: PathBuf,

    /// Ask only this provider, such as `hashicorp/aws`; may be repeated.
    #[arg(long = "provider", value_name = "ADDRESS")]
    providers: Vec<ProviderAddress>,

    /// Ask also the providers whose schemas are stored.
    #[arg(long)]
    again: bool,

    /// Limit the memory of each provider, to 32MiB or more; the default is 4GiB. --timeout limits the time of all together; without it, each
    /// may take a minute.
    #[arg(long, value_name = "SIZE", value_parser = provider_memory)]
    provider_memory: Option<u64>,

    #[command(flatten)]
    store: Store,
}

pub(super) fn run(fetch: &Fetch, limits: &LimitOptions, terminal: &mut Terminal) -> io::Result<u8> {
    let directory = match fetch.store.directory(terminal)? {
        Ok(directory) => directory,
        Err(code) => return Ok(code),
    };
    let lock = match fetch.lock() {
        Ok(lock) => lock,
        Err(problem) => return problem.print(terminal).map(|()| FAILURE),
    };
    let Locked { asked, stored } = match fetch.locked(&lock, &directory) {
        Ok(locked) => locked,
        Err(problem) => return problem.print(terminal).map(|()| FAILURE),
    };
    for name in stored {
        terminal.note(&format!("{name} is stored already; --again asks the provider again"))?;
    }
    if asked.is_empty() {
        return Ok(0);
    }
    let answer = match fetch.ask(&asked, limits) {
        Ok(answer) => answer,
        Err(problem) => return problem.print(terminal).map(|()| FAILURE),
    };
    let version = |address: &ProviderAddress| lock.provider(address)?.version.clone();
    let document = Document { name: PROGRAM, origin: "terrane schemas fetch", bytes: answer.document };
    match document.convert(&version) {
        Ok(files) => {
            files.iter().try_fold(answer.code, |code, file| Ok(code.max(store(file, &directory, terminal)?)))
        }
        Err(problem) => problem.print(terminal).map(|()| FAILURE),
    }
}

/// The wanted providers of the lock file.
#[derive(Default)]
struct Locked {
    /// The providers to ask.
    asked: Vec<ProviderAddress>,
    /// The names of providers whose schemas are stored already.
    stored: Vec<String>,
}

/// The output of `terrane-providers`.
struct ProvidersOutput {
    document: Vec<u8>,
    /// The exit code: 0, or 1 after errors, which the program has printed.
    code: u8,
}

/// The least memory of a provider. With less, the program that asks it could not report an error.
const LEAST_MEMORY: u64 = 32 << 20;

fn provider_memory(text: &str) -> Result<u64, String> {
    let bytes = size(text)?;
    if bytes < LEAST_MEMORY { Err("a provider needs 32MiB at least".to_owned()) } else { Ok(bytes) }
}

impl Fetch {
    fn lock(&self) -> Result<LockFile, Problem> {
        let lock = LockFile::of(&self.directory, &OsFiles).map_err(|error| error.to_string())?;
        lock.ok_or_else(|| Problem {
            text: format!("{} has no lock file {LOCK_FILE}", self.directory.display()),
            help: Some("run `terraform init` or `tofu init` there first".to_owned()),
        })
    }

    /// Returns the providers of the lock file, or the providers on the command line.
    fn locked(&self, lock: &LockFile, directory: &SchemaDirectory) -> Result<Locked, Problem> {
        if let Some(missing) = self.providers.iter().find(|address| lock.provider(address).is_none()) {
            let text = format!("{missing} is not in the lock file of {}", self.directory.display());
            return Err(text.into());
        }
        if lock.providers.iter().all(|provider| provider.address.is_built_in()) {
            let help =
                "`terraform init` or `tofu init` writes the providers that the module requires into it";
            return Err(Problem {
                text: format!("the lock file {} has no provider", self.directory.join(LOCK_FILE).display()),
                help: Some(help.to_owned()),
            });
        }
        let is_wanted = |locked: &&LockedProvider| {
            let is_named = self.providers.is_empty() || self.providers.contains(&locked.address);
            is_named && !locked.address.is_built_in()
        };
        let mut found = Locked::default();
        for provider in lock.providers.iter().filter(is_wanted) {
            let address = &provider.address;
            let stored = directory.versions(address, &OsFiles).map_err(|error| error.to_string())?;
            match &provider.version {
                Some(version) if !self.again && stored.iter().any(|stored| stored.version == *version) => {
                    found.stored.push(format!("{address} {version}"));
                }
                _ => found.asked.push(address.clone()),
            }
        }
        Ok(found)
    }

    /// Runs `terrane-providers`. It prints errors itself.
    fn ask(&self, asked: &[ProviderAddress], limits: &LimitOptions) -> Result<ProvidersOutput, Problem> {
        let mut command = provider_program::command();
        command.arg("schemas");
        for address in asked {
            command.arg("--provider").arg(address.to_string());
        }
        if let Some(time) = limits.time() {
            command.arg("--timeout").arg(time.as_secs_f64().to_string());
        }
        if let Some(bytes) = self.provider_memory {
            command.arg("--max-memory").arg(bytes.to_string());
        }
        // The input ends when this process ends, even if a signal ends it.
        command.arg("--end-with-input").arg("--").arg(&self.directory);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| other_way(not_started(&error)))?;
        let read = read(&mut child);
        if read.is_err() {
            // Otherwise the program would wait for a reader. An error means that it has ended by itself.
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| format!("{PROGRAM} cannot be waited for: {error}"))?;
        let document = read?;
        match status.code().and_then(|code| u8::try_from(code).ok()) {
            Some(code) if code <= FAILURE && !document.is_empty() => Ok(ProvidersOutput { document, code }),
            _ => Err(failed(status).into()),
        }
    }
}

/// Reads the document, which the program prints as a whole.
fn read(child: &mut Child) -> Result<Vec<u8>, Problem> {
    let mut document = Vec::new();
    if let Some(output) = child.stdout.take() {
        let read = output.take(MAX_BYTES + 1).read_to_end(&mut document);
        read.map_err(|error| format!("the output of {PROGRAM} cannot be read: {error}"))?;
    }
    if document.len() as u64 > MAX_BYTES {
        return Err(format!("the output of {PROGRAM} has more than the limit of {MAX_BYTES} bytes").into());
    }
    Ok(document)
}

/// Adds the alternative without the program to the advice.
fn other_way(refused: Refused) -> Problem {
    let help = refused
        .help
        .map(|help| format!("{help}; or import the output of `terraform providers schema -json`"));
    Problem { text: refused.text, help }
}

fn failed(status: ExitStatus) -> String {
    format!("{PROGRAM} ended without an answer: {status}")
}
