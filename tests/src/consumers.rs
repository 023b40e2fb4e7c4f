//! Programs that read plan documents: they find the same in ours as in those of the reference.
//!
//! Rego rules run in the process, with `regorus`. `checkov` and `terraform-compliance` run if they are on `PATH`; otherwise their
//! trials count as skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;
use regorus::Engine;
use serde::Deserialize;
use serde_json::Value;
use terrane::{Dialect, Files as _, OsFiles, Project, Secrets};

use crate::plans::{Pair, pairs, read};
use crate::reference::terraform::find;
use crate::settings::below_tests;

/// The golden plans that `terraform-compliance` reads: it takes seconds for each.
const FOR_COMPLIANCE: [&str; 4] = ["modules-each-blocks", "blocks-list", "variables-kinds", "attrs-unknown"];

/// The numbers of findings that show that the rules find something at all.
const LEAST_FINDINGS: usize = 200;
const LEAST_FAILED_CHECKS: usize = 20;

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
    vec![rego, with_program("checkov", checkov), with_program("terraform-compliance", compliance)]
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
    check_id: String,
    resource: String,
}

/// Without the provider there is no plan of the reference, so the findings about the source stand for it: values that the source
/// does not compute are none of those that the checks read.
fn checkov(program: &Path) -> Result<(), String> {
    let source = below_tests("policies/aws");
    let directory = tempfile::tempdir().map_err(text)?;
    let dialect: Dialect = "terraform".parse().map_err(|_| "no such dialect")?;
    let report = Project::new(&source).dialect(dialect).evaluate(&OsFiles);
    let plan = report.plan(Secrets::Hidden).map_err(text)?.to_json();
    OsFiles.write_atomic(&directory.path().join("plan.json"), plan.as_bytes()).map_err(text)?;
    let of_plan = checked(program, directory.path(), "terraform_plan")?;
    let of_source = checked(program, &source, "terraform")?;
    let failed = of_source.iter().filter(|(_, passed)| !**passed).count();
    at_least(failed, LEAST_FAILED_CHECKS)?;
    let lines = |found: &BTreeMap<(String, String), bool>| -> BTreeSet<String> {
        // The source has no provider block, which the plan names nevertheless.
        let of_resources = found.iter().filter(|((_, resource), _)| resource != "aws.default");
        of_resources.map(|((id, resource), passed)| format!("{resource} {id}: {passed}")).collect()
    };
    same("checkov", &lines(&of_plan), &lines(&of_source))
}

/// Whether each check of each resource passed.
fn checked(
    program: &Path,
    directory: &Path,
    framework: &str,
) -> Result<BTreeMap<(String, String), bool>, String> {
    let mut command = Command::new(program);
    command
        .args(["--framework", framework, "-o", "json", "--compact", "--skip-download", "-d"])
        .arg(directory);
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
        results.into_iter().map(move |result| ((result.check_id, result.resource), passed))
    };
    Ok(of(passed_checks, true).chain(of(failed_checks, false)).collect())
}

fn compliance(program: &Path) -> Result<(), String> {
    let pairs = pairs()?;
    let mut failed = 0;
    for name in FOR_COMPLIANCE {
        let pair = pairs.get(name).ok_or_else(|| format!("there is no golden plan {name}"))?;
        // It reads documents of one line only.
        let theirs: Value = serde_json::from_str(&pair.theirs).map_err(text)?;
        let [ours, theirs] = [complied(program, &pair.ours)?, complied(program, &theirs.to_string())?];
        failed += theirs.iter().filter(|line| line.contains("Failure")).count();
        same(name, &ours, &theirs)?;
    }
    at_least(failed, 1)
}

/// The lines that it prints about a document, without the number of the run.
fn complied(program: &Path, document: &str) -> Result<BTreeSet<String>, String> {
    let directory = tempfile::tempdir().map_err(text)?;
    let plan = directory.path().join("plan.json");
    OsFiles.write_atomic(&plan, document.as_bytes()).map_err(text)?;
    let mut command = Command::new(program);
    command.arg("-p").arg(&plan).arg("-f").arg(below_tests("policies/features"));
    let output = command.current_dir(directory.path()).output().map_err(text)?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_of_run = |line: &str| {
        line.contains("finished within") || line.contains("plan.json") || line.contains("Plan File")
    };
    let lines: BTreeSet<String> =
        printed.lines().filter(|line| !is_of_run(line)).map(str::to_owned).collect();
    match lines.iter().any(|line| line.contains("Feature")) {
        true => Ok(lines),
        false => Err(format!("{printed}{}", String::from_utf8_lossy(&output.stderr))),
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
