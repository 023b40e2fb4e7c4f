//! The document of `terrane eval --matrix --json`.

use serde::Serialize;

use super::evaluated::EvaluatedEnvironment;
use crate::document::Document;
use crate::matrix::differences::Difference;

#[derive(Serialize)]
pub(super) struct MatrixDocument<'d> {
    format_version: &'static str,
    environments: Vec<EnvironmentDocument<'d>>,
    /// The addresses of the values that differ.
    differences: Vec<&'d str>,
}

#[derive(Serialize)]
struct EnvironmentDocument<'d> {
    name: &'d str,
    variable_files: Vec<String>,
    /// The workspace of the evaluation.
    workspace: &'d str,
    /// The reasons why values are unknown that the caller requires to be known.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    not_known: &'d [String],
    /// The addresses among the differences that the environment does not have.
    absent: Vec<&'d str>,
    /// The document of `terrane eval --json`.
    document: &'d Document,
}

/// Returns the document of these environments.
pub(super) fn document<'d>(
    environments: &'d [EvaluatedEnvironment],
    documents: &'d [Document],
    differences: &'d [Difference],
) -> MatrixDocument<'d> {
    let environments = environments.iter().zip(documents).enumerate().map(|(column, evaluated)| {
        let (EvaluatedEnvironment { environment, report, not_known }, document) = evaluated;
        let is_absent = |difference: &&Difference| matches!(difference.values.get(column), Some(None));
        EnvironmentDocument {
            name: &environment.name,
            variable_files: environment
                .variable_files
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
            workspace: &report.evaluation().config.workspace,
            not_known,
            absent: differences.iter().filter(is_absent).map(|difference| &*difference.address).collect(),
            document,
        }
    });
    MatrixDocument {
        format_version: "1.1",
        environments: environments.collect(),
        differences: differences.iter().map(|difference| &*difference.address).collect(),
    }
}
