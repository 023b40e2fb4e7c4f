//! `cargo test -p terrane-tests --test reference`: whole modules against a `terraform` binary; see
//! `tests/README.md`.

use std::process::ExitCode;

use libtest_mimic::Arguments;
use terrane_tests::reference::trials;

fn main() -> Result<ExitCode, String> {
    let arguments = Arguments::from_args();
    Ok(libtest_mimic::run(&arguments, trials()?).exit_code())
}
