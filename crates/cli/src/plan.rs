//! `terrane plan`: prints the plan of a configuration.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use terrane::config::Address;
use terrane::function::Limits;
use terrane::module::provider::ProviderAddress;
use terrane::source::{FileKind, first_of, ids};
use terrane::value::counted;
use terrane::{Files, LockFile, NoPlan, PlanLines, Report, Secrets, check_printable, managed_instance};

use crate::evaluated::{ModuleRequest, values_to_give};
use crate::exit::{FAILURE, USAGE};
use crate::host;
use crate::input::{document_on_standard_input, utf8};
use crate::nearby;
use crate::options::{Inputs, Sandbox, local_path};
use crate::provider_functions::ProviderFunctions;
use crate::read_inputs::ReadInputs;
use crate::select::unmet;
use crate::terminal::Terminal;

/// The most resource types without a schema that a note names.
const MAX_TYPES: usize = 5;

pub(crate) const EXAMPLES: &str = "\
Examples:
  terrane plan                                    everything that an apply creates
  terrane plan --state current.tfstate            the changes to the objects of a state
  terrane plan --state current.tfstate -replace=aws_instance.web
                                                  with a replacement of this object
  terrane plan --schemas schemas.json             with the attributes that providers set
  terrane plan --json --pretty > plan.json        the document of `terraform show -json`
  checkov -f plan.json | terrane plan --lines-of plan.json
                                                  findings with lines of the configuration
  terrane plan --json | jq '.resource_changes[].address'

Schemas: `terraform providers schema -json` writes them once. Without them, resources have the
attributes that the configuration sets.
SOURCE_DATE_EPOCH in the environment, in seconds since 1970, is the time of plantimestamp().

Exit codes: 0 no errors, 1 errors in the configuration or an unknown value that --require-known asks
for, 2 wrong arguments.";

#[derive(Args, Debug)]
#[command(mut_arg("plan_file", |option| option.hide(true)), mut_arg("values", |option| option.hide(true)))]
pub(crate) struct Plan {
    /// The directory of a root module. Without it, the current directory.
    #[arg(default_value = ".", hide_default_value = true, value_parser = local_path())]
    pub(crate) dir: PathBuf,

    /// Print the plan document of `terraform show -json`, format version 1.2, on one line.
    #[arg(long)]
    json: bool,

    /// With --json, indent the document.
    #[arg(long, requires = "json")]
    pretty: bool,

    /// Read the findings of a program about this plan document from standard input, and print them with lines of the configuration
    /// in place of lines of the document, which '--pretty' has indented. Nothing is evaluated.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "replace", "destroy", "require_known"])]
    lines_of: Option<PathBuf>,

    /// Replace the object of this instance although nothing about it changes, such as 'aws_instance.web[0]'; may be repeated.
    #[arg(long, value_name = "ADDRESS")]
    replace: Vec<String>,

    /// Plan to destroy all objects of the state.
    #[arg(long, conflicts_with = "replace")]
    destroy: bool,

    /// Print sensitive values.
    #[arg(long)]
    show_sensitive: bool,

    /// Fail with the reasons unless the value of this address is known; may be repeated. Without ADDRESS, this holds for all
    /// outputs of the root module.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    require_known: Vec<String>,

    #[command(flatten)]
    pub(crate) sandbox: Sandbox,

    #[command(flatten)]
    provider_functions: ProviderFunctions,

    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

impl Plan {
    /// Returns the reason why the options cannot be used: they give values that a plan from the configuration and a state does
    /// not have. `None` if they can be used.
    pub(crate) fn refused(&self) -> Option<&'static str> {
        let state = &self.inputs.state;
        if state.plan_file.is_some() {
            return Some(
                "the option '--plan' cannot be used with `terrane plan`: the document is the plan already\n\n  \
                 tip: `terrane eval`, `explain`, `console` and `diff` read the values in it with '--plan'",
            );
        }
        state.values.map(|_| {
            "the option '--state-values' cannot be used with `terrane plan`: a prior value need not be the planned one\n\n  \
             tip: `terrane eval` and `terrane explain` read such values with '--state-values'"
        })
    }

    /// Returns the addresses of instances to replace.
    ///
    /// # Errors
    ///
    /// The error message about the first wrong address.
    pub(crate) fn replaced(&self) -> Result<Vec<Address>, String> {
        let read = |text: &String| {
            // The title that the products give it.
            let title = format!("Invalid force-replace address {text:?}");
            managed_instance(text).map_err(|reason| format!("{title}\n\n{reason}"))
        };
        self.replace.iter().map(read).collect()
    }

    /// Returns the files and directories that the command line names.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.inputs.paths().chain(self.lines_of.as_deref()).chain([self.dir.as_path()])
    }
}

pub(crate) fn run(
    options: &Plan,
    replaced: &[Address],
    inputs: &ReadInputs<'_>,
    limits: Limits,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let files = inputs.sources.files;
    if let Some(document) = &options.lines_of {
        return with_places(document, limits.state(), files, terminal);
    }
    let request = ModuleRequest {
        directory: &options.dir,
        inputs,
        provider_functions: Some(&options.provider_functions),
        without_variables: false,
        variable_file: None,
        limits,
        keeps_parts: false,
        replaced,
        destroys: options.destroy,
        template_error: "Packer templates have no plan; `terrane eval` prints the builds of a template",
    };
    // The messages of the evaluation are printed after the plan is made, because not every plan has all of them.
    let report = match request.report(files, terminal)? {
        Ok(report) if report.files().is_empty() => {
            return terminal.diagnostics(report.diagnostics()).map(|()| FAILURE);
        }
        Ok(report) => report,
        Err(code) => return Ok(code),
    };
    let plan = match planned(options, &report, files) {
        Ok(plan) => plan,
        Err(reason) => return refused(reason, &report, terminal),
    };
    terminal.diagnostics(&plan.diagnostics_of_evaluation())?;
    terminal.diagnostics(plan.diagnostics())?;
    let values = plan.resources().iter().map(|resource| &*resource.value);
    let values = values.chain(report.outputs().map(|(_, value)| value));
    let checked = if options.json { plan.check_printable() } else { check_printable(values) };
    if let Err(diagnostic) = checked {
        return terminal.diagnostic(&diagnostic).map(|()| FAILURE);
    }
    if options.json {
        if !is_json(&plan, terminal)? {
            return Ok(FAILURE);
        }
        terminal.written_document(|out| plan.write_json(options.pretty, out))?;
    } else {
        match plan.to_text() {
            Ok(text) => terminal.plan(&text)?,
            Err(diagnostic) => return terminal.diagnostic(&diagnostic).map(|()| FAILURE),
        }
        help_with_gaps(options, &plan, &report, files, terminal)?;
    }
    let is_unmet = is_unmet(options, &report, files, terminal)?;
    Ok(if plan.has_errors() || is_unmet { FAILURE } else { 0 })
}

/// Prints the reasons why values that must be known are not. Returns whether there are any.
fn is_unmet(options: &Plan, report: &Report, files: &dyn Files, terminal: &mut Terminal) -> io::Result<bool> {
    if options.require_known.is_empty() {
        return Ok(false);
    }
    let unmet = unmet(&options.require_known, &[], report, &report.entries(), files);
    terminal.diagnostics(&unmet)?;
    Ok(!unmet.is_empty())
}

/// Prints the report of a program on standard input with lines of the configuration in place of lines of a plan document.
/// Reads at most `most` bytes of each.
fn with_places(path: &Path, most: u64, files: &dyn Files, terminal: &mut Terminal) -> io::Result<u8> {
    match report_with_places(path, most, files) {
        Ok(report) => terminal.document(&report).map(|()| 0),
        Err(message) => terminal.error(&message).map(|()| FAILURE),
    }
}

fn report_with_places(path: &Path, most: u64, files: &dyn Files) -> Result<String, String> {
    let document = files.read_within(path, most).map_err(|error| error.to_string())?;
    let document = utf8(document).map_err(|reason| format!("{} {reason}", path.display()))?;
    let lines = PlanLines::of(&document)
        .ok_or_else(|| format!("{} is no plan document that `terrane plan --json` wrote", path.display()))?;
    if !document.trim_end().contains('\n') {
        return Err(format!(
            "{} has all values on one line; `terrane plan --json --pretty` writes a document with a line for each",
            path.display()
        ));
    }
    let report = document_on_standard_input(most)?;
    let report = utf8(report).map_err(|reason| format!("standard input {reason}"))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(lines.with_places(&report, &name))
}

/// Prints behind the text of a plan which values come from elsewhere, and how missing schemas, variables and instances can be given.
fn help_with_gaps(
    options: &Plan,
    plan: &terrane::Plan<'_>,
    report: &Report,
    files: &'static dyn Files,
    terminal: &mut Terminal,
) -> io::Result<()> {
    plan.from_elsewhere().map_or(Ok(()), |text| terminal.note(&text))?;
    missing_schemas(plan, &options.dir, files, terminal)?;
    if nearby::has_unset_variables(report) {
        nearby::help_with_unused(&options.dir, options.inputs.values.paths(), files, terminal)?;
    }
    if !plan.unexpanded().is_empty() {
        values_to_give(report, plan.unexpanded(), &report.summary_without_sources(), terminal)?;
    }
    Ok(())
}

/// Prints the reason why there is no plan. Returns the exit code.
fn refused(reason: NoPlan, report: &Report, terminal: &mut Terminal) -> io::Result<u8> {
    terminal.diagnostics(report.diagnostics())?;
    match reason.exceeded() {
        Some(diagnostic) => terminal.diagnostic(&diagnostic).map(|()| FAILURE),
        // The options with this result were refused above.
        None => terminal.error(&reason.to_string()).map(|()| USAGE),
    }
}

/// Whether a document can have the values of the plan: prints the errors about outputs with infinite numbers. The plan itself has
/// those about resources.
fn is_json(plan: &terrane::Plan<'_>, terminal: &mut Terminal) -> io::Result<bool> {
    let infinite = plan.not_json();
    terminal.diagnostics(&infinite)?;
    let has_object = plan.diagnostics().as_slice().iter().any(|found| found.id == ids::NOT_JSON);
    Ok(infinite.is_empty() && !has_object)
}

/// Returns the plan that the options ask for.
fn planned<'r>(options: &Plan, report: &'r Report, files: &dyn Files) -> Result<terrane::Plan<'r>, NoPlan> {
    let secrets = if options.show_sensitive { Secrets::Shown } else { Secrets::Hidden };
    match options.destroy {
        true => report.destroy_plan(secrets, files),
        false => report.plan(secrets, files),
    }
}

/// Prints which resource types have no schema, and how to get their schemas.
fn missing_schemas(
    plan: &terrane::Plan<'_>,
    directory: &Path,
    files: &dyn Files,
    terminal: &mut Terminal,
) -> io::Result<()> {
    let types = plan.types_without_schema();
    let (number, verb) =
        (counted(types.len(), "resource type"), if types.len() == 1 { "has" } else { "have" });
    let Some(named) = first_of(types.iter().map(ToString::to_string), MAX_TYPES) else { return Ok(()) };
    terminal
        .note(&format!("{number} {verb} no schema: {named}; attributes that providers set are missing"))?;
    let import = "`terraform providers schema -json | terrane schemas import -` stores them";
    let without = plan.resources().iter().filter(|resource| resource.schema_version.is_none());
    let mut providers = without.map(|resource| &resource.provider);
    let lock = LockFile::of(directory, files).ok().flatten();
    let is_installed =
        lock.is_some_and(|lock| providers.any(|provider| is_installed(provider, &lock, directory, files)));
    terminal.help(&match is_installed {
        true => format!(
            "`terrane schemas fetch {}` asks the installed providers and stores them, or {import}",
            directory.display()
        ),
        false => format!("{import}; `--schemas FILE` reads that output"),
    })
}

/// Whether `init` has installed the version of a provider that the lock file selects.
fn is_installed(provider: &ProviderAddress, lock: &LockFile, directory: &Path, files: &dyn Files) -> bool {
    let Some(locked) = lock.provider(provider) else { return false };
    let Some(version) = &locked.version else { return false };
    let data = host::variable("TF_DATA_DIR").map_or_else(|| directory.join(".terraform"), PathBuf::from);
    let package = data.join("providers").join(&locked.written).join(version.as_str());
    files.metadata(&package) == Ok(FileKind::Directory)
}
