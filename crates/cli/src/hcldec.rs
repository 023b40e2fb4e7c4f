//! The command `terrane-hcldec`: starts `terrane decode` with the command line of the `hcldec` tool, to take its place in the
//! runner of HCL's specification suite.
//!
//! It is a separate program only because of its name. It contains nothing of the engine, so it builds quickly.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// The program that decodes.
const PROGRAM: &str = "terrane";

/// The exit code if a signal ended the program.
const FAILURE: u8 = 1;

/// The program could not be started.
struct NotStarted(io::Error);

/// Prints the message if `main` returns the error.
impl fmt::Debug for NotStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{PROGRAM}`, which must be beside this program, cannot be started: {}", self.0)
    }
}

#[expect(clippy::disallowed_methods, reason = "the command reads its arguments")]
fn main() -> Result<ExitCode, NotStarted> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    decode(&arguments).map(ExitCode::from).map_err(NotStarted)
}

/// Runs `terrane decode`, or prints the version. Returns the exit code.
fn decode(arguments: &[OsString]) -> io::Result<u8> {
    let is_version = |argument: &OsString| argument == "--version" || argument == "-v";
    let mut command = Command::new(program()?);
    match arguments.iter().any(is_version) {
        true => command.arg("--version"),
        false => command.arg("decode").args(arguments),
    };
    let code = command.status()?.code();
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(FAILURE))
}

/// Returns the path of `terrane` beside this program.
fn program() -> io::Result<PathBuf> {
    let beside = std::env::current_exe()?.with_file_name(PROGRAM);
    Ok(beside.with_extension(std::env::consts::EXE_EXTENSION))
}
