//! `cargo xtask fuzz`: runs each fuzz target from its seeds.
//!
//! libFuzzer needs a nightly toolchain and `cargo-fuzz`; where they are missing, nothing runs.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use crate::cargo::is_installed;

/// The workspace of the targets.
const DIRECTORY: &str = "fuzz";

/// The maximum memory of a target, in megabytes: the promise of docs/limits.md, with room for the instruments of the fuzzer.
const MEMORY: &str = "-rss_limit_mb=2048";

/// The maximum number of bytes of an input: room for a tree of several modules, and small enough for short runs.
const LENGTH: &str = "-max_len=8192";

/// The maximum time of one input, in seconds: the time of a release build in docs/limits.md, with room for the instruments of
/// the fuzzer.
const TIME: &str = "-timeout=20";

/// The result of a run of all targets.
pub(crate) enum Fuzzed {
    Ok,
    /// The names of the targets that failed, or of the lock file if it does not fit.
    Failed(Vec<String>),
    /// The reason why the targets cannot run.
    Skipped(&'static str),
}

/// Runs each target for the number of seconds in the argument.
pub(crate) fn run(root: &Path, seconds: &str) -> ExitCode {
    let Ok(seconds) = seconds.parse() else {
        eprintln!("the time is a number of seconds");
        return ExitCode::from(2);
    };
    match run_each(root, seconds) {
        Fuzzed::Ok => ExitCode::SUCCESS,
        Fuzzed::Failed(targets) => {
            eprintln!("failed: {}", targets.join(", "));
            ExitCode::FAILURE
        }
        Fuzzed::Skipped(reason) => {
            eprintln!("skipped, because {reason}");
            ExitCode::SUCCESS
        }
    }
}

/// Runs each target, even after one has failed.
pub(crate) fn run_each(root: &Path, seconds: u32) -> Fuzzed {
    if !is_installed(root, "fuzz") {
        return Fuzzed::Skipped("cargo-fuzz is not installed");
    }
    let version = nightly(root, &["--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !version.is_ok_and(|status| status.success()) {
        return Fuzzed::Skipped("there is no nightly toolchain");
    }
    // `cargo fuzz` has no `--locked`. It builds with the versions of a lock file that is complete.
    let fetched = nightly(&root.join(DIRECTORY), &["fetch", "--locked", "--quiet"]).status();
    if !fetched.is_ok_and(|status| status.success()) {
        return Fuzzed::Failed(vec![format!("{DIRECTORY}/Cargo.lock")]);
    }
    let manifest = std::fs::read_to_string(root.join(DIRECTORY).join("Cargo.toml")).unwrap_or_default();
    let failed: Vec<String> =
        targets(&manifest).into_iter().filter(|target| !fuzz(root, target, seconds)).collect();
    if failed.is_empty() { Fuzzed::Ok } else { Fuzzed::Failed(failed) }
}

/// Whether a target finds nothing. The inputs that it finds on the way do not go into the repository.
fn fuzz(root: &Path, target: &str, seconds: u32) -> bool {
    let found = Path::new("corpus").join(target);
    if let Err(error) = std::fs::create_dir_all(root.join(DIRECTORY).join(&found)) {
        eprintln!("{}: {error}", found.display());
        return false;
    }
    // Sanitizers look for faults of unsafe code, which this repository does not have, and make each input slower.
    let mut arguments: Vec<String> = ["fuzz", "run", "--sanitizer=none", target].map(str::to_owned).into();
    arguments.push(format!("corpus/{target}"));
    let seeds = format!("seeds/{}", seeds_of(target));
    if root.join(DIRECTORY).join(&seeds).is_dir() {
        arguments.push(seeds);
    }
    arguments.extend(["--", MEMORY, TIME, LENGTH, "-print_final_stats=1"].map(str::to_owned));
    arguments.push(format!("-max_total_time={seconds}"));
    println!("== fuzz target {target}");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    nightly(&root.join(DIRECTORY), &arguments).status().is_ok_and(|status| status.success())
}

/// Returns the folder with the seeds of a target. Targets that take the same kind of input share one.
fn seeds_of(target: &str) -> &str {
    match target {
        "format" | "lex" | "parse" => "native",
        "check" | "graph" => "trees",
        own => own,
    }
}

/// Returns a command for Cargo of the nightly toolchain. `rustup` chooses the toolchain by an argument, and not by the
/// variables of this run.
fn nightly(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(directory).arg("+nightly").args(arguments).stdin(Stdio::null());
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(variable);
    }
    command
}

/// Returns the names of the binaries in a manifest.
fn targets(manifest: &str) -> Vec<String> {
    let names = manifest.split("[[bin]]").skip(1);
    names
        .filter_map(|section| Some(section.split_once("name = \"")?.1.split_once('"')?.0.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_binary_is_a_target_and_each_folder_of_seeds_one_of_a_target() {
        let directory = crate::root().join(DIRECTORY);
        let manifest = std::fs::read_to_string(directory.join("Cargo.toml")).unwrap();
        let targets = targets(&manifest);
        assert_eq!(targets.len(), manifest.matches("[[bin]]").count());
        for target in &targets {
            assert!(directory.join(format!("targets/{target}.rs")).is_file(), "{target}");
        }
        for entry in std::fs::read_dir(directory.join("seeds")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(targets.iter().any(|target| seeds_of(target) == name), "{name}");
        }
    }
}
