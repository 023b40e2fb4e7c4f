//! `cargo test -p terrane-tests --test conformance`: the conformance tables; see `tests/README.md`.

use std::io::{self, Write as _};
use std::process::ExitCode;

use libtest_mimic::Arguments;
use terrane_tests::conformance::table::{Table, remember_panics};
use terrane_tests::conformance::{counts, floor, report, trials};
use terrane_tests::settings::{self, CONFORMANCE_LIMIT, CONFORMANCE_SHOW, UPDATE_FLOOR};

fn main() -> Result<ExitCode, String> {
    let arguments = Arguments::from_args();
    remember_panics();
    let tables = Table::all()?;
    if let Some(pattern) = settings::variable(CONFORMANCE_SHOW) {
        let limit = settings::variable(CONFORMANCE_LIMIT).and_then(|limit| limit.parse().ok()).unwrap_or(25);
        return print(&report::wrong_rows(&tables, &pattern, limit)).map(|()| ExitCode::SUCCESS);
    }
    let update = settings::is_set(UPDATE_FLOOR);
    let floors = if update { floor::Counts::new() } else { floor::read()? };
    let conclusion = libtest_mimic::run(&arguments, trials(&tables, &floors));
    if !arguments.list {
        if update {
            floor::update(&counts(&tables))?;
        }
        let each = arguments.filter.is_some();
        let summaries: String = tables.iter().map(|table| report::summary(table, each)).collect();
        print(&format!("{summaries}{}", report::not_run_yet()?))?;
    }
    Ok(conclusion.exit_code())
}

fn print(text: &str) -> Result<(), String> {
    io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())
}
