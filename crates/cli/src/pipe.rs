//! Prints everything that the command prints, except for the line editor and the progress bar.
//!
//! Text for people cannot contain a command to a service for continuous integration, which reads the output. The reader may
//! stop reading, as `head` does. The rest of the output is lost then, but the command completes its work and keeps its exit
//! code. Only the console ends, because its input may have no end.

use std::io::{self, ErrorKind, IsTerminal as _, Write};

use terrane::render::{visible_text, without_commands};

/// Prints bytes for a program. Returns whether the output still has a reader.
pub(crate) fn data(bytes: &[u8]) -> io::Result<bool> {
    written(|out| out.write_all(bytes))
}

/// Calls `write` with standard output, for a program. Returns whether the output still has a reader.
pub(crate) fn written(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<bool> {
    let stdout = io::stdout().lock();
    // Standard output of the library searches everything for line breaks, although a document is one long line.
    #[cfg(unix)]
    let mut stdout = std::fs::File::from(std::os::fd::AsFd::as_fd(&stdout).try_clone_to_owned()?);
    #[cfg(not(unix))]
    let mut stdout = stdout;
    is_read(write(&mut stdout).and_then(|()| stdout.flush()))
}

/// Prints a text for people. Its parts from files are [visible](terrane::render::visible). Returns whether the output still has
/// a reader.
pub(crate) fn text(text: &str) -> io::Result<bool> {
    data(without_commands(text).as_bytes())
}

/// Prints a message for people to standard error. Its parts from files are visible.
pub(crate) fn message(text: &str) -> io::Result<()> {
    message_data(without_commands(text).as_bytes())
}

/// Prints messages for a program to standard error.
pub(crate) fn message_data(bytes: &[u8]) -> io::Result<()> {
    is_read(io::stderr().lock().write_all(bytes)).map(drop)
}

/// Prints a message to standard error. It may have several lines and parts of files.
pub(crate) fn note(text: &str) -> io::Result<()> {
    message(&format!("{}\n", visible_text(text)))
}

/// Prints the help, the version, or the error that ended the parsing of the arguments. Returns the exit code.
pub(crate) fn usage(error: &clap::Error, color: Option<bool>, failure: u8) -> u8 {
    let rendered = error.render();
    let is_terminal =
        if error.use_stderr() { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let plain = rendered.to_string();
    let visible = visible_text(&plain);
    // Colours cannot be told from escape sequences in an argument, so they are left out if an argument has anything to hide.
    let is_colored = color.unwrap_or_else(|| is_terminal && !is_plain()) && visible == plain;
    let shown = if is_colored { rendered.ansi().to_string() } else { visible.into_owned() };
    let written = if error.use_stderr() { message(&shown) } else { text(&shown).map(drop) };
    match written {
        Ok(()) => u8::try_from(error.exit_code()).unwrap_or(failure),
        Err(cause) => failed(&cause, failure),
    }
}

/// Reports that reading or writing failed. Returns the exit code.
pub(crate) fn failed(cause: &io::Error, failure: u8) -> u8 {
    // If this message cannot be written either, only the exit code reports the failure.
    let _ = note(&format!("error: input or output failed: {cause}"));
    failure
}

/// Whether the environment asks for no colours.
#[expect(clippy::disallowed_methods, reason = "the command reads the environment")]
pub(crate) fn is_plain() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) || is_dumb()
}

/// Whether the terminal can only print text.
#[expect(clippy::disallowed_methods, reason = "the command reads the environment")]
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb")
}

/// Whether the output still has a reader.
pub(crate) fn is_read(written: io::Result<()>) -> io::Result<bool> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}
