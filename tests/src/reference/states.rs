//! Compares the suite cases about states with the console of a `terraform` binary.

use std::path::Path;
use std::process::Output;

use libtest_mimic::Trial;
use terrane_config::Assignment;

use super::cases::CaseDirectory;
use super::terraform;
use crate::conformance::row::read_text;
use crate::settings::below_tests;
use crate::suite::case::{self, Case, Expectation};
use crate::suite::inputs::Given;
use crate::suite::markdown;

/// The files of the suite with such cases.
const SUITES: [&str; 3] =
    ["suite/modules/state_console.md", "suite/modules/state_directory.md", "suite/modules/state_plan.md"];

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
            // The console has another state than the plan, and no values given by hand.
            let given = Given::read(&case.inputs)?;
            let is_by_hand = !given.given.is_empty() || !given.mocks.is_empty();
            if is_by_hand || !given.console && given.state.as_deref() == Some(".") {
                continue;
            }
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

fn compare(binary: &Path, case: &Case) -> Result<(), String> {
    let given = Given::read(&case.inputs)?;
    let copy = CaseDirectory::new(case, &given)?;
    let place = copy.place(binary);
    let arguments = arguments(&given)?;
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    copy.init(&place)?;
    let mut differences = Vec::new();
    let consoles = case.expectations.iter().filter(|(kind, _)| *kind == Expectation::Console);
    for (_, fence) in consoles {
        for pair in fence.lines.windows(2) {
            let [expression, answer] = pair else { continue };
            if is_answer(expression) || !is_answer(answer) {
                continue;
            }
            let output = place.run(&arguments, &format!("{expression}\n"))?;
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
    let mut arguments = vec!["console".to_owned()];
    // The consoles of the products find the state of the directory by themselves.
    if state != "." {
        arguments.push(format!("-state={state}"));
    }
    if !given.console {
        arguments.push("-plan".to_owned());
    }
    arguments.extend(variables(given));
    Ok(arguments)
}

/// The options that set variables.
pub fn variables(given: &Given) -> impl Iterator<Item = String> {
    given.assignments.iter().filter_map(|assignment| match assignment {
        Assignment::Variable(name, text) => Some(format!("-var={name}={text}")),
        Assignment::File(path) => Some(format!("-var-file={}", path.display())),
        // No option gives a typed value.
        Assignment::Value(_) => None,
    })
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
pub fn without_colors(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
}

/// A value without the layout in which the console and the suite differ.
fn normal(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace() && *character != ',').collect()
}
