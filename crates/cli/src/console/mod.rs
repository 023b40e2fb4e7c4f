//! `terrane console`: at a terminal, with piped input, and as a server.

mod command;
mod editor;
mod history;
mod interactive;
mod loops;
mod options;
mod piped;
mod server;
mod session;

use std::io::{self, IsTerminal};

use terrane::function::Limits;

pub(crate) use self::options::{Console, EXAMPLES};
use self::session::{ConsoleRun, open};
use crate::exit::FAILURE;
use crate::read_inputs::ReadInputs;
use crate::terminal::Terminal;

pub(crate) fn run(
    console: &Console,
    inputs: &ReadInputs<'_>,
    limits: &Limits,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let is_interactive = !console.json && io::stdin().is_terminal() && io::stdout().is_terminal();
    let files = inputs.sources.files;
    let run = ConsoleRun { console, inputs };
    let session = match open(run, limits) {
        Ok(opened) => {
            opened.introduce(terminal)?;
            // At a terminal the user can look for the reasons of the errors.
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
    let secrets = console.secrets();
    if console.json {
        return server::run(&session, files, secrets, limits.source, terminal);
    }
    if is_interactive {
        interactive::run(run, session, limits, terminal)
    } else {
        piped::run(&session, limits, files, secrets, terminal)
    }
}
