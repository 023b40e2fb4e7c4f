//! Cases of modules.

use std::path::Path;

use terrane::schemas_from_json;
use terrane_config::{Assignment, Request};
use terrane_source::{Diagnostic, Files as _, MemoryFiles};

use super::case::{Case, Expectation};
use super::expressions::{columns, described};
use super::markdown::Fence;
use super::update::Edit;
use crate::engine::Outcome;
use crate::module::{EvaluatedModule, evaluate_module};
use crate::notation;

/// Evaluates the module of a case; an edit for each fence that does not hold.
///
/// # Errors
///
/// A line number and what is wrong there.
pub fn run(case: &Case) -> Result<Vec<Edit>, String> {
    let files: MemoryFiles = case.files.iter().map(|fence| (&fence.title, fence.text())).collect();
    let module = evaluate_module(request(&case.inputs, &files)?, &files);
    let diagnostics = diagnostics(&module.diagnostics);
    let expects_diagnostics = case.expectations.iter().any(|(kind, _)| *kind == Expectation::Diagnostics);
    if !expects_diagnostics && !diagnostics.is_empty() {
        let line = case.files.first().map_or(0, |fence| fence.line);
        return Err(format!("{line}: diagnostics that no fence expects:\n  {}", diagnostics.join("\n  ")));
    }
    let mut edits = Vec::new();
    for (kind, fence) in &case.expectations {
        let found = match kind {
            Expectation::Outputs => outputs(&module),
            Expectation::Diagnostics => diagnostics.clone(),
            Expectation::Console => console(&module, &files, fence),
        };
        if found != fence.lines {
            edits.push(Edit { line: fence.line, old: fence.lines.clone(), new: found });
        }
    }
    Ok(edits)
}

/// Reads `-var name=value`, `-var-file path`, `TF_VAR_name=value`, `--strict-inputs`, `--module SOURCE=DIR`,
/// `--dialect DIALECT` and `--schemas FILE`, one on a line.
fn request(fences: &[Fence], files: &MemoryFiles) -> Result<Request, String> {
    let mut request = Request::new(".");
    let given = &mut request.inputs;
    for fence in fences {
        for (line, number) in fence.lines.iter().zip(fence.line..) {
            let pair =
                |text: &str| text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
            if let Some(path) = line.strip_prefix("-var-file ") {
                given.assignments.push(Assignment::File(path.into()));
            } else if let Some((name, value)) = line.strip_prefix("-var ").and_then(pair) {
                given.assignments.push(Assignment::Variable(name, value));
            } else if line == "--strict-inputs" {
                given.strict = true;
            } else if let Some((source, directory)) = line.strip_prefix("--module ").and_then(pair) {
                request.modules.push((source, directory.into()));
            } else if let Some(dialect) = line.strip_prefix("--dialect ") {
                request.dialect = dialect.parse().map_err(|error| format!("{number}: {error}"))?;
            } else if let Some(path) = line.strip_prefix("--schemas ") {
                let text = files.read(Path::new(path)).map_err(|error| format!("{number}: {error}"))?;
                let schemas = schemas_from_json(&String::from_utf8_lossy(&text));
                let schemas = schemas.map_err(|error| format!("{number}: {error}"))?;
                request.schemas = request.schemas.merged(&schemas);
            } else if let Some(variable) = pair(line).filter(|_| line.starts_with("TF_VAR_")) {
                given.environment.push(variable);
            } else {
                return Err(format!("{number}: not one of the inputs that tests/README.md lists"));
            }
        }
    }
    Ok(request)
}

fn outputs(module: &EvaluatedModule) -> Vec<String> {
    let outputs = module.outputs().into_iter();
    outputs.map(|(name, value)| format!("{name} = {}", notation::one_line(value))).collect()
}

/// `error main.tf:3:5-9 "Title"`, one on a line.
fn diagnostics(diagnostics: &[Diagnostic]) -> Vec<String> {
    let line = |diagnostic: &Diagnostic| {
        let severity = if diagnostic.is_error() { "error" } else { "warning" };
        let place = diagnostic.subject.as_ref().map_or("-".to_owned(), |subject| {
            let columns = columns(subject.file.text(), subject.span);
            let line = if columns.contains(':') { "" } else { "1:" };
            format!("{}:{line}{columns}", subject.file.id())
        });
        format!("{severity} {place} {:?}", diagnostic.title())
    };
    diagnostics.iter().map(line).collect()
}

/// Each expression of the fence, followed by its value or errors.
fn console(module: &EvaluatedModule, files: &MemoryFiles, fence: &Fence) -> Vec<String> {
    let is_answer =
        |line: &&String| ["=> ", "error: ", "warning: "].iter().any(|kind| line.starts_with(kind));
    let mut lines = Vec::new();
    for expression in fence.lines.iter().filter(|line| !is_answer(line)) {
        lines.push(expression.clone());
        if !expression.trim().is_empty() {
            lines.extend(answers(expression, &module.expression(expression, files)));
        }
    }
    lines
}

fn answers(expression: &str, outcome: &Outcome) -> Vec<String> {
    let diagnostics = outcome.diagnostics.iter();
    let mut lines: Vec<String> = diagnostics.map(|diagnostic| described(diagnostic, expression, 0)).collect();
    if !outcome.is_error() {
        lines.push(format!("=> {}", notation::one_line(&outcome.value)));
    }
    lines
}
