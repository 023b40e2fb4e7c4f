//! `cargo test -p terrane-tests --test conformance`: the conformance tables; see `tests/README.md`.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::Arguments;
use terrane_tests::conformance::table::{Table, remember_panics};
use terrane_tests::conformance::{report, trials, unmatched};
use terrane_tests::settings::{self, CONFORMANCE_LIMIT, CONFORMANCE_SHOW};

fn main() -> Result<ExitCode, String> {
    let arguments = Arguments::from_args();
    remember_panics();
    let tables = Table::all()?;
    if let Some(pattern) = settings::variable(CONFORMANCE_SHOW) {
        let limit = settings::variable(CONFORMANCE_LIMIT).and_then(|limit| limit.parse().ok()).unwrap_or(25);
        return print(&report::wrong_rows(&tables, &pattern, limit)).map(|()| ExitCode::SUCCESS);
    }
    let listed = Arc::new(unmatched::read(tables.iter().map(Arc::as_ref))?);
    let conclusion = libtest_mimic::run(&arguments, trials(&tables, &listed));
    if !arguments.list {
        let each = arguments.filter.is_some();
        let summaries: String = tables.iter().map(|table| report::summary(table, each)).collect();
        print(&format!("{summaries}{}", report::not_run_yet()?))?;
    }
    Ok(conclusion.exit_code())
}

fn print(text: &str) -> Result<(), String> {
    io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())
}
