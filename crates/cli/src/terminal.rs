//! Standard output and standard error.

use std::io::{self, IsTerminal, Write};

use terrane::Diagnostics;
use terrane::render::{TerminalOptions, terminal, visible};

use crate::colors::colored;
use crate::exit::FAILURE;
use crate::options::Color;
use crate::{pager, pipe};

/// Where results and messages go.
pub(crate) struct Terminal {
    color: bool,
    result_color: bool,
    has_reader: bool,
    is_paged: bool,
}

impl Terminal {
    /// Colours as `color` says; a pager if `is_paged`, and results go to a terminal.
    pub(crate) fn new(color: Color, is_paged: bool) -> Terminal {
        let is_colored = |is_terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && !is_plain(),
        };
        Terminal {
            color: is_colored(io::stderr().is_terminal()),
            result_color: is_colored(io::stdout().is_terminal()),
            has_reader: true,
            is_paged: is_paged && io::stdout().is_terminal() && !is_dumb(),
        }
    }

    /// Writes a result.
    pub(crate) fn result(&mut self, text: &str) -> io::Result<()> {
        self.result_bytes(text.as_bytes())
    }

    /// Writes values of a configuration. At a terminal, characters that could make it do something are shown instead.
    pub(crate) fn values(&mut self, text: &str) -> io::Result<()> {
        if io::stdout().is_terminal() { self.result(&visible(text)) } else { self.result(text) }
    }

    /// Writes values or other text in the language's notation, in colours; at a terminal, page by page.
    pub(crate) fn listing(&mut self, text: &str) -> io::Result<()> {
        let text = if io::stdout().is_terminal() { visible(text) } else { text.into() };
        let text = if self.result_color { colored(&text) } else { text };
        self.pages(&text)
    }

    /// Writes a result; at a terminal, page by page.
    pub(crate) fn pages(&mut self, text: &str) -> io::Result<()> {
        if self.is_paged && pager::show(text)? { Ok(()) } else { self.result(text) }
    }

    /// Writes a result that need not be UTF-8.
    pub(crate) fn result_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        self.has_reader &= pipe::is_read(stdout.write_all(bytes).and_then(|()| stdout.flush()))?;
        Ok(())
    }

    /// Whether there still is who reads results.
    pub(crate) fn has_reader(&self) -> bool {
        self.has_reader
    }

    /// How messages are written that are a result.
    pub(crate) fn result_options(&self) -> TerminalOptions {
        TerminalOptions { color: self.result_color, ..TerminalOptions::default() }
    }

    /// Whether messages have colours.
    pub(crate) fn has_message_color(&self) -> bool {
        self.color
    }

    /// Whether results have colours.
    pub(crate) fn has_color(&self) -> bool {
        self.result_color
    }

    /// Writes messages about the configuration, a blank line behind each.
    pub(crate) fn diagnostics(&mut self, diagnostics: &Diagnostics) -> io::Result<()> {
        let options = TerminalOptions { color: self.color, ..TerminalOptions::default() };
        let mut stderr = io::BufWriter::new(io::stderr().lock());
        let mut all = diagnostics.into_iter();
        let mut each = |diagnostic| writeln!(stderr, "{}\n", terminal(diagnostic, options));
        let written = all.try_for_each(&mut each).and_then(|()| stderr.flush());
        pipe::unless_closed(written)
    }

    /// Writes a message about the command itself.
    pub(crate) fn error(&mut self, message: &str) -> io::Result<()> {
        pipe::unless_closed(writeln!(io::stderr(), "error: {}", visible(message)))
    }

    /// Writes a note, such as a summary.
    pub(crate) fn note(&mut self, message: &str) -> io::Result<()> {
        pipe::unless_closed(writeln!(io::stderr(), "{}", visible(message)))
    }

    /// Writes advice on the message before it.
    pub(crate) fn help(&mut self, message: &str) -> io::Result<()> {
        pipe::unless_closed(writeln!(io::stderr(), "help: {}", visible(message)))
    }

    /// The exit code where reading or writing failed.
    pub(crate) fn failed(&mut self, error: &io::Error) -> u8 {
        // If this cannot be written either, only the exit code tells.
        let _ = self.error(&format!("input or output failed: {error}"));
        FAILURE
    }
}

/// Whether the environment asks for no colours.
#[expect(clippy::disallowed_methods, reason = "the command reads the environment")]
fn is_plain() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) || is_dumb()
}

/// Whether the terminal can only print.
#[expect(clippy::disallowed_methods, reason = "the command reads the environment")]
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb")
}
