//! Says on standard error why values are unknown.

use std::io;

use terrane::Summary;
use terrane::value::OriginKind;

use crate::terminal::Terminal;

/// Prints how many values are unknown, why, and how to set a variable that has no value.
pub(crate) fn report(summary: &Summary, terminal: &mut Terminal) -> io::Result<()> {
    let Some(text) = summary.not_known() else { return Ok(()) };
    terminal.note(&text)?;
    if let Some(name) = summary.causes.get(&OriginKind::Variable).and_then(|names| names.first()) {
        let name = name.strip_prefix("var.").unwrap_or(name);
        terminal.help(&format!("`-var {name}=VALUE` or a file with `-var-file FILE` sets variables"))?;
    }
    Ok(())
}
