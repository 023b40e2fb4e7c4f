//! The console at a terminal.

use std::io;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor};
use terrane::{Answered, Files, Secrets, Session};

use super::colors::colored;
use super::command::{Command, HELP, harmless, type_of};
use super::editor::Assistant;
use super::{history, secrets, session};
use crate::args::Console;
use crate::terminal::Terminal;

type LineEditor = Editor<Assistant, FileHistory>;

/// How many inputs are remembered.
const HISTORY_LENGTH: usize = 2000;

pub(super) fn run(
    console: &Console,
    session: Session,
    files: &'static dyn Files,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let mut editor = line_editor(session, files, terminal.has_color()).map_err(io::Error::other)?;
    let history = history::file();
    if let Some(file) = &history {
        // There is no history yet where the console is used for the first time.
        let _ = editor.load_history(file);
    }
    terminal.result("Type an expression, `help`, or `exit`.\n")?;
    let code = talk(console, &mut editor, terminal)?;
    if let Some(file) = &history {
        // A history that cannot be kept is no reason to fail.
        let _ = editor.save_history(file);
    }
    Ok(code)
}

fn line_editor(session: Session, files: &'static dyn Files, color: bool) -> rustyline::Result<LineEditor> {
    let config = Config::builder()
        .max_history_size(HISTORY_LENGTH)?
        .history_ignore_space(true)
        .completion_type(CompletionType::List)
        .color_mode(if color { ColorMode::Forced } else { ColorMode::Disabled })
        .auto_add_history(true)
        .build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(Assistant { session, files, color }));
    Ok(editor)
}

fn talk(console: &Console, editor: &mut LineEditor, terminal: &mut Terminal) -> io::Result<u8> {
    let secrets = secrets(console);
    loop {
        let input = match editor.readline("> ") {
            Ok(input) => input,
            // Control-C gives up a line, control-D the session.
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(0),
            Err(error) => return Err(io::Error::other(error)),
        };
        let Some(assistant) = editor.helper_mut() else { return Ok(0) };
        match Command::of(&input) {
            Command::Nothing => {}
            Command::Exit => return Ok(0),
            Command::Help => terminal.result(HELP)?,
            Command::Reload => reload(console, assistant, terminal)?,
            Command::Type(expression) => {
                let answered = type_of(&assistant.session, expression, assistant.files);
                show(&assistant.session, &answered, secrets, terminal)?;
            }
            Command::Value(text) => {
                if let (Some(template), "variables") = (assistant.session.template(), text.trim()) {
                    terminal.values(&template.variables_text())?;
                    continue;
                }
                // The backslashes that continue a line are no part of the expression.
                let expression = joined(&input);
                let answered = assistant.session.evaluate(&expression, assistant.files);
                show(&assistant.session, &answered, secrets, terminal)?;
            }
        }
    }
}

/// The expression of an input: its lines without the backslashes that continue them.
fn joined(input: &str) -> String {
    let mut lines = terrane::InputLines::default();
    input.lines().find_map(|line| lines.add(line)).unwrap_or_else(|| input.to_owned())
}

fn reload(console: &Console, assistant: &mut Assistant, terminal: &mut Terminal) -> io::Result<()> {
    match session(console, assistant.files) {
        Ok(opened) => {
            assistant.session = opened.session;
            terminal.diagnostics(&opened.diagnostics)
        }
        Err(message) => terminal.error(&message),
    }
}

fn show(session: &Session, answered: &Answered, secrets: Secrets, terminal: &mut Terminal) -> io::Result<()> {
    terminal.diagnostics(&answered.diagnostics)?;
    if answered.diagnostics.has_errors() {
        return Ok(());
    }
    let text = harmless(session, answered, secrets);
    let text = if terminal.has_color() { colored(&text) } else { text.as_str().into() };
    terminal.result(&format!("{text}\n"))
}
