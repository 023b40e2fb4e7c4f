//! Compares the suite cases about states with the console of a `terraform` binary.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use libtest_mimic::Trial;
use terrane_config::Assignment;
use terrane_source::{Files as _, OsFiles};

use super::terraform;
use crate::conformance::row::read_text;
use crate::settings::{self, below_tests};
use crate::suite::case::{self, Case, Expectation};
use crate::suite::inputs::Given;
use crate::suite::markdown;

/// The files of the suite with such cases.
const SUITES: [&str; 2] = ["suite/modules/state_console.md", "suite/modules/state_plan.md"];

/// One trial for each case with expressions on the console; ignored ones where there is no binary.
///
/// # Errors
///
/// Where a file cannot be read or is not well-formed.
pub fn trials() -> Result<Vec<Trial>, String> {
    let binary = terraform::find("terraform");
    let mut trials = Vec::new();
    for suite in SUITES {
        let text = read_text(&below_tests(suite))?;
        for case in case::cases(&markdown::sections(&text))? {
            let name = format!("states::{}", case.name);
            trials.push(match binary.clone() {
                Some(binary) => Trial::test(name, move || Ok(compare(&binary, &case)?)),
                None => Trial::test(name, || Ok(()))
                    .with_kind("skipped: no terraform on PATH")
                    .with_ignored_flag(true),
            });
        }
    }
    Ok(trials)
}

#[expect(clippy::disallowed_methods, reason = "the files of a case are copied into directories of their own")]
fn compare(binary: &Path, case: &Case) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    for file in &case.files {
        let path = directory.path().join(&file.title);
        let parent = path.parent().unwrap_or(directory.path());
        std::fs::create_dir_all(parent).map_err(|error| error.to_string())?;
        OsFiles.write_atomic(&path, file.text().as_bytes()).map_err(|error| error.to_string())?;
    }
    let arguments = arguments(&Given::read(&case.inputs)?)?;
    let init = run(binary, directory.path(), &["init".to_owned(), "-no-color".to_owned()], "")?;
    if !init.status.success() {
        return Err(format!("init failed: {}", String::from_utf8_lossy(&init.stderr)));
    }
    let mut differences = Vec::new();
    let consoles = case.expectations.iter().filter(|(kind, _)| *kind == Expectation::Console);
    for (_, fence) in consoles {
        for pair in fence.lines.windows(2) {
            let [expression, answer] = pair else { continue };
            if is_answer(expression) || !is_answer(answer) {
                continue;
            }
            let output = run(binary, directory.path(), &arguments, &format!("{expression}\n"))?;
            let theirs = answer_of(&output);
            if normal(&theirs) != normal(&expected(answer)) {
                differences.push(format!("{expression}: terraform says {theirs:?}, the suite {answer:?}"));
            }
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// The command line for the inputs of a case.
fn arguments(given: &Given) -> Result<Vec<String>, String> {
    let state = given.state.as_ref().ok_or("the case has no state")?;
    let mut arguments = vec!["console".to_owned(), format!("-state={state}")];
    if !given.console {
        arguments.push("-plan".to_owned());
    }
    for assignment in &given.assignments {
        arguments.push(match assignment {
            Assignment::Variable(name, text) => format!("-var={name}={text}"),
            Assignment::File(path) => format!("-var-file={}", path.display()),
        });
    }
    Ok(arguments)
}

fn is_answer(line: &str) -> bool {
    line.starts_with("=> ") || line.starts_with("error: ")
}

/// The value, or the title of the error.
fn expected(answer: &str) -> String {
    match answer.strip_prefix("=> ") {
        Some(value) => value.to_owned(),
        None => answer.split('"').nth(1).unwrap_or(answer).to_owned(),
    }
}

/// The value that the console has printed, or the title of its error.
fn answer_of(output: &Output) -> String {
    let [errors, text] = [&output.stderr, &output.stdout].map(|text| without_colors(text));
    let mut titles = errors.lines().filter_map(|line| line.split_once("Error: ").map(|(_, title)| title));
    // Warnings stand in a frame above the value.
    let value = || text.rsplit_once('╵').map_or(text.as_str(), |(_, value)| value).to_owned();
    titles.next().map_or_else(value, str::to_owned)
}

/// The text without escape sequences.
fn without_colors(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
}

/// A value without the layout in which the console and the suite differ.
fn normal(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace() && *character != ',').collect()
}

/// The output of the binary in a directory, without the environment of the tests.
///
/// # Errors
///
/// Where it cannot be started.
pub fn run(binary: &Path, directory: &Path, arguments: &[String], input: &str) -> Result<Output, String> {
    let mut command = Command::new(binary);
    command.args(arguments).current_dir(directory).env_clear();
    command.env("PATH", settings::variable("PATH").unwrap_or_default());
    command.env("HOME", directory).env("CHECKPOINT_DISABLE", "1").env("TF_IN_AUTOMATION", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).map_err(|error| error.to_string())?;
    }
    child.wait_with_output().map_err(|error| error.to_string())
}
