//! `terrane diff`.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use terrane::function::{Limits, Product};
use terrane::source::EntryKind;
use terrane::{Files, Report, Secrets, dialect_at};

use crate::exit::{FAILURE, USAGE};
use crate::host;
use crate::options::{Inputs, local_path};
use crate::progress::Watch;
use crate::project::project;
use crate::revision::RevisionFiles;
use crate::terminal::Terminal;

pub(crate) const EXAMPLES: &str = "\
Examples:
  terrane diff live staging                        two root modules
  terrane diff --git main..HEAD infra              two revisions of one
  terrane diff --git HEAD                          the last commit and the files on disk
  terrane diff dev.tfvars prod.tfvars infra        two variable files for one
  terrane diff --git main..HEAD --format markdown  for a comment on a pull request

Exit codes: 0 no errors, 1 errors in a configuration, 2 wrong arguments, or with --exit-code
differences.";

#[derive(Args, Debug)]
pub(crate) struct Diff {
    /// Two directories, or two variable files and the directory of their root module; with --git, the directory. Without a
    /// directory, the current one.
    #[arg(value_name = "PATH", num_args = 0..=3, value_parser = local_path())]
    paths: Vec<PathBuf>,

    /// Compare two revisions: A..B, or A alone with the files on disk.
    #[arg(long, value_name = "REVISIONS")]
    git: Option<String>,

    /// Format of the differences.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Print JSON, like `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Exit with code 2 if there are differences.
    #[arg(long)]
    exit_code: bool,

    /// Print sensitive values.
    #[arg(long)]
    show_sensitive: bool,

    /// Read no file outside of this directory, even if the configuration refers to one.
    #[arg(long, value_name = "DIR")]
    pub(crate) sandbox: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Format {
    /// A line for each part that differs
    Text,
    /// A comment for a pull request
    Markdown,
    /// JSON with every value
    Json,
}

/// One side of the comparison.
struct Side {
    directory: PathBuf,
    variable_file: Option<PathBuf>,
    revision: Option<String>,
}

impl Diff {
    /// The files and directories that the command line names.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.inputs.paths().chain(self.paths.iter().map(PathBuf::as_path))
    }

    /// The two sides, or a text that says why there are none.
    fn sides(&self, files: &dyn Files) -> Result<[Side; 2], &'static str> {
        let side =
            |directory: &Path| Side { directory: directory.to_owned(), variable_file: None, revision: None };
        let current = Path::new(".");
        if let Some(revisions) = &self.git {
            let directory = match self.paths.as_slice() {
                [] => current,
                [directory] => directory,
                _ => return Err("--git takes one directory"),
            };
            let (before, after) = match revisions.split_once("..") {
                Some((before, after)) => {
                    (before, Some(after.trim_start_matches('.')).filter(|after| !after.is_empty()))
                }
                None => (revisions.as_str(), None),
            };
            let revision =
                |revision: Option<&str>| Side { revision: revision.map(str::to_owned), ..side(directory) };
            return Ok([revision(Some(before)), revision(after)]);
        }
        let is_file = |path: &Path| files.metadata(path) == Ok(EntryKind::File);
        match self.paths.as_slice() {
            [one, other, rest @ ..] if is_file(one) && is_file(other) => {
                let directory = rest.first().map_or(current, PathBuf::as_path);
                let with = |file: &Path| Side { variable_file: Some(file.to_owned()), ..side(directory) };
                Ok([with(one), with(other)])
            }
            [one, other] => Ok([side(one), side(other)]),
            _ => Err("give two directories, two variable files with an optional directory, or --git"),
        }
    }
}

pub(crate) fn run(options: &Diff, limits: Limits, terminal: &mut Terminal) -> io::Result<u8> {
    let files = match host::files(options.sandbox.as_deref(), options.paths(), terminal)? {
        Ok(files) => files,
        Err(code) => return Ok(code),
    };
    let sides = match options.sides(files) {
        Ok(sides) => sides,
        Err(message) => {
            terminal.error(message)?;
            return Ok(USAGE);
        }
    };
    let mut reports = Vec::new();
    for (side, limits) in sides.iter().zip([limits.clone(), limits]) {
        match report(options, side, limits, files, terminal)? {
            Ok(report) => reports.push(report),
            Err(code) => return Ok(code),
        }
    }
    let [before, after] = reports.as_slice() else { return Ok(FAILURE) };
    let secrets = if options.show_sensitive { Secrets::Shown } else { Secrets::Hidden };
    let difference = before.diff(after, secrets);
    match if options.json { Format::Json } else { options.format } {
        Format::Json => terminal.document(&(difference.to_json() + "\n"))?,
        Format::Markdown => terminal.values(&difference.to_markdown())?,
        Format::Text => terminal.differences(&difference.to_text())?,
    }
    if before.has_errors() || after.has_errors() {
        return Ok(FAILURE);
    }
    Ok(if options.exit_code && !difference.is_empty() { USAGE } else { 0 })
}

/// The evaluation of a side, or an exit code.
fn report(
    options: &Diff,
    side: &Side,
    limits: Limits,
    files: &'static dyn Files,
    terminal: &mut Terminal,
) -> io::Result<Result<Report, u8>> {
    let revision =
        match side.revision.as_deref().map(|name| RevisionFiles::read(name, &side.directory, files)) {
            None => None,
            Some(Ok(revision)) => Some(revision),
            Some(Err(message)) => {
                terminal.error(&message)?;
                return Ok(Err(FAILURE));
            }
        };
    let files: &dyn Files = match &revision {
        Some(revision) => revision,
        None => files,
    };
    let dialect = match dialect_at(&side.directory, options.inputs.dialect, files) {
        Ok(dialect) => dialect,
        Err(diagnostic) => {
            terminal.diagnostics(&[*diagnostic].into_iter().collect())?;
            return Ok(Err(FAILURE));
        }
    };
    if dialect.product() == Some(Product::Packer) {
        terminal.error("`terrane diff` compares modules, not Packer templates")?;
        return Ok(Err(FAILURE));
    }
    let mut project = project(&side.directory, &options.inputs, dialect).limits(limits);
    if let Some(file) = &side.variable_file {
        project = project.variable_file(file);
    }
    let watch = Watch::start();
    let report = project.evaluate_with(files, &|progress| watch.show(progress));
    watch.stop();
    terminal.diagnostics(report.diagnostics())?;
    Ok(if report.files().is_empty() { Err(FAILURE) } else { Ok(report) })
}
