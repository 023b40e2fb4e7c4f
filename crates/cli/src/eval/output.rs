//! The output that modules and templates share: values, unless they are too long, and the summary.

use std::io;
use std::time::Duration;

use terrane::{Diagnostics, Summary, Value, check_printable};

use crate::count::counted;
use crate::exit::FAILURE;
use crate::terminal::Terminal;

/// Prints the text, unless that of these values would be too long.
pub(super) fn print_if_short<'v>(
    values: impl IntoIterator<Item = &'v Value>,
    terminal: &mut Terminal,
    text: impl FnOnce() -> String,
) -> io::Result<u8> {
    if let Err(diagnostic) = check_printable(values) {
        terminal.diagnostics(&[*diagnostic].into_iter().collect())?;
        return Ok(FAILURE);
    }
    terminal.values(&text())?;
    Ok(0)
}

/// Says that errors have kept the values from being printed, and how to print them.
pub(super) fn stopped(diagnostics: &Diagnostics, terminal: &mut Terminal) -> io::Result<()> {
    terminal.note(&format!("{}: no values printed", counted(diagnostics)))?;
    terminal.help("`--keep-going` prints the values that are known in spite of errors")
}

/// Prints the counts, the duration, and the causes of unknown values.
pub(super) fn summary(
    summary: &Summary,
    diagnostics: &Diagnostics,
    duration: Duration,
    terminal: &mut Terminal,
) -> io::Result<()> {
    let messages = match counted(diagnostics) {
        counted if counted.is_empty() => String::new(),
        counted => format!(": {counted}"),
    };
    terminal.note(&format!("evaluated {} in {}{messages}", summary.evaluated(), elapsed(duration)))?;
    match summary.not_known() {
        Some(text) => terminal.note(&text),
        None => Ok(()),
    }
}

fn elapsed(duration: Duration) -> String {
    if duration < Duration::from_secs(1) {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}
