//! The document of `terrane eval -recursive --json`.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use terrane_source::{Diagnostic, Diagnostics, Severity};

use super::model::{FoundRoot, RootSign, Roots};
use crate::document::json::document::DiagnosticJson;
#[cfg(feature = "json-schema")]
use crate::document::json::document::{DocumentJson, SelectedJson};
use crate::document::json::lazy::Rows;
use crate::json::text::{Copied, to_text, write_text};
use crate::report::Report;
use crate::secrets::Secrets;
use crate::summary::Summary;

/// The version of the format: new fields raise the second number, other changes the first.
const FORMAT_VERSION: &str = "1.0";

/// The outcome of evaluating one root, without its values.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EvaluatedRoot {
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
    /// The numbers of values.
    pub summary: Summary,
    /// The document of `terrane eval --json`, or of selected addresses. `None` if it is left out because of errors.
    pub document: Option<String>,
}

/// The state of the evaluation of a root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RootStatus {
    /// The evaluation has no errors.
    Ok,
    /// The evaluation has errors.
    Errors,
    /// The root is not evaluated, because another program gives its inputs.
    Skipped,
}

impl RootStatus {
    /// Returns the name in JSON documents.
    pub const fn name(self) -> &'static str {
        match self {
            RootStatus::Ok => "ok",
            RootStatus::Errors => "errors",
            RootStatus::Skipped => "skipped",
        }
    }
}

impl EvaluatedRoot {
    /// Returns the outcome of a report. It has the document for [`Roots::to_json`] if there are no errors, or with `keep_going`
    /// also beside errors.
    pub fn with_document(report: &Report, secrets: Secrets, keep_going: bool) -> EvaluatedRoot {
        let has_document = keep_going || !report.has_errors();
        EvaluatedRoot {
            document: has_document.then(|| report.document(secrets).to_json()),
            ..EvaluatedRoot::new(report)
        }
    }

    /// Returns the outcome of a report, without the document.
    pub fn new(report: &Report) -> EvaluatedRoot {
        EvaluatedRoot { diagnostics: report.diagnostics().clone(), summary: report.summary(), document: None }
    }

    /// Whether there are errors.
    pub fn status(&self) -> RootStatus {
        if self.diagnostics.has_errors() { RootStatus::Errors } else { RootStatus::Ok }
    }
}

impl Roots {
    /// Returns the document of `terrane eval -recursive --json` on one line. `evaluated` has the outcomes in the order of the
    /// roots.
    pub fn to_json(&self, evaluated: &[EvaluatedRoot]) -> String {
        to_text(&RootsJson::of(self, &evaluated.iter().collect::<Vec<_>>()))
    }

    /// Writes the text of [`Roots::to_json`] piece by piece, so that it is never in memory as a whole.
    pub fn write_json<'e>(
        &self,
        evaluated: impl IntoIterator<Item = &'e EvaluatedRoot>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        write_text(&RootsJson::of(self, &evaluated.into_iter().collect::<Vec<_>>()), out)
    }

    /// Returns the numbers of all roots together.
    pub fn summary<'e>(evaluated: impl IntoIterator<Item = &'e EvaluatedRoot>) -> Summary {
        let mut all = Summary::default();
        evaluated.into_iter().for_each(|root| all.add(&root.summary));
        all
    }
}

/// Returns the JSON Schema of the document of `terrane eval -recursive --json`, draft 2020-12.
#[cfg(feature = "json-schema")]
pub fn roots_schema() -> serde_json::Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<RootsJson<'static>>().to_value()
}

/// The document of `terrane eval -recursive --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(title = "terrane eval -recursive --json"))]
struct RootsJson<'d> {
    /// The version of the format. New fields raise its second number.
    format_version: &'static str,
    /// The version of Terrane.
    terrane_version: &'static str,
    /// The root modules, sorted by directory.
    roots: Vec<EvaluatedRootJson<'d>>,
    left_out: LeftOutJson,
    /// Errors about directories that could not be read, and about files that name root modules.
    #[serde(skip_serializing_if = "Rows::is_empty")]
    diagnostics: Rows<'d, Diagnostic, DiagnosticJson<'d>>,
    summary: SummaryJson,
}

/// A root module.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "EvaluatedRoot"))]
struct EvaluatedRootJson<'d> {
    /// The directory.
    directory: String,
    /// Why the directory is a root: `fleet-file`, `atlantis-file`, `terramate-stack`, `backend`, `cloud`, `lock-file`, `provider`, `variable-file`, `not-called` or `terragrunt`.
    found_by: Vec<&'static str>,
    /// `ok`, `errors` if there are any, or `skipped`.
    status: &'static str,
    /// Why it is skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The number of errors.
    errors: usize,
    /// The number of warnings.
    warnings: usize,
    /// The document of `terrane eval --json` for this root. With addresses, the document of the addresses that exist in it.
    /// Left out if there are errors, except with `--keep-going`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<RootDocument<'d>>"))]
    document: Option<Copied<'d>>,
    /// Errors and warnings.
    diagnostics: Rows<'d, Diagnostic, DiagnosticJson<'d>>,
}

/// The documents that a root may have.
#[cfg(feature = "json-schema")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "the documents are copied as text")]
enum RootDocument<'d> {
    All(Box<DocumentJson<'d>>),
    Selected(Box<SelectedJson<'d>>),
}

/// Directories with modules that are not evaluated.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "LeftOut"))]
struct LeftOutJson {
    /// Modules without a sign of a root that no other module calls.
    libraries: Vec<String>,
    /// Modules in directories for examples or tests.
    examples: Vec<String>,
    /// Directories with Packer templates.
    templates: Vec<String>,
}

/// Numbers of all roots together.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "RootsSummary"))]
struct SummaryJson {
    /// Evaluated roots.
    roots: usize,
    /// Roots with errors.
    with_errors: usize,
    /// Roots that are not evaluated.
    skipped: usize,
    /// Instances of modules.
    modules: usize,
    /// Instances of resources and data sources.
    resources: usize,
    /// Variables, locals and outputs of all module instances.
    values: usize,
    /// Values that are unknown or partly unknown.
    unknown: usize,
}

impl<'d> RootsJson<'d> {
    fn of(found: &'d Roots, evaluated: &[&'d EvaluatedRoot]) -> RootsJson<'d> {
        let summary = Roots::summary(evaluated.iter().copied());
        let has_errors = |root: &&&EvaluatedRoot| root.status() == RootStatus::Errors;
        let texts = |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect();
        RootsJson {
            format_version: FORMAT_VERSION,
            terrane_version: env!("CARGO_PKG_VERSION"),
            roots: rows_of_roots(found, evaluated),
            left_out: LeftOutJson {
                libraries: texts(&found.libraries),
                examples: texts(&found.examples),
                templates: texts(&found.templates),
            },
            diagnostics: rows(&found.diagnostics),
            summary: SummaryJson {
                roots: evaluated.len(),
                with_errors: evaluated.iter().filter(has_errors).count(),
                skipped: found.terragrunt.len(),
                modules: summary.modules,
                resources: summary.resources,
                values: summary.values,
                unknown: summary.unknown,
            },
        }
    }
}

/// Returns the evaluated and the skipped roots, sorted by directory.
fn rows_of_roots<'d>(found: &'d Roots, evaluated: &[&'d EvaluatedRoot]) -> Vec<EvaluatedRootJson<'d>> {
    let evaluated = found.roots.iter().zip(evaluated);
    let evaluated = evaluated.map(|(root, outcome)| (&root.directory, EvaluatedRootJson::of(root, outcome)));
    let skipped = found.terragrunt.iter().map(|directory| (directory, EvaluatedRootJson::skipped(directory)));
    let mut all: Vec<(&PathBuf, EvaluatedRootJson<'_>)> = evaluated.chain(skipped).collect();
    all.sort_by_key(|(directory, _)| *directory);
    all.into_iter().map(|(_, root)| root).collect()
}

impl<'d> EvaluatedRootJson<'d> {
    /// Returns the row of a directory with a `terragrunt.hcl`.
    fn skipped(directory: &Path) -> EvaluatedRootJson<'d> {
        EvaluatedRootJson {
            directory: directory.display().to_string(),
            found_by: vec![RootSign::Terragrunt.name()],
            status: RootStatus::Skipped.name(),
            reason: Some("Terragrunt gives its inputs"),
            errors: 0,
            warnings: 0,
            document: None,
            diagnostics: Rows::new(&[], Secrets::Hidden, DiagnosticJson::of),
        }
    }

    fn of(root: &FoundRoot, outcome: &'d EvaluatedRoot) -> EvaluatedRootJson<'d> {
        let errors = outcome.diagnostics.errors();
        EvaluatedRootJson {
            directory: root.directory.display().to_string(),
            found_by: root.found_by.iter().map(|sign| sign.name()).collect(),
            status: outcome.status().name(),
            reason: None,
            errors,
            warnings: outcome.diagnostics.of_severity(Severity::Warning),
            document: outcome.document.as_deref().map(Copied),
            diagnostics: rows(&outcome.diagnostics),
        }
    }
}

fn rows(diagnostics: &Diagnostics) -> Rows<'_, Diagnostic, DiagnosticJson<'_>> {
    // Diagnostics contain no text of secrets.
    Rows::new(diagnostics.as_slice(), Secrets::Hidden, DiagnosticJson::of)
}
