//! Files with their roles.

use serde::Serialize;

use super::lazy::PathText;
use crate::document::ReadFile;
use crate::secrets::Secrets;

/// A file that was read or looked for.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "File"))]
pub(super) struct FileJson<'d> {
    /// The path, as diagnostics name it.
    path: PathText<'d>,
    /// `config`, `tfvars`, `function` (read by a function), `lock`, `manifest`, `schema`, `listing` (of a
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
    pub(super) fn of(file: &'d ReadFile, _secrets: Secrets) -> FileJson<'d> {
        FileJson {
            path: PathText(&file.path),
            role: file.role.name(),
            content_hash: file.content_hash(),
            bytes: file.bytes(),
        }
    }
}
