//! Evaluates the module that a command names, for the commands that have nothing to say about a Packer template.

use std::collections::BTreeMap;
use std::io;
use std::mem::ManuallyDrop;
use std::path::Path;

use terrane::config::module_path;
use terrane::function::Limits;
use terrane::value::{Origin, OriginKind};
use terrane::{Files, Report, Summary, UnexpandedBlock, dialect_at, remedy, set_option};

use crate::count::count;
use crate::exit::FAILURE;
use crate::options::Inputs;
use crate::progress::Watch;
use crate::project::project;
use crate::provider_functions::{ProviderFunctions, WantedFunctions};
use crate::terminal::Terminal;

/// The module that a command evaluates.
pub(crate) struct ModuleRequest<'c> {
    pub(crate) directory: &'c Path,
    pub(crate) inputs: &'c Inputs,
    /// Whether functions of providers are called, for commands with that option.
    pub(crate) provider_functions: Option<&'c ProviderFunctions>,
    /// A variable file that counts after those of the options.
    pub(crate) variable_file: Option<&'c Path>,
    pub(crate) limits: Limits,
    /// Whether the values of parts of expressions are kept, for an explanation.
    pub(crate) keeps_parts: bool,
    /// The error for a Packer template.
    pub(crate) template_error: &'static str,
}

impl ModuleRequest<'_> {
    /// Evaluates the module and prints its diagnostics. Returns the exit code instead if there is no module.
    ///
    /// The process ends with the command, so nothing frees the values one by one.
    pub(crate) fn evaluate(
        self,
        files: &dyn Files,
        terminal: &mut Terminal,
    ) -> io::Result<Result<ManuallyDrop<Report>, u8>> {
        let dialect = match dialect_at(self.directory, self.inputs.dialect, files) {
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
        let mut project =
            project(self.directory, self.inputs, dialect).limits(self.limits).keeps_parts(self.keeps_parts);
        if let Some(functions) = self.provider_functions {
            project = match functions.add(project, self.directory, WantedFunctions::Called, files) {
                Ok(project) => project,
                Err(refused) => return terminal.refused(&refused).map(|()| Err(FAILURE)),
            };
        }
        if let Some(file) = self.variable_file {
            project = project.variable_file(file);
        }
        let watch = Watch::start();
        let report = ManuallyDrop::new(project.evaluate_with(files, &|progress| watch.show(progress)));
        watch.stop();
        terminal.diagnostics(report.diagnostics())?;
        Ok(if report.files().is_empty() { Err(FAILURE) } else { Ok(report) })
    }
}

/// Options that a hint about numbers of instances names.
const MAX_REMEDIES: usize = 5;

/// Blocks that a hint names.
const MAX_BLOCKS: usize = 3;

/// Says for the blocks with an unknown number of instances which options give the number, and which value makes most unknown values
/// better known.
pub(crate) fn values_to_give(
    report: &Report,
    blocks: &[UnexpandedBlock],
    summary: &Summary,
    terminal: &mut Terminal,
) -> io::Result<()> {
    let mut remedies: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for block in blocks {
        for remedy in block.origins.as_slice().iter().filter_map(|origin| option(report, origin)) {
            remedies.entry(remedy).or_default().push(block.address.to_string());
        }
    }
    for (remedy, addresses) in remedies.iter().take(MAX_REMEDIES) {
        let more = addresses.len().saturating_sub(MAX_BLOCKS);
        let mut named: Vec<String> = addresses.iter().take(MAX_BLOCKS).cloned().collect();
        named.extend((more > 0).then(|| count(more, "other block")));
        terminal.help(&format!("`{remedy}` decides the number of instances of {}", named.join(", ")))?;
    }
    if remedies.len() > MAX_REMEDIES {
        let more = remedies.len() - MAX_REMEDIES;
        terminal.help(&format!("{} decide numbers of instances too", count(more, "other value")))?;
    }
    most_wanted(report, summary, &remedies, terminal)
}

/// The option that removes a reason of an unknown number of instances. Of a module that is not on disk one output is enough.
fn option(report: &Report, origin: &Origin) -> Option<String> {
    if origin.kind == OriginKind::Module {
        // With one output given, the origin of another one names that output.
        let names_output = module_path(&origin.subject).is_none();
        let output = if names_output { "" } else { ".OUTPUT" };
        return Some(set_option(&format!("{}{output}", origin.subject)));
    }
    remedy(report, origin).filter(|_| origin.kind != OriginKind::Error)
}

/// Says which value makes most unknown values better known if it is given by hand.
fn most_wanted(
    report: &Report,
    summary: &Summary,
    named: &BTreeMap<String, Vec<String>>,
    terminal: &mut Terminal,
) -> io::Result<()> {
    let Some(address) = summary.most_wanted(report) else { return Ok(()) };
    let option = set_option(&address);
    if named.keys().take(MAX_REMEDIES).any(|remedy| *remedy == option) {
        return Ok(());
    }
    terminal.help(&match option.starts_with("--remote-state ") {
        true => format!("`{option}` reads the outputs that most of the unknown values depend on"),
        false => format!("`{option}` gives a value that most of the unknown ones depend on"),
    })
}
