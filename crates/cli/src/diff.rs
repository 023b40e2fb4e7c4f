//! `terrane diff`: compares two configurations, or a state with its configuration.

use std::collections::BTreeSet;
use std::io;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use terrane::function::Limits;
use terrane::source::{FileErrorKind, FileKind};
use terrane::{Comparison, Files, MemoryFiles, Project, Report, Secrets};

use crate::evaluated::ModuleRequest;
use crate::exit::{FAILURE, USAGE};
use crate::nearby;
use crate::options::{Inputs, Sandbox, local_path};
use crate::read_inputs::ReadInputs;
use crate::revision::{Revision, RevisionFiles};
use crate::terminal::Terminal;

pub(crate) const EXAMPLES: &str = "\
Examples:
  terrane diff live staging                        two root modules
  terrane diff --git main..HEAD infra              two revisions of one
  terrane diff --git main...HEAD infra             the commits of a branch alone
  terrane diff --git HEAD                          the last commit and the files on disk
  terrane diff dev.tfvars prod.tfvars infra        two variable files for one
  terrane diff --state current.tfstate infra       a state and its configuration
  terrane diff --plan plan.json infra              the state before a plan and its configuration
  terrane diff --git main..HEAD --format markdown  for a comment on a pull request

Exit codes: 0 no errors, 1 errors in a configuration, 2 wrong arguments, or with --exit-code
differences.";

#[derive(Args, Debug)]
pub(crate) struct Diff {
    /// Two directories, or two variable files and the directory of their root module; with --git, or with --state or
    /// --plan alone, the directory. Without a directory, the current one.
    #[arg(value_name = "PATH", num_args = 0..=3, value_parser = local_path())]
    paths: Vec<PathBuf>,

    /// Compare two revisions: A..B; A...B, from their merge base to B; or A alone with the files on disk.
    #[arg(long, value_name = "REVISIONS")]
    git: Option<String>,

    /// Format of the differences.
    #[arg(long, value_enum, default_value = "text")]
    format: DiffFormat,

    /// Print JSON, like `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Exit with code 2 if there are differences.
    #[arg(long)]
    exit_code: bool,

    /// Print sensitive values.
    #[arg(long)]
    show_sensitive: bool,

    #[command(flatten)]
    pub(crate) sandbox: Sandbox,

    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum DiffFormat {
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
    revision: Option<Revision>,
}

impl Side {
    /// Returns the line before the messages about this side.
    fn heading(&self) -> String {
        match (&self.revision, &self.variable_file) {
            (Some(Revision::Named(name)), _) => format!("In {name}:"),
            (Some(Revision::MergeBase(one, other)), _) => format!("In the merge base of {one} and {other}:"),
            (None, Some(file)) => format!("With {}:", file.display()),
            (None, None) if self.directory == Path::new(".") => "In the current directory:".to_owned(),
            (None, None) => format!("In {}:", self.directory.display()),
        }
    }
}

impl Diff {
    /// Returns the files and directories that the command line names.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.inputs.paths().chain(self.paths.iter().map(PathBuf::as_path))
    }

    /// Returns the last directory that the command line names. Its state is the one to compare.
    pub(crate) fn directory(&self) -> &Path {
        self.paths.last().map_or(Path::new("."), PathBuf::as_path)
    }

    fn secrets(&self) -> Secrets {
        if self.show_sensitive { Secrets::Shown } else { Secrets::Hidden }
    }

    /// Returns the directory to compare with its state, or with the state that its plan begins with. `None` if the command line
    /// names two sides.
    fn directory_of_state(&self) -> Option<&Path> {
        let state = &self.inputs.state;
        let is_state = (state.file.is_some() || state.plan_file.is_some()) && self.git.is_none();
        match self.paths.as_slice() {
            [] if is_state => Some(Path::new(".")),
            [directory] if is_state => Some(directory),
            _ => None,
        }
    }

    /// Returns the two sides, or a text with the reason why there are none.
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
            let (before, after) = compared_revisions(revisions);
            let revision = |revision: Option<Revision>| Side { revision, ..side(directory) };
            return Ok([revision(Some(before)), revision(after)]);
        }
        let is_file = |path: &Path| files.metadata(path) == Ok(FileKind::File);
        let is_missing =
            |path: &Path| files.metadata(path).is_err_and(|error| error.kind == FileErrorKind::NotFound);
        // Beside a file, a missing path is a mistyped variable file.
        let are_files = |one: &Path, other: &Path| match (is_file(one), is_file(other)) {
            (true, true) => true,
            (true, false) => is_missing(other),
            (false, true) => is_missing(one),
            (false, false) => false,
        };
        match self.paths.as_slice() {
            [one, other, rest @ ..] if are_files(one, other) => {
                let directory = rest.first().map_or(current, PathBuf::as_path);
                let with = |file: &Path| Side { variable_file: Some(file.to_owned()), ..side(directory) };
                Ok([with(one), with(other)])
            }
            [one, other] => Ok([side(one), side(other)]),
            _ => Err(
                "give two directories, two variable files with an optional directory, --git, or --state or --plan with an optional directory",
            ),
        }
    }
}

/// Returns the revisions of `A..B`; of `A...B`, where the first revision is the merge base; and of `A`, which is compared with
/// the disk. As in git, a missing name stands for `HEAD`.
fn compared_revisions(text: &str) -> (Revision, Option<Revision>) {
    let or_head = |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
    if let Some((before, after)) = text.split_once("...") {
        let (before, after) = (or_head(before), or_head(after));
        return (Revision::MergeBase(before, after.clone()), Some(Revision::Named(after)));
    }
    match text.split_once("..") {
        Some((before, after)) => (Revision::Named(or_head(before)), Some(Revision::Named(or_head(after)))),
        None => (Revision::Named(text.to_owned()), None),
    }
}

/// The options, and the content of the files that they name.
#[derive(Clone, Copy)]
struct DiffRun<'c> {
    options: &'c Diff,
    inputs: &'c ReadInputs<'c>,
}

pub(crate) fn run(
    options: &Diff,
    inputs: &ReadInputs<'_>,
    limits: Limits,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let (files, run) = (inputs.sources.files, DiffRun { options, inputs });
    let compared = match options.directory_of_state() {
        Some(directory) => with_state(run, directory, limits, terminal)?,
        None => two_sides(run, limits, terminal)?,
    };
    let Compared { difference, has_errors, lacking } = match compared {
        Ok(compared) => compared,
        Err(code) => return Ok(code),
    };
    let format = if options.json { DiffFormat::Json } else { options.format };
    let too_large = match format {
        DiffFormat::Json => match difference.check_json() {
            Ok(()) => terminal.written_document(|out| difference.write_json(out)).map(|()| None)?,
            Err(diagnostic) => Some(diagnostic),
        },
        DiffFormat::Markdown => terminal.values(&difference.to_markdown()).map(|()| None)?,
        DiffFormat::Text => match difference.to_text() {
            Ok(text) => terminal.differences(&text).map(|()| None)?,
            Err(diagnostic) => Some(diagnostic),
        },
    };
    if let Some(diagnostic) = too_large {
        terminal.diagnostic(&diagnostic)?;
        return Ok(FAILURE);
    }
    for directory in lacking.iter().filter(|_| format == DiffFormat::Text) {
        let used = options.inputs.values.paths().chain(options.paths.iter().map(PathBuf::as_path));
        nearby::help_with_unused(directory, used, files, terminal)?;
    }
    if has_errors {
        return Ok(FAILURE);
    }
    Ok(if options.exit_code && !difference.is_empty() { USAGE } else { 0 })
}

/// The differences, and whether a configuration has errors.
struct Compared {
    difference: Comparison,
    has_errors: bool,
    /// The directories of root modules that have a variable without a value.
    lacking: BTreeSet<PathBuf>,
}

/// Compares the state with the configuration in the directory.
fn with_state(
    DiffRun { options, inputs }: DiffRun<'_>,
    directory: &Path,
    limits: Limits,
    terminal: &mut Terminal,
) -> io::Result<Result<Compared, u8>> {
    let request = ModuleRequest {
        provider_functions: None,
        directory,
        inputs,
        without_variables: false,
        variable_file: None,
        limits,
        keeps_parts: false,
        replaced: &[],
        destroys: false,
        template_error: "`terrane diff` compares modules, not Packer templates",
    };
    let report = match request.evaluate(inputs.sources.files, terminal)? {
        Ok(report) => report,
        Err(code) => return Ok(Err(code)),
    };
    // The command has ended earlier if the state could not be read.
    let Some(difference) = report.diff_with_state(options.secrets()) else { return Ok(Err(FAILURE)) };
    let lacking = [directory].into_iter().filter(|_| nearby::has_unset_variables(&report));
    let lacking = lacking.map(Path::to_owned).collect();
    Ok(Ok(Compared { difference, has_errors: report.has_errors(), lacking }))
}

/// Compares the two sides that the command line names.
fn two_sides(run: DiffRun<'_>, limits: Limits, terminal: &mut Terminal) -> io::Result<Result<Compared, u8>> {
    let DiffRun { options, inputs } = run;
    let files = inputs.sources.files;
    let sides = match options.sides(files) {
        Ok(sides) => sides,
        Err(message) => {
            terminal.error(message)?;
            terminal.help("`terrane help diff` has an example of each")?;
            return Ok(Err(USAGE));
        }
    };
    let [before, after] = match (files_of(options, &sides[0], files), files_of(options, &sides[1], files)) {
        (Ok(before), Ok(after)) => [before, after],
        (Err(message), _) | (_, Err(message)) => {
            terminal.error(&message)?;
            return Ok(Err(FAILURE));
        }
    };
    let [before, after] = match reports_of(run, &sides, &[before, after], limits, terminal)? {
        Ok(reports) => reports,
        Err(code) => return Ok(Err(code)),
    };
    let [first, second] = sides.each_ref().map(Side::heading);
    let variables = [before.root_variables(), after.root_variables()];
    let secrets = &variables[0].secret | &variables[1].secret;
    let shared: Vec<&Path> = options.inputs.values.paths().collect();
    let [of_first, of_second] = [(&variables[0], &before), (&variables[1], &after)]
        .map(|(own, report)| own.without_secrets_of_others(report.diagnostics(), &shared, &secrets));
    terminal.diagnostics_of_runs([(&first, &of_first), (&second, &of_second)])?;
    if before.files().is_empty() || after.files().is_empty() {
        return Ok(Err(FAILURE));
    }
    let has_errors = before.has_errors() || after.has_errors();
    let all = sides.iter().zip([&before, &after]);
    let lacking = all.filter(|(_, report)| nearby::has_unset_variables(report));
    let lacking = lacking.map(|(side, _)| side.directory.clone()).collect();
    Ok(Ok(Compared { difference: before.diff(&after, options.secrets()), has_errors, lacking }))
}

/// Each of the two evaluations, and the differences between them, may take one of so many parts of the memory.
const PARTS_OF_MEMORY: u64 = 3;

/// Evaluates the two sides.
fn reports_of(
    DiffRun { options, inputs }: DiffRun<'_>,
    sides: &[Side; 2],
    files: &[Box<dyn Files>; 2],
    limits: Limits,
    terminal: &mut Terminal,
) -> io::Result<Result<[ManuallyDrop<Report>; 2], u8>> {
    let memory = limits.memory / PARTS_OF_MEMORY;
    let mut limits = Limits { memory, ..limits };
    // A new or deleted directory is compared with a module without objects.
    let is_missing = files.each_ref().map(|files| {
        let found = files.metadata(&sides[0].directory);
        options.git.is_some() && found.is_err_and(|error| error.kind == FileErrorKind::NotFound)
    });
    let both_missing = is_missing == [true, true];
    let mut report = |side: &Side, files: &dyn Files, is_missing: bool| {
        if is_missing && !both_missing {
            let empty = Project::new(".").evaluate(&MemoryFiles::from_iter([("main.tf", "")]));
            return Ok(Ok(ManuallyDrop::new(empty)));
        }
        let request = ModuleRequest {
            provider_functions: None,
            directory: &side.directory,
            inputs,
            without_variables: false,
            variable_file: side.variable_file.as_deref(),
            limits: limits.clone(),
            keeps_parts: false,
            replaced: &[],
            destroys: false,
            template_error: "`terrane diff` compares modules, not Packer templates",
        };
        let report = request.report(files, terminal)?;
        if let Ok(report) = &report {
            // Both reports are in memory at the same time.
            let both = Limits { memory: 2 * memory, ..limits.clone() };
            limits = Limits { memory, ..both.beside(report.evaluation().memory_in_use()) };
        }
        io::Result::Ok(report)
    };
    let [before, after] = sides;
    let [before_files, after_files] = files;
    let before = match report(before, &**before_files, is_missing[0])? {
        Ok(report) => report,
        Err(code) => return Ok(Err(code)),
    };
    Ok(report(after, &**after_files, is_missing[1])?.map(|after| [before, after]))
}

/// Returns the files of a side.
fn files_of(options: &Diff, side: &Side, files: &'static dyn Files) -> Result<Box<dyn Files>, String> {
    match &side.revision {
        Some(revision) => {
            let sandbox = options.sandbox.as_deref();
            Ok(Box::new(RevisionFiles::read(revision, &side.directory, sandbox, files)?))
        }
        None => Ok(Box::new(files)),
    }
}
