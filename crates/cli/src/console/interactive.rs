//! The console at a terminal.

use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::path::Path;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor};
use terrane::function::Limits;
use terrane::{Answered, Secrets, Session};

use super::command::{ConsoleCommand, HELP, no_command, type_of};
use super::editor::Assistant;
use super::history;
use super::session::{ConsoleRun, open};
use crate::terminal::Terminal;
use crate::{interrupt, timer, unknown_values};

type LineEditor = Editor<Assistant, FileHistory>;

/// The number of inputs in the history.
const HISTORY_LENGTH: usize = 2000;

pub(super) fn run(
    run: ConsoleRun<'_>,
    session: Session,
    limits: &Limits,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let (secrets, color, limits) = (run.console.secrets(), terminal.has_color(), limits.clone());
    let files = run.inputs.sources.files;
    let assistant = Assistant { session, limits, files, secrets, color };
    let mut editor = line_editor(assistant).map_err(io::Error::other)?;
    // Installed after the editor, which has a handler of its own while it reads.
    interrupt::watch();
    let history = history::file();
    if let Some(file) = &history {
        // On the first use of the console there is no history yet.
        let _ = editor.load_history(file);
    }
    terminal.result("Type an expression, `help`, or `exit`.\n")?;
    talk(run, &mut editor, history.as_deref(), terminal)
}

fn line_editor(assistant: Assistant) -> rustyline::Result<LineEditor> {
    let config = Config::builder()
        .max_history_size(HISTORY_LENGTH)?
        .history_ignore_space(true)
        .completion_type(CompletionType::List)
        .color_mode(if assistant.color { ColorMode::Forced } else { ColorMode::Disabled })
        .auto_add_history(true)
        .build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(assistant));
    Ok(editor)
}

fn talk(
    run: ConsoleRun<'_>,
    editor: &mut LineEditor,
    history: Option<&Path>,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    loop {
        let input = match editor.readline("> ") {
            Ok(input) => input,
            // Control-C drops a line, control-D ends the session.
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(0),
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                terminal
                    .error("the input has bytes that are not UTF-8, so the line up to them is ignored")?;
                continue;
            }
            Err(error) => return Err(io::Error::other(error)),
        };
        if let Some(file) = history {
            // The history is saved at once, because the session may end in any way. A history that cannot be saved is no error.
            let _ = editor.append_history(file);
        }
        let Some(assistant) = editor.helper_mut() else { return Ok(0) };
        for input in inputs(&input) {
            if let ControlFlow::Break(code) = answer(run, &input, assistant, terminal)? {
                return Ok(code);
            }
        }
    }
}

/// Returns the inputs in typed or pasted text, without the backslashes that continue their lines.
fn inputs(text: &str) -> Vec<String> {
    let mut lines = terrane::InputLines::default();
    let mut inputs: Vec<String> = text.lines().filter_map(|line| lines.add(line)).collect();
    inputs.extend(lines.finish());
    inputs
}

/// Answers one input. Breaks with the exit code if the input ends the session.
fn answer(
    run: ConsoleRun<'_>,
    input: &str,
    assistant: &mut Assistant,
    terminal: &mut Terminal,
) -> io::Result<ControlFlow<u8>> {
    let secrets = run.console.secrets();
    let answered = match ConsoleCommand::of(input) {
        ConsoleCommand::Nothing => return Ok(ControlFlow::Continue(())),
        ConsoleCommand::Exit => return Ok(ControlFlow::Break(0)),
        ConsoleCommand::Help => {
            terminal.result(HELP)?;
            return Ok(ControlFlow::Continue(()));
        }
        ConsoleCommand::Reload => {
            reload(run, assistant, terminal)?;
            return Ok(ControlFlow::Continue(()));
        }
        ConsoleCommand::Wrong(command) => {
            terminal.error(&no_command(command))?;
            return Ok(ControlFlow::Continue(()));
        }
        ConsoleCommand::Type(expression) => {
            begin();
            type_of(&assistant.session, expression, assistant.files)
        }
        ConsoleCommand::Value(text) => {
            if let (Some(template), "variables") = (assistant.session.template(), text.trim()) {
                terminal.values(&template.variables_text())?;
                return Ok(ControlFlow::Continue(()));
            }
            begin();
            assistant.session.evaluate(text, assistant.files)
        }
    };
    show(&assistant.session, &answered, secrets, terminal)?;
    Ok(ControlFlow::Continue(()))
}

/// Begins an evaluation: clears an earlier control-C, and restarts the time limit.
fn begin() {
    interrupt::clear();
    timer::restart();
}

fn reload(run: ConsoleRun<'_>, assistant: &mut Assistant, terminal: &mut Terminal) -> io::Result<()> {
    begin();
    match open(run, &assistant.limits) {
        Ok(opened) => {
            opened.introduce(terminal)?;
            assistant.session = opened.session;
            Ok(())
        }
        Err(message) => terminal.error(&message),
    }
}

fn show(session: &Session, answered: &Answered, secrets: Secrets, terminal: &mut Terminal) -> io::Result<()> {
    terminal.diagnostics(&answered.diagnostics)?;
    if answered.diagnostics.has_errors() {
        return Ok(());
    }
    terminal.value(&format!("{}\n", session.text(answered, secrets)))?;
    unknown_values::report_answer(session, answered, terminal)
}
