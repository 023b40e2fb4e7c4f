//! The formats of a report of diagnostics, for people and for continuous integration.

use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use terrane::render::{compact, github, junit, sarif, terminal, validate_json};
use terrane::source::FileId;
use terrane::{Diagnostic, OsFiles, block_headers};

use crate::source_root::SourceRoot;
use crate::terminal::Terminal;

/// The format of a report.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum ReportFormat {
    /// For people, with the lines of source
    Human,
    /// One line per message, `file:line:column: error: ...`, for editors and scripts
    Compact,
    /// The document of `terraform validate -json`
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit, with one test per file
    Junit,
    /// Annotations of GitHub Actions
    Github,
}

impl ReportFormat {
    /// Writes the report of a command, such as `terrane check`, to standard output. `files` are the files that were
    /// read.
    pub(crate) fn write(
        self,
        command: &str,
        files: &[FileId],
        diagnostics: &[Diagnostic],
        terminal: &mut Terminal,
    ) -> io::Result<()> {
        let text = self.text(command, files, diagnostics, terminal);
        match self {
            ReportFormat::Human | ReportFormat::Compact => terminal.result(&text),
            ReportFormat::Json | ReportFormat::Sarif | ReportFormat::Junit | ReportFormat::Github => {
                terminal.data(text.as_bytes())
            }
        }
    }

    fn text(self, command: &str, files: &[FileId], diagnostics: &[Diagnostic], output: &Terminal) -> String {
        let lines = |line: &mut dyn FnMut(&Diagnostic) -> String, end| {
            diagnostics.iter().map(|message| line(message) + end).collect()
        };
        let mut headers = block_headers();
        match self {
            ReportFormat::Human => {
                let options = output.result_options();
                lines(&mut |message| terminal(message, options, &mut headers), "\n\n")
            }
            ReportFormat::Compact => lines(&mut compact, "\n"),
            ReportFormat::Json => validate_json(diagnostics, headers),
            ReportFormat::Sarif => sarif(diagnostics, &from_root()),
            ReportFormat::Junit => junit(command, files, diagnostics, &from_root(), headers),
            ReportFormat::Github => {
                let from_root = from_root();
                lines(&mut |message| github(message, &from_root), "\n")
            }
        }
    }
}

/// Returns a function that turns paths of files into paths from the root of the repository.
fn from_root() -> impl Fn(&Path) -> PathBuf {
    let root = SourceRoot::find(&OsFiles);
    move |path| root.path_to(path)
}
