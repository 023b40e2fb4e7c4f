//! `--format`: prints a report of errors and warnings in place of values.

use std::io;
use std::time::Duration;

use terrane::source::FileId;
use terrane::{Diagnostic, Diagnostics, Files, Report, Summary};

use super::options::Eval;
use super::output::summary;
use crate::exit::FAILURE;
use crate::report_format::{ReportContent, ReportFormat};
use crate::select::{addressed, unmet};
use crate::terminal::Terminal;

/// Writes the report in place of values. `read` are the files that were read.
pub(super) fn write(
    eval: &Eval,
    format: ReportFormat,
    read: &[FileId],
    diagnostics: &[Diagnostic],
    terminal: &mut Terminal,
) -> io::Result<()> {
    let named = [eval.dir.as_path()];
    let content = ReportContent { command: "terrane eval", named: &named, files: read, diagnostics };
    format.write(&content, terminal)
}

/// Returns the errors and warnings of an evaluation, and those about its values.
pub(super) fn all_diagnostics(eval: &Eval, report: &Report, files: &dyn Files) -> Diagnostics {
    let mut found = report.diagnostics().clone();
    found.extend(of_addresses(eval, report, files));
    found
}

/// Prints the summary behind a report. Returns the exit code.
pub(super) fn end(
    eval: &Eval,
    counts: &Summary,
    found: &Diagnostics,
    duration: Duration,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    if !eval.quiet {
        summary(counts, found, duration, terminal)?;
    }
    Ok(if found.has_errors() { FAILURE } else { 0 })
}

/// Returns errors about addresses that name nothing, and about required values that are unknown. Returns no errors if the
/// configuration has errors, which may be the reason.
pub(super) fn of_addresses(eval: &Eval, report: &Report, files: &dyn Files) -> Diagnostics {
    if report.has_errors() && !eval.keep_going {
        return Diagnostics::new();
    }
    let has_addresses = !eval.addresses.is_empty() || !eval.require_known.is_empty();
    let entries = if has_addresses { report.entries() } else { Vec::new() };
    let mut found = addressed(&eval.addresses, report, &entries, files).err().unwrap_or_default();
    found.extend(unmet(&eval.require_known, &eval.addresses, report, &entries, files));
    found
}

/// Prints the error about a directory whose product is unclear.
pub(super) fn undecided(eval: &Eval, diagnostic: Diagnostic, terminal: &mut Terminal) -> io::Result<()> {
    match eval.format {
        Some(format) => write(eval, format, &[], &[diagnostic], terminal),
        None => terminal.diagnostic(&diagnostic),
    }
}
