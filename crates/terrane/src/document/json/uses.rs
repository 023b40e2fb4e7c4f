//! Called functions and used providers.

use serde::Serialize;
use terrane_config::{ModulePath, Version};
use terrane_module::provider::ProviderAddress;
use terrane_value::SmolStr;

use super::lazy::DisplayText;
use super::range::RangeJson;
use crate::document::{FunctionUse, ProviderUse};

/// The calls of a function in a file.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "FunctionUse"))]
pub(super) struct FunctionUseJson<'d> {
    /// The name without the namespace `core`, such as `upper` or `provider::time::rfc3339_parse`.
    name: &'d str,
    /// The number of calls as written.
    uses: usize,
    /// The file and the place of the name in the first call.
    source: RangeJson<'d>,
}

impl<'d> FunctionUseJson<'d> {
    pub(super) fn of(found: &'d FunctionUse) -> FunctionUseJson<'d> {
        FunctionUseJson { name: &found.name, uses: found.uses, source: RangeJson::of(&found.first) }
    }
}

/// A provider in a module.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "ProviderUse"))]
pub(super) struct ProviderUseJson<'d> {
    /// The module; empty for the root module.
    module: DisplayText<&'d ModulePath>,
    /// The name of the provider in the module.
    local_name: &'d str,
    /// The provider, such as `hashicorp/aws`; left out if text that cannot be read may name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<DisplayText<&'d ProviderAddress>>,
    /// The versions that the requirement and the `provider` blocks of the module accept; left out if they have no constraint.
    #[serde(skip_serializing_if = "Option::is_none")]
    version_constraint: Option<&'d str>,
    /// The version that the lock file selects; left out if it selects none.
    #[serde(skip_serializing_if = "Option::is_none")]
    locked_version: Option<&'d str>,
    /// The configurations that callers have to pass, such as `aws.west`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    aliases: Vec<&'d str>,
    /// The place of the requirement; left out if only resources or `provider` blocks name the provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<RangeJson<'d>>,
}

impl<'d> ProviderUseJson<'d> {
    pub(super) fn of(found: &'d ProviderUse) -> ProviderUseJson<'d> {
        ProviderUseJson {
            module: DisplayText(&found.module),
            local_name: &found.local_name,
            provider: found.provider.as_ref().map(DisplayText),
            version_constraint: found.version_constraint.as_deref(),
            locked_version: found.locked_version.as_ref().map(Version::as_str),
            aliases: found.aliases.iter().map(SmolStr::as_str).collect(),
            source: found.requirement.as_ref().map(RangeJson::of),
        }
    }
}
