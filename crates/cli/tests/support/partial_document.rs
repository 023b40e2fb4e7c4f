//! Evaluates a directory in spite of its errors.

use serde_json::Value;

use crate::support::terrane;

/// Returns the ids of the errors of a directory and its document.
pub(crate) fn errors_and_document(files: &[(&str, &str)]) -> (Vec<String>, Value) {
    let (_, stdout, _) = terrane(files, &["eval", "--keep-going", "--json"]);
    let document: Value = serde_json::from_str(&stdout).expect("a document");
    let diagnostics = document.get("diagnostics").and_then(Value::as_array).expect("a list").iter();
    let id = |found: &Value| found.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let ids = diagnostics.map(id).collect();
    (ids, document)
}
