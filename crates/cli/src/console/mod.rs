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
use self::session::open;
use crate::exit::FAILURE;
use crate::host;
use crate::terminal::Terminal;

pub(crate) fn run(console: &Console, limits: &Limits, terminal: &mut Terminal) -> io::Result<u8> {
    let is_interactive = !console.json && io::stdin().is_terminal() && io::stdout().is_terminal();
    let files = match host::files(console.sandbox.as_deref(), console.paths(), terminal)? {
        Ok(files) => files,
        Err(code) => return Ok(code),
    };
    let session = match open(console, limits, files) {
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
        interactive::run(console, session, limits, files, terminal)
    } else {
        piped::run(&session, limits, files, secrets, terminal)
    }
}
