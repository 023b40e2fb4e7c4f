//! `cargo test -p terrane-tests --test suite`: the literate suites; see `tests/README.md`.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::Arguments;
use terrane_tests::settings::{self, UPDATE_EXPECT};
use terrane_tests::suite::{trials, update::Updates};

fn main() -> Result<ExitCode, String> {
    let arguments = Arguments::from_args();
    let updates = Arc::new(Updates::new(settings::is_set(UPDATE_EXPECT)));
    let trials = trials(&settings::below_tests("suite"), &updates)?;
    let conclusion = libtest_mimic::run(&arguments, trials);
    let changed = updates.write()?;
    if changed > 0 {
        let message = format!("expectations of {changed} files were rewritten; look at the difference\n");
        io::stdout().write_all(message.as_bytes()).map_err(|error| error.to_string())?;
    }
    Ok(conclusion.exit_code())
}
