//! Evaluates the module that a command names, for commands that do not support Packer templates.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::mem::ManuallyDrop;
use std::path::Path;

use terrane::config::{Address, Assignment};
use terrane::function::Limits;
use terrane::value::counted;
use terrane::value::{Origin, OriginKind, Origins};
use terrane::{
    Files, Project, Report, Summary, UnexpandedBlock, dialect_at, output_option, remedy, set_option,
};

use crate::exit::FAILURE;
use crate::progress::Watch;
use crate::project::project_with;
use crate::provider_functions::{ProviderFunctions, WantedFunctions};
use crate::read_inputs::ReadInputs;
use crate::terminal::Terminal;

/// The module that a command evaluates.
pub(crate) struct ModuleRequest<'c> {
    pub(crate) directory: &'c Path,
    pub(crate) inputs: &'c ReadInputs<'c>,
    /// Whether functions of providers are called, for commands with that option.
    pub(crate) provider_functions: Option<&'c ProviderFunctions>,
    /// Whether the options that set single variables are left out.
    pub(crate) without_variables: bool,
    /// A variable file that is read after the files of the options.
    pub(crate) variable_file: Option<&'c Path>,
    pub(crate) limits: Limits,
    /// Whether values of parts of expressions are kept for an explanation.
    pub(crate) keeps_parts: bool,
    /// The instances whose objects a plan replaces on request.
    pub(crate) replaced: &'c [Address],
    /// Whether the plan destroys everything.
    pub(crate) destroys: bool,
    /// The error message for a Packer template.
    pub(crate) template_error: &'static str,
}

impl ModuleRequest<'_> {
    /// Evaluates the module and prints its diagnostics. Returns the exit code instead if there is no module.
    pub(crate) fn evaluate(
        self,
        files: &dyn Files,
        terminal: &mut Terminal,
    ) -> io::Result<Result<ManuallyDrop<Report>, u8>> {
        let report = match self.report(files, terminal)? {
            Ok(report) => report,
            Err(code) => return Ok(Err(code)),
        };
        terminal.diagnostics(report.diagnostics())?;
        Ok(if report.files().is_empty() { Err(FAILURE) } else { Ok(report) })
    }

    /// Evaluates the module. Returns the exit code instead if the request cannot be evaluated.
    ///
    /// The process ends with the command, so the values are never freed one by one.
    pub(crate) fn report(
        self,
        files: &dyn Files,
        terminal: &mut Terminal,
    ) -> io::Result<Result<ManuallyDrop<Report>, u8>> {
        let dialect = match dialect_at(self.directory, self.inputs.options.dialect, files) {
            Ok(dialect) => dialect,
            Err(diagnostic) => {
                terminal.diagnostic(&diagnostic)?;
                return Ok(Err(FAILURE));
            }
        };
        if dialect.is_packer() {
            terminal.error(self.template_error)?;
            return Ok(Err(FAILURE));
        }
        let assignments = self.inputs.sources.assignments.iter();
        let assignments = assignments
            .filter(|assignment| !(self.without_variables && matches!(assignment, Assignment::Variable(..))));
        let project = project_with(self.directory, self.inputs, assignments, dialect);
        let mut project = project.limits(self.limits).keeps_parts(self.keeps_parts);
        if let Some(functions) = self.provider_functions {
            project = match functions.add(project, self.directory, WantedFunctions::Called, files) {
                Ok(project) => project,
                Err(refused) => return terminal.refused(&refused).map(|()| Err(FAILURE)),
            };
        }
        project = self.replaced.iter().cloned().fold(project, Project::replace).destroys(self.destroys);
        if let Some(file) = self.variable_file {
            project = project.variable_file(file);
        }
        let watch = Watch::start();
        let report = ManuallyDrop::new(project.evaluate_with(files, &|progress| watch.show(progress)));
        watch.stop();
        Ok(Ok(report))
    }
}

/// The most options that a hint about numbers of instances names.
const MAX_REMEDIES: usize = 5;

/// The most blocks that a hint names.
const MAX_BLOCKS: usize = 3;

/// Prints for the blocks with an unknown number of instances which options decide the number, and which value makes most of the
/// unknown values known.
pub(crate) fn values_to_give(
    report: &Report,
    blocks: &[UnexpandedBlock],
    summary: &Summary,
    terminal: &mut Terminal,
) -> io::Result<()> {
    let mut decided: BTreeMap<DecidingOptions, Vec<String>> = BTreeMap::new();
    for block in blocks {
        if let Some(options) = DecidingOptions::of(report, &block.origins) {
            decided.entry(options).or_default().push(block.address.to_string());
        }
    }
    for (options, addresses) in decided.iter().take(MAX_REMEDIES) {
        let blocks = first_of(addresses, MAX_BLOCKS, "other block");
        terminal.help(&format!("{options} the number of instances of {blocks}"))?;
    }
    let more: usize = decided.values().skip(MAX_REMEDIES).map(Vec::len).sum();
    if more > 0 {
        terminal
            .help(&format!("{} with an unknown number of instances too", counted(more, "other block")))?;
    }
    let named = decided.keys().take(MAX_REMEDIES).flat_map(DecidingOptions::named).collect();
    most_wanted(report, summary, &named, terminal)
}

/// The options that decide the number of instances of a block.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct DecidingOptions {
    options: BTreeSet<String>,
    /// Whether the options decide the number without any other unknown value.
    is_complete: bool,
}

impl DecidingOptions {
    /// Returns the options for the reasons of an unknown number. `None` if no option removes a reason.
    fn of(report: &Report, origins: &Origins) -> Option<DecidingOptions> {
        let mut is_complete = origins.omitted() == 0;
        let mut options = BTreeSet::new();
        for origin in origins.as_slice() {
            match option(report, origin) {
                Some(option) => _ = options.insert(option),
                None => is_complete = false,
            }
        }
        (!options.is_empty()).then_some(DecidingOptions { options, is_complete })
    }

    /// Returns the options that a hint names.
    fn named(&self) -> impl Iterator<Item = &String> {
        self.options.iter().take(MAX_REMEDIES)
    }
}

/// Writes the options followed by the verb: `A, B decide together`.
impl fmt::Display for DecidingOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted: Vec<String> = self.options.iter().map(|option| format!("`{option}`")).collect();
        f.write_str(&first_of(&quoted, MAX_REMEDIES, "other value"))?;
        f.write_str(match (self.is_complete, self.options.len()) {
            (true, 1) => " decides",
            (true, _) => " decide together",
            (false, 1) => " decides together with values that no option gives",
            (false, _) => " decide together with values that no option gives",
        })
    }
}

/// Returns the first items of a list, and the number of the remaining ones.
fn first_of(items: &[String], most: usize, kind: &str) -> String {
    let more = items.len().saturating_sub(most);
    let mut named: Vec<String> = items.iter().take(most).cloned().collect();
    named.extend((more > 0).then(|| counted(more, kind)));
    named.join(", ")
}

/// Returns the option that removes a reason of an unknown number of instances. For a module that is not on disk, a value for
/// one output is enough.
fn option(report: &Report, origin: &Origin) -> Option<String> {
    if origin.kind == OriginKind::Module {
        return Some(output_option(origin));
    }
    remedy(report, origin).filter(|_| !origin.kind.is_error())
}

/// Prints which value makes most of the unknown values known if it is given by hand.
fn most_wanted(
    report: &Report,
    summary: &Summary,
    named: &BTreeSet<&String>,
    terminal: &mut Terminal,
) -> io::Result<()> {
    let Some(address) = summary.most_wanted(report) else { return Ok(()) };
    let option = set_option(&address);
    if named.contains(&option) {
        return Ok(());
    }
    terminal.help(&match option.starts_with("--remote-state ") {
        true => format!("`{option}` reads the outputs that most of the unknown values depend on"),
        false => format!("`{option}` gives a value that most of the unknown ones depend on"),
    })
}
