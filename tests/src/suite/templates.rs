//! Cases of Packer templates.

use terrane::{Answer, PackerTemplate, Secrets, Session};
use terrane_config::InputSources;
use terrane_source::MemoryFiles;

use super::case::{Case, Expectation};
use super::expressions::described;
use super::inputs::Given;
use super::markdown::Fence;
use super::modules::{diagnostics, edits};
use super::update::Edit;

/// The prefix of the continuation lines of a value on the console.
const MORE: &str = "   ";

/// Evaluates the template of a case; an edit for each fence that does not hold.
///
/// # Errors
///
/// A line number and the mistake in that line.
pub fn run(case: &Case) -> Result<Vec<Edit>, String> {
    let files: MemoryFiles = case.files.iter().map(|fence| (&fence.title, fence.text())).collect();
    let report = template(&Given::read(&case.inputs)?).evaluate(&files);
    let found = diagnostics(report.diagnostics().as_slice())?;
    let builds = report.document(Secrets::Hidden).builds_text();
    let session = Session::of_template(report);
    edits(case, &found, &|kind, fence| match kind {
        Expectation::Builds => builds.lines().map(str::to_owned).collect(),
        Expectation::Diagnostics => found.clone(),
        Expectation::Console => console(&session, &files, fence),
        // Refused where the case is read.
        Expectation::Outputs => Vec::new(),
    })
}

fn template(given: &Given) -> PackerTemplate {
    let inputs = InputSources {
        environment: given.environment.clone(),
        assignments: given.assignments.clone(),
        strict: given.strict,
        ..InputSources::default()
    };
    let template = PackerTemplate::new(".")
        .inputs(inputs)
        .dialect(given.dialect.unwrap_or_default())
        .only(given.only.iter().cloned())
        .except(given.except.iter().cloned());
    if given.validate { template.validating() } else { template }
}

/// Each expression of the fence, followed by its value in Packer's own form, or by errors.
fn console(session: &Session, files: &MemoryFiles, fence: &Fence) -> Vec<String> {
    let is_answer =
        |line: &&String| ["=>", "error: ", "warning: ", MORE].iter().any(|kind| line.starts_with(kind));
    let mut lines = Vec::new();
    for expression in fence.lines.iter().filter(|line| !is_answer(line)) {
        lines.push(expression.clone());
        if expression.trim().is_empty() {
            continue;
        }
        let answered = session.evaluate(expression, files);
        let found = answered.diagnostics.as_slice().iter();
        lines.extend(found.map(|diagnostic| described(diagnostic, expression, 0)));
        if !answered.diagnostics.has_errors() && matches!(answered.answer, Answer::Value(_)) {
            let text = session.text(&answered, Secrets::Hidden).replace('\n', &format!("\n{MORE}"));
            lines.extend(format!("=> {text}").split('\n').map(|line| line.trim_end().to_owned()));
        }
    }
    lines
}
