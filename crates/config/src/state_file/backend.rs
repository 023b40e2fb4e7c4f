//! Reads the file in the data directory in which `init` records the backend.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;
use terrane_source::sorted_map;

use super::error::StateError;

/// The backend that `init` has set up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitializedBackend {
    /// Its type, such as `local` or `s3`.
    pub kind: String,
    /// The arguments that are strings.
    pub texts: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct BackendFileJson<'j> {
    #[serde(borrow)]
    backend: Option<InitializedBackendJson<'j>>,
}

#[derive(Deserialize)]
struct InitializedBackendJson<'j> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'j, str>,
    #[serde(default)]
    config: Option<BTreeMap<String, Json>>,
}

/// Returns the backend in the text of `.terraform/terraform.tfstate`; `None` if the file names none.
///
/// # Errors
///
/// If the text is not such a file. No error contains an argument of the backend.
pub fn initialized_backend(text: &str) -> Result<Option<InitializedBackend>, StateError> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let file: BackendFileJson<'_> = serde_json::from_str(text).map_err(|error| StateError::json(&error))?;
    let Some(InitializedBackendJson { kind, config }) =
        file.backend.filter(|backend| !backend.kind.is_empty())
    else {
        return Ok(None);
    };
    let arguments = config.unwrap_or_default().into_iter();
    let texts = sorted_map(arguments.filter_map(|(name, value)| Some((name, value.as_str()?.to_owned()))));
    Ok(Some(InitializedBackend { kind: kind.into_owned(), texts }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_backend_has_its_texts() {
        let text = r#"{"version": 3, "backend": {"type": "local", "config": {"path": "a/b", "workspace_dir": null}, "hash": 1}}"#;
        let backend = initialized_backend(text).expect("a file of init").expect("a backend");
        assert_eq!((&*backend.kind, backend.texts.get("path").map(String::as_str)), ("local", Some("a/b")));
        assert_eq!(backend.texts.len(), 1);
    }

    #[test]
    fn files_without_a_backend_name_none() {
        for text in ["", "{}", r#"{"version": 3, "backend": null}"#, r#"{"backend": {"type": ""}}"#] {
            assert_eq!(initialized_backend(text), Ok(None), "{text}");
        }
        assert!(initialized_backend("{").is_err());
    }
}
