//! Programs that read plan documents: they find the same in ours as in those of the reference.
//!
//! Rego rules run in the process, with `regorus`. `checkov` and `terraform-compliance` run if they are on `PATH`; otherwise their
//! trials count as skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use libtest_mimic::Trial;
use regorus::Engine;
use serde::Deserialize;
use terrane::{Dialect, Files as _, OsFiles, Project, Secrets};

use crate::plans::{Pair, pairs, read};
use crate::reference::terraform::find;
use crate::settings::{TERRANE_CONSUMERS, below_tests, variable};

/// The numbers of findings that show that the rules find something at all.
const LEAST_FINDINGS: usize = 200;
const LEAST_FAILED_CHECKS: usize = 20;
const LEAST_FAILED_RULES: usize = 500;
const LEAST_FAILED_STEPS: usize = 1000;

/// The trials of all programs.
pub fn trials() -> Vec<Trial> {
    let rego = Trial::test("consumers::rego", || Ok(rego()?));
    let with_program = |program: &'static str, run: fn(&Path) -> Result<(), String>| {
        let name = format!("consumers::{program}");
        match find(program) {
            Some(path) => Trial::test(name, move || Ok(run(&path)?)),
            None => Trial::test(name, || Ok(()))
                .with_kind(format!("skipped: no {program} on PATH"))
                .with_ignored_flag(true),
        }
    };
    vec![
        rego,
        with_program("checkov", |program| {
            checkov(program)?;
            checkov_pairs(program)?;
            checkov_of_given(program)
        }),
        with_program("terraform-compliance", |program| {
            compliance(program)?;
            compliance_of_given(program)
        }),
    ]
}

/// Our documents of the module directories in [`TERRANE_CONSUMERS`]. Their providers are not there, so the reference has no plans of
/// them: each program must read ours and find something.
fn given_documents() -> Result<BTreeMap<String, String>, String> {
    let given = variable(TERRANE_CONSUMERS);
    let directories = given.iter().flat_map(std::env::split_paths).enumerate();
    let document = |(position, directory): (usize, PathBuf)| {
        let report = Project::new(&directory).evaluate(&OsFiles);
        if report.has_errors() {
            return Err(format!("{}: the evaluation has errors", directory.display()));
        }
        let plan = report.plan(Secrets::Shown, &OsFiles).map_err(text)?;
        Ok((format!("{position}-{}", directory.display()), plan.to_json()))
    };
    directories.map(document).collect()
}

/// The pairs whose documents are equal as a whole.
fn whole_pairs() -> Result<BTreeMap<String, Pair>, String> {
    Ok(pairs()?.into_iter().filter(|(_, pair)| !pair.needs_provider).collect())
}

fn rego() -> Result<(), String> {
    let policy = read(&below_tests("policies/plan.rego"))?;
    let mut findings = 0;
    for (name, pair) in whole_pairs()? {
        let (ours, theirs) = (denied(&policy, &pair.ours)?, denied(&policy, &pair.theirs)?);
        findings += theirs.len();
        same(&name, &ours, &theirs)?;
    }
    for (name, document) in given_documents()? {
        at_least(denied(&policy, &document)?.len(), 1).map_err(|error| format!("{name}: {error}"))?;
    }
    at_least(findings, LEAST_FINDINGS)
}

/// The messages of the rules about a document.
fn denied(policy: &str, document: &str) -> Result<BTreeSet<String>, String> {
    let mut engine = Engine::new();
    engine.add_policy("plan.rego".to_owned(), policy.to_owned()).map_err(text)?;
    engine.set_input(regorus::Value::from_json_str(document).map_err(text)?);
    let found = engine.eval_rule("data.main.deny".to_owned()).map_err(text)?;
    serde_json::from_str(&found.to_json_str().map_err(text)?).map_err(text)
}

/// The report of `checkov -o json`.
#[derive(Deserialize)]
struct CheckovReport {
    results: CheckovResults,
}

#[derive(Deserialize)]
struct CheckovResults {
    passed_checks: Vec<CheckovResult>,
    failed_checks: Vec<CheckovResult>,
}

#[derive(Deserialize)]
struct CheckovResult {
    file_path: String,
    check_id: String,
    resource: String,
}

/// Whether each check of each resource passed, by file, check and resource.
type Checked = BTreeMap<(String, String, String), bool>;

/// The findings about the golden plans. The built-in checks know none of their resource types, so there are rules of our own.
fn checkov_pairs(program: &Path) -> Result<(), String> {
    let [ours, theirs] = [(); 2].map(|()| tempfile::tempdir().map_err(text));
    let (ours, theirs) = (ours?, theirs?);
    for (name, pair) in whole_pairs()? {
        // It reads JSON as YAML, in which U+007F must be an escape. The reference writes the character itself.
        let readable = pair.theirs.replace('\u{7f}', "\\u007f");
        for (directory, document) in [(&ours, &pair.ours), (&theirs, &readable)] {
            let path = directory.path().join(format!("{name}.json"));
            OsFiles.write_atomic(&path, document.as_bytes()).map_err(text)?;
        }
    }
    let rules = below_tests("policies/checks");
    let [ours, theirs] = [ours, theirs].map(|directory| {
        let arguments = ["--framework", "terraform_plan", "--external-checks-dir"];
        checked(program, directory.path(), arguments.map(OsStr::new).into_iter().chain([rules.as_os_str()]))
    });
    let (ours, theirs) = (ours?, theirs?);
    at_least(theirs.values().filter(|passed| !**passed).count(), LEAST_FAILED_RULES)?;
    let lines = |found: &Checked| -> BTreeSet<String> {
        let lines = found.iter();
        lines.map(|((file, id, resource), passed)| format!("{file} {resource} {id}: {passed}")).collect()
    };
    same("checkov", &lines(&ours), &lines(&theirs))
}

/// Without the provider there is no plan of the reference, so the findings about the source stand for it: values that the source
/// does not compute are none of those that the checks read.
fn checkov(program: &Path) -> Result<(), String> {
    let source = below_tests("policies/aws");
    let directory = tempfile::tempdir().map_err(text)?;
    let dialect: Dialect = "terraform".parse().map_err(|_| "no such dialect")?;
    let report = Project::new(&source).dialect(dialect).evaluate(&OsFiles);
    let plan = report.plan(Secrets::Hidden, &OsFiles).map_err(text)?.to_json();
    OsFiles.write_atomic(&directory.path().join("plan.json"), plan.as_bytes()).map_err(text)?;
    let of_plan = checked(program, directory.path(), ["--framework", "terraform_plan"].map(OsStr::new))?;
    let of_source = checked(program, &source, ["--framework", "terraform"].map(OsStr::new))?;
    let failed = of_source.iter().filter(|(_, passed)| !**passed).count();
    at_least(failed, LEAST_FAILED_CHECKS)?;
    let lines = |found: &Checked| -> BTreeSet<String> {
        // The source has no provider block, which the plan names nevertheless.
        let of_resources = found.iter().filter(|((_, _, resource), _)| resource != "aws.default");
        of_resources.map(|((_, id, resource), passed)| format!("{resource} {id}: {passed}")).collect()
    };
    same("checkov", &lines(&of_plan), &lines(&of_source))
}

/// The built-in checks about our documents of the given modules.
fn checkov_of_given(program: &Path) -> Result<(), String> {
    for (name, document) in given_documents()? {
        let directory = tempfile::tempdir().map_err(text)?;
        OsFiles.write_atomic(&directory.path().join("plan.json"), document.as_bytes()).map_err(text)?;
        let found = checked(program, directory.path(), ["--framework", "terraform_plan"].map(OsStr::new));
        at_least(found?.len(), 1).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// The scenarios about our documents of the given modules.
fn compliance_of_given(program: &Path) -> Result<(), String> {
    let root = tempfile::tempdir().map_err(text)?;
    for (position, (name, document)) in given_documents()?.into_iter().enumerate() {
        let directory = root.path().join(position.to_string());
        OsFiles.create_directories(&directory).map_err(text)?;
        OsFiles.write_atomic(&directory.join("plan.json"), document.as_bytes()).map_err(text)?;
        run_compliance(program, root.path(), std::slice::from_ref(&directory))?;
        let lines = printed(&directory).map_err(|error| format!("{name}: {error}"))?;
        let failed = lines.iter().filter(|line| line.contains("Failure")).count();
        at_least(failed, 1).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// Whether each check of each resource passed.
fn checked<'a>(
    program: &Path,
    directory: &Path,
    arguments: impl IntoIterator<Item = &'a OsStr>,
) -> Result<Checked, String> {
    let mut command = Command::new(program);
    command.args(["-o", "json", "--compact", "--skip-download"]).args(arguments);
    command.arg("-d").arg(directory);
    let output = command.env("LOG_LEVEL", "ERROR").output().map_err(text)?;
    let report: CheckovReport = serde_json::from_slice(&output.stdout).map_err(|error| {
        format!(
            "{error}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    })?;
    let CheckovResults { passed_checks, failed_checks } = report.results;
    let of = |results: Vec<CheckovResult>, passed| {
        results.into_iter().map(move |result| ((result.file_path, result.check_id, result.resource), passed))
    };
    Ok(of(passed_checks, true).chain(of(failed_checks, false)).collect())
}

/// The program and its Python start once for many documents, as that takes longer than a document, and several run side by side.
fn compliance(program: &Path) -> Result<(), String> {
    let pairs = whole_pairs()?;
    let root = tempfile::tempdir().map_err(text)?;
    let mut directories = Vec::new();
    for (name, pair) in &pairs {
        // It reads documents of one line only. Texts in a document have no line breaks.
        let theirs: String = pair.theirs.lines().map(str::trim_start).collect();
        for (side, document) in [("ours", &pair.ours), ("theirs", &theirs)] {
            let directory = root.path().join(name).join(side);
            OsFiles.create_directories(&directory).map_err(text)?;
            OsFiles.write_atomic(&directory.join("plan.json"), document.as_bytes()).map_err(text)?;
            directories.push(directory);
        }
    }
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let parts = directories.chunks(directories.len().div_ceil(threads).max(1));
        let running: Vec<_> =
            parts.map(|part| scope.spawn(|| run_compliance(program, root.path(), part))).collect();
        let ended = |one: thread::ScopedJoinHandle<'_, Result<(), String>>| {
            one.join().map_err(|_| "a thread has panicked".to_owned())?
        };
        running.into_iter().try_for_each(ended)
    })?;
    let mut failed = 0;
    for name in pairs.keys() {
        let [ours, theirs] = ["ours", "theirs"].map(|side| printed(&root.path().join(name).join(side)));
        let (ours, theirs) = (ours?, theirs?);
        failed += theirs.iter().filter(|line| line.contains("Failure")).count();
        same(name, &ours, &theirs)?;
    }
    at_least(failed, LEAST_FAILED_STEPS)
}

/// Runs the program on the documents in `directories`. Its files for a while are in `temporary`.
fn run_compliance(program: &Path, temporary: &Path, directories: &[PathBuf]) -> Result<(), String> {
    // A program that `pip` or `pyenv` has installed stands beside its Python.
    let python = OsFiles.canonicalize(program).map_err(text)?.with_file_name("python3");
    let mut command = Command::new(&python);
    command.arg(below_tests("policies/compliance.py")).arg(below_tests("policies/features"));
    let output = command.args(directories).env("TMPDIR", temporary).output();
    let output = output.map_err(|error| format!("{}: {error}", python.display()))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// The lines that the program prints about the document in a directory, without the number of the run.
fn printed(directory: &Path) -> Result<BTreeSet<String>, String> {
    let printed = read(&directory.join("printed.txt"))?;
    // A skipped step names its resources in any order.
    let is_of_run = |line: &str| ["finished within", "* SKIPPING"].iter().any(|text| line.contains(text));
    let lines: BTreeSet<String> =
        printed.lines().filter(|line| !is_of_run(line)).map(str::to_owned).collect();
    match lines.iter().any(|line| line.contains("Feature")) {
        true => Ok(lines),
        false => Err(printed),
    }
}

fn same(name: &str, ours: &BTreeSet<String>, theirs: &BTreeSet<String>) -> Result<(), String> {
    let only =
        |one: &BTreeSet<String>, other| one.difference(other).cloned().collect::<Vec<_>>().join("\n  ");
    match ours == theirs {
        true => Ok(()),
        false => Err(format!(
            "{name}: only in ours:\n  {}\nonly in that of the reference:\n  {}",
            only(ours, theirs),
            only(theirs, ours)
        )),
    }
}

fn at_least(found: usize, least: usize) -> Result<(), String> {
    if found >= least { Ok(()) } else { Err(format!("only {found} findings, so nothing is tested")) }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
