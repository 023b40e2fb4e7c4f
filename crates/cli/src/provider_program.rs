//! Finds the program `terrane-providers`, which asks providers. Nothing else in this command starts a provider.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use terrane::source::FileKind;
use terrane::{Files as _, OsFiles};

/// The name of the program.
pub(crate) const PROGRAM: &str = "terrane-providers";

/// Advice if the program is not installed.
const INSTALLATION: &str =
    "`cargo install --locked --path crates/providers` in a checkout of Terrane installs it";

/// An error about the program or a provider, with advice below it.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) text: String,
    pub(crate) help: Option<String>,
}

impl From<String> for Refused {
    fn from(text: String) -> Refused {
        Refused { text, help: None }
    }
}

/// Returns a command that runs the program: the file beside this program, or the one on `PATH`.
pub(crate) fn command() -> Command {
    let beside = std::env::current_exe().ok().map(|path| path.with_file_name(PROGRAM));
    let beside = beside.map(|path| path.with_extension(std::env::consts::EXE_EXTENSION));
    let is_file = |path: &PathBuf| OsFiles.metadata(path) == Ok(FileKind::File);
    Command::new(beside.filter(is_file).unwrap_or_else(|| Path::new(PROGRAM).to_owned()))
}

/// Returns the error for a program that did not start.
pub(crate) fn not_started(error: &io::Error) -> Refused {
    if error.kind() != io::ErrorKind::NotFound {
        return format!("{PROGRAM} cannot be started: {error}").into();
    }
    let text = format!("{PROGRAM} is not installed: it is neither beside `terrane` nor on PATH");
    Refused { text, help: Some(INSTALLATION.to_owned()) }
}
