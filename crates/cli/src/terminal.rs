//! Writes results and messages to standard output and standard error.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, IsTerminal, Write as _};

use terrane::render::{TerminalOptions, terminal, visible, visible_text};
use terrane::source::Subject;
use terrane::{Diagnostic, Diagnostics, block_headers};

use crate::colors::{LONGEST_TEXT, colored, colored_diff, colored_plan};
use crate::options::Color;
use crate::provider_program::Refused;
use crate::{pager, pipe};

/// Returns the header of the block around a place.
type BlockHeaders = Box<dyn FnMut(&Subject) -> Option<String>>;

/// The outputs for results and messages.
pub(crate) struct Terminal {
    color: bool,
    result_color: bool,
    has_reader: bool,
    is_paged: bool,
    block_headers: BlockHeaders,
}

impl Terminal {
    /// Returns outputs with colours as `color` says. Uses a pager if `is_paged` and results go to a terminal.
    pub(crate) fn new(color: Color, is_paged: bool) -> Terminal {
        let is_colored = |is_terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && !pipe::is_plain(),
        };
        Terminal {
            color: is_colored(io::stderr().is_terminal()),
            result_color: is_colored(io::stdout().is_terminal()),
            has_reader: true,
            is_paged: is_paged && io::stdout().is_terminal() && !pipe::is_dumb(),
            block_headers: Box::new(block_headers()),
        }
    }

    /// Writes a text for people whose parts from files are visible already.
    pub(crate) fn result(&mut self, text: &str) -> io::Result<()> {
        self.has_reader &= pipe::text(text)?;
        Ok(())
    }

    /// Writes a text for people that contains parts of files. Characters that would control a terminal are made visible.
    pub(crate) fn values(&mut self, text: &str) -> io::Result<()> {
        self.result(&visible_text(text))
    }

    /// Writes values or other text in the notation of the language, in colours. At a terminal, shows it page by page.
    pub(crate) fn listing(&mut self, text: &str) -> io::Result<()> {
        self.pages(&self.notation(text))
    }

    /// Writes a text like [`Terminal::listing`], in pieces of whole lines. A long text is never in memory as a whole, unless it
    /// goes to a pager.
    pub(crate) fn listing_parts(&mut self, parts: impl IntoIterator<Item = String>) -> io::Result<()> {
        let mut parts = parts.into_iter().peekable();
        let mut text = String::new();
        let is_long = |text: &String| text.len() > LONGEST_TEXT;
        while let Some(part) = parts.next_if(|_| self.is_paged || !is_long(&text)) {
            text.push_str(&part);
        }
        if parts.peek().is_none() {
            return self.listing(&text);
        }
        for part in parts {
            // A long text has no colours.
            if is_long(&text) {
                self.values(&text)?;
                text.clear();
            }
            text.push_str(&part);
            if !self.has_reader {
                return Ok(());
            }
        }
        self.values(&text)
    }

    /// Writes a value in the notation of the language, in colours.
    pub(crate) fn value(&mut self, text: &str) -> io::Result<()> {
        self.result(&self.notation(text))
    }

    fn notation<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match (visible_text(text), self.result_color) {
            (text, false) => text,
            (text, true) => colored(&text).into_owned().into(),
        }
    }

    /// Writes lines that begin with the sign of a difference, in colours. At a terminal, shows them page by page.
    pub(crate) fn differences(&mut self, text: &str) -> io::Result<()> {
        let text = visible_text(text);
        let text = if self.result_color { colored_diff(&text).into() } else { text };
        self.pages(&text)
    }

    /// Writes a plan with its signs in colours. At a terminal, shows it page by page.
    pub(crate) fn plan(&mut self, text: &str) -> io::Result<()> {
        let text = visible_text(text);
        let text = if self.result_color { colored_plan(&text).into() } else { text };
        self.pages(&text)
    }

    /// Writes a text whose indented lines are expressions, which get colours. At a terminal, shows it page by page.
    pub(crate) fn page_with_examples(&mut self, text: &str) -> io::Result<()> {
        let line = |line| if str::starts_with(line, "  ") { colored(line) } else { line.into() };
        let text =
            if self.result_color { text.split_inclusive('\n').map(line).collect() } else { text.to_owned() };
        self.pages(&text)
    }

    /// Writes a text for people whose parts from files are visible already. At a terminal, shows it page by page.
    pub(crate) fn pages(&mut self, text: &str) -> io::Result<()> {
        if self.is_paged && pager::show(text)? { Ok(()) } else { self.result(text) }
    }

    /// Writes a document for a program. Control characters in it are escaped, so it is harmless at a terminal.
    pub(crate) fn document(&mut self, text: &str) -> io::Result<()> {
        let text = if io::stdout().is_terminal() { visible(text) } else { text.into() };
        self.data(text.as_bytes())
    }

    /// Writes a document like [`Terminal::document`], piece by piece, followed by a line break.
    pub(crate) fn written_document(
        &mut self,
        write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> io::Result<()> {
        if io::stdout().is_terminal() {
            let mut text = Vec::new();
            write(&mut text)?;
            return self.document(&(String::from_utf8_lossy(&text).into_owned() + "\n"));
        }
        self.answer(write)
    }

    /// Writes text for a program, unchanged and piece by piece, followed by a line break.
    pub(crate) fn answer(
        &mut self,
        write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> io::Result<()> {
        self.has_reader &= pipe::written(|out| {
            // A short text and its line break are written at once.
            let mut out = io::BufWriter::new(out);
            write(&mut out)?;
            out.write_all(b"\n")?;
            out.flush()
        })?;
        Ok(())
    }

    /// Writes text for a program, unchanged.
    pub(crate) fn data(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.has_reader &= pipe::data(bytes)?;
        Ok(())
    }

    /// Whether anybody still reads the results.
    pub(crate) fn has_reader(&self) -> bool {
        self.has_reader
    }

    /// Returns the options for messages that are results.
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

    /// Writes messages about the configuration, each followed by a blank line.
    pub(crate) fn diagnostics(&mut self, diagnostics: &Diagnostics) -> io::Result<()> {
        diagnostics.into_iter().try_for_each(|diagnostic| self.diagnostic(diagnostic))
    }

    /// Writes a message about the configuration.
    pub(crate) fn diagnostic(&mut self, diagnostic: &Diagnostic) -> io::Result<()> {
        pipe::message(&self.message(diagnostic))
    }

    /// Returns the text of a message about the configuration, followed by a blank line.
    fn message(&mut self, diagnostic: &Diagnostic) -> String {
        let options = TerminalOptions { color: self.color, ..TerminalOptions::default() };
        terminal(diagnostic, options, &mut self.block_headers) + "\n\n"
    }

    /// Writes the messages of two runs. The messages that both runs have are written once; the messages of one run are behind a
    /// line with the name of the run.
    pub(crate) fn diagnostics_of_runs(&mut self, runs: [(&str, &Diagnostics); 2]) -> io::Result<()> {
        let [(first_name, first), (second_name, second)] = runs;
        let mut texts = |all: &Diagnostics| -> Vec<String> {
            all.into_iter().map(|diagnostic| self.message(diagnostic)).collect()
        };
        let (first, second) = (texts(first), texts(second));
        let (in_first, in_second): (HashSet<&String>, HashSet<&String>) =
            (first.iter().collect(), second.iter().collect());
        let (common, of_first): (Vec<_>, Vec<_>) = first.iter().partition(|text| in_second.contains(text));
        let of_second: Vec<&String> = second.iter().filter(|text| !in_first.contains(text)).collect();
        common.into_iter().try_for_each(|text| pipe::message(text))?;
        for (name, messages) in [(first_name, of_first), (second_name, of_second)] {
            if !messages.is_empty() {
                self.note(name)?;
                messages.into_iter().try_for_each(|text| pipe::message(text))?;
            }
        }
        Ok(())
    }

    /// Writes a message about the command itself.
    pub(crate) fn error(&mut self, message: &str) -> io::Result<()> {
        pipe::note(&format!("error: {message}"))
    }

    /// Writes an error about the program that asks providers, and the advice on it.
    pub(crate) fn refused(&mut self, refused: &Refused) -> io::Result<()> {
        self.error(&refused.text)?;
        refused.help.iter().try_for_each(|help| self.help(help))
    }

    /// Writes a note, such as a summary.
    pub(crate) fn note(&mut self, message: &str) -> io::Result<()> {
        pipe::note(message)
    }

    /// Writes advice on the message before it.
    pub(crate) fn help(&mut self, message: &str) -> io::Result<()> {
        pipe::note(&format!("help: {message}"))
    }
}
