//! `cargo test -p terrane-tests --test hostile`: calls and configurations that are made to use up time or memory; see `tests/README.md`.

use std::process::ExitCode;

use libtest_mimic::Arguments;
use terrane_tests::{growth, hostile};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = hostile::trials();
    trials.extend(growth::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}
