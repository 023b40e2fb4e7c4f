//! `cargo test -p terrane-tests --test functions`: the examples of the function library; see `tests/README.md`.

use std::process::ExitCode;

use libtest_mimic::Arguments;
use terrane_tests::examples::trials;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, trials()).exit_code()
}
