//! The command `terrane-providers`: asks installed providers for their schemas and functions.
//!
//! `terrane schemas fetch` runs `terrane-providers schemas`, and the option `--provider-functions` runs `terrane-providers functions`. It prints one document to standard output, and errors to standard error; a provider that
//! cannot be asked does not keep the others from it.

mod functions;
mod output;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand};
use terrane::module::provider::ProviderAddress;
use terrane_providers::{Failure, ProviderSchemas, Wanted, document, limit_memory, schemas};

/// The exit code of success.
const DONE: u8 = 0;
/// A provider could not be asked.
const FAILURE: u8 = 1;
/// The default time for a provider. The largest providers take about ten seconds.
const TIME: Duration = Duration::from_secs(60);
/// The exit code that a shell reports for a program ended by a signal.
const INTERRUPTED: u8 = 130;

/// Ask the providers that `terraform init` or `tofu init` has installed for their schemas, and call their functions.
///
/// `terrane schemas fetch` and the option --provider-functions run this command. The executables of providers are programs of other
/// people: only those are started whose packages have the hash `h1` of the lock file. They run with an empty environment,
/// limited memory and limited time.
#[derive(Parser, Debug)]
#[command(name = "terrane-providers", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Print the document of `terraform providers schema -json`.
    Schemas(Schemas),

    /// Answer requests for calls of functions: one JSON object per line of standard input and output.
    ///
    /// `{"provider": "hashicorp/time"}` asks for the signatures of a provider's functions; with `function` and `arguments`, a list
    /// of objects with `type` and `value`, a function is called. A provider starts with the first request for it, and ends with
    /// the input.
    Functions(Functions),
}

#[derive(Args, Debug)]
struct Schemas {
    /// The root module, in which `init` was run.
    #[arg(default_value = ".", value_name = "DIR")]
    directory: PathBuf,

    /// Ask only this provider, such as `hashicorp/aws`; may be repeated.
    #[arg(long = "provider", value_name = "ADDRESS")]
    providers: Vec<ProviderAddress>,

    /// How long the providers may take together, in seconds. Without it, each may take a minute.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,

    /// End when standard input does, so that the command and the provider do not outlive the one who started them.
    #[arg(long)]
    end_with_input: bool,

    #[command(flatten)]
    memory: Memory,
}

#[derive(Args, Debug)]
struct Functions {
    /// The root module, in which `init` was run.
    #[arg(default_value = ".", value_name = "DIR")]
    directory: PathBuf,

    /// How long the start of a provider and each call may take, in seconds; the default is a minute.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,

    #[command(flatten)]
    memory: Memory,
}

#[derive(Args, Debug)]
struct Memory {
    /// How many bytes of memory a provider may take, 32 MiB or more; the default is 4 GiB.
    #[arg(long, default_value_t = 4 << 30, hide_default_value = true, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(32 << 20..))]
    max_memory: u64,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "write a number of seconds such as 2 or 0.5".to_owned())
}

#[expect(clippy::disallowed_methods, reason = "the command reads its arguments")]
fn main() -> ExitCode {
    let arguments = match Arguments::try_parse_from(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => return output::usage(&error),
    };
    let (Command::Schemas(Schemas { memory, .. }) | Command::Functions(Functions { memory, .. })) =
        &arguments.command;
    let most = memory.max_memory;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let code = runtime.map_err(|error| Failure::new(error.to_string())).and_then(|runtime| {
        // The limit must be set after the runtime has started its threads, because these count.
        let limited = limit_memory(most);
        limited.map_err(|error| Failure::new(format!("memory cannot be limited: {error}")))?;
        let code = runtime.block_on(async {
            tokio::select! {
                code = arguments.command.run() => code,
                () = interrupted() => Ok(INTERRUPTED),
                () = arguments.command.input_ended() => Ok(INTERRUPTED),
            }
        });
        // The input may still be open.
        runtime.shutdown_background();
        code.map_err(|error| Failure::new(format!("output failed: {error}")))
    });
    ExitCode::from(code.unwrap_or_else(|failure| {
        // If this message cannot be written either, only the exit code reports the failure.
        let _ = output::failure("", &failure);
        FAILURE
    }))
}

impl Command {
    /// Returns at the end of standard input, if the command ends with its input.
    async fn input_ended(&self) {
        match self {
            Command::Schemas(Schemas { end_with_input: true, .. }) => {
                // An input that cannot be read counts as ended.
                let _ = tokio::io::copy(&mut tokio::io::stdin(), &mut tokio::io::sink()).await;
            }
            Command::Schemas(_) | Command::Functions(_) => std::future::pending().await,
        }
    }

    async fn run(&self) -> std::io::Result<u8> {
        match self {
            Command::Schemas(schemas) => schemas.run().await,
            Command::Functions(functions) => {
                let wanted = match Wanted::of(&functions.directory, &data_directory(&functions.directory)) {
                    Ok(wanted) => wanted,
                    Err(failure) => return output::failure("", &failure).map(|()| FAILURE),
                };
                functions::serve(wanted, functions.timeout.unwrap_or(TIME)).await.map(|()| DONE)
            }
        }
    }
}

impl Schemas {
    /// Asks the providers one after the other, and prints the document.
    #[expect(clippy::disallowed_methods, reason = "the command knows the time")]
    async fn run(&self) -> std::io::Result<u8> {
        let wanted = match Wanted::of(&self.directory, &data_directory(&self.directory)) {
            Ok(wanted) => wanted,
            Err(failure) => return output::failure("", &failure).map(|()| FAILURE),
        };
        let end = self.timeout.and_then(|time| Instant::now().checked_add(time));
        let mut code = DONE;
        for address in self.unlocked(&wanted) {
            let text = format!("{address} is not in the lock file of {}", self.directory.display());
            output::failure("", &Failure::new(text))?;
            code = FAILURE;
        }
        let mut found: BTreeMap<String, ProviderSchemas> = BTreeMap::new();
        let is_asked =
            |wanted: &&Wanted| self.providers.is_empty() || self.providers.contains(wanted.address());
        for wanted in wanted.iter().filter(is_asked) {
            let asked = self.ask(wanted, end).await;
            match asked {
                Ok((address, schemas)) => {
                    found.insert(address, schemas);
                }
                Err(failure) => {
                    output::failure(&format!("{}: ", wanted.name()), &failure)?;
                    code = FAILURE;
                }
            }
        }
        match document(&found) {
            Ok(document) => output::document(&document).map(|()| code),
            Err(failure) => output::failure("", &failure).map(|()| FAILURE),
        }
    }

    /// Returns the address of a provider and its schemas, unless the time is over.
    #[expect(clippy::disallowed_methods, reason = "the command knows the time")]
    async fn ask(&self, wanted: &Wanted, end: Option<Instant>) -> Result<(String, ProviderSchemas), Failure> {
        let left = end.map_or(TIME, |end| end.saturating_duration_since(Instant::now()));
        if left.is_zero() {
            return Err(Failure::new("the time of --timeout was over before the provider was asked"));
        }
        let package = wanted.installed()?;
        Ok((package.written, schemas(&package.executable, left).await?))
    }

    /// Returns the asked providers that are missing in the lock file.
    fn unlocked<'s>(&'s self, wanted: &[Wanted]) -> impl Iterator<Item = &'s ProviderAddress> {
        let is_locked = |address: &ProviderAddress| wanted.iter().any(|wanted| wanted.address() == address);
        self.providers.iter().filter(move |address| !is_locked(address))
    }
}

/// Returns the data directory of a root module, as the products choose it.
#[expect(clippy::disallowed_methods, reason = "the command reads the environment")]
fn data_directory(directory: &Path) -> PathBuf {
    let given = std::env::var_os("TF_DATA_DIR").filter(|directory| !directory.is_empty());
    given.map_or_else(|| directory.join(".terraform"), PathBuf::from)
}

/// Returns when a signal asks the command to end. The provider then ends with the command.
#[cfg(unix)]
async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};

    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hang_up)] = kinds.map(signal) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hang_up.recv() => {}
    }
}

#[cfg(not(unix))]
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
