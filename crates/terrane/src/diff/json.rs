//! Differences as JSON: the document of `terrane diff --json`.

use std::io;

use serde::{Serialize, Serializer};
use terrane_config::address::Object;
use terrane_source::Diagnostic;

use super::model::{ChangedObject, ChangedPart, Comparison, Incomplete, UnknownNumber};
use crate::document::json::range::RangeJson;
use crate::document::json::value::ValueJson;
use crate::json::text::{to_text, write_text};
use crate::print_limit::check_printable_with;
use crate::secrets::Secrets;

/// The version of the format.
const FORMAT_VERSION: &str = "1.0";

/// Estimated bytes of an object without its parts: its address, type and place.
const BYTES_OF_OBJECT: usize = 256;

/// Estimated bytes of a part without its path and the text of its values: names of members, and the types of values.
const BYTES_OF_PART: usize = 96;

/// The document of `terrane diff --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Comparison"))]
pub(crate) struct ComparisonJson<'d> {
    /// The version of the format.
    format_version: &'static str,
    /// The numbers of differences in words.
    summary: String,
    /// The errors of the two configurations; left out without errors. With errors, differences may be missing or wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<IncompleteJson<'d>>,
    /// The resource instances and data sources that differ, by address.
    #[cfg_attr(feature = "json-schema", schemars(with = "Vec<DiffObjectJson<'static>>"))]
    resources: ObjectsJson<'d>,
    /// The outputs of the root module that differ, by name.
    #[cfg_attr(feature = "json-schema", schemars(with = "Vec<DiffObjectJson<'static>>"))]
    outputs: ObjectsJson<'d>,
}

/// The errors of the configurations in words, such as `1 syntax error in main.tf`.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Incomplete"))]
struct IncompleteJson<'d> {
    /// The errors of the configuration before; left out if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<&'d str>,
    /// The errors of the configuration after; left out if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<&'d str>,
}

/// An object that differs.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Object"))]
struct DiffObjectJson<'d> {
    /// The address after; for a removed object, the address before.
    address: String,
    /// The address before, if the object is moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_address: Option<String>,
    /// `managed`, `data`, `ephemeral` or `action`; left out for an output.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    /// The type of the resource; left out for an output.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    resource_type: Option<&'d str>,
    /// `added`, `removed`, `changed`, `moved`, or `uncertain`: the number of instances is unknown on one side only, or all parts are
    /// uncertain.
    change: &'static str,
    /// The sides on which the number of instances is unknown: `before`, `after` or `both`; left out if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_number: Option<&'static str>,
    /// The parts that differ; for an added or removed object, its arguments.
    parts: Vec<DiffPartJson<'d>>,
    /// The place of the declaration after; for a removed object, the declaration before.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<RangeJson<'d>>,
}

/// A part of a value that differs.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Part"))]
struct DiffPartJson<'d> {
    /// The path in the value, such as `.tags["a b"]`; empty for the whole value. An element of a set has the path of the set.
    path: &'d str,
    /// Whether the part is an element of the set at the path; left out if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    element_of_set: bool,
    /// The value before; left out if there was no such part.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<ValueJson<'d>>,
    /// The value after; left out if there is no such part.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<ValueJson<'d>>,
    /// Whether the value after may be the recorded one, because nothing is known about it; left out if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    uncertain: bool,
    /// A difference that the texts of the values do not show: `now sensitive`, `no longer sensitive`, or the types of two unknown values,
    /// nulls or collections, as in `type number -> string`; left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'d str>,
}

/// Objects; the view of each is built when it is written.
struct ObjectsJson<'d> {
    objects: &'d [ChangedObject],
    secrets: Secrets,
}

impl Serialize for ObjectsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.objects.iter().map(|object| DiffObjectJson::of(object, self.secrets)))
    }
}

impl Comparison {
    /// The differences as JSON, on one line.
    pub fn to_json(&self) -> String {
        to_text(&self.json())
    }

    /// Writes the text of [`Comparison::to_json`] piece by piece, so that it is never in memory as a whole.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        write_text(&self.json(), out)
    }

    /// Checks that the text of [`Comparison::to_json`] can be printed.
    ///
    /// # Errors
    ///
    /// `Limit exceeded` if the text would be longer than about 96 MiB, or would take as long to produce as a text of that size.
    pub fn check_json(&self) -> Result<(), Box<Diagnostic>> {
        let objects = || self.resources.iter().chain(&self.outputs);
        let parts = || objects().flat_map(|object| &object.parts);
        let members: usize = objects().count() * BYTES_OF_OBJECT
            + parts().map(|part| part.path.len() + BYTES_OF_PART).sum::<usize>();
        let values = parts().flat_map(|part| [&part.before, &part.after]).flatten();
        check_printable_with(members, values)
    }

    fn json(&self) -> ComparisonJson<'_> {
        let objects = |objects| ObjectsJson { objects, secrets: self.secrets };
        ComparisonJson {
            format_version: FORMAT_VERSION,
            summary: self.summary(),
            incomplete: self.incomplete.note().map(|_| {
                let Incomplete { before, after } = &self.incomplete;
                IncompleteJson { before: before.as_deref(), after: after.as_deref() }
            }),
            resources: objects(&self.resources),
            outputs: objects(&self.outputs),
        }
    }
}

impl<'d> DiffObjectJson<'d> {
    fn of(object: &'d ChangedObject, secrets: Secrets) -> DiffObjectJson<'d> {
        let (mode, resource_type) = match &object.address.object {
            Object::Resource { mode, resource_type, .. } => (Some(mode.name()), Some(&**resource_type)),
            Object::Variable(_)
            | Object::Local(_)
            | Object::Output(_)
            | Object::Check(_)
            | Object::ModuleCall(..)
            | Object::Source(..)
            | Object::Build(_)
            | Object::Provider(_)
            | Object::Import(_) => (None, None),
        };
        DiffObjectJson {
            address: object.address.to_string(),
            previous_address: object.previous.as_ref().map(ToString::to_string),
            mode,
            resource_type,
            change: object.change.name(),
            unknown_number: object.unknown_number.map(UnknownNumber::name),
            parts: object.parts.iter().map(|part| DiffPartJson::of(part, secrets)).collect(),
            source: object.place.as_ref().map(RangeJson::of),
        }
    }
}

impl<'d> DiffPartJson<'d> {
    fn of(part: &'d ChangedPart, secrets: Secrets) -> DiffPartJson<'d> {
        DiffPartJson {
            path: &part.path,
            element_of_set: part.is_element_of_set,
            before: part.before.as_ref().map(|value| ValueJson::of(value, secrets)),
            after: part.after.as_ref().map(|value| ValueJson::of(value, secrets)),
            uncertain: part.is_uncertain,
            note: part.note.as_deref(),
        }
    }
}

/// The JSON Schema of the document of `terrane diff --json`, draft 2020-12.
#[cfg(feature = "json-schema")]
pub fn comparison_schema() -> serde_json::Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<ComparisonJson<'static>>().to_value()
}
