//! Written arguments and nested blocks, with their places.

use serde::{Serialize, Serializer};
use terrane_value::Entries;

use super::lazy::Rows;
use super::range::RangeJson;
use super::value::ValueState;
use crate::entry::Entry;
use crate::written_parts::{WrittenBlock, WrittenPart};

/// A written argument, or the nested blocks of a type.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Attribute"))]
struct PartJson<'d> {
    /// The state of the value as a whole; left out if the value has no such attribute, and within nested blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<ValueState>,
    /// The place of the argument, or of the header of the first block.
    source: RangeJson<'d>,
    /// The blocks in the order in which they are written; left out for an argument.
    #[serde(skip_serializing_if = "Rows::is_empty")]
    blocks: Rows<'d, WrittenBlock, BlockJson<'d>>,
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

impl<'d> BlockJson<'d> {
    fn of(block: &'d WrittenBlock) -> BlockJson<'d> {
        BlockJson {
            source: RangeJson::of(&block.place),
            dynamic: block.is_dynamic,
            attributes: PartsJson::of(&block.parts),
        }
    }
}

/// Written arguments and nested blocks, by name.
pub(super) struct PartsJson<'d> {
    parts: &'d [WrittenPart],
    /// The values of the object that has them.
    values: Option<&'d Entries>,
}

impl<'d> PartsJson<'d> {
    /// The parts without their values; none if there are none.
    pub(super) fn of(parts: &'d [WrittenPart]) -> Option<PartsJson<'d>> {
        (!parts.is_empty()).then_some(PartsJson { parts, values: None })
    }

    /// The parts of the block of an instance of a resource or action.
    pub(super) fn of_entry(entry: &'d Entry) -> Option<PartsJson<'d>> {
        let parts = PartsJson::of(entry.block.as_ref()?.written())?;
        Some(PartsJson { values: entry.value.known_attributes(), ..parts })
    }
}

impl Serialize for PartsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.parts.iter().map(|part| {
            let state = self.values.and_then(|values| values.get(&part.name)).map(ValueState::of);
            let blocks = Rows::plain(&part.blocks, BlockJson::of);
            (&*part.name, PartJson { state, source: RangeJson::of(&part.place), blocks })
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
        std::collections::BTreeMap::<String, PartJson<'static>>::json_schema(generator)
    }
}
