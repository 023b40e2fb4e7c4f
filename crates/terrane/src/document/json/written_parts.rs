//! Written arguments and nested blocks, with their places.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use terrane_body::{Nesting, Schema, SchemaAttribute, SchemaBlock};
use terrane_value::{SmolStr, Value, ValueKind};

use super::range::RangeJson;
use super::value::ValueState;
use crate::entry::Entry;
use crate::written_parts::{WrittenBlock, WrittenPart};

/// A written argument, a member of an object, or the nested blocks of a type.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Attribute"))]
struct PartJson<'d> {
    /// The state of the value as a whole; left out if the value has no such attribute, in a `dynamic` block, in a block of a set or
    /// map, and in a module call.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<ValueState>,
    /// The place of the argument or member, or of the header of the first block.
    source: RangeJson<'d>,
    /// The members of the object that is written as the value, as far as their names are no expressions; left out if there are
    /// none, or if they may be secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    attributes: Option<PartsJson<'d>>,
    /// The blocks in the order in which they are written; left out for an argument.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<BlocksJson<'d>>,
}

/// A nested block.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "NestedBlock"))]
struct BlockJson<'d> {
    /// The place of its header.
    source: RangeJson<'d>,
    /// Whether it is a `dynamic` block, which stands for any number of blocks; left out if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dynamic: bool,
    /// Its arguments and nested blocks, or those of the `content` of a `dynamic` block; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    attributes: Option<PartsJson<'d>>,
}

/// The value of an object that has written parts.
#[derive(Clone, Copy)]
struct Whole<'d> {
    /// The value; none if it is not known which value belongs to the parts.
    value: Option<&'d Value>,
    /// The schemas of its attributes.
    attributes: Option<&'d BTreeMap<SmolStr, SchemaAttribute>>,
    /// The schema of a block.
    schema: Option<&'d Schema>,
    /// Whether a schema may say that the value of a part is secret. Then the names of members are shown only with a value that is
    /// not.
    has_schema: bool,
}

impl<'d> Whole<'d> {
    fn value(self, name: &str) -> Option<&'d Value> {
        self.value?.known_attributes()?.get(name)
    }

    fn attribute(self, name: &str) -> Option<&'d SchemaAttribute> {
        self.attributes?.get(name)
    }

    /// Returns the state of a part.
    fn state(self, name: &str) -> Option<ValueState> {
        // A plan has null in the place of a value that is only written.
        match self.attribute(name).is_some_and(|attribute| attribute.write_only) {
            true => Some(ValueState::Ephemeral),
            false => self.value(name).map(ValueState::of),
        }
    }

    /// Returns the members of an argument that is written as an object.
    fn members(self, part: &'d WrittenPart) -> Option<PartsJson<'d>> {
        if part.members.is_empty() {
            return None;
        }
        let value = self.value(&part.name);
        let attribute = self.attribute(&part.name);
        let nested = attribute.and_then(SchemaAttribute::nested_attributes);
        // The members of a collection of objects with a schema are its keys.
        if nested.is_some_and(|nested| !matches!(nested.nesting, Nesting::Single | Nesting::Group)) {
            return None;
        }
        let attributes = nested.map(|nested| &nested.attributes);
        let is_stored = attribute.is_none_or(|attribute| !attribute.write_only);
        let is_public = value.map_or(!self.has_schema, |value| !value.is_marked());
        let whole = Whole { value, attributes, schema: None, ..self };
        (is_public && is_stored).then_some(PartsJson { parts: &part.members, whole })
    }

    /// Returns the nested blocks of a part.
    fn blocks(self, part: &'d WrittenPart) -> Option<BlocksJson<'d>> {
        if part.blocks.is_empty() {
            return None;
        }
        let schema = self.schema.and_then(|schema| schema.blocks().get(&part.name));
        let value = self.value(&part.name).filter(|_| !part.blocks.iter().any(|block| block.is_dynamic));
        Some(BlocksJson { blocks: &part.blocks, value, schema, outer: self })
    }
}

/// The nested blocks of a type.
struct BlocksJson<'d> {
    blocks: &'d [WrittenBlock],
    /// The value of all blocks together.
    value: Option<&'d Value>,
    schema: Option<&'d SchemaBlock>,
    outer: Whole<'d>,
}

impl<'d> BlocksJson<'d> {
    /// Returns the value of the block at a position. Blocks of a set or map are in another order than their values.
    fn value(&self, position: usize) -> Option<&'d Value> {
        let value = self.value?;
        let is_single =
            self.schema.is_some_and(|block| matches!(block.nesting, Nesting::Single | Nesting::Group));
        if is_single {
            return Some(value);
        }
        let is_set = matches!(value.unmarked().kind(), ValueKind::Set(_));
        let elements =
            value.known_elements().filter(|elements| !is_set && elements.len() == self.blocks.len());
        elements?.get(position)
    }
}

impl Serialize for BlocksJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let schema = self.schema.map(|block| &block.schema);
        serializer.collect_seq(self.blocks.iter().enumerate().map(|(position, block)| {
            let attributes = schema.map(Schema::attributes);
            let whole = Whole { value: self.value(position), attributes, schema, ..self.outer };
            BlockJson {
                source: RangeJson::of(&block.place),
                dynamic: block.is_dynamic,
                attributes: PartsJson::within(&block.parts, whole),
            }
        }))
    }
}

/// Written arguments and nested blocks, by name.
pub(super) struct PartsJson<'d> {
    parts: &'d [WrittenPart],
    whole: Whole<'d>,
}

impl<'d> PartsJson<'d> {
    /// The parts of a module call, without their values; none if there are none.
    pub(super) fn of(parts: &'d [WrittenPart]) -> Option<PartsJson<'d>> {
        PartsJson::within(parts, Whole { value: None, attributes: None, schema: None, has_schema: false })
    }

    /// The parts of the block of an instance of a resource or action.
    pub(super) fn of_entry(entry: &'d Entry) -> Option<PartsJson<'d>> {
        let block = entry.block.as_ref()?;
        let schema = block.schema.as_ref().map(|schema| schema.schema());
        // The provider is in doubt where text that cannot be read may name it.
        let has_schema = schema.is_some() || block.provider.is_none();
        let whole = Whole {
            value: Some(&entry.value),
            attributes: schema.map(Schema::attributes),
            schema,
            has_schema,
        };
        PartsJson::within(block.written(), whole)
    }

    fn within(parts: &'d [WrittenPart], whole: Whole<'d>) -> Option<PartsJson<'d>> {
        (!parts.is_empty()).then_some(PartsJson { parts, whole })
    }
}

impl Serialize for PartsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.parts.iter().map(|part| {
            let json = PartJson {
                state: self.whole.state(&part.name),
                source: RangeJson::of(&part.place),
                attributes: self.whole.members(part),
                blocks: self.whole.blocks(part),
            };
            (&*part.name, json)
        }))
    }
}

#[cfg(feature = "json-schema")]
impl schemars::JsonSchema for PartsJson<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Attributes".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        BTreeMap::<String, PartJson<'static>>::json_schema(generator)
    }
}

#[cfg(feature = "json-schema")]
impl schemars::JsonSchema for BlocksJson<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "NestedBlocks".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<BlockJson<'static>>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use terrane_source::MemoryFiles;

    use crate::{Project, Secrets, schemas_from_json};

    #[test]
    fn members_that_are_only_written_are_ephemeral_without_their_names() {
        let schemas = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x": {"resource_schemas": {"x_y": {
            "version": 0, "block": {"attributes": {"conn": {"optional": true, "nested_type": {"nesting_mode": "single", "attributes": {
                "host": {"type": "string", "optional": true},
                "wo": {"type": ["map", "string"], "optional": true, "write_only": true}}}}}}}}}}}"#;
        let main = "resource \"x_y\" \"a\" {\n  conn = { host = \"h\", wo = { hunter2 = \"s\" } }\n}\n";
        let report = Project::new(".")
            .schemas(&schemas_from_json(schemas).unwrap())
            .evaluate(&MemoryFiles::from_iter([("main.tf", main)]));
        let text = report.document(Secrets::Hidden).to_json();
        assert!(!text.contains("hunter2"), "{text}");
        let document: Json = serde_json::from_str(&text).unwrap();
        let members = &document["values"]["x_y.a"]["attributes"]["conn"]["attributes"];
        assert_eq!(
            (&members["host"]["state"], &members["wo"]["state"]),
            (&json!("known"), &json!("ephemeral"))
        );
    }
}
