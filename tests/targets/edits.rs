//! `cargo test -p terrane-tests --test edits`: a workspace after random edits against a fresh evaluation; see `tests/README.md`.

use std::process::ExitCode;

use libtest_mimic::Arguments;
use terrane_tests::edits::trials;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, trials()).exit_code()
}
