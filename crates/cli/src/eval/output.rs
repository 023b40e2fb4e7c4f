//! The output that modules and templates have in common: values, unless they are too long, and the summary.

use std::borrow::Borrow;
use std::io;
use std::time::Duration;

use terrane::{Diagnostic, Diagnostics, Summary, Value, check_printable};

use super::options::Eval;
use crate::count::by_severity;
use crate::exit::FAILURE;
use crate::terminal::Terminal;
use crate::unknown_values;

/// The notation of printed values.
#[derive(Clone, Copy)]
pub(super) enum Notation {
    /// For people, in the notation of the language.
    Listing,
    /// For programs, as JSON.
    Json,
}

impl Notation {
    pub(super) fn of(eval: &Eval) -> Notation {
        if eval.json { Notation::Json } else { Notation::Listing }
    }
}

/// Prints a text, unless the text of these values would be too long.
pub(super) fn print_if_short(
    values: impl IntoIterator<Item = impl Borrow<Value>>,
    notation: Notation,
    terminal: &mut Terminal,
    text: impl FnOnce() -> String,
) -> io::Result<u8> {
    if !is_short(check_printable(values), terminal)? {
        return Ok(FAILURE);
    }
    match notation {
        Notation::Listing => terminal.listing(&text())?,
        Notation::Json => terminal.document(&text())?,
    }
    Ok(0)
}

/// Returns whether the values that were `checked` are short enough to print. Otherwise reports the error.
pub(super) fn is_short(checked: Result<(), Box<Diagnostic>>, terminal: &mut Terminal) -> io::Result<bool> {
    let Err(diagnostic) = checked else { return Ok(true) };
    terminal.diagnostic(&diagnostic)?;
    Ok(false)
}

/// Prints that errors have kept the values from being printed, and how to print them.
pub(super) fn stopped(eval: &Eval, diagnostics: &Diagnostics, terminal: &mut Terminal) -> io::Result<()> {
    terminal.note(&format!("{}: no values printed", by_severity(diagnostics)))?;
    help_with_workspace(eval, diagnostics, terminal)?;
    help_with_errors(terminal)
}

/// Prints how to choose a workspace, if an error is about the name of one that was not chosen.
pub(super) fn help_with_workspace(
    eval: &Eval,
    diagnostics: &Diagnostics,
    terminal: &mut Terminal,
) -> io::Result<()> {
    if eval.inputs.workspace.is_none() && diagnostics.as_slice().iter().any(is_about_workspace) {
        terminal.help("`--workspace NAME` chooses another workspace")?;
    }
    Ok(())
}

/// Prints how to print values in spite of errors.
pub(super) fn help_with_errors(terminal: &mut Terminal) -> io::Result<()> {
    terminal.help("`--keep-going` prints the values that are known in spite of errors")
}

/// Whether an error lists the name of the workspace among its values.
fn is_about_workspace(diagnostic: &Diagnostic) -> bool {
    let is_name =
        |value: &String| value.starts_with("terraform.workspace ") || value.starts_with("tofu.workspace ");
    diagnostic.is_error() && diagnostic.values.iter().any(is_name)
}

/// Prints the counts, the duration, and the causes of unknown values.
pub(super) fn summary(
    summary: &Summary,
    diagnostics: &Diagnostics,
    duration: Duration,
    terminal: &mut Terminal,
) -> io::Result<()> {
    let messages = match by_severity(diagnostics) {
        counted if counted.is_empty() => String::new(),
        counted => format!(": {counted}"),
    };
    terminal.note(&format!("evaluated {} in {}{messages}", summary.evaluated(), elapsed(duration)))?;
    for text in summary.given_state().into_iter().chain(summary.from_elsewhere()) {
        terminal.note(&text)?;
    }
    unknown_values::report(summary, terminal)
}

/// Prints how to provide the modules with these sources, which are not on disk.
pub(super) fn missing_modules(sources: &[&str], terminal: &mut Terminal) -> io::Result<()> {
    let Some(source) = sources.first() else { return Ok(()) };
    terminal.help(&format!(
        "`--module '{source}=DIR'` or a line of `--module-map FILE` reads a module from a directory; so does `terraform init`. `--set 'module.NAME.OUTPUT=VALUE'` \
         gives one output"
    ))
}

fn elapsed(duration: Duration) -> String {
    if duration < Duration::from_secs(1) {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}
