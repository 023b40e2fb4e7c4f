//! Runs the command in a directory, with a text on its standard input.

use std::io::Write as _;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Runs the command. Returns the exit code and the whole output.
#[track_caller]
pub(crate) fn run(directory: &TempDir, arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    command.current_dir(directory.path()).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let text = [output.stderr, output.stdout].concat();
    (output.status.code(), String::from_utf8(text).expect("UTF-8"))
}
