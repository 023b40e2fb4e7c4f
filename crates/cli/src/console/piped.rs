//! Input from a file or another program.

use std::io::{self, BufRead};

use terrane::{Answered, Files, InputLines, Secrets, Session};

use super::command::{Command, HELP, type_of};
use crate::FAILURE;
use crate::terminal::Terminal;

/// Prints the result of each input; the first mistake ends it.
pub(super) fn run(
    session: &Session,
    files: &dyn Files,
    secrets: Secrets,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let mut lines = InputLines::default();
    for line in io::stdin().lock().lines() {
        let Some(input) = lines.add(&line?) else { continue };
        if let (Some(template), "variables") = (session.template(), input.trim()) {
            terminal.result(&template.variables_text())?;
            continue;
        }
        let answered = match Command::of(&input) {
            Command::Exit => return Ok(0),
            Command::Help => {
                terminal.result(HELP)?;
                continue;
            }
            Command::Nothing => {
                terminal.result("\n")?;
                continue;
            }
            // The configuration is as fresh as the session.
            Command::Reload => continue,
            Command::Type(expression) => type_of(session, expression, files),
            Command::Value(expression) => session.evaluate(expression, files),
        };
        if !show(session, &answered, secrets, terminal)? {
            return Ok(FAILURE);
        }
    }
    if lines.is_open() && session.template().is_some() {
        // Packer takes each line as an expression, so one without an end is a mistake.
        let answered = session.evaluate(&lines.rest(), files);
        return Ok(if show(session, &answered, secrets, terminal)? { 0 } else { FAILURE });
    }
    if lines.is_open() {
        // As the reference does, which says nothing.
        terminal.note(
            "The last expression has no end, so it is not evaluated: a bracket or a heredoc is open.",
        )?;
    }
    Ok(0)
}

/// Prints an answer; false where there is none.
fn show(
    session: &Session,
    answered: &Answered,
    secrets: Secrets,
    terminal: &mut Terminal,
) -> io::Result<bool> {
    terminal.diagnostics(&answered.diagnostics)?;
    if answered.diagnostics.has_errors() {
        return Ok(false);
    }
    terminal.result(&format!("{}\n", session.text(answered, secrets)))?;
    Ok(true)
}
