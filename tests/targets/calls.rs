//! `cargo test -p terrane-tests --test calls`: generated calls against a `terraform` binary; see `tests/README.md`.

use std::process::ExitCode;

use libtest_mimic::Arguments;
use terrane_tests::calls::trials;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, trials()).exit_code()
}
