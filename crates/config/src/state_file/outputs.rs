//! Reads the outputs of a root module without reading the resources.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use terrane_source::sorted_map;
use terrane_value::SmolStr;

use super::error::StateError;
use super::{Kind, document, file, kind_of, legacy};
use crate::state::StateOutput;

/// The outputs of a root module by name.
pub type Outputs = BTreeMap<SmolStr, StateOutput>;

/// The `outputs` of a state file.
#[derive(Deserialize)]
struct OutputsFileJson<'j> {
    #[serde(borrow)]
    outputs: Option<BTreeMap<Cow<'j, str>, file::OutputJson<'j>>>,
}

/// The `outputs` of a state document.
#[derive(Deserialize)]
struct OutputsDocumentJson<'j> {
    #[serde(borrow)]
    values: Option<OutputsValuesJson<'j>>,
}

#[derive(Deserialize)]
struct OutputsValuesJson<'j> {
    #[serde(borrow)]
    outputs: Option<BTreeMap<Cow<'j, str>, document::DocumentOutputJson<'j>>>,
}

/// An output in the text of `terraform output -json`.
#[derive(Deserialize)]
struct OutputCommandJson<'j> {
    sensitive: bool,
    #[serde(borrow, rename = "type")]
    ty: Option<&'j RawValue>,
    #[serde(borrow)]
    value: &'j RawValue,
}

/// Returns the outputs in a state file, as a backend stores it: of format version 4, or of an older one.
///
/// # Errors
///
/// If the text is not such a file. No error contains the value of an output.
pub fn stored_outputs(text: &str) -> Result<Outputs, StateError> {
    match kind_of(text)? {
        Kind::File => {
            let file: OutputsFileJson<'_> =
                serde_json::from_str(text).map_err(|error| StateError::json(&error))?;
            file::outputs(file.outputs.unwrap_or_default())
        }
        Kind::Legacy(version) => legacy::outputs(text, version),
        Kind::Empty => Err(StateError::new("the file has no JSON text")),
        Kind::Document => {
            Err(StateError::new("it is a document of `show -json`, but a backend stores state files"))
        }
        Kind::Plan => Err(StateError::new("it is the document of a plan, but a backend stores state files")),
    }
}

/// Returns the outputs in a state file, in a document of `terraform show -json`, or in the text of
/// `terraform output -json`.
///
/// ```
/// use terrane_config::state_file::outputs_from_json;
///
/// let outputs = outputs_from_json(r#"{"id": {"sensitive": false, "type": "string", "value": "a"}}"#)?;
/// assert_eq!(outputs["id"].value.as_str(), Some("a"));
/// # Ok::<(), terrane_config::state_file::StateError>(())
/// ```
///
/// # Errors
///
/// If the text has none of these formats. No error contains the value of an output.
pub fn outputs_from_json(text: &str) -> Result<Outputs, StateError> {
    if let Ok(by_name) = serde_json::from_str::<BTreeMap<Cow<'_, str>, OutputCommandJson<'_>>>(text) {
        let stored = |(name, OutputCommandJson { sensitive, ty, value })| {
            (name, document::DocumentOutputJson { sensitive, value: Some(value), ty })
        };
        return document::outputs(&sorted_map(by_name.into_iter().map(stored)));
    }
    match kind_of(text)? {
        // The backends of the products find no state there, either.
        Kind::Empty => Err(StateError::new("the file is empty, so there is no state in it")),
        Kind::Plan => Err(StateError::new("this is the document of a plan, not of a state")),
        Kind::File | Kind::Legacy(_) => stored_outputs(text),
        Kind::Document => {
            let document: OutputsDocumentJson<'_> =
                serde_json::from_str(text).map_err(|error| StateError::json(&error))?;
            let outputs = document.values.and_then(|values| values.outputs).unwrap_or_default();
            document::outputs(&outputs)
        }
    }
}
