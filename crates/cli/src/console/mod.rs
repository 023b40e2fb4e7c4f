//! `terrane console`: at a terminal, with piped input, and as a server.

mod colors;
mod command;
mod editor;
mod history;
mod interactive;
mod loops;
mod piped;
mod server;

use std::io::{self, IsTerminal};

use terrane::function::Product;
use terrane::module::Phase;
use terrane::source::ids;
use terrane::{
    Diagnostics, Dialect, Engine, Files, OsFiles, Secrets, Session, dialect_at, variables_from_json,
};

use crate::args::Console;
use crate::terminal::{Terminal, project};
use crate::{FAILURE, host, interrupt, packer};

pub(crate) fn run(console: &Console, terminal: &mut Terminal) -> io::Result<u8> {
    let is_interactive = !console.json && io::stdin().is_terminal() && io::stdout().is_terminal();
    let files = match host::files(console.sandbox.as_deref(), terminal)? {
        Ok(files) => files,
        Err(code) => return Ok(code),
    };
    let session = match session(console, files) {
        Ok(opened) => {
            terminal.diagnostics(&opened.diagnostics)?;
            // At a terminal the mistakes can be looked into.
            if !opened.is_usable && !is_interactive {
                return Ok(FAILURE);
            }
            opened.session
        }
        Err(message) => {
            terminal.error(&message)?;
            return Ok(FAILURE);
        }
    };
    let secrets = secrets(console);
    if console.json {
        return server::run(&session, files, secrets, terminal);
    }
    if is_interactive {
        interactive::run(console, session, files, terminal)
    } else {
        piped::run(&session, files, secrets, terminal)
    }
}

fn secrets(console: &Console) -> Secrets {
    if console.show_sensitive { Secrets::Shown } else { Secrets::Hidden }
}

/// The names that expressions may refer to.
struct Opened {
    session: Session,
    /// What is wrong with the configuration that the names come from.
    diagnostics: Diagnostics,
    /// Whether all names are there, though some may have no value because of a mistake.
    is_usable: bool,
}

fn session(console: &Console, files: &'static dyn Files) -> Result<Opened, String> {
    let Some(path) = &console.scope else { return of_module(console, files) };
    let bytes = OsFiles.read(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{} is not UTF-8 text", path.display()))?;
    let names = variables_from_json(&text).map_err(|message| format!("{}: {message}", path.display()))?;
    let dialect = console.inputs.dialect.unwrap_or_default();
    let engine = Engine::new().dialect(dialect).files(files, ".").host(host::host());
    let engine = engine.limits(interrupt::limits());
    let session = Session::of_variables(engine, names);
    Ok(Opened { session, diagnostics: Diagnostics::new(), is_usable: true })
}

fn of_module(console: &Console, files: &dyn Files) -> Result<Opened, String> {
    let dir = console.dir.as_deref().unwrap_or(std::path::Path::new("."));
    // A directory with both kinds of files is asked about where it is named.
    let dialect = match dialect_at(dir, console.inputs.dialect, files) {
        Ok(dialect) => dialect,
        Err(_) if console.dir.is_none() => Dialect::default(),
        Err(diagnostic) => {
            let session = Session::of_module(project(dir, &console.inputs).evaluate(files));
            let diagnostics = [*diagnostic].into_iter().collect();
            return Ok(Opened { session, diagnostics, is_usable: false });
        }
    };
    if dialect.product() == Some(Product::Packer) {
        return Ok(of_template(console, dir, dialect, files));
    }
    let project = project(dir, &console.inputs).limits(interrupt::limits());
    let report = project.phase(Phase::Console).evaluate(files);
    let diagnostics = report.diagnostics().clone();
    // Nobody asked for the current directory, so it need not be a module.
    let is_missing = console.dir.is_none();
    let diagnostics: Diagnostics =
        diagnostics.into_iter().filter(|found| !(is_missing && found.id == ids::NO_CONFIGURATION)).collect();
    // A mistake without a place is one of the command line or of the directory.
    let misplaced = diagnostics.as_slice().iter().any(|found| found.is_error() && found.subject.is_none());
    let is_usable = !report.is_damaged() && !misplaced;
    let mut session = Session::of_module(report).host(host::host());
    if let Some(instance) = &console.module_instance {
        session = session.in_module_instance(instance)?;
    }
    Ok(Opened { session, diagnostics, is_usable })
}

/// Of a template, the console asks for no more than that its files and the values of its variables can be read.
fn of_template(console: &Console, dir: &std::path::Path, dialect: Dialect, files: &dyn Files) -> Opened {
    let template = packer::template(dir, &console.inputs, dialect).host(host::host());
    let report = template.limits(interrupt::limits()).evaluate(files);
    let diagnostics = report.loading_diagnostics();
    let is_missing = console.dir.is_none();
    let diagnostics: Diagnostics =
        diagnostics.into_iter().filter(|found| !(is_missing && found.id == ids::NO_TEMPLATE)).collect();
    let is_usable = !diagnostics.has_errors();
    Opened { session: Session::of_template(report).host(host::host()), diagnostics, is_usable }
}
