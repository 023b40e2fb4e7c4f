//! `terrane schemas`: the store of provider schemas.

mod fetch;
mod import;
mod show;
mod store;

use std::io;

use clap::{Args, Subcommand};
use terrane::OsFiles;

use self::store::{Store, WantedVersion, stored};
use crate::exit::FAILURE;
use crate::limits::LimitOptions;
use crate::terminal::Terminal;

pub(crate) const EXAMPLES: &str = "\
Examples:
  terrane schemas fetch
  terraform providers schema -json | terrane schemas import -
  terrane schemas import providers.json --provider-version hashicorp/aws=5.31.0
  terrane schemas list
  terrane schemas show hashicorp/aws aws_instance
  terrane schemas remove hashicorp/aws@5.31.0

The store is the folder `schemas` of TERRANE_CACHE_DIR, or of `terrane` in the user's
cache directory. `terrane eval` and other commands find the schemas of the versions in
`.terraform.lock.hcl` there; docs/schemas.md describes it.

Exit codes: 0 done, 1 errors, 2 wrong arguments.";

#[derive(Args, Debug)]
pub(crate) struct Schemas {
    #[command(subcommand)]
    command: SchemasCommand,
}

#[derive(Subcommand, Debug)]
enum SchemasCommand {
    /// Store the schemas in the output of `terraform providers schema -json`.
    ///
    /// That output has no versions of providers. They come from --provider-version, from the lock file of --lock-file, or from
    /// a `.terraform.lock.hcl` beside the file; for standard input, in the current directory.
    Import(import::Import),

    /// Ask the providers that `terraform init` or `tofu init` has installed for their schemas, and store them.
    ///
    /// This starts programs of other people: the executables under `.terraform/providers`, each only if the hash `h1` of its
    /// package is in `.terraform.lock.hcl`. They run with an empty environment, limited memory and limited time. Nothing
    /// else starts a provider but --provider-functions. The program `terrane-providers` does it, which is installed separately.
    Fetch(fetch::Fetch),

    /// List the stored schemas.
    List(show::List),

    /// Print the resource types of a provider, or the schema of one.
    Show(show::Show),

    /// Remove stored schemas.
    Remove(Remove),
}

#[derive(Args, Debug)]
struct Remove {
    /// The providers, such as `hashicorp/aws@5.31.0`. Without a version, all versions of the provider.
    #[arg(required = true, value_name = "ADDRESS[@VERSION]", value_parser = stored)]
    providers: Vec<WantedVersion>,

    #[command(flatten)]
    store: Store,
}

pub(crate) fn run(schemas: &Schemas, limits: &LimitOptions, terminal: &mut Terminal) -> io::Result<u8> {
    match &schemas.command {
        SchemasCommand::Import(import) => import::run(import, &limits.limits(), terminal),
        SchemasCommand::Fetch(fetch) => fetch::run(fetch, limits, terminal),
        SchemasCommand::List(list) => show::list(list, terminal),
        SchemasCommand::Show(show) => show::show(show, terminal),
        SchemasCommand::Remove(remove) => run_remove(remove, terminal),
    }
}

fn run_remove(remove: &Remove, terminal: &mut Terminal) -> io::Result<u8> {
    let directory = match remove.store.directory(terminal)? {
        Ok(directory) => directory,
        Err(code) => return Ok(code),
    };
    let mut code = 0;
    for wanted in &remove.providers {
        let found = match wanted.find(&directory) {
            Ok(found) => found,
            Err(error) => {
                terminal.error(&error)?;
                code = FAILURE;
                continue;
            }
        };
        for stored in found {
            match OsFiles.remove_file(&stored.path) {
                Ok(()) => terminal.note(&format!("removed {} {}", stored.address, stored.version))?,
                Err(error) => {
                    terminal.error(&error.to_string())?;
                    code = FAILURE;
                }
            }
        }
    }
    Ok(code)
}
