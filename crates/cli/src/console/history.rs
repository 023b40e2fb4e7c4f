//! The file with the history of inputs.

use std::path::PathBuf;

/// Returns the file of the history, whose directory exists. `None` if the user has no directory for such files.
#[expect(
    clippy::disallowed_methods,
    reason = "the history is the console's own file, found by the environment"
)]
pub(super) fn file() -> Option<PathBuf> {
    let directory = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = directory("XDG_STATE_HOME")
        .or_else(|| directory("LOCALAPPDATA"))
        .or_else(|| directory("HOME").map(|home| home.join(".local/state")))?;
    let own = state.join("terrane");
    std::fs::create_dir_all(&own).ok()?;
    Some(own.join("console_history"))
}
