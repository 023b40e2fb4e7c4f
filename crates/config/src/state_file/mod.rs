//! Reads states: files of format version 4, and the documents of `terraform show -json`.

mod backend;
mod document;
mod encrypted;
mod error;
mod file;
mod legacy;
mod outputs;
mod parts;
mod plan;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use self::parts::{have_more_values, work_of_numbers};
use crate::state::State;

pub use self::backend::{InitializedBackend, initialized_backend};
pub use self::encrypted::{
    Decryption, DecryptionKey, DecryptionMethod, Passphrase, decrypted, decrypted_within, is_encrypted,
};
pub use self::error::{StateError, json_problem};
pub use self::outputs::{Outputs, outputs_from_json, stored_outputs};
pub use self::plan::plan_from_json;

/// Reads a state: a file of format version 4, or a document of `terraform show -json`. An empty text is an empty state.
///
/// ```
/// let state = terrane_config::state_file::state_from_json(
///     r#"{"version": 4, "serial": 7, "resources": [{
///         "mode": "managed", "type": "demo_thing", "name": "a", "provider": "provider[\"registry.terraform.io/acme/demo\"]",
///         "instances": [{"schema_version": 0, "attributes": {"id": "x1"}}]
///     }]}"#,
/// )?;
/// assert_eq!((state.serial, state.resources.len()), (Some(7), 1));
/// # Ok::<(), terrane_config::state_file::StateError>(())
/// ```
///
/// # Errors
///
/// If the text is not a state, or a state in a format that is not supported. No error contains the value
/// of an attribute or output.
pub fn state_from_json(text: &str) -> Result<State, StateError> {
    match kind_of(text)? {
        Kind::Empty => Ok(State::default()),
        Kind::File => file::read(text),
        Kind::Document => document::read(text),
        Kind::Legacy(_) => Err(StateError::new(
            "the state has a format from before Terraform 0.12; `terraform state pull` of a newer version writes it in format \
             version 4",
        )),
        Kind::Plan => {
            Err(StateError::new("this is the document of a plan, not of a state; the option --plan reads it"))
        }
    }
}

/// Limit on the values in a file, including nested ones.
const MAX_VALUES_OF_FILE: usize = 1 << 21;

/// Limit on the work to read and write the long numbers of a file once: 13 numbers of 400,000 digits.
const MAX_WORK_OF_NUMBERS: usize = 1 << 25;

/// The kinds of texts.
enum Kind {
    /// An empty text.
    Empty,
    /// A state file of format version 4.
    File,
    /// A state file of a format version before 4.
    Legacy(legacy::LegacyFormat),
    /// A document of `show -json` about a state.
    Document,
    /// A document of `show -json` about a plan.
    Plan,
}

/// Returns the kind of a text.
fn kind_of(text: &str) -> Result<Kind, StateError> {
    if text.trim().is_empty() {
        return Ok(Kind::Empty);
    }
    let kind: KindJson<'_> = serde_json::from_str(text).map_err(|error| StateError::json(&error))?;
    if have_more_values([text], MAX_VALUES_OF_FILE) {
        return Err(StateError::new(format!("the file has more than {MAX_VALUES_OF_FILE} values")));
    }
    if work_of_numbers(text) > MAX_WORK_OF_NUMBERS {
        return Err(StateError::new(
            "the numbers of the file have too many digits together: the limit is about 13 numbers of 400,000 digits",
        ));
    }
    if kind.encrypted_data.is_some() {
        return Err(StateError::new(
            "the state is encrypted by OpenTofu; `tofu state pull` writes it as plain text",
        ));
    }
    match (kind.version.map(RawValue::get), kind.format_version) {
        (Some("4"), _) => Ok(Kind::File),
        (Some(version @ ("1" | "2" | "3")), _) => match kind.backend {
            Some(backend) => Err(StateError::new(format!(
                "this file only says where the state is, in the backend {:?}; `terraform state pull` writes the state",
                backend.kind
            ))),
            None if version == "1" => Ok(Kind::Legacy(legacy::LegacyFormat::One)),
            None => Ok(Kind::Legacy(legacy::LegacyFormat::TwoOrThree)),
        },
        (Some(version), _) => Err(StateError::new(format!(
            "unsupported state file format: the version is {}, but only version 4 is known",
            if version.parse::<u64>().is_ok() { version } else { "no whole number" }
        ))),
        (None, Some(version)) if matches!(version.split('.').next(), Some("0" | "1")) => {
            let is_plan = kind.resource_changes.is_some() || kind.planned_values.is_some();
            Ok(if is_plan { Kind::Plan } else { Kind::Document })
        }
        (None, Some(_)) => Err(StateError::new("the format version of the document is not supported")),
        (None, None) => Err(StateError::new(
            "unsupported state file format: it has neither `version` nor `format_version`",
        )),
    }
}

/// The members that distinguish the formats.
#[derive(Deserialize)]
struct KindJson<'j> {
    #[serde(borrow)]
    version: Option<&'j RawValue>,
    #[serde(borrow)]
    format_version: Option<std::borrow::Cow<'j, str>>,
    encrypted_data: Option<IgnoredAny>,
    backend: Option<BackendJson>,
    resource_changes: Option<IgnoredAny>,
    planned_values: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct BackendJson {
    #[serde(rename = "type")]
    kind: String,
}
