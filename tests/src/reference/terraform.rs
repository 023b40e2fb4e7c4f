//! Running the binary, offline and in a directory of its own.

use std::collections::BTreeMap;
use std::env;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde::Deserialize;
use serde_json::value::RawValue;
use terrane_source::{FileKind, Files as _, OsFiles};

use crate::settings;

/// An output as `terraform show -json` gives it.
#[derive(Deserialize)]
pub struct PlannedOutput {
    /// Whether it is marked sensitive.
    #[serde(default)]
    pub sensitive: bool,
    /// The type; absent where the value is not wholly known.
    pub r#type: Option<Box<RawValue>>,
    /// The value; absent where it is null or not wholly known.
    pub value: Option<Box<RawValue>>,
}

/// A change of a root output in the plan of a test.
#[derive(Deserialize)]
pub struct TestedOutput {
    /// The value; absent where it is not wholly known.
    pub after: Option<Box<RawValue>>,
    /// Whether it is unknown.
    pub after_unknown: Box<RawValue>,
}

#[derive(Deserialize)]
struct TestLine {
    test_plan: Option<TestPlan>,
    /// Of a run with an apply.
    test_state: Option<TestState>,
    diagnostic: Option<TestDiagnostic>,
}

#[derive(Deserialize)]
struct TestPlan {
    #[serde(default)]
    output_changes: BTreeMap<String, TestedOutput>,
}

#[derive(Deserialize)]
struct TestState {
    #[serde(default)]
    outputs: BTreeMap<String, AppliedOutput>,
}

#[derive(Deserialize)]
struct AppliedOutput {
    value: Option<Box<RawValue>>,
}

impl TestState {
    fn outputs(self) -> Result<BTreeMap<String, TestedOutput>, String> {
        let known = || RawValue::from_string("false".to_owned()).map_err(|error| error.to_string());
        let output = |(name, AppliedOutput { value })| {
            Ok((name, TestedOutput { after: value, after_unknown: known()? }))
        };
        self.outputs.into_iter().map(output).collect()
    }
}

#[derive(Deserialize)]
struct TestDiagnostic {
    severity: String,
    summary: String,
}

/// The root outputs in the last plan or, after an apply, state that `terraform test -verbose -json` prints.
///
/// # Errors
///
/// The errors of the test, or that it has neither.
pub fn tested_outputs(lines: &str) -> Result<BTreeMap<String, TestedOutput>, String> {
    let mut outputs = None;
    for line in lines.lines() {
        let line: TestLine =
            serde_json::from_str(line).map_err(|error| format!("terraform test: {error}"))?;
        if let Some(error) = line.diagnostic.filter(|found| found.severity == "error") {
            return Err(format!("terraform test: {}", error.summary));
        }
        if let Some(state) = line.test_state {
            outputs = Some(state.outputs()?);
        }
        outputs = line.test_plan.map(|plan| plan.output_changes).or(outputs);
    }
    outputs.ok_or_else(|| "terraform test: no plan and no state were printed".to_owned())
}

/// The document of a plan, as far as it is compared.
#[derive(Deserialize)]
pub struct Plan {
    planned_values: PlannedValues,
}

impl Plan {
    /// The root outputs in a plan document.
    ///
    /// # Errors
    ///
    /// If the text is not a plan document.
    pub fn outputs(json: &str) -> Result<BTreeMap<String, PlannedOutput>, String> {
        let plan: Plan = serde_json::from_str(json).map_err(|error| format!("terraform show: {error}"))?;
        Ok(plan.planned_values.outputs)
    }
}

#[derive(Deserialize)]
struct PlannedValues {
    #[serde(default)]
    outputs: BTreeMap<String, PlannedOutput>,
}

/// The program of that name on `PATH`.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = settings::variable("PATH")?;
    let mut candidates = env::split_paths(&path).map(|directory| directory.join(name));
    candidates.find(|candidate| matches!(OsFiles.metadata(candidate), Ok(FileKind::File)))
}

/// A directory in which the binary runs with an environment of its own.
#[derive(Clone, Copy)]
pub struct Place<'p> {
    /// The binary.
    pub binary: &'p Path,
    /// The working directory.
    pub directory: &'p Path,
    /// Variables beside those that every run has.
    pub environment: &'p [(String, String)],
}

impl Place<'_> {
    /// The output of the binary, without the environment of the tests.
    ///
    /// # Errors
    ///
    /// Where it cannot be started.
    pub fn run(&self, arguments: &[&str], input: &str) -> Result<Output, String> {
        let mut command = Command::new(self.binary);
        command.args(arguments).current_dir(self.directory).env_clear();
        command.env("PATH", settings::variable("PATH").unwrap_or_default());
        command.env("HOME", self.directory).env("CHECKPOINT_DISABLE", "1").env("TF_IN_AUTOMATION", "1");
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes()).map_err(|error| error.to_string())?;
        }
        child.wait_with_output().map_err(|error| error.to_string())
    }

    /// The standard output of the binary.
    ///
    /// # Errors
    ///
    /// Its standard error if it fails.
    pub fn succeed(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self.run(arguments, "")?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let (command, error) = (arguments.join(" "), String::from_utf8_lossy(&output.stderr));
        Err(format!("`terraform {command}` failed:\n{error}"))
    }
}

/// Copies a directory tree without the files of git and terraform.
///
/// # Errors
///
/// Where a file cannot be read or written.
#[expect(clippy::disallowed_methods, reason = "directories are made only here")]
pub fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::create_dir_all(to).map_err(|error| error.to_string())?;
    for entry in OsFiles.list(from).map_err(|error| error.to_string())? {
        if matches!(entry.name.as_str(), ".git" | ".terraform" | ".terraform.lock.hcl") {
            continue;
        }
        let (from, to) = (from.join(&entry.name), to.join(&entry.name));
        match entry.kind {
            FileKind::Directory => copy(&from, &to)?,
            FileKind::File => {
                let content = OsFiles.read(&from).map_err(|error| error.to_string())?;
                OsFiles.write_atomic(&to, &content).map_err(|error| error.to_string())?;
            }
            FileKind::Other => {}
        }
    }
    Ok(())
}

/// The root outputs of a plan of the module.
///
/// # Errors
///
/// The output of the binary if it fails.
pub fn planned_outputs(binary: &Path, module: &Path) -> Result<BTreeMap<String, PlannedOutput>, String> {
    let place = Place { binary, directory: module, environment: &[] };
    place.succeed(&["init", "-backend=false", "-no-color", "-input=false"])?;
    place.succeed(&["plan", "-out=plan", "-no-color", "-input=false"])?;
    Plan::outputs(&place.succeed(&["show", "-json", "plan"])?)
}
