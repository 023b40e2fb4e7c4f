//! `cargo test -p terrane-tests --test hostile`: calls that are made to use up time or memory; see `tests/README.md`.

use std::process::ExitCode;

use libtest_mimic::Arguments;
use terrane_tests::hostile::trials;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, trials()).exit_code()
}
