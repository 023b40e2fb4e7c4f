//! The tasks of this repository, run as `cargo xtask <task>`.
#![expect(clippy::disallowed_methods, reason = "a developer's tool reads the repository and its arguments")]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a developer's tool talks on the terminal")]

mod cargo;
mod check;
mod compare_packer;
mod compare_parse;
mod compare_validate;
mod diagnostics;
mod dist;
mod functions;
mod fuzz;
mod schema;
mod third_party;
#[cfg(test)]
mod tidy;

use std::path::Path;
use std::process::ExitCode;

use crate::check::More;

const USAGE: &str = "\
Usage: cargo xtask <task>

Tasks:
  check        the gate: format, lints, documentation, tests and tidy rules, WebAssembly, dependencies
  check --long the gate, a release build and a minute of each fuzz target
  check --fuzz SECONDS
               the gate, and each fuzz target for some time where cargo-fuzz and a nightly toolchain are installed
  diagnostics  write docs/diagnostics.md from the registry of diagnostics
  dist         build the command for release, without paths of this machine
  fuzz SECONDS run each fuzz target for some time, from its seeds in fuzz/seeds/
  functions    write docs/functions.md from the rows of the function library
  schema       write the JSON Schemas of documents, such as that of `terrane eval --json`
  third-party  write THIRD-PARTY.md, the licences of the packages that the command contains
  compare-packer CHECKOUT
               whether the templates in the tests of hashicorp/packer are accepted as those expect
  compare-parse DIR...
               whether the files below DIR parse, and whether `terraform fmt` agrees
  compare-validate DIR...
               whether the modules below DIR that need no provider are valid, and whether `terraform validate` agrees
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let task: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match task.as_slice() {
        ["check"] => check::run(root(), More::default()),
        ["check", "--long"] => check::run(root(), More::LONG),
        ["check", "--fuzz", seconds] => match seconds.parse() {
            Ok(seconds) => check::run(root(), More { fuzz_seconds: Some(seconds), ..More::default() }),
            Err(_) => usage(),
        },
        ["diagnostics"] => write(diagnostics::PATH, &diagnostics::page()),
        ["dist"] => dist::run(root()),
        ["fuzz", seconds] => fuzz::run(root(), seconds),
        ["functions"] => write(functions::PATH, &functions::page()),
        ["schema"] => {
            let written = schema::files().into_iter().map(|(path, text)| write(path, &text));
            written.fold(ExitCode::SUCCESS, |all, one| if all == ExitCode::SUCCESS { one } else { all })
        }
        ["third-party"] => match third_party::page(root()) {
            Ok(page) => write(third_party::PATH, &page),
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        },
        ["compare-packer", checkout] => compare_packer::run(checkout),
        ["compare-parse", directories @ ..] if !directories.is_empty() => compare_parse::run(directories),
        ["compare-validate", directories @ ..] if !directories.is_empty() => {
            compare_validate::run(directories)
        }
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            ExitCode::SUCCESS
        }
        _ => usage(),
    }
}

/// Prints the usage after a wrong command line.
fn usage() -> ExitCode {
    eprint!("{USAGE}");
    ExitCode::from(2)
}

/// Writes a generated document.
fn write(path: &str, text: &str) -> ExitCode {
    match std::fs::write(root().join(path), text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the root directory of the workspace.
fn root() -> &'static Path {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask)
}
