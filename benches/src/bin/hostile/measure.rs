//! Runs one case and measures the process: processor time and peak resident memory.

use std::env;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use wait4::Wait4;

use crate::cases::{Case, Input};

/// The maximum time of a case on the clock.
const MAX_SECONDS_ON_THE_CLOCK: &str = "60";
/// `timeout` returns this code or a larger one where a signal ended the command.
const ENDED_BY_SIGNAL: i32 = 124;

/// The measurement of a case.
pub struct Measured {
    /// Processor time, user and system together.
    pub seconds: f64,
    /// Peak resident memory.
    pub bytes: u64,
    pub exit_code: i32,
    /// Whether a signal, a panic or the clock ended the command.
    pub is_aborted: bool,
    /// The first line of the messages.
    pub message: String,
}

/// Writes the files of a case into a directory, and its standard input into `out`, where the output will be, too.
pub fn write_files(case: &Case, directory: &Path) {
    for Input { name, text } in &case.files {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text()).expect("a file");
    }
    fs::create_dir_all(directory.join("out")).expect("a directory");
    if let Some(text) = &case.stdin {
        fs::write(directory.join("out/in"), text()).expect("a file");
    }
}

/// Runs a case in a directory of its own. `number` is the number of the case.
///
/// Another process of the bench writes the files: the command begins with the peak memory of the process that starts it, which
/// therefore stays small.
pub fn run(command: &Path, number: usize, case: &Case) -> Measured {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let written = Command::new(env::current_exe().expect("the bench"))
        .args(["--files", &number.to_string()])
        .arg(directory.path())
        .status();
    assert!(written.expect("the bench runs").success(), "the files of {:?} are not written", case.name);
    measured(command, case, directory.path())
}

/// Runs a case with small files.
pub fn run_small(command: &Path, case: &Case) -> Measured {
    let directory = tempfile::tempdir().expect("a temporary directory");
    write_files(case, directory.path());
    measured(command, case, directory.path())
}

/// Runs the command on the files of a case.
fn measured(command: &Path, case: &Case, directory: &Path) -> Measured {
    let at = |name: &str| directory.join(name);
    let stdin = match &case.stdin {
        Some(_) => Stdio::from(File::open(at("out/in")).expect("a file")),
        None => Stdio::null(),
    };
    let output = |name: &str| Stdio::from(File::create(at(name)).expect("a file"));
    let command = fs::canonicalize(command).expect("the command");
    // `timeout` waits for the command, so the resources of both count.
    let mut child = Command::new("timeout")
        .args(["--signal=KILL", MAX_SECONDS_ON_THE_CLOCK])
        .arg(command)
        .args(&case.arguments)
        .current_dir(directory)
        .env_remove("TF_CLI_CONFIG_FILE")
        .stdin(stdin)
        .stdout(output("out/stdout"))
        .stderr(output("out/stderr"))
        .spawn()
        .expect("`timeout` of the GNU core utilities");
    let used = child.wait4().expect("the command ends");
    let exit_code = used.status.code().unwrap_or(ENDED_BY_SIGNAL);
    let messages = [read(&at("out/stderr")), read(&at("out/stdout"))].concat();
    Measured {
        seconds: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        bytes: used.rusage.maxrss,
        exit_code,
        is_aborted: exit_code >= ENDED_BY_SIGNAL || messages.contains("panicked at"),
        message: messages.lines().next().unwrap_or_default().to_owned(),
    }
}

/// Returns the beginning of a file.
fn read(path: &Path) -> String {
    const MOST: u64 = 4096;
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MOST).read_to_end(&mut bytes)).expect("a file");
    String::from_utf8_lossy(&bytes).into_owned()
}
