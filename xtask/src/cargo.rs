//! Starts Cargo.

use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the command that runs Cargo in a directory, without standard input.
pub(crate) fn cargo(root: &Path, arguments: &[&str]) -> Command {
    // Cargo sets this variable to itself for `cargo xtask`.
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root).args(arguments).stdin(Stdio::null());
    command
}

/// Whether Cargo has a subcommand.
pub(crate) fn is_installed(root: &Path, subcommand: &str) -> bool {
    let mut command = cargo(root, &[subcommand, "--version"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
