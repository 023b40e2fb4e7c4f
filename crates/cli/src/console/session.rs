//! Opens the session of a console, with the names that its expressions may refer to.

use std::io;
use std::path::Path;

use terrane::function::Limits;
use terrane::module::Phase;
use terrane::source::ids;
use terrane::{
    Diagnostic, Diagnostics, Dialect, Engine, Files, PackerTemplate, Session, dialect_at, variables_from_json,
};

use super::options::Console;
use crate::host;
use crate::input::utf8;
use crate::project::{project, template};
use crate::provider_functions::WantedFunctions;
use crate::read_inputs::ReadInputs;
use crate::terminal::Terminal;

/// The options of a console, and the content of the files that they name.
#[derive(Clone, Copy)]
pub(super) struct ConsoleRun<'c> {
    pub(super) console: &'c Console,
    pub(super) inputs: &'c ReadInputs<'c>,
}

/// An opened session.
pub(super) struct Opened {
    pub(super) session: Session,
    /// The diagnostics of the configuration that declares the names.
    pub(super) diagnostics: Diagnostics,
    /// Says that the values are partial, if a part of the configuration could not be read.
    pub(super) note: Option<String>,
    /// Whether all names exist, although errors may have left some without a value.
    pub(super) is_usable: bool,
}

impl Opened {
    /// Writes the diagnostics of the configuration and the note about partial values, before the first answer.
    pub(super) fn introduce(&self, terminal: &mut Terminal) -> io::Result<()> {
        terminal.diagnostics(&self.diagnostics)?;
        self.note.iter().filter(|_| self.is_usable).try_for_each(|note| terminal.note(note))
    }
}

/// Opens the session over the variables of a file, or over the module or template of the command line.
pub(super) fn open(run: ConsoleRun<'_>, limits: &Limits) -> Result<Opened, String> {
    let ConsoleRun { console, inputs } = run;
    let files = inputs.sources.files;
    let Some(path) = &console.scope else { return of_module(run, limits) };
    let bytes = files.read_within(path, limits.source).map_err(|error| error.to_string())?;
    let text = utf8(bytes).map_err(|reason| format!("{} {reason}", path.display()))?;
    let names = variables_from_json(&text).map_err(|message| format!("{}: {message}", path.display()))?;
    let dialect = console.inputs.dialect.unwrap_or_default();
    let engine = Engine::new().dialect(dialect).files(files, ".").host(host::host());
    let engine = engine.limits(limits.clone());
    let session = Session::of_variables(engine, names);
    Ok(Opened { session, diagnostics: Diagnostics::new(), note: None, is_usable: true })
}

fn of_module(ConsoleRun { console, inputs }: ConsoleRun<'_>, limits: &Limits) -> Result<Opened, String> {
    let files = inputs.sources.files;
    let dir = console.dir.as_deref().unwrap_or(Path::new("."));
    // For a directory with both kinds of files, the error is about the named directory.
    let dialect = match dialect_at(dir, console.inputs.dialect, files) {
        Ok(dialect) => dialect,
        Err(_) if console.dir.is_none() => Dialect::default(),
        Err(diagnostic) => {
            let session = Session::of_module(project(dir, inputs, Dialect::default()).evaluate(files));
            let diagnostics = [*diagnostic].into_iter().collect();
            return Ok(Opened { session, diagnostics, note: None, is_usable: false });
        }
    };
    if dialect.is_packer() {
        let template = template(dir, inputs, dialect).limits(limits.clone());
        return Ok(of_template(console, template, files));
    }
    let project = project(dir, inputs, dialect).limits(limits.clone());
    let project = console.provider_functions.add(project, dir, WantedFunctions::Required, files).map_err(
        |refused| {
            let help = refused.help.map(|help| format!("\nhelp: {help}")).unwrap_or_default();
            format!("{}{help}", refused.text)
        },
    )?;
    let is_planned = console.planned || inputs.state.plan.is_some();
    let phase = if is_planned { Phase::Plan } else { Phase::Console };
    let report = project.phase(phase).evaluate(files);
    let diagnostics = report.diagnostics().clone();
    // The current directory was not asked for, so it need not contain a module.
    let is_missing = console.dir.is_none();
    let diagnostics: Diagnostics =
        diagnostics.into_iter().filter(|found| !(is_missing && found.id == ids::NO_CONFIGURATION)).collect();
    // Errors without a place and errors in values given by hand are about the command line or the directory.
    let is_outside = |found: &Diagnostic| found.subject.is_none() || found.id == ids::INVALID_GIVEN_VALUE;
    let misplaced = diagnostics.as_slice().iter().any(|found| found.is_error() && is_outside(found));
    let is_stopped = report.is_stopped() || is_planned && report.stops_plan();
    let is_usable = !misplaced && !is_stopped;
    let note = report.partial_note();
    let mut session = Session::of_module(report).host(host::host());
    if let Some(instance) = &console.module_instance {
        session = session.in_module_instance(instance)?;
    }
    Ok(Opened { session, diagnostics, note, is_usable })
}

/// Opens a template. The console needs only its files and the values of its variables to be valid.
fn of_template(console: &Console, template: PackerTemplate, files: &dyn Files) -> Opened {
    let report = template.host(host::host()).evaluate(files);
    let diagnostics = report.loading_diagnostics();
    let is_missing = console.dir.is_none();
    let diagnostics: Diagnostics =
        diagnostics.into_iter().filter(|found| !(is_missing && found.id == ids::NO_TEMPLATE)).collect();
    let is_usable = !diagnostics.has_errors();
    let session = Session::of_template(report).host(host::host());
    Opened { session, diagnostics, note: None, is_usable }
}
