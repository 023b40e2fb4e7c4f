//! Runs the pager: a program that shows long output at a terminal page by page, as for `git` and `bat`.

use std::io::{self, Write as _};
use std::process::{Command, Stdio};

use crate::pipe;

/// The pager without a setting. It ends by itself if the output fits on the screen.
const DEFAULT: &str = "less";

/// Writes a text to the pager, and waits until the user leaves it. Returns false if there is no pager.
pub(crate) fn show(text: &str) -> io::Result<bool> {
    let [own, general, less, lv] = ["TERRANE_PAGER", "PAGER", "LESS", "LV"].map(setting);
    let Some(program) = program(own, general) else { return Ok(false) };
    let mut command = shell(&program);
    // These options quit if the text fits on the screen, keep colours, and leave the text on the screen.
    if less.is_none() {
        command.env("LESS", "FRX");
    }
    if lv.is_none() {
        command.env("LV", "-c");
    }
    let Ok(mut pager) = command.stdin(Stdio::piped()).spawn() else { return Ok(false) };
    let written = pager.stdin.take().map_or(Ok(()), |mut input| input.write_all(text.as_bytes()));
    let status = pager.wait()?;
    pipe::is_read(written)?;
    // A shell returns this code if it has not found the program.
    Ok(status.code() != Some(127))
}

/// Returns the command line of the pager. `None` if the user wants none.
fn program(own: Option<String>, general: Option<String>) -> Option<String> {
    let program = own.or(general).unwrap_or_else(|| DEFAULT.to_owned());
    let program = program.trim();
    (!program.is_empty() && program != "cat").then(|| program.to_owned())
}

/// Returns a process that runs a command line in a shell.
fn shell(program: &str) -> Command {
    let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut command = Command::new(shell);
    command.arg(option).arg(program);
    command
}

#[expect(clippy::disallowed_methods, reason = "the command reads the environment")]
fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_own_setting_comes_first_and_may_be_empty() {
        let program = |own: Option<&str>, general: Option<&str>| {
            super::program(own.map(str::to_owned), general.map(str::to_owned))
        };
        assert_eq!(program(None, None).as_deref(), Some("less"));
        assert_eq!(program(None, Some("more -s")).as_deref(), Some("more -s"));
        assert_eq!(program(Some("bat -p"), Some("more")).as_deref(), Some("bat -p"));
        assert_eq!(program(Some(""), Some("more")), None);
        assert_eq!(program(None, Some("cat")), None);
    }
}
