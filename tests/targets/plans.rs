//! `cargo test --locked -p terrane-tests --test plans`: golden plans of the reference; see `tests/README.md`.

use std::process::ExitCode;

use libtest_mimic::Arguments;
use terrane_tests::plans::trials;

fn main() -> Result<ExitCode, String> {
    let arguments = Arguments::from_args();
    Ok(libtest_mimic::run(&arguments, trials()?).exit_code())
}
