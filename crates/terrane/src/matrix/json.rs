//! The document of `terrane eval --matrix --json`.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::document::Document;
use crate::environment::Environment;
use crate::matrix::differences::Difference;

#[derive(Serialize)]
struct MatrixDocument<'d> {
    format_version: &'static str,
    environments: Vec<EnvironmentDocument<'d>>,
    /// The addresses of the values that differ.
    differences: Vec<&'d str>,
}

#[derive(Serialize)]
struct EnvironmentDocument<'d> {
    name: &'d str,
    variable_files: Vec<String>,
    workspace: Option<&'d str>,
    /// The document of `terrane eval --json`.
    document: Box<RawValue>,
}

/// The document on one line.
pub(super) fn document(
    environments: &[&Environment],
    documents: &[Document],
    differences: &[Difference],
) -> String {
    let environments = environments.iter().zip(documents).filter_map(|(environment, document)| {
        Some(EnvironmentDocument {
            name: &environment.name,
            variable_files: environment
                .variable_files
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
            workspace: environment.workspace.as_deref(),
            document: RawValue::from_string(document.to_json()).ok()?,
        })
    });
    let document = MatrixDocument {
        format_version: "1.0",
        environments: environments.collect(),
        differences: differences.iter().map(|difference| &*difference.address).collect(),
    };
    serde_json::to_string(&document).unwrap_or_default()
}
