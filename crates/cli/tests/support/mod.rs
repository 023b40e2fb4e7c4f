//! Runs the command in a directory with some files.

#[path = "directory.rs"]
mod directory;

use std::process::{Command, Stdio};

use self::directory::directory;

/// Returns the exit code, standard output and standard error of `terrane` with these arguments, in a directory with these
/// files.
pub(crate) fn terrane(files: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String, String) {
    terrane_in(&[], files, arguments)
}

/// Runs like [`terrane`], with further variables in the environment.
pub(crate) fn terrane_in(
    environment: &[(&str, &str)],
    files: &[(&str, &str)],
    arguments: &[&str],
) -> (Option<i32>, String, String) {
    let directory = directory(files);
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    // The stored schemas of the user must not affect the test.
    command
        .env("TERRANE_CACHE_DIR", "/nonexistent")
        .env_remove("TF_ENCRYPTION")
        .envs(environment.iter().copied());
    command.current_dir(directory.path()).args(arguments).stdin(Stdio::null());
    let output = command.env_remove("NO_COLOR").env_remove("TERM").output().expect("the command runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}
