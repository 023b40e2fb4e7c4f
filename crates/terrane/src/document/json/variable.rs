//! Variables and the values given for them, as JSON.

use serde::Serialize;
use terrane_config::{Address, ModulePath};

use super::lazy::{DisplayText, Rows};
use super::range::RangeJson;
use super::shown::{ShownValue, Style};
use crate::document::{DeclaredVariable, VariableAssignment};
use crate::secrets::Secrets;

/// A `variable` block.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Variable"))]
pub(super) struct VariableJson<'d> {
    /// The address, without instance keys of modules.
    address: DisplayText<&'d Address>,
    /// The module; empty for the root module.
    module: DisplayText<&'d ModulePath>,
    /// The name.
    name: &'d str,
    /// The type constraint, such as `list(string)`.
    #[serde(rename = "type")]
    constraint: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'d str>,
    /// Whether a value must be given, because there is no default.
    required: bool,
    /// The default, unless it is secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<serde_json::Value>"))]
    default: Option<ShownValue<'d>>,
    nullable: bool,
    sensitive: bool,
    ephemeral: bool,
    /// The message of a deprecated variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    deprecated: Option<&'d str>,
    /// For a variable of the root module, the default and the given values, lowest precedence first.
    #[serde(skip_serializing_if = "Rows::is_empty")]
    assignments: Rows<'d, VariableAssignment, AssignmentJson<'d>>,
    /// The place of the block.
    source: RangeJson<'d>,
}

/// A value that a default, the environment, a variable file, an option or a module call gives for a variable.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Assignment"))]
pub(super) struct AssignmentJson<'d> {
    /// The name of the variable.
    name: &'d str,
    /// `default`, `env`, `terraform.tfvars`, `auto.tfvars`, `var-file`, `var`, `caller` for a value of a calling program, or
    /// `argument` of a module call.
    source_kind: &'static str,
    /// The value before conversion to the type of the variable. Left out if it is secret, cannot be parsed, or is for an
    /// undeclared variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<serde_json::Value>"))]
    value: Option<ShownValue<'d>>,
    /// Whether this value counts. Otherwise a later value in the list overrides it, or another block declares the variable.
    wins: bool,
    /// The place in a variable file, or the place of the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<RangeJson<'d>>,
}

impl<'d> AssignmentJson<'d> {
    pub(super) fn of(given: &'d VariableAssignment, secrets: Secrets) -> AssignmentJson<'d> {
        AssignmentJson {
            name: &given.name,
            source_kind: given.source.name(),
            value: given.value.as_ref().and_then(|value| ShownValue::of(value, Style::LeftOut, secrets)),
            wins: given.wins,
            source: given.place.as_ref().map(RangeJson::of),
        }
    }
}

impl<'d> VariableJson<'d> {
    pub(super) fn of(variable: &'d DeclaredVariable, secrets: Secrets) -> VariableJson<'d> {
        let default = variable.default.as_ref();
        VariableJson {
            address: DisplayText(&variable.address),
            module: DisplayText(&variable.address.module),
            name: &variable.name,
            constraint: &variable.constraint,
            description: variable.description.as_deref(),
            required: default.is_none(),
            default: default.and_then(|value| ShownValue::of(value, Style::LeftOut, secrets)),
            nullable: variable.nullable,
            sensitive: variable.sensitive,
            ephemeral: variable.ephemeral,
            deprecated: variable.deprecated.as_deref(),
            assignments: Rows::new(&variable.assignments, secrets, AssignmentJson::of),
            source: RangeJson::of(&variable.declaration),
        }
    }
}
