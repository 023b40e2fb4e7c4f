//! `cargo xtask check`: the gate. Continuous integration runs exactly this.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use crate::cargo::{cargo, is_installed};
use crate::fuzz::{self, Fuzzed};

/// The crates that must also build for a target without an operating system.
const ENGINE: [&str; 11] = [
    "source", "syntax", "value", "render", "function", "eval", "stdlib", "body", "config", "module", "packer",
];

const WASM: &str = "wasm32-unknown-unknown";

/// Separate workspaces, which must compile with their lock files as they are.
const OTHER_WORKSPACES: [&str; 2] = ["benches", "fuzz"];

/// The number of seconds that each fuzz target runs in the long part.
const FUZZ_SECONDS: u32 = 60;

/// The checks that run only on request; the others always run.
#[derive(Clone, Copy, Default)]
pub(crate) struct More {
    /// Whether the command is built for release.
    pub(crate) builds_release: bool,
    /// The seconds for which each fuzz target runs.
    pub(crate) fuzz_seconds: Option<u32>,
}

impl More {
    /// The long part of the gate, which takes half an hour.
    pub(crate) const LONG: More = More { builds_release: true, fuzz_seconds: Some(FUZZ_SECONDS) };
}

/// Runs every check, even after one has failed, and sums them up. The tidy rules are among the tests.
pub(crate) fn run(root: &Path, more: More) -> ExitCode {
    let mut gate = Gate { root, failed: Vec::new(), tests: Tests::default() };
    gate.step("format", cargo(root, &["fmt", "--all", "--check"]));
    let clippy = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    gate.step("lints", cargo(root, &clippy));
    let mut doc = cargo(root, &["doc", "--workspace", "--no-deps", "--document-private-items", "--locked"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    gate.step("documentation", doc);
    gate.tests();
    gate.first_command();
    gate.wasm();
    gate.other_workspaces();
    gate.dependencies();
    if more.builds_release {
        gate.step("release build", cargo(root, &["xtask", "dist"]));
    }
    if let Some(seconds) = more.fuzz_seconds {
        gate.fuzz(seconds);
    }
    gate.finish()
}

struct Gate<'a> {
    root: &'a Path,
    failed: Vec<&'static str>,
    tests: Tests,
}

impl Gate<'_> {
    fn step(&mut self, name: &'static str, mut command: Command) {
        println!("== {name}");
        let start = Instant::now();
        let passed = match command.status() {
            Ok(status) => status.success(),
            Err(error) => {
                eprintln!("cargo did not start: {error}");
                false
            }
        };
        self.end(name, passed, start);
    }

    fn end(&mut self, name: &'static str, passed: bool, start: Instant) {
        let result = if passed { "ok" } else { "FAILED" };
        println!("== {name}: {result} ({:.1} s)", start.elapsed().as_secs_f64());
        if !passed {
            self.failed.push(name);
        }
    }

    /// Runs the tests; their output streams through, so that their summary lines can be added up.
    fn tests(&mut self) {
        println!("== tests");
        let start = Instant::now();
        let mut command = cargo(self.root, &["test", "--workspace", "--no-fail-fast", "--locked"]);
        let passed = match command.stdout(Stdio::piped()).spawn() {
            Ok(mut child) => {
                let output = child.stdout.take().map(BufReader::new);
                for line in output.into_iter().flat_map(BufReader::lines).map_while(Result::ok) {
                    println!("{line}");
                    self.tests.count(&line);
                }
                child.wait().is_ok_and(|status| status.success())
            }
            Err(error) => {
                eprintln!("cargo did not start: {error}");
                false
            }
        };
        self.end("tests", passed && self.tests.failed == 0 && self.tests.passed > 0, start);
    }

    /// Runs the command with which README begins, as it is written there, but without optimisation, which takes minutes. A test
    /// of the command checks that README shows its output.
    fn first_command(&mut self) {
        let readme = std::fs::read_to_string(self.root.join("README.md")).unwrap_or_default();
        let arguments = first_cargo_command(&readme);
        let Some(arguments) = arguments.filter(|arguments| arguments.contains(&"--locked")) else {
            self.end("README's command", false, Instant::now());
            return;
        };
        let mut command = cargo(self.root, &arguments);
        command.stdout(Stdio::null());
        self.step("README's command", command);
    }

    fn wasm(&mut self) {
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.current_dir(self.root).args(["--print", "target-libdir", "--target", WASM]);
        let directory = rustc.output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        if !directory.is_ok_and(|directory| Path::new(directory.trim()).is_dir()) {
            println!("== WebAssembly: skipped, because the target {WASM} is not installed");
            return;
        }
        let packages = ENGINE.map(|name| format!("--package=terrane-{name}"));
        let mut arguments = vec!["check", "--locked", "--target", WASM];
        arguments.extend(packages.iter().map(String::as_str));
        self.step("WebAssembly", cargo(self.root, &arguments));
    }

    /// Checks that the other workspaces compile with the lock files as they are.
    fn other_workspaces(&mut self) {
        let has_compiler = Command::new("c++").arg("--version").stdout(Stdio::null()).status().is_ok();
        for workspace in OTHER_WORKSPACES {
            if workspace == "fuzz" && !has_compiler {
                println!("== {workspace}: skipped, because there is no C++ compiler for libFuzzer");
                continue;
            }
            let command = cargo(&self.root.join(workspace), &["check", "--all-targets", "--locked"]);
            self.step(workspace, command);
        }
    }

    /// Checks the policy of deny.toml. Advisories are left out, as their database needs a network.
    fn dependencies(&mut self) {
        if !is_installed(self.root, "deny") {
            println!("== dependencies: skipped, because cargo-deny is not installed");
            return;
        }
        let check = ["deny", "--locked", "--all-features", "check", "bans", "licenses", "sources"];
        self.step("dependencies", cargo(self.root, &check));
    }

    fn fuzz(&mut self, seconds: u32) {
        let start = Instant::now();
        println!("== fuzz targets");
        match fuzz::run_each(self.root, seconds) {
            Fuzzed::Ok => self.end("fuzz targets", true, start),
            Fuzzed::Failed(targets) => {
                eprintln!("failed: {}", targets.join(", "));
                self.end("fuzz targets", false, start);
            }
            Fuzzed::Skipped(reason) => println!("== fuzz targets: skipped, because {reason}"),
        }
    }

    fn finish(&self) -> ExitCode {
        let Tests { passed, failed, skipped } = self.tests;
        println!("{passed} passed, {failed} failed, {skipped} skipped");
        if skipped > 0 {
            println!("skipped are trials that ask a program which is not on PATH, such as terraform");
        }
        if self.failed.is_empty() {
            println!("all checks passed");
            ExitCode::SUCCESS
        } else {
            println!("checks failed: {}", self.failed.join(", "));
            ExitCode::FAILURE
        }
    }
}

/// Returns the arguments of the first `cargo` command of a page, without `--release`; `None` if the page has no such command.
fn first_cargo_command(page: &str) -> Option<Vec<&str>> {
    let line = page.lines().find_map(|line| line.strip_prefix("cargo "))?;
    Some(line.split_whitespace().filter(|argument| *argument != "--release").collect())
}

/// The number of tests that passed and failed, and the number of tests that need a program that is not there.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Tests {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Tests {
    /// Adds the numbers of a summary line: `test result: ok. 3 passed; 0 failed; ...`.
    fn count(&mut self, line: &str) {
        let Some(summary) = line.trim_start().strip_prefix("test result: ") else {
            return;
        };
        let mut before = "";
        for word in summary.split_whitespace() {
            let number = before.parse().unwrap_or(0);
            match word {
                "passed;" => self.passed += number,
                "failed;" => self.failed += number,
                "ignored;" => self.skipped += number,
                _ => {}
            }
            before = word;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_command_of_a_page_is_found() {
        let page = "Text of cargo.\n\n```sh\ncargo run --release -- eval x\ncargo xtask check\n```\n";
        assert_eq!(first_cargo_command(page), Some(vec!["run", "--", "eval", "x"]));
        assert_eq!(first_cargo_command("Text."), None);
    }

    #[test]
    fn summary_lines_are_added_up() {
        let mut tests = Tests::default();
        tests.count("test result: ok. 13 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished");
        tests.count("test result: FAILED. 4 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out");
        tests.count("test parser::result ... ok");
        tests.count("5 passed; 5 failed;");
        assert_eq!(tests, Tests { passed: 17, failed: 2, skipped: 1 });
    }
}
