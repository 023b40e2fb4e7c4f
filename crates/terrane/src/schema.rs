use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;
use terrane_eval::{Nesting, Schema, SchemaAttribute, SchemaBlock};
use terrane_value::json;

/// Reads the schema of a block in the form of `terraform providers schema -json`: an object with `attributes` and
/// `block_types`.
///
/// ```
/// let schema = terrane::schema_from_json(
///     r#"{
///         "attributes": {"name": {"type": "string", "required": true}},
///         "block_types": {"tag": {"nesting_mode": "set", "block": {"attributes": {"key": {"type": "string", "optional": true}}}}}
///     }"#,
/// )?;
/// assert_eq!(schema.ty().to_string(), "object({name=string,tag=set(object({key=string}))})");
/// # Ok::<(), terrane::SchemaError>(())
/// ```
///
/// # Errors
///
/// Where the text is not of that form; the message says where.
pub fn schema_from_json(text: &str) -> Result<Schema, SchemaError> {
    let block: BlockJson<'_> = serde_json::from_str(text)
        .map_err(|error| SchemaError { path: String::new(), message: error.to_string() })?;
    block.read("")
}

/// What is wrong with the JSON form of a schema.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaError {
    path: String,
    message: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.message),
            path => write!(f, "{path}: {}", self.message),
        }
    }
}

impl std::error::Error for SchemaError {}

#[derive(Deserialize)]
struct BlockJson<'j> {
    #[serde(default, borrow)]
    attributes: BTreeMap<String, AttributeJson<'j>>,
    #[serde(default, borrow)]
    block_types: BTreeMap<String, BlockTypeJson<'j>>,
}

#[derive(Deserialize)]
struct AttributeJson<'j> {
    #[serde(default, borrow)]
    r#type: Option<&'j RawValue>,
    #[serde(default, borrow)]
    nested_type: Option<NestedJson<'j>>,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    computed: bool,
    #[serde(default)]
    sensitive: bool,
}

#[derive(Deserialize)]
struct NestedJson<'j> {
    #[serde(default, borrow)]
    attributes: BTreeMap<String, AttributeJson<'j>>,
    nesting_mode: String,
}

#[derive(Deserialize)]
struct BlockTypeJson<'j> {
    nesting_mode: String,
    #[serde(borrow)]
    block: BlockJson<'j>,
    #[serde(default)]
    min_items: usize,
    #[serde(default)]
    max_items: usize,
}

impl BlockJson<'_> {
    fn read(&self, path: &str) -> Result<Schema, SchemaError> {
        let mut schema = Schema::new();
        for (name, attribute) in &self.attributes {
            schema = schema.attribute(name, attribute.read(&format!("{path}.attributes.{name}"))?);
        }
        for (name, block) in &self.block_types {
            let path = format!("{path}.block_types.{name}");
            let nested = SchemaBlock {
                min: block.min_items,
                max: block.max_items,
                ..SchemaBlock::new(nesting(&block.nesting_mode, &path)?, block.block.read(&path)?)
            };
            schema = schema.block_type(name, nested);
        }
        Ok(schema)
    }
}

impl AttributeJson<'_> {
    fn read(&self, path: &str) -> Result<SchemaAttribute, SchemaError> {
        let fail = |message: String| SchemaError { path: path.to_owned(), message };
        let mut attribute = match (&self.r#type, &self.nested_type) {
            (Some(ty), None) => {
                let ty = json::decode_type(ty.get());
                SchemaAttribute::optional(ty.map_err(|error| fail(format!("this is no type: {error}")))?)
            }
            (None, Some(nested)) => {
                let mut attributes = Vec::new();
                for (name, attribute) in &nested.attributes {
                    attributes.push((name.as_str(), attribute.read(&format!("{path}.{name}"))?));
                }
                SchemaAttribute::nested(nesting(&nested.nesting_mode, path)?, attributes)
            }
            (None, None) | (Some(_), Some(_)) => {
                return Err(fail("an attribute has either `type` or `nested_type`".to_owned()));
            }
        };
        attribute.required = self.required;
        attribute.optional = self.optional;
        attribute.computed = self.computed;
        attribute.sensitive = self.sensitive;
        Ok(attribute)
    }
}

fn nesting(mode: &str, path: &str) -> Result<Nesting, SchemaError> {
    match mode {
        "single" => Ok(Nesting::Single),
        "group" => Ok(Nesting::Group),
        "list" => Ok(Nesting::List),
        "set" => Ok(Nesting::Set),
        "map" => Ok(Nesting::Map),
        _ => Err(SchemaError {
            path: path.to_owned(),
            message: format!("`nesting_mode` is single, group, list, set or map, not {mode:?}"),
        }),
    }
}
