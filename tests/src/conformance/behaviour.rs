//! Rows of `behaviour.jsonl`: a line on the console, or a small module.

use std::collections::BTreeMap;

use terrane::InputLines;
use terrane_config::{Assignment, InputSources};
use terrane_function::{Dialect, Edition, Product};
use terrane_module::{Phase, Request};
use terrane_source::{Diagnostic, MemoryFiles};
use terrane_value::Mark;

use super::check::{Mismatch, described};
use super::compare::is_value;
use super::row::{Answer, BehaviourRow, PlannedOutput};
use super::templates;
use crate::module::{EvaluatedModule, evaluate_module};
use crate::notation;

/// The modes whose rows are run.
const MODES: [&str; 10] = [
    "console",
    "console-config",
    "console-unknown",
    "local",
    "local-json",
    "packer-build",
    "packer-console",
    "packer-validate",
    "plan",
    "validate",
];

/// Whose answer a row is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// The newest one, which plain files are read as.
    Newest,
    /// Terraform 1.11.
    Terraform,
}

impl Release {
    /// All of them.
    pub const ALL: [Release; 2] = [Release::Newest, Release::Terraform];

    /// Whether the row is run and has an answer of its own for this release.
    pub fn has_answered(self, row: &BehaviourRow) -> bool {
        is_run(row) && (self == Release::Newest || row.want_terraform.is_some())
    }

    /// The category of rows of a mode, and the name of a row, as run for this release.
    pub fn labels(self, row: &BehaviourRow) -> (String, String) {
        match self {
            Release::Newest => (row.mode.clone(), row.id.clone()),
            Release::Terraform => (format!("terraform:{}", row.mode), format!("{}@terraform", row.id)),
        }
    }

    fn answer(self, row: &BehaviourRow) -> Option<&Answer> {
        match self {
            Release::Newest => row.want.as_ref(),
            Release::Terraform => row.want_terraform.as_ref(),
        }
    }

    fn dialect(self) -> Dialect {
        match self {
            Release::Newest => Dialect::Modules,
            Release::Terraform => Dialect::Product(Product::Terraform, Edition::new(1, 11)),
        }
    }
}

/// Whether a row is run.
pub fn is_run(row: &BehaviourRow) -> bool {
    MODES.contains(&row.mode.as_str())
}

/// How some plans show an unknown output, a partly unknown output, and a hidden output.
const UNKNOWN: &str = "\"(known after apply)\"";
const PARTLY_KNOWN: &str = "{\"partly known\"";
const SENSITIVE: &str = "\"(sensitive)\"";

/// Runs a row.
///
/// # Errors
///
/// The first difference.
pub fn check(row: &BehaviourRow, release: Release) -> Result<(), Mismatch> {
    if row.mode.starts_with("packer") {
        return templates::check(row);
    }
    let Some(want) = release.answer(row) else { return Err(Mismatch::new("the row", "an answer", "none")) };
    let files = files(row);
    let module = evaluate_module(Request { dialect: release.dialect(), ..request(row) }, &files);
    match row.mode.as_str() {
        "plan" | "validate" if !want.ok => failed(want, &module.diagnostics),
        "plan" => planned(want, &module),
        "validate" => valid(&module),
        _ => console(row, release, want, &module, &files),
    }
}

/// The rows of the console were run before anything was created.
fn phase(row: &BehaviourRow) -> Phase {
    match row.mode.as_str() {
        "validate" => Phase::Validate,
        mode if mode.starts_with("console") => Phase::Console,
        _ => Phase::Plan,
    }
}

/// The files of the module that the row evaluates.
fn files(row: &BehaviourRow) -> MemoryFiles {
    let mut files: BTreeMap<String, String> = row.files.clone();
    let (prelude, text) = (&row.prelude, row.text());
    let main = match row.mode.as_str() {
        "console-unknown" => format!("{prelude}\nresource \"terraform_data\" \"x\" {{}}\n"),
        "local" | "local-json" => format!("{prelude}\nlocals {{\n  v = {text}\n}}\n"),
        "plan" | "validate" | "console-config" if files.is_empty() => format!("{prelude}{text}"),
        _ => prelude.clone(),
    };
    if !main.is_empty() || files.is_empty() {
        files.entry("main.tf".to_owned()).or_default().push_str(&main);
    }
    files.into_iter().collect()
}

fn request(row: &BehaviourRow) -> Request {
    let environment = row.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    // A plan requires a value for every variable; other commands take a missing value as unknown.
    let mut given = InputSources { environment, strict: row.mode == "plan", ..InputSources::default() };
    let mut arguments = row.args.iter();
    while let Some(argument) = arguments.next() {
        let (option, value) = match argument.split_once('=') {
            Some((option, value)) if option.starts_with("-var") => (option, value.to_owned()),
            _ => (argument.as_str(), arguments.next().cloned().unwrap_or_default()),
        };
        let assignment = match (option, value.split_once('=')) {
            ("-var", Some((name, value))) => Assignment::Variable(name.to_owned(), value.to_owned()),
            _ => Assignment::File(value.into()),
        };
        given.assignments.push(assignment);
    }
    Request { phase: phase(row), inputs: given, ..Request::new(".") }
}

fn console(
    row: &BehaviourRow,
    release: Release,
    want: &Answer,
    module: &EvaluatedModule,
    files: &MemoryFiles,
) -> Result<(), Mismatch> {
    let expression = match (row.mode.as_str(), &row.expr) {
        ("local", _) => "local.v".to_owned(),
        ("local-json", _) => "jsonencode(local.v)".to_owned(),
        (_, Some(expr)) => expr.clone(),
        (_, None) => row.text(),
    };
    // The console of Terraform 1.11 does not wait for more.
    if release == Release::Newest && row.mode.starts_with("console") && is_open(&expression) {
        let text = want.text.as_deref().unwrap_or_default();
        return if want.ok && text.is_empty() { Ok(()) } else { Err(Mismatch::new("text", text, "")) };
    }
    let outcome = module.expression(&expression, files);
    let mut diagnostics = module.diagnostics.clone();
    diagnostics.extend(outcome.diagnostics.iter().cloned());
    if !want.ok {
        return failed(want, &diagnostics);
    }
    if let Some(error) = diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        return Err(Mismatch::new("an error", want.text.as_deref().unwrap_or_default(), described(error)));
    }
    // A local is shown by `jsonencode`, whose result is a string.
    let text = match outcome.value.as_str() {
        Some(text) if row.mode == "local-json" => text.to_owned(),
        _ => outcome.console(),
    };
    match &want.text {
        Some(wanted) if *wanted != text && !same_json(wanted, &text) => {
            Err(Mismatch::new("text", wanted, text))
        }
        Some(_) | None => Ok(()),
    }
}

/// Whether the console waits for more, and so prints nothing before its input ends.
fn is_open(input: &str) -> bool {
    let mut lines = InputLines::default();
    for line in input.lines() {
        lines.add(line);
    }
    lines.is_open()
}

/// Whether two texts are JSON documents that differ only in white space.
fn same_json(one: &str, other: &str) -> bool {
    let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    parse(one).is_some_and(|document| parse(other) == Some(document))
}

/// Compares titles of errors.
///
/// # Errors
///
/// Where there is no error, or none with the title that is wanted.
pub(super) fn failed(want: &Answer, diagnostics: &[Diagnostic]) -> Result<(), Mismatch> {
    let wanted = want.titles.join(", ");
    let mut errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let Some(first) = errors.clone().next() else { return Err(Mismatch::new("no error", wanted, "")) };
    // Names of graph nodes behind `Cycle:` are not compared.
    let title =
        want.titles.first().map_or("", |title| title.split_once("Cycle: ").map_or(title, |_| "Cycle"));
    if errors.any(|error| error.title() == title) {
        return Ok(());
    }
    Err(Mismatch::new("title", wanted, described(first)))
}

fn valid(module: &EvaluatedModule) -> Result<(), Mismatch> {
    match module.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        Some(error) => Err(Mismatch::new("an error", "valid", described(error))),
        None => Ok(()),
    }
}

fn planned(want: &Answer, module: &EvaluatedModule) -> Result<(), Mismatch> {
    let none = BTreeMap::new();
    let outputs = want.outputs.as_ref().unwrap_or(&none);
    let wanted = |output: &PlannedOutput| output.value.as_ref().map_or("unknown", |raw| raw.get()).to_owned();
    if let Some(error) = module.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        let wanted: Vec<String> =
            outputs.iter().map(|(name, output)| format!("{name} = {}", wanted(output))).collect();
        return Err(Mismatch::new("an error", wanted.join(", "), described(error)));
    }
    let ours: BTreeMap<&str, _> = module.outputs().into_iter().collect();
    for (name, output) in outputs {
        let Some(value) = ours.get(name.as_str()) else {
            return Err(Mismatch::new("missing output", name, ""));
        };
        let same = match &output.value {
            Some(raw) if raw.get() == UNKNOWN || raw.get().starts_with(PARTLY_KNOWN) => {
                !value.is_wholly_known()
            }
            Some(raw) if raw.get() == SENSITIVE => value.has_mark(&Mark::Sensitive),
            Some(raw) => is_value(value, Some(raw)),
            None => !value.is_wholly_known(),
        };
        if !same {
            let found = format!("{name} = {}", notation::one_line(value));
            return Err(Mismatch::new("output", wanted(output), found));
        }
    }
    let titles = |diagnostics: &[Diagnostic]| -> Vec<String> {
        diagnostics.iter().map(|diagnostic| diagnostic.title().to_owned()).collect()
    };
    let warnings = titles(&module.diagnostics);
    match want.warnings.iter().find(|warning| !warnings.contains(warning)) {
        Some(warning) => Err(Mismatch::new("warnings", warning, warnings.join(", "))),
        None => Ok(()),
    }
}
