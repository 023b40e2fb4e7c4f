//! Runs `terrane-providers` against real provider executables, good and hostile ones.
//!
//! This program is also the provider: the executables in the packages are scripts that start it with the name of a behaviour.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot be set up fails"
)]

#[cfg(unix)]
mod behaviour;
#[cfg(unix)]
mod callable;
#[cfg(unix)]
mod functions;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod root;
#[cfg(unix)]
mod schemas;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    #[cfg(unix)]
    if let Some(name) =
        std::env::args().nth(1).as_deref().and_then(|argument| argument.strip_prefix("provider:"))
    {
        return behaviour::run(name);
    }
    libtest_mimic::run(&Arguments::from_args(), trials()).exit_code()
}

#[cfg(unix)]
fn trials() -> Vec<Trial> {
    schemas::trials().into_iter().chain(functions::trials()).chain(hostile::trials()).collect()
}

/// The executables in the tests are scripts.
#[cfg(not(unix))]
fn trials() -> Vec<Trial> {
    Vec::new()
}
