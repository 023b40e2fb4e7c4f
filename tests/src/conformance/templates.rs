//! Rows of `behaviour.jsonl` that are Packer templates: a line on the console, a verdict, or a build.

use std::sync::Arc;

use terrane::{PackerTemplate, Secrets, Session, TemplateReport, Value};
use terrane_function::{EnvironmentVariables, FixedClock, Host, Random};
use terrane_source::{Diagnostic, Diagnostics, MemoryFiles};

use super::behaviour::failed;
use super::check::{Mismatch, described};
use super::row::{Answer, BehaviourRow};

/// The release that gave the answers.
const EDITION: &str = "packer-1.9";

/// Random bytes that are never the same.
struct Counter(std::sync::atomic::AtomicU8);

impl Random for Counter {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill_with(|| self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
    }
}

struct Environ(Vec<(String, String)>);

impl EnvironmentVariables for Environ {
    fn get(&self, name: &str) -> Option<String> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }
}

/// Runs a row.
///
/// # Errors
///
/// The first difference.
pub fn check(row: &BehaviourRow) -> Result<(), Mismatch> {
    let Some(want) = &row.want else { return Err(Mismatch::new("the row", "an answer", "none")) };
    let mut files = row.files.clone();
    if files.is_empty() {
        files.insert("a.pkr.hcl".to_owned(), row.text());
    }
    let files: MemoryFiles = files.into_iter().collect();
    let report = template(row).evaluate(&files);
    match row.mode.as_str() {
        "packer-console" => console(row, want, report, &files),
        _ if !want.ok => failed(want, report.diagnostics().as_slice()),
        "packer-validate" => validated(want, &report),
        _ => built(want, &report),
    }
}

fn template(row: &BehaviourRow) -> PackerTemplate {
    let environment: Vec<_> = row.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let mut template = PackerTemplate::new(".")
        .dialect(EDITION.parse().unwrap_or_default())
        .environment(environment)
        .complete(row.mode != "packer-console")
        .strict_inputs(row.mode != "packer-console")
        .host(host(row));
    let mut arguments = row.args.iter();
    while let Some(argument) = arguments.next() {
        let (option, value) = match argument.split_once('=') {
            Some((option, value)) => (option, value.to_owned()),
            None => (argument.as_str(), arguments.next().cloned().unwrap_or_default()),
        };
        template = match (option, value.split_once('=')) {
            ("-var", Some((name, value))) => template.variable(name, value),
            ("-only", _) => template.only(value.split(',').map(str::to_owned)),
            ("-except", _) => template.except(value.split(',').map(str::to_owned)),
            _ => template.variable_file(value),
        };
    }
    template
}

fn host(row: &BehaviourRow) -> Host {
    let environment = row.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    Host {
        clock: Some(Arc::new(FixedClock(1_700_000_000))),
        plan_time: None,
        random: Some(Arc::new(Counter(0.into()))),
        home: None,
        environment: Some(Arc::new(Environ(environment))),
    }
}

fn console(
    row: &BehaviourRow,
    want: &Answer,
    report: TemplateReport,
    files: &MemoryFiles,
) -> Result<(), Mismatch> {
    let mut diagnostics: Diagnostics = report.loading_diagnostics();
    let session = Session::of_template(report).host(host(row));
    let answered = session.evaluate(row.expr.as_deref().unwrap_or_default(), files);
    diagnostics.extend(answered.diagnostics.clone());
    let text = want.text.as_deref().unwrap_or_default();
    if !want.ok {
        return failed(want, diagnostics.as_slice());
    }
    no_error(&diagnostics, text)?;
    let found = session.text(&answered, Secrets::Hidden);
    // The recorded text has no newline at its end.
    if found.trim_end_matches('\n') == text { Ok(()) } else { Err(Mismatch::new("text", text, found)) }
}

fn no_error(diagnostics: &Diagnostics, wanted: &str) -> Result<(), Mismatch> {
    match diagnostics.as_slice().iter().find(|diagnostic| diagnostic.is_error()) {
        Some(error) => Err(Mismatch::new("an error", wanted, described(error))),
        None => Ok(()),
    }
}

fn validated(want: &Answer, report: &TemplateReport) -> Result<(), Mismatch> {
    no_error(report.diagnostics(), "valid")?;
    let text = want.text.as_deref().unwrap_or_default();
    match text.strip_prefix("valid with warning ") {
        Some(warning) if !report.diagnostics().as_slice().iter().any(|found| found.title() == warning) => {
            let found = report.diagnostics().as_slice().iter().map(Diagnostic::title).collect::<Vec<_>>();
            Err(Mismatch::new("warnings", warning, found.join(", ")))
        }
        Some(_) | None => Ok(()),
    }
}

/// Compares the output of the `inline` commands of all provisioners with the answer.
fn built(want: &Answer, report: &TemplateReport) -> Result<(), Mismatch> {
    no_error(report.diagnostics(), want.text.as_deref().unwrap_or_default())?;
    let mut echoes = Vec::new();
    for component in report.runs().iter().flat_map(|run| &run.provisioners) {
        let inline = component.body.arguments.iter().find(|argument| &*argument.name == "inline");
        let commands = inline.and_then(|inline| inline.value.as_sequence()).unwrap_or_default();
        echoes.extend(
            commands
                .iter()
                .filter_map(Value::as_str)
                .map(|command| command.strip_prefix("echo ").unwrap_or(command).to_owned()),
        );
    }
    let found =
        format!("echoes {}", serde_json::to_string(&echoes).unwrap_or_default().replace("\",\"", "\", \""));
    match &want.text {
        Some(text) if *text != found => Err(Mismatch::new("echoes", text, found)),
        Some(_) | None => Ok(()),
    }
}
