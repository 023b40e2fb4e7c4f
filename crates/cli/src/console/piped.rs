//! The console with input from a file or another program.

use std::io::{self, BufRead as _, Read as _};
use std::ops::ControlFlow;
use std::path::Path;

use terrane::function::Limits;
use terrane::source::{FileId, SourceFile};
use terrane::{Answered, Diagnostics, Files, InputLines, Secrets, Session, SourceReader};

use super::command::{ConsoleCommand, HELP, no_command, type_of};
use crate::exit::FAILURE;
use crate::terminal::Terminal;
use crate::{timer, unknown_values};

/// Prints the result of each input. The first error ends the input. Bytes that are not text are an error, too, but do not end
/// it.
pub(super) fn run(
    session: &Session,
    limits: &Limits,
    files: &dyn Files,
    secrets: Secrets,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let mut lines = InputLines::default();
    let mut broken = Diagnostics::new();
    let mut code = 0;
    let mut stdin = io::stdin().lock();
    // Each input has the limit on the text of a configuration.
    let mut sources = SourceReader::new(files, limits);
    for number in 1_u64.. {
        let mut line = Vec::new();
        let most = sources.left().saturating_add(1);
        let is_last = stdin.by_ref().take(most).read_until(b'\n', &mut line)? == 0;
        let input = if is_last {
            std::mem::take(&mut lines).finish()
        } else {
            match sources.counted(Path::new(&line_name(number)), line) {
                Ok(line) => lines.add(&line_of(line, number, &mut broken)),
                Err(diagnostic) => {
                    terminal.diagnostics(&Diagnostics::from_iter([*diagnostic]))?;
                    return Ok(FAILURE);
                }
            }
        };
        if let Some(input) = input {
            sources = SourceReader::new(files, limits);
            if broken.is_empty() {
                match answer(&input, session, files, secrets, terminal)? {
                    ControlFlow::Break(end) => return Ok(end.max(code)),
                    ControlFlow::Continue(()) => {}
                }
            } else {
                terminal.diagnostics(&std::mem::take(&mut broken))?;
                code = FAILURE;
            }
        }
        if is_last || !terminal.has_reader() {
            break;
        }
    }
    Ok(code)
}

fn line_name(number: u64) -> String {
    format!("<input line {number}>")
}

/// Returns the text of a line of input. Bytes that are not text are reported, and become replacement characters.
fn line_of(mut line: Vec<u8>, number: u64, broken: &mut Diagnostics) -> String {
    line.pop_if(|last| *last == b'\n');
    line.pop_if(|last| *last == b'\r');
    let lossy = String::from_utf8_lossy(&line).into_owned();
    match SourceFile::from_bytes(FileId::new(line_name(number)), line) {
        Ok(source) => source.text().to_owned(),
        Err(diagnostic) => {
            broken.push(diagnostic);
            lossy
        }
    }
}

/// Prints the result of one input. Breaks with the exit code if the input ends the session.
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
    let answered = match ConsoleCommand::of(input) {
        ConsoleCommand::Exit => return Ok(ControlFlow::Break(0)),
        ConsoleCommand::Help => {
            terminal.result(HELP)?;
            return Ok(ControlFlow::Continue(()));
        }
        ConsoleCommand::Nothing => {
            terminal.result("\n")?;
            return Ok(ControlFlow::Continue(()));
        }
        // The session has just read the configuration.
        ConsoleCommand::Reload => return Ok(ControlFlow::Continue(())),
        ConsoleCommand::Wrong(command) => {
            terminal.error(&no_command(command))?;
            return Ok(ControlFlow::Break(FAILURE));
        }
        ConsoleCommand::Type(expression) => type_of(session, expression, files),
        ConsoleCommand::Value(expression) => session.evaluate(expression, files),
    };
    let shown = show(session, &answered, secrets, terminal)?;
    Ok(if shown { ControlFlow::Continue(()) } else { ControlFlow::Break(FAILURE) })
}

/// Prints an answer. Returns false if there is none.
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
    terminal.value(&text)?;
    unknown_values::report_answer(session, answered, terminal)?;
    Ok(true)
}
