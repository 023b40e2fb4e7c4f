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

/// The content of a report.
pub(crate) struct ReportContent<'r> {
    /// The command, such as `terrane check`.
    pub(crate) command: &'static str,
    /// The files and directories that the command line names as its subject.
    pub(crate) named: &'r [&'r Path],
    /// The files that were read.
    pub(crate) files: &'r [FileId],
    pub(crate) diagnostics: &'r [Diagnostic],
}

impl ReportFormat {
    /// Writes a report to standard output.
    pub(crate) fn write(self, content: &ReportContent<'_>, terminal: &mut Terminal) -> io::Result<()> {
        let text = self.text(content, terminal);
        match self {
            ReportFormat::Human | ReportFormat::Compact => terminal.result(&text),
            ReportFormat::Json | ReportFormat::Sarif | ReportFormat::Junit | ReportFormat::Github => {
                terminal.data(text.as_bytes())
            }
        }
    }

    fn text(self, content: &ReportContent<'_>, output: &Terminal) -> String {
        let ReportContent { command, named, files, diagnostics } = *content;
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
            ReportFormat::Sarif => sarif(diagnostics, &from_root(named)),
            ReportFormat::Junit => junit(command, files, diagnostics, &from_root(named), headers),
            ReportFormat::Github => {
                let from_root = from_root(named);
                lines(&mut |message| github(message, &from_root), "\n")
            }
        }
    }
}

/// Returns a function that turns paths of files into paths from the root of the repository.
fn from_root(named: &[&Path]) -> impl Fn(&Path) -> PathBuf + use<> {
    let root = SourceRoot::find(named, &OsFiles);
    move |path| root.path_to(path)
}
