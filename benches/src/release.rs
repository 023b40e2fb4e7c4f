//! Runs of whole programs: builds the release command of this tree, and measures processes.

#![expect(clippy::disallowed_methods, reason = "a bench measures time")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use wait4::Wait4;

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Builds the release command of this tree. Returns its path.
pub fn build() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--release", "--locked", "--package", "terrane-cli", "--bin", "terrane"])
        .current_dir(root())
        .env_remove("CARGO_TARGET_DIR")
        .status();
    assert!(built.expect("cargo runs").success(), "the command does not build");
    root().join("target/release/terrane")
}

/// The time of a process, in seconds.
#[derive(Clone, Copy)]
pub struct Time {
    /// Of all processors, user and system.
    pub processor: f64,
    /// From its start to its end.
    pub wall: f64,
}

impl Time {
    /// Longer than each process.
    pub const MAX: Time = Time { processor: f64::INFINITY, wall: f64::INFINITY };

    /// The lesser of each time.
    pub fn min(self, other: Time) -> Time {
        Time { processor: self.processor.min(other.processor), wall: self.wall.min(other.wall) }
    }
}

/// Runs a program in a directory, without its output. It must end with one of these exit codes.
pub fn run(program: &Path, arguments: &[&str], directory: &Path, exit_codes: &[i32]) -> Time {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let used = command.spawn().expect("the command starts").wait4().expect("the command ends");
    let wall = start.elapsed().as_secs_f64();
    let is_expected = used.status.code().is_some_and(|code| exit_codes.contains(&code));
    assert!(is_expected, "{} {arguments:?}: {}", program.display(), used.status);
    Time { processor: (used.rusage.utime + used.rusage.stime).as_secs_f64(), wall }
}
