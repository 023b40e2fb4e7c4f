//! `terrane explain`: explains how a value came to be.

use std::io;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use clap::Args;
use terrane::function::Limits;
use terrane::value::OriginKind;
use terrane::{ExplainedLevels, Files, Report, Secrets, check_printable};

use crate::evaluated::ModuleRequest;
use crate::exit::FAILURE;
use crate::nearby;
use crate::options::{Inputs, Sandbox, local_path};
use crate::read_inputs::ReadInputs;
use crate::terminal::Terminal;
use crate::wrong_arguments;

pub(crate) const EXAMPLES: &str = "\
Examples:
  terrane explain output.url                            how the value of an output came to be
  terrane explain 'module.web.aws_instance.this[0].tags.Name' infra
  terrane explain main.tf:14                            the expression of a line, in each instance
  terrane explain local.names --depth 2 -var live=true
  terrane explain output.url --diff -var live=true      where the value changes with the variable
  terrane explain var.region --reverse                  everything that a change of it can affect
  terrane explain output.url --html > url.html          a page to click through
  terrane explain output.id --json | jq '.targets[].causes'

Exit codes: 0 no errors, 1 errors in the configuration or no such address, 2 wrong arguments.";

#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// The address of an object or of a part of it, FILE:LINE, or FILE:LINE:COLUMN.
    #[arg(value_name = "ADDRESS")]
    address: String,

    /// The directory of a root module. Without it, the current directory.
    #[arg(default_value = ".", hide_default_value = true, value_parser = local_path())]
    pub(crate) dir: PathBuf,

    /// Print at most this many levels of inputs. Without it, six, or fewer where these have more than 200 expressions.
    #[arg(long, value_name = "LEVELS")]
    depth: Option<usize>,

    /// Print everything that depends on the object instead, across modules.
    #[arg(long, conflicts_with = "depth")]
    reverse: bool,

    /// Print only the inputs that differ from the run without the options -var.
    #[arg(long, requires = "var", conflicts_with_all = ["reverse", "html", "json"])]
    diff: bool,

    /// Print one page of HTML, which needs no other file.
    #[arg(long, conflicts_with_all = ["depth", "json"])]
    html: bool,

    /// Print JSON: a graph of nodes, of any depth.
    #[arg(long)]
    json: bool,

    /// Print sensitive values.
    #[arg(long)]
    show_sensitive: bool,

    #[command(flatten)]
    pub(crate) sandbox: Sandbox,

    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

impl Explain {
    fn secrets(&self) -> Secrets {
        if self.show_sensitive { Secrets::Shown } else { Secrets::Hidden }
    }

    /// Returns the files and directories that the command line names.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.inputs.paths().chain([self.dir.as_path()])
    }
}

pub(crate) fn run(
    options: &Explain,
    inputs: &ReadInputs<'_>,
    limits: Limits,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let files = inputs.sources.files;
    let request = |limits: Limits, without_variables: bool| ModuleRequest {
        provider_functions: None,
        without_variables,
        directory: &options.dir,
        inputs,
        variable_file: None,
        limits,
        keeps_parts: !options.reverse,
        replaced: &[],
        destroys: false,
        template_error: "`terrane explain` explains the values of modules, not those of Packer templates",
    };
    if options.diff {
        return difference(options, [request(limits.clone(), true), request(limits, false)], files, terminal);
    }
    let report = match request(limits, false).evaluate(files, terminal)? {
        Ok(report) => report,
        Err(code) => return help_with_order(options, files, terminal).map(|()| code),
    };
    if options.reverse {
        return reverse(options, &report, files, terminal);
    }
    let secrets = options.secrets();
    // JSON and HTML have all levels.
    let levels = match options.depth {
        _ if options.json || options.html => ExplainedLevels::All,
        Some(levels) => ExplainedLevels::AtMost(levels),
        None => ExplainedLevels::Readable,
    };
    let explanation = match report.explain_levels(&options.address, levels, secrets, files) {
        // The nodes are not freed one by one, because the process ends with the command.
        Ok(explanation) => ManuallyDrop::new(explanation),
        Err(diagnostics) => {
            terminal.diagnostics(&diagnostics)?;
            return Ok(FAILURE);
        }
    };
    // The text shortens values, so only documents may become too long.
    if (options.json || options.html)
        && let Err(diagnostic) = check_printable(explanation.nodes.iter().map(|node| &node.value))
    {
        terminal.diagnostic(&diagnostic)?;
        return Ok(FAILURE);
    }
    match (options.json, options.html) {
        (true, _) => terminal.written_document(|out| explanation.write_json(out))?,
        (false, true) => terminal.written_document(|out| explanation.write_html(out))?,
        (false, false) => {
            terminal.listing(&explanation.to_text(explanation.levels))?;
            let mut causes = explanation.targets.iter().flat_map(|target| &target.causes);
            if causes.any(|cause| cause.origin.kind == OriginKind::Variable) {
                nearby::help_with_unused(&options.dir, options.inputs.values.paths(), files, terminal)?;
            }
        }
    }
    Ok(if report.has_errors() { FAILURE } else { 0 })
}

/// Prints how to order the arguments, if the directory stands before the address.
fn help_with_order(options: &Explain, files: &dyn Files, terminal: &mut Terminal) -> io::Result<()> {
    let command = |address: &str| format!("explain {address} {}", options.address);
    wrong_arguments::help_with_order(&options.dir, command, files, terminal).map(drop)
}

/// Prints where the values of two runs part.
fn difference(
    options: &Explain,
    runs: [ModuleRequest<'_>; 2],
    files: &dyn Files,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let [without, mut with] = runs;
    let before = match without.report(files, terminal)? {
        Ok(report) => report,
        Err(code) => return Ok(code),
    };
    // Both reports are in memory at the same time.
    with.limits = with.limits.beside(before.evaluation().memory_in_use());
    let after = match with.report(files, terminal)? {
        Ok(report) => report,
        Err(code) => return Ok(code),
    };
    let both = |before, after| [("Without the options -var:", before), ("With the options -var:", after)];
    terminal.diagnostics_of_runs(both(before.diagnostics(), after.diagnostics()))?;
    if before.files().is_empty() || after.files().is_empty() {
        return Ok(FAILURE);
    }
    let explain =
        |report: &Report| report.explain(&options.address, options.secrets(), files).map(ManuallyDrop::new);
    match (explain(&before), explain(&after)) {
        (Ok(before), Ok(after)) => {
            let depth = options.depth.unwrap_or(ExplainedLevels::MAX_READABLE_LEVELS);
            terminal.listing(&before.difference_to_text(&after, depth))?;
        }
        (before, after) => {
            let errors = [before, after].map(|explained| explained.err().unwrap_or_default());
            let [before, after] = &errors;
            return terminal.diagnostics_of_runs(both(before, after)).map(|()| FAILURE);
        }
    }
    Ok(if before.has_errors() || after.has_errors() { FAILURE } else { 0 })
}

/// Prints everything that depends on the object.
fn reverse(options: &Explain, report: &Report, files: &dyn Files, terminal: &mut Terminal) -> io::Result<u8> {
    match report.dependents(&options.address, files) {
        Ok(found) if options.json => terminal.document(&(found.to_json() + "\n"))?,
        Ok(found) if options.html => terminal.document(&found.to_html())?,
        Ok(found) => terminal.listing(&found.to_text())?,
        Err(diagnostics) => {
            terminal.diagnostics(&diagnostics)?;
            return Ok(FAILURE);
        }
    }
    Ok(if report.has_errors() { FAILURE } else { 0 })
}
