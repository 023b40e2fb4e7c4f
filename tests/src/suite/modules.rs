//! Cases of modules.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane::{Value, outputs_from_json, plan_from_json, schemas_from_json, state_from_json};
use terrane_config::InputSources;
use terrane_config::state::{State, StoredPlan};
use terrane_module::{GivenText, Phase, RemoteOutputs, Request, Schemas, state_file};
use terrane_source::{Diagnostic, Files as _, MemoryFiles};

use super::case::{Case, Expectation};
use super::expressions::{columns, described};
use super::inputs::Given;
use super::markdown::Fence;
use super::update::Edit;
use crate::engine::Outcome;
use crate::module::{EvaluatedModule, evaluate_module};
use crate::notation;

/// Evaluates the module of a case; an edit for each fence that does not hold.
///
/// # Errors
///
/// A line number and the mistake in that line.
pub fn run(case: &Case) -> Result<Vec<Edit>, String> {
    let files = files(case);
    let module = evaluated(case)?;
    let found = diagnostics(&module.diagnostics)?;
    edits(case, &found, &|kind, fence| match kind {
        Expectation::Outputs => outputs(&module),
        Expectation::Diagnostics => found.clone(),
        Expectation::Console => console(&module, &files, fence),
        // Refused where the case is read.
        Expectation::Builds => Vec::new(),
    })
}

/// The module of a case, evaluated.
///
/// # Errors
///
/// If the inputs of the case cannot be read.
pub fn evaluated(case: &Case) -> Result<EvaluatedModule, String> {
    let files = files(case);
    Ok(evaluate_module(request(Given::read(&case.inputs)?, &files)?, &files))
}

fn files(case: &Case) -> MemoryFiles {
    case.files.iter().map(|fence| (&fence.title, fence.text())).collect()
}

/// An edit for each expectation of a case that does not hold; `found` returns the true text.
///
/// # Errors
///
/// A line number, where there are diagnostics that no fence expects.
pub fn edits(
    case: &Case,
    diagnostics: &[String],
    found: &dyn Fn(Expectation, &Fence) -> Vec<String>,
) -> Result<Vec<Edit>, String> {
    let expects_diagnostics = case.expectations.iter().any(|(kind, _)| *kind == Expectation::Diagnostics);
    if !expects_diagnostics && !diagnostics.is_empty() {
        let line = case.files.first().map_or(0, |fence| fence.line);
        return Err(format!("{line}: diagnostics that no fence expects:\n  {}", diagnostics.join("\n  ")));
    }
    let mut edits = Vec::new();
    for (kind, fence) in &case.expectations {
        let found = found(*kind, fence);
        if found != fence.lines {
            edits.push(Edit { line: fence.line, old: fence.lines.clone(), new: found });
        }
    }
    Ok(edits)
}

fn request(given: Given, files: &MemoryFiles) -> Result<Request, String> {
    let mut schemas = Schemas::default();
    for path in &given.schemas {
        let text = files.read(Path::new(path)).map_err(|error| error.to_string())?;
        let read = schemas_from_json(&String::from_utf8_lossy(&text)).map_err(|error| error.to_string())?;
        schemas = schemas.merged(&read);
    }
    let inputs = InputSources {
        environment: given.environment,
        assignments: given.assignments,
        strict: given.strict,
        ..InputSources::default()
    };
    let dialect = given.dialect.unwrap_or_default();
    let phase = match (given.validate, given.console) {
        (true, _) => Phase::Validate,
        (false, true) => Phase::Console,
        (false, false) => Phase::default(),
    };
    let state_path = given.state;
    let plan = given.plan.map(|path| plan(&path, files)).transpose()?;
    let state = plan.as_ref().map(|plan| Arc::clone(&plan.prior));
    let (workspace, modules_given) = (given.workspace, given.modules);
    let modules = modules(modules_given);
    let remote_states = given.remote_states.iter().map(|given| remote_outputs(given, files));
    let remote_states = remote_states.collect::<Result<_, _>>()?;
    let mocks = given.mocks.iter().map(PathBuf::from).collect();
    let (computes_data, given) = (!given.leaves_data, given.given);
    let request = Request { inputs, dialect, phase, schemas, modules, given, state, ..Request::new(".") };
    let mut request = Request { mocks, remote_states, computes_data, plan, workspace, ..request };
    if let Some(path) = state_path {
        request.state = prior_state(&path, &request, files)?;
    }
    Ok(request)
}

fn remote_outputs(given: &GivenText, files: &MemoryFiles) -> Result<RemoteOutputs, String> {
    let text = files.read(Path::new(&given.value)).map_err(|error| error.to_string())?;
    let outputs = outputs_from_json(&String::from_utf8_lossy(&text)).map_err(|error| error.to_string())?;
    let outputs = Value::object(outputs.into_iter().map(|(name, output)| (name, output.value)));
    Ok(RemoteOutputs { address: given.address.clone(), outputs })
}

/// The state in a file, or in the state file of the directory `.`; none if that is missing.
fn prior_state(path: &str, request: &Request, files: &MemoryFiles) -> Result<Option<Arc<State>>, String> {
    let mut path = PathBuf::from(path);
    if path == Path::new(".") {
        let file = state_file(request, files)?;
        path = if request.phase == Phase::Console { file.of_console } else { file.of_plan };
        if files.metadata(&path).is_err() {
            return Ok(Some(Arc::default()));
        }
    }
    let text = files.read(&path).map_err(|error| error.to_string())?;
    let state = state_from_json(&String::from_utf8_lossy(&text)).map_err(|error| error.to_string())?;
    Ok(Some(Arc::new(state)))
}

fn plan(path: &str, files: &MemoryFiles) -> Result<Arc<StoredPlan>, String> {
    let text = files.read(Path::new(path)).map_err(|error| error.to_string())?;
    let plan = plan_from_json(&String::from_utf8_lossy(&text)).map_err(|error| error.to_string())?;
    Ok(Arc::new(plan))
}

fn modules(given: Vec<(String, String)>) -> Vec<(String, PathBuf)> {
    given.into_iter().map(|(source, directory)| (source, directory.into())).collect()
}

fn outputs(module: &EvaluatedModule) -> Vec<String> {
    let outputs = module.outputs().into_iter();
    outputs.map(|(name, value)| format!("{name} = {}", notation::one_line(value))).collect()
}

/// `error main.tf:3:5-9 "Title"`, one on a line.
///
/// # Errors
///
/// A detail that shows how its source is laid out: a backslash at the end of a line, or a run of spaces.
pub fn diagnostics(diagnostics: &[Diagnostic]) -> Result<Vec<String>, String> {
    let shows_layout =
        |diagnostic: &&Diagnostic| ["\\\n", "   "].iter().any(|layout| diagnostic.detail.contains(layout));
    if let Some(diagnostic) = diagnostics.iter().find(shows_layout) {
        return Err(format!("0: a detail with the layout of its source: {:?}", diagnostic.detail));
    }
    let line = |diagnostic: &Diagnostic| {
        let severity = if diagnostic.is_error() { "error" } else { "warning" };
        let place = diagnostic.subject.as_ref().map_or("-".to_owned(), |subject| {
            let columns = columns(subject.file.text(), subject.span);
            let line = if columns.contains(':') { "" } else { "1:" };
            format!("{}:{line}{columns}", subject.file.id())
        });
        format!("{severity} {place} {:?}", diagnostic.title())
    };
    Ok(diagnostics.iter().map(line).collect())
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
