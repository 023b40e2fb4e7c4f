//! Files with their roles as JSON, and the identity of a given state.

use serde::Serialize;
use terrane_config::Version;
use terrane_module::provider::ProviderAddress;

use super::lazy::{DisplayText, PathText};
use crate::document::{GivenState, ReadFile};
use crate::schema_store::UsedSchema;

/// A file that was read or looked for.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "File"))]
pub(super) struct FileJson<'d> {
    /// The path, as diagnostics name it.
    path: PathText<'d>,
    /// `config`, `tfvars`, `function` (read by a function), `lock`, `manifest`, `git` (of the repository), `schema`, `listing` (of a
    /// directory) or `absent`.
    role: &'static str,
    /// The SHA-256 of the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    content_hash: Option<String>,
    /// The size.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
}

impl<'d> FileJson<'d> {
    pub(super) fn of(file: &'d ReadFile) -> FileJson<'d> {
        FileJson {
            path: PathText(&file.path),
            role: file.role.name(),
            content_hash: file.content_hash(),
            bytes: file.bytes(),
        }
    }
}

/// The identity of a state or plan.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "GivenState"))]
pub(super) struct GivenStateJson<'d> {
    /// The serial number; left out if the file has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    serial: Option<u64>,
    /// The lineage; left out if the file has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    lineage: Option<&'d str>,
    /// The version of the product that wrote the file; left out if the file does not contain it.
    #[serde(skip_serializing_if = "Option::is_none")]
    terraform_version: Option<&'d str>,
}

impl<'d> GivenStateJson<'d> {
    pub(super) fn of(state: &'d GivenState) -> GivenStateJson<'d> {
        GivenStateJson {
            serial: state.serial,
            lineage: state.lineage.as_deref(),
            terraform_version: state.product_version.as_deref(),
        }
    }
}

/// The schema of a provider, with its version and file.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "ProviderSchema"))]
pub(super) struct UsedSchemaJson<'d> {
    /// The address of the provider.
    provider: DisplayText<&'d ProviderAddress>,
    /// The version of the provider that the schema belongs to; left out if the file does not contain it.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'d str>,
    /// The version that the lock file selects; left out for a schema of `--schemas`.
    #[serde(skip_serializing_if = "Option::is_none")]
    locked_version: Option<&'d str>,
    /// The file.
    path: String,
}

impl<'d> UsedSchemaJson<'d> {
    pub(super) fn of(used: &'d UsedSchema) -> UsedSchemaJson<'d> {
        UsedSchemaJson {
            provider: DisplayText(&used.provider),
            version: used.version.as_ref().map(Version::as_str),
            locked_version: used.locked.as_ref().map(Version::as_str),
            path: used.path.display().to_string(),
        }
    }
}
