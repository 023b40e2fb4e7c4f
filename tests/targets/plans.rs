//! `cargo test --locked -p terrane-tests --test plans`: golden plans of the reference, and the programs that read them; see `tests/README.md`.

use std::process::ExitCode;

use libtest_mimic::Arguments;
use terrane_tests::{consumers, plans};

fn main() -> Result<ExitCode, String> {
    let arguments = Arguments::from_args();
    let mut trials = plans::trials()?;
    trials.extend(consumers::trials());
    Ok(libtest_mimic::run(&arguments, trials).exit_code())
}
