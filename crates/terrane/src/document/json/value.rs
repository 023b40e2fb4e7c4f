//! A value as documents write it: its type, its visible part, and a list of the parts that JSON cannot express.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use terrane_value::{Bound, Mark, Number, Origin, Origins, Refinement, Type, Value};

use super::lazy::DisplayText;
use super::parts::{UnknownAndSecretParts, UnknownPart};
use super::shown::{ShownValue, Style};
use crate::json::value_type::{TypeOf, type_json};
use crate::secrets::{Secrets, has_hidden};

/// The state of a value as a whole: the state of its most doubtful part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Debug)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema), schemars(rename = "State"))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ValueState {
    /// All parts are known.
    Known,
    /// The value is null.
    Null,
    /// A part is unknown.
    Unknown,
    /// A part is sensitive.
    Sensitive,
    /// A part is ephemeral.
    Ephemeral,
}

impl ValueState {
    /// Returns the state of a value.
    ///
    /// ```
    /// use terrane::{Type, Value, ValueState};
    ///
    /// assert_eq!(ValueState::of(&Value::from(1)), ValueState::Known);
    /// assert_eq!(ValueState::of(&Value::tuple([Value::from(1), Value::unknown(Type::String)])), ValueState::Unknown);
    /// ```
    pub fn of(value: &Value) -> ValueState {
        if value.contains_marked() {
            let marks = value.marks_deep();
            if marks.contains(&Mark::Ephemeral) {
                return ValueState::Ephemeral;
            }
            if marks.contains(&Mark::Sensitive) || value.is_hidden() {
                return ValueState::Sensitive;
            }
        }
        if !value.is_wholly_known() {
            ValueState::Unknown
        } else if value.is_null() {
            ValueState::Null
        } else {
            ValueState::Known
        }
    }
}

/// The members that describe a value.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Value"))]
pub(crate) struct ValueJson<'v> {
    /// Whether a part of the value is sensitive.
    sensitive: bool,
    /// The type in the notation of `terraform output -json`.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "json-schema", schemars(with = "serde_json::Value"))]
    ty: TypeOf<'v>,
    /// The value without its unknown and hidden parts. Such a part of a sequence is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<serde_json::Value>"))]
    value: Option<ShownValue<'v>>,
    /// The unknown parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknowns: Vec<UnknownJson<'v>>,
    /// The paths of the parts that must not be shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sensitive_paths: Vec<String>,
}

impl<'v> ValueJson<'v> {
    pub(crate) fn of(value: &'v Value, secrets: Secrets) -> ValueJson<'v> {
        let parts = UnknownAndSecretParts::of(value, Style::LeftOut, secrets);
        ValueJson {
            sensitive: is_sensitive(value),
            ty: TypeOf::of(value, secrets),
            value: ShownValue::of(value, Style::LeftOut, secrets),
            unknowns: parts.unknowns.into_iter().map(UnknownJson::of).collect(),
            sensitive_paths: parts.secret_paths,
        }
    }

    /// Returns an output in the shape of `terraform output -json`. A secret in any part hides the whole value, and the paths of
    /// its secrets.
    pub(crate) fn of_output(value: &'v Value, secrets: Secrets) -> ValueJson<'v> {
        if secrets == Secrets::Hidden && has_hidden(value) {
            return ValueJson {
                sensitive: is_sensitive(value),
                ty: TypeOf::without_names(value),
                value: None,
                unknowns: Vec::new(),
                sensitive_paths: Vec::new(),
            };
        }
        ValueJson { sensitive_paths: Vec::new(), ..ValueJson::of(value, secrets) }
    }
}

/// Whether a part of a value is sensitive.
fn is_sensitive(value: &Value) -> bool {
    value.marks_deep().contains(&Mark::Sensitive)
}

/// An unknown part of a value.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Unknown"))]
pub(crate) struct UnknownJson<'v> {
    /// The path in the value, such as `.name`, `["a key"]` or `[0]`; empty for the whole value.
    path: String,
    /// The type, as far as it is known.
    #[serde(rename = "type", serialize_with = "type_json")]
    #[cfg_attr(feature = "json-schema", schemars(with = "serde_json::Value"))]
    ty: Cow<'v, Type>,
    /// The causes in words.
    reasons: ReasonsJson<'v>,
    /// The causes.
    origins: OriginsJson<'v>,
    /// The number of further causes.
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted_origins: Option<usize>,
    #[serde(flatten)]
    refinement: RefinementJson<'v>,
}

impl<'v> UnknownJson<'v> {
    fn of(part: UnknownPart<'v>) -> UnknownJson<'v> {
        let UnknownPart { path, unknown, ty, .. } = part;
        let omitted = unknown.origins.omitted();
        UnknownJson {
            path,
            ty,
            reasons: ReasonsJson(&unknown.origins),
            origins: OriginsJson(&unknown.origins),
            omitted_origins: (omitted > 0).then_some(omitted),
            refinement: RefinementJson::of(&unknown.refinement),
        }
    }
}

/// A cause of an unknown value.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Origin"))]
pub(crate) struct OriginJson<'v> {
    /// The kind of cause, such as `variable` or `resource-attribute`.
    kind: &'static str,
    /// The address or the name of the cause.
    subject: &'v str,
    /// Causes of the cause: why that value is unknown.
    #[serde(skip_serializing_if = "OriginsJson::is_empty")]
    causes: OriginsJson<'v>,
}

impl<'v> OriginJson<'v> {
    fn of(origin: &'v Origin) -> OriginJson<'v> {
        OriginJson { kind: origin.kind.name(), subject: &origin.subject, causes: OriginsJson(&origin.causes) }
    }
}

/// The causes of an unknown value.
pub(crate) struct OriginsJson<'v>(pub(crate) &'v Origins);

impl OriginsJson<'_> {
    fn is_empty(&self) -> bool {
        self.0.as_slice().is_empty()
    }
}

impl Serialize for OriginsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.as_slice().iter().map(OriginJson::of))
    }
}

#[cfg(feature = "json-schema")]
impl schemars::JsonSchema for OriginsJson<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Origins".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<OriginJson<'static>>::json_schema(generator)
    }
}

/// The causes of an unknown value in words.
struct ReasonsJson<'v>(&'v Origins);

impl Serialize for ReasonsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.as_slice().iter().map(DisplayText))
    }
}

#[cfg(feature = "json-schema")]
impl schemars::JsonSchema for ReasonsJson<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Reasons".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<String>::json_schema(generator)
    }
}

/// Facts about an unknown value. Each field is left out if nothing is known.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Refinement"))]
pub(crate) struct RefinementJson<'v> {
    /// True if the value is certainly not null.
    #[serde(skip_serializing_if = "is_false")]
    not_null: bool,
    /// The beginning of the string.
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix: Option<&'v str>,
    /// The lower bound of a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<serde_json::Value>"))]
    min: Option<NumberJson<'v>>,
    /// Whether the number may equal the lower bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    min_inclusive: Option<bool>,
    /// The upper bound of a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<serde_json::Value>"))]
    max: Option<NumberJson<'v>>,
    /// Whether the number may equal the upper bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_inclusive: Option<bool>,
    /// The smallest number of elements of a collection.
    #[serde(skip_serializing_if = "Option::is_none")]
    len_min: Option<u64>,
    /// The largest number of elements of a collection.
    #[serde(skip_serializing_if = "Option::is_none")]
    len_max: Option<u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_false(value: &bool) -> bool {
    !value
}

impl<'v> RefinementJson<'v> {
    /// A refinement without facts.
    pub(crate) const NONE: RefinementJson<'v> = RefinementJson {
        not_null: false,
        prefix: None,
        min: None,
        min_inclusive: None,
        max: None,
        max_inclusive: None,
        len_min: None,
        len_max: None,
    };

    pub(crate) fn of(refinement: &'v Refinement) -> RefinementJson<'v> {
        let inclusive = |bound: &Option<Bound>| bound.as_ref().map(|bound| bound.is_inclusive);
        RefinementJson {
            not_null: refinement.not_null,
            prefix: refinement.prefix.as_deref(),
            min: refinement.min.as_ref().map(|min| NumberJson(&min.number)),
            min_inclusive: inclusive(&refinement.min),
            max: refinement.max.as_ref().map(|max| NumberJson(&max.number)),
            max_inclusive: inclusive(&refinement.max),
            len_min: (refinement.length_min > 0).then_some(refinement.length_min),
            len_max: refinement.length_max,
        }
    }

    /// Like [`RefinementJson::of`], but with the smallest number of elements even if it is 0.
    pub(crate) fn of_collection(refinement: &'v Refinement) -> RefinementJson<'v> {
        RefinementJson { len_min: Some(refinement.length_min), ..RefinementJson::of(refinement) }
    }
}

/// A number. A number that JSON cannot express is a marker object.
struct NumberJson<'v>(&'v Number);

impl Serialize for NumberJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::shown::number(self.0, serializer)
    }
}
