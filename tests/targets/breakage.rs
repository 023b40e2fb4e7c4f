//! `cargo test -p terrane-tests --test breakage`: syntax errors at random places; see `tests/README.md`.

use std::process::ExitCode;

use libtest_mimic::Arguments;
use terrane_tests::breakage::trials;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, trials()).exit_code()
}
