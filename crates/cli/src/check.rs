//! `terrane check`: reports the errors of modules, templates and files.

use std::io;
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args};
use terrane::config::InputSources;
use terrane::function::Limits;
use terrane::source::Severity;
use terrane::value::counted;
use terrane::{CheckOptions, CheckOutcome, Dialect, SourceReader, check};

use crate::exit::FAILURE;
use crate::host::{self, environment};
use crate::input::{self, STDIN};
use crate::options::{ModuleSources, Sandbox, Values, local_path};
use crate::read_inputs::ReadSources;
use crate::report_format::{ReportContent, ReportFormat};
use crate::switch::{Switch, is_on};
use crate::terminal::Terminal;

/// The exit code if a file or directory was not checked, so that the result is incomplete.
const INCOMPLETE: u8 = 2;

pub(crate) const EXAMPLES: &str = "\
Examples:
  terrane check                                    the module in the current directory
  terrane check -recursive --format compact        all directories below, one line per message
  terrane check modules/vpc/main.tf job.nomad      the module of a file, and the syntax of another
  terrane check - < main.tf                        the syntax of standard input
  terrane check . --schemas providers.json         resources against the schemas of their providers
  terrane check -recursive --format sarif > terrane.sarif
  terrane check images -var-file prod.pkrvars.hcl  a Packer template

Exit codes: 0 no errors, 1 errors, 2 a file or directory could not be read, the kind
of a file is unknown, or wrong arguments.";

#[derive(Args, Debug)]
#[command(args_override_self = true)]
pub(crate) struct Check {
    /// Directories and files to check, or `-` for standard input. A file of a module stands for the module. Without any, the
    /// current directory.
    #[arg(value_name = "FILE|DIR", default_value = ".", hide_default_value = true, value_parser = local_path())]
    paths: Vec<PathBuf>,

    /// Also check the directories below, modules that nothing calls, examples and tests included.
    /// Directories that a `.gitignore` or `.terraneignore` names are left out. Also written
    /// `-recursive`.
    #[arg(long, value_name = "BOOL", require_equals = true)]
    recursive: Option<Option<Switch>>,

    /// Select product and edition: `terraform`, `opentofu`, `packer`, with an edition as in `terraform-1.11`, or `modules`
    /// for Terraform and OpenTofu together. Without it, each directory decides: `packer` for a template, the product of the
    /// registry in `.terraform.lock.hcl`, and `modules` otherwise.
    #[arg(long, value_name = "DIALECT")]
    dialect: Option<Dialect>,

    #[command(flatten)]
    pub(crate) modules: ModuleSources,

    /// Read provider schemas from a file: the output of `terraform providers schema -json`, or a file of `terrane schemas
    /// import`; may be repeated. Resources and provider configurations are checked against them.
    #[arg(id = "schemas", long = "schemas", value_name = "FILE")]
    pub(crate) schema_files: Vec<PathBuf>,

    /// Look for no schemas in the store of `terrane schemas`. Without it, those of the versions in `.terraform.lock.hcl` are used.
    #[arg(long)]
    no_schema_store: bool,

    /// Packer: check only the builds whose names match, such as `*.docker.*`; may be repeated. Also written `-only`.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', action = ArgAction::Append)]
    only: Vec<String>,

    /// Packer: leave out builds and post-processors whose names match; may be repeated. Also written `-except`.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', action = ArgAction::Append)]
    except: Vec<String>,

    #[command(flatten)]
    pub(crate) values: Values,

    #[command(flatten)]
    pub(crate) sandbox: Sandbox,

    /// Format of the report.
    #[arg(long, value_enum, default_value = "human")]
    format: ReportFormat,
}

impl Check {
    /// Returns the files and directories that the command line names.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        let given = self.paths.iter().chain(&self.schema_files).map(PathBuf::as_path);
        given.chain(self.modules.paths()).chain(self.values.paths())
    }
}

pub(crate) fn run(
    arguments: &Check,
    sources: &ReadSources,
    limits: Limits,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let files = sources.files;
    let modules = arguments.modules.directories.iter();
    let inputs = InputSources {
        environment: environment().0,
        assignments: sources.assignments.clone(),
        ..InputSources::default()
    };
    let mut options = CheckOptions::default();
    options.recursive = is_on(arguments.recursive, false);
    options.dialect = arguments.dialect;
    options.modules = modules.map(|(source, directory)| (source.clone(), directory.into())).collect();
    options.module_map = sources.module_map.clone();
    options.allows_changed_modules = arguments.modules.allow_changed_modules;
    options.schemas = sources.schemas.schemas.clone();
    options.schema_stores = (!arguments.no_schema_store).then(host::schema_stores);
    options.inputs = inputs;
    options.limits = limits;
    options.only.clone_from(&arguments.only);
    options.except.clone_from(&arguments.except);
    let (input, paths): (Vec<&Path>, Vec<&Path>) =
        arguments.paths.iter().map(PathBuf::as_path).partition(|path| *path == Path::new("-"));
    let mut outcome = check(&paths, &options, files);
    if !input.is_empty() {
        match input::standard_input(&SourceReader::new(files, &options.limits))? {
            Ok(bytes) => outcome.add_text(STDIN, bytes),
            Err(diagnostic) => outcome.not_checked(*diagnostic),
        }
    }
    let named: Vec<&Path> = arguments.paths.iter().map(PathBuf::as_path).collect();
    let content = ReportContent {
        command: "terrane check",
        named: &named,
        files: &outcome.files,
        diagnostics: outcome.diagnostics.as_slice(),
    };
    arguments.format.write(&content, terminal)?;
    terminal.note(&summary(&outcome))?;
    if outcome.files.is_empty() && outcome.not_checked == 0 && !options.recursive {
        terminal.help("`-recursive` checks the directories below, too")?;
    }
    Ok(if outcome.not_checked > 0 {
        INCOMPLETE
    } else if outcome.diagnostics.has_errors() {
        FAILURE
    } else {
        0
    })
}

/// The summary, in one line.
fn summary(outcome: &CheckOutcome) -> String {
    if outcome.files.is_empty() && outcome.not_checked == 0 {
        return "nothing to check: no file has a name that ends in .tf, .tofu, .tfvars, .hcl or .nomad"
            .to_owned();
    }
    let errors = outcome.diagnostics.errors();
    let warnings = outcome.diagnostics.of_severity(Severity::Warning);
    // The error about each unreadable file or directory is counted as "not checked".
    let errors = errors.saturating_sub(outcome.not_checked);
    let mut line = format!("{} checked", counted(outcome.files.len(), "file"));
    match (errors, outcome.files_with_errors) {
        (0, _) if outcome.files.is_empty() => {}
        (0, _) => line.push_str(": no errors"),
        // Errors may have no file: for example, a template has no build.
        (_, 0) => line.push_str(&format!(": {}", counted(errors, "error"))),
        (_, files) => line.push_str(&format!(": {} in {}", counted(errors, "error"), counted(files, "file"))),
    }
    if warnings > 0 {
        line.push_str(&format!(", {}", counted(warnings, "warning")));
    }
    if !outcome.missing_modules.is_empty() {
        let mut names: Vec<&str> = outcome.missing_modules.iter().take(3).map(String::as_str).collect();
        let more = outcome.missing_modules.len() - names.len();
        let rest = format!("{more} more");
        if more > 0 {
            names.push(&rest);
        }
        line.push_str(&format!("; modules that are not on disk: {}", names.join(", ")));
    }
    if outcome.not_checked > 0 {
        line.push_str(&format!("; {} not checked", outcome.not_checked));
    }
    line
}
