//! The documents of `terrane eval --matrix --json`.

use serde::Serialize;

use super::evaluated::EvaluatedEnvironment;
use crate::matrix::differences::Difference;

/// The document of several environments. `D` is the document of one of them.
#[derive(Serialize)]
pub(super) struct MatrixDocument<'d, D> {
    format_version: &'static str,
    environments: Vec<EnvironmentDocument<'d, D>>,
    /// The addresses of the values that differ.
    differences: Vec<&'d str>,
}

#[derive(Serialize)]
struct EnvironmentDocument<'d, D> {
    name: &'d str,
    variable_files: Vec<String>,
    /// The workspace of the evaluation.
    workspace: &'d str,
    /// The reasons why values are unknown that the caller requires to be known.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    not_known: &'d [String],
    /// The addresses among the differences that the environment does not have.
    absent: Vec<&'d str>,
    /// The document of `terrane eval --json`, or of `terrane eval --json ADDRESS...`.
    document: D,
}

/// The addresses of the values that differ.
pub(super) struct AddressedDifferences<'d> {
    pub(super) differing: Vec<&'d str>,
    /// The addresses among them that each environment lacks.
    pub(super) lacked: Vec<Vec<&'d str>>,
}

/// Returns the addresses of these differences.
pub(super) fn addressed(differences: &[Difference]) -> AddressedDifferences<'_> {
    let columns = differences.iter().map(|difference| difference.values.len()).max().unwrap_or_default();
    let lacked = |column: usize| {
        let is_lacked = |difference: &&Difference| matches!(difference.values.get(column), Some(None));
        differences.iter().filter(is_lacked).map(|difference| &*difference.address).collect()
    };
    AddressedDifferences {
        differing: differences.iter().map(|difference| &*difference.address).collect(),
        lacked: (0..columns).map(lacked).collect(),
    }
}

/// Returns the document of these environments.
pub(super) fn document<'d, D>(
    environments: &'d [EvaluatedEnvironment],
    documents: impl IntoIterator<Item = D>,
    differences: AddressedDifferences<'d>,
) -> MatrixDocument<'d, D> {
    // Without differences, no environment lacks any.
    let lacked = differences.lacked.into_iter().chain(std::iter::repeat_with(Vec::new));
    let environments =
        environments.iter().zip(documents).zip(lacked).map(|((evaluated, document), lacked)| {
            let EvaluatedEnvironment { environment, report, not_known } = evaluated;
            EnvironmentDocument {
                name: &environment.name,
                variable_files: environment
                    .variable_files
                    .iter()
                    .map(|path| path.display().to_string())
                    .collect(),
                workspace: &report.evaluation().config.workspace,
                not_known,
                absent: lacked,
                document,
            }
        });
    MatrixDocument {
        format_version: "1.1",
        environments: environments.collect(),
        differences: differences.differing,
    }
}
