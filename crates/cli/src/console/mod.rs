//! `terrane console`: at a terminal, with piped input, and as a server.

mod colors;
mod command;
mod editor;
mod history;
mod interactive;
mod piped;
mod server;

use std::io::{self, IsTerminal};

use terrane::config::Moment;
use terrane::function::Product;
use terrane::source::ids;
use terrane::{Diagnostics, Engine, Files, OsFiles, Secrets, Session, Variables, variables_from_json};

use crate::args::Console;
use crate::terminal::{Terminal, project};
use crate::{FAILURE, host};

pub(crate) fn run(console: &Console, terminal: &mut Terminal) -> io::Result<u8> {
    let is_interactive = !console.json && io::stdin().is_terminal() && io::stdout().is_terminal();
    let files = match host::files(console.sandbox.as_deref(), terminal)? {
        Ok(files) => files,
        Err(code) => return Ok(code),
    };
    let session = match session(console, files) {
        Ok((session, diagnostics)) => {
            terminal.diagnostics(&diagnostics)?;
            // At a terminal the mistakes can be looked into.
            if diagnostics.has_errors() && !is_interactive {
                return Ok(FAILURE);
            }
            session
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

/// The names that expressions may refer to, and what is wrong with the configuration that they come from.
fn session(console: &Console, files: &'static dyn Files) -> Result<(Session, Diagnostics), String> {
    let engine = Engine::new().dialect(console.inputs.dialect).files(files, ".").host(host::host());
    let Some(path) = &console.scope else {
        // What is in the current directory nobody asked for, and Packer's templates are not read.
        let is_packer = console.inputs.dialect.product() == Some(Product::Packer);
        return Ok(if is_packer && console.dir.is_none() {
            (Session::of_variables(engine, Variables::new()), Diagnostics::new())
        } else {
            of_module(console, files)
        });
    };
    let bytes = OsFiles.read(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{} is not UTF-8 text", path.display()))?;
    let names = variables_from_json(&text).map_err(|message| format!("{}: {message}", path.display()))?;
    Ok((Session::of_variables(engine, names), Diagnostics::new()))
}

fn of_module(console: &Console, files: &dyn Files) -> (Session, Diagnostics) {
    let dir = console.dir.as_deref().unwrap_or(std::path::Path::new("."));
    let report = project(dir, &console.inputs).moment(Moment::Console).evaluate(files);
    let diagnostics = report.diagnostics().clone();
    // Nobody asked for the current directory, so it need not be a module.
    let is_missing = console.dir.is_none();
    let diagnostics =
        diagnostics.into_iter().filter(|found| !(is_missing && found.id == ids::NO_CONFIGURATION));
    (Session::of_module(report).host(host::host()), diagnostics.collect())
}
