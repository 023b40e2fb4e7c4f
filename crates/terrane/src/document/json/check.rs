//! Conditions with their results as JSON, in the document of `terrane eval --json`.

use serde::Serialize;
use terrane_config::Address;

use super::lazy::DisplayText;
use super::range::RangeJson;
use crate::document::CheckedCondition;

/// A condition of an object, with its result in one instance of the object.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Check"))]
pub(super) struct CheckJson<'d> {
    /// The object, with instance keys: `var.region`, `aws_instance.web[0]`, `check.health`.
    address: DisplayText<&'d Address>,
    /// The position among the conditions of the object, from 0; preconditions come before postconditions.
    ordinal: usize,
    /// `validation`, `precondition`, `postcondition` or `assertion`.
    kind: &'static str,
    /// `pass`, `fail`, `unknown`, or `error` where the condition or its message has an error.
    status: &'static str,
    /// The message of a failed condition, if it is known and not secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'d str>,
    /// The place of the header of the block.
    source: RangeJson<'d>,
    /// The place of the condition.
    condition: RangeJson<'d>,
}

impl<'d> CheckJson<'d> {
    pub(super) fn of(check: &'d CheckedCondition) -> CheckJson<'d> {
        CheckJson {
            address: DisplayText(&check.address),
            ordinal: check.ordinal,
            kind: check.kind.name(),
            status: check.result.status.name(),
            message: check.result.message.as_deref(),
            source: RangeJson::of(&check.declaration),
            condition: RangeJson::of(&check.condition),
        }
    }
}
