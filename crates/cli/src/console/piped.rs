//! Input from a file or another program.

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use terrane::source::{FileId, SourceFile};
use terrane::{Answered, Diagnostic, Diagnostics, Files, InputLines, Secrets, Session};

use super::command::{Command, HELP, no_command, type_of};
use crate::exit::FAILURE;
use crate::terminal::Terminal;
use crate::timer;

/// Prints the result of each input; the first mistake ends it.
pub(super) fn run(
    session: &Session,
    files: &dyn Files,
    secrets: Secrets,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let mut lines = InputLines::default();
    for (number, line) in (1..).zip(io::stdin().lock().split(b'\n')) {
        let line = match line_of(line?, number) {
            Ok(line) => line,
            Err(diagnostic) => {
                terminal.diagnostics(&Diagnostics::from_iter([diagnostic]))?;
                return Ok(FAILURE);
            }
        };
        let Some(input) = lines.add(&line) else { continue };
        if let ControlFlow::Break(code) = answer(&input, session, files, secrets, terminal)? {
            return Ok(code);
        }
        if !terminal.has_reader() {
            return Ok(0);
        }
    }
    match lines.finish() {
        Some(input) => match answer(&input, session, files, secrets, terminal)? {
            ControlFlow::Break(code) => Ok(code),
            ControlFlow::Continue(()) => Ok(0),
        },
        None => Ok(0),
    }
}

/// The text of a line of input.
fn line_of(mut line: Vec<u8>, number: usize) -> Result<String, Diagnostic> {
    line.pop_if(|last| *last == b'\r');
    let source = SourceFile::from_bytes(FileId::new(format!("<input line {number}>")), line)?;
    Ok(source.text().to_owned())
}

/// Prints the result of one input. Breaks with the exit code where the session ends.
fn answer(
    input: &str,
    session: &Session,
    files: &dyn Files,
    secrets: Secrets,
    terminal: &mut Terminal,
) -> io::Result<ControlFlow<u8>> {
    if let (Some(template), "variables") = (session.template(), input.trim()) {
        terminal.values(&template.variables_text())?;
        return Ok(ControlFlow::Continue(()));
    }
    timer::restart();
    let answered = match Command::of(input) {
        Command::Exit => return Ok(ControlFlow::Break(0)),
        Command::Help => {
            terminal.result(HELP)?;
            return Ok(ControlFlow::Continue(()));
        }
        Command::Nothing => {
            terminal.result("\n")?;
            return Ok(ControlFlow::Continue(()));
        }
        // The configuration is as fresh as the session.
        Command::Reload => return Ok(ControlFlow::Continue(())),
        Command::Wrong(command) => {
            terminal.error(&no_command(command))?;
            return Ok(ControlFlow::Break(FAILURE));
        }
        Command::Type(expression) => type_of(session, expression, files),
        Command::Value(expression) => session.evaluate(expression, files),
    };
    let shown = show(session, &answered, secrets, terminal)?;
    Ok(if shown { ControlFlow::Continue(()) } else { ControlFlow::Break(FAILURE) })
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
    let mut text = session.text(answered, secrets);
    text.push('\n');
    terminal.values(&text)?;
    Ok(true)
}
