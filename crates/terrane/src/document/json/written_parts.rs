//! Written arguments and nested blocks, with their places.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Serialize, Serializer};
use terrane_body::{Nesting, Schema, SchemaAttribute};
use terrane_value::SmolStr;

use super::block_objects::{BlockObjects, Made};
use super::range::RangeJson;
use super::value::ValueState;
use crate::entry::Entry;
use crate::written_parts::{WrittenBlock, WrittenPart};

/// A written argument, a member of an object, or the nested blocks of a type.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Attribute"))]
struct PartJson<'d> {
    /// The state of the value as a whole. In a `dynamic` block, the most doubtful state in the blocks that it generates. Where it is
    /// uncertain which objects a block has made, the most doubtful state in the objects in question. Left out if the value has no
    /// such attribute, and in a module call.
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
    /// The paths of its objects in the value, as in `unknowns`: one, or for a `dynamic` block one for each block that it generates.
    /// Left out if the block has made no object, and if it is uncertain which objects it has made: with an unknown number of
    /// blocks or a secret value of all of them; from the first to the last of several `dynamic` blocks of a list, unless these
    /// generate no blocks; in each of several `dynamic` blocks of a map; in several blocks of a single object; in a set, unless
    /// exactly one element has the literal arguments of the block, in a `dynamic` block beside other blocks of a set, and after a
    /// million comparisons with elements of sets; and in the blocks of a block without certain paths.
    #[serde(skip_serializing_if = "PathsJson::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Vec<String>"))]
    paths: PathsJson,
    /// Its arguments and nested blocks, or those of the `content` of a `dynamic` block; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    attributes: Option<PartsJson<'d>>,
}

/// The paths of objects; `None` if they are uncertain.
struct PathsJson(Option<Rc<[String]>>);

impl PathsJson {
    fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|paths| paths.is_empty())
    }
}

impl Serialize for PathsJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().flat_map(|paths| paths.iter()))
    }
}

/// The objects that written parts have made, with their schemas.
struct Whole<'d> {
    made: Made<'d>,
    /// The schemas of their attributes.
    attributes: Option<&'d BTreeMap<SmolStr, SchemaAttribute>>,
    /// The schema of a block.
    schema: Option<&'d Schema>,
    /// Whether a schema may say that the value of a part is secret. Then the names of members are shown only with a value that is
    /// not.
    has_schema: bool,
}

impl<'d> Whole<'d> {
    fn attribute(&self, name: &str) -> Option<&'d SchemaAttribute> {
        self.attributes?.get(name)
    }

    /// Returns the state of a part.
    fn state(&self, name: &'d str) -> Option<ValueState> {
        // A plan has null in the place of a value that is only written.
        match self.attribute(name).is_some_and(|attribute| attribute.write_only) {
            true => Some(ValueState::Ephemeral),
            false => self.made.objects.state(name),
        }
    }

    /// Returns the members of an argument that is written as an object.
    fn members(&self, part: &'d WrittenPart) -> Option<PartsJson<'d>> {
        if part.members.is_empty() {
            return None;
        }
        let attribute = self.attribute(&part.name);
        let nested = attribute.and_then(SchemaAttribute::nested_attributes);
        // The members of a collection of objects with a schema are its keys.
        if nested.is_some_and(|nested| !matches!(nested.nesting, Nesting::Single | Nesting::Group)) {
            return None;
        }
        let attributes = nested.map(|nested| &nested.attributes);
        let is_stored = attribute.is_none_or(|attribute| !attribute.write_only);
        let made = self.made.attribute(&part.name);
        let is_certain = self.made.objects.all_have(&made.objects);
        let is_public = (is_certain || !self.has_schema) && !made.objects.have_secret;
        let whole = Whole { made, attributes, schema: None, has_schema: self.has_schema };
        (is_public && is_stored).then_some(PartsJson { parts: &part.members, whole })
    }

    /// Returns the nested blocks of a part.
    fn blocks(&self, part: &'d WrittenPart) -> Option<BlocksJson<'d>> {
        if part.blocks.is_empty() {
            return None;
        }
        let block = self.schema.and_then(|schema| schema.blocks().get(&part.name));
        Some(BlocksJson {
            blocks: &part.blocks,
            objects: BlockObjects::of(part, &self.made, block),
            schema: block.map(|block| &block.schema),
            has_schema: self.has_schema,
        })
    }
}

/// The nested blocks of a type.
struct BlocksJson<'d> {
    blocks: &'d [WrittenBlock],
    objects: BlockObjects<'d>,
    schema: Option<&'d Schema>,
    has_schema: bool,
}

impl Serialize for BlocksJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let schema = self.schema;
        serializer.collect_seq(self.blocks.iter().enumerate().map(|(position, block)| {
            let made = self.objects.made(position);
            let paths = PathsJson(made.paths.clone());
            let attributes = schema.map(Schema::attributes);
            let whole = Whole { made, attributes, schema, has_schema: self.has_schema };
            BlockJson {
                source: RangeJson::of(&block.place),
                dynamic: block.is_dynamic,
                paths,
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
        let whole = Whole { made: Made::nothing(), attributes: None, schema: None, has_schema: false };
        PartsJson::within(parts, whole)
    }

    /// The parts of the block of an instance of a resource or action.
    pub(super) fn of_entry(entry: &'d Entry) -> Option<PartsJson<'d>> {
        let block = entry.block.as_ref()?;
        let schema = block.schema.as_ref().map(|schema| schema.schema());
        // The provider is in doubt where text that cannot be read may name it.
        let has_schema = schema.is_some() || block.provider.is_none();
        let whole = Whole {
            made: Made::root(&entry.value),
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
