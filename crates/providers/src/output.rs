//! Prints everything that the command prints.

use std::io::{self, Write as _};
use std::process::ExitCode;

use terrane::render::{visible_text, without_commands};
use terrane_providers::Failure;

/// Prints a document for a program.
pub(crate) fn document(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}

/// Prints an error and its advice.
pub(crate) fn failure(subject: &str, failure: &Failure) -> io::Result<()> {
    let help = failure.help.as_ref().map(|help| format!("help: {help}\n")).unwrap_or_default();
    message(&format!("error: {subject}{}\n{help}", failure.text))
}

/// Prints the help, the version, or the error that ended the parsing of the arguments.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    let written = if error.use_stderr() { message(&text) } else { document(visible_text(&text).trim_end()) };
    match (written, u8::try_from(error.exit_code())) {
        (Ok(()), Ok(code)) => ExitCode::from(code),
        _ => ExitCode::FAILURE,
    }
}

/// Prints text for people. Texts of files and providers in it cannot control terminals and services.
fn message(text: &str) -> io::Result<()> {
    io::stderr().lock().write_all(without_commands(&visible_text(text)).as_bytes())
}
