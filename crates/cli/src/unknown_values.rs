//! Says on standard error why values are unknown.

use std::io;

use terrane::{Answered, Session, Summary};

use crate::terminal::Terminal;

/// Prints how many values are unknown, why, and how to set a variable that has no value.
pub(crate) fn report(summary: &Summary, terminal: &mut Terminal) -> io::Result<()> {
    let Some(text) = summary.not_known() else { return Ok(()) };
    terminal.note(&text)?;
    summary.help_with_variables().map_or(Ok(()), |help| terminal.help(&help))
}

/// Prints why an answer of the console is unknown, and which options help, unless an apply would make it known.
pub(crate) fn report_answer(
    session: &Session,
    answered: &Answered,
    terminal: &mut Terminal,
) -> io::Result<()> {
    let Some(why) = session.why_unknown(answered) else { return Ok(()) };
    terminal.note(&why.reasons)?;
    why.help.iter().try_for_each(|help| terminal.help(help))
}
