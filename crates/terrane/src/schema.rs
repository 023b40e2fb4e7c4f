//! Reads provider schemas from the JSON of `terraform providers schema -json`.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;
use terrane_body::{Nesting, Schema, SchemaAttribute, SchemaBlock};
use terrane_config::address::ResourceMode;
use terrane_module::provider::{ProviderAddress, SourceProblem};
use terrane_module::{ProviderSchema, Schemas};
use terrane_value::{SmolStr, json};

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
/// If the text is not of that form; the error names the position.
pub fn schema_from_json(text: &str) -> Result<Schema, SchemaError> {
    let block: BlockJson<'_> = serde_json::from_str(text)
        .map_err(|error| SchemaError { path: String::new(), message: error.to_string() })?;
    block.read("")
}

/// Reads provider schemas from the document of `terraform providers schema -json`. Functions and other members of the
/// document are skipped.
///
/// ```
/// let schemas = terrane::schemas_from_json(
///     r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/null": {
///         "provider": {"version": 0, "block": {}},
///         "resource_schemas": {"null_resource": {"version": 0, "block": {"attributes": {
///             "id": {"type": "string", "computed": true},
///             "triggers": {"type": ["map", "string"], "optional": true}
///         }}}}
///     }}}"#,
/// )?;
/// assert!(schemas.provider(&"hashicorp/null".parse().expect("an address")).is_some());
/// # Ok::<(), terrane::SchemaError>(())
/// ```
///
/// # Errors
///
/// If the text is not of that form; the error names the position.
pub fn schemas_from_json(text: &str) -> Result<Schemas, SchemaError> {
    let fail = |path: &str, message: String| SchemaError { path: path.to_owned(), message };
    let document: DocumentJson<'_> =
        serde_json::from_str(text).map_err(|error| fail("", error.to_string()))?;
    let major = document.format_version.split('.').next();
    if !matches!(major, Some("0" | "1")) {
        let version = &document.format_version;
        return Err(fail(
            "format_version",
            format!(
                "the format version {version} is not supported; write \
                                                   it with version 1.0"
            ),
        ));
    }
    document.provider_schemas.iter().try_fold(Schemas::default(), |schemas, (name, provider)| {
        let path = format!("provider_schemas[{name:?}]");
        let address: ProviderAddress =
            name.parse().map_err(|problem: SourceProblem| fail(&path, problem.reason))?;
        Ok(schemas.with(address, provider.read(&path)?))
    })
}

/// An error in the JSON form of a schema.
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
struct DocumentJson<'j> {
    format_version: String,
    #[serde(default, borrow)]
    provider_schemas: BTreeMap<String, ProviderJson<'j>>,
}

#[derive(Deserialize)]
struct ProviderJson<'j> {
    #[serde(default, borrow)]
    provider: Option<SchemaJson<'j>>,
    #[serde(default, borrow)]
    resource_schemas: BTreeMap<String, SchemaJson<'j>>,
    #[serde(default, borrow)]
    data_source_schemas: BTreeMap<String, SchemaJson<'j>>,
    #[serde(default, borrow)]
    ephemeral_resource_schemas: BTreeMap<String, SchemaJson<'j>>,
    #[serde(borrow, default)]
    action_schemas: BTreeMap<String, SchemaJson<'j>>,
}

#[derive(Deserialize)]
struct SchemaJson<'j> {
    /// Missing for a provider without arguments.
    #[serde(default, borrow)]
    block: Option<BlockJson<'j>>,
}

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
    #[serde(default)]
    write_only: bool,
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

impl ProviderJson<'_> {
    fn read(&self, path: &str) -> Result<ProviderSchema, SchemaError> {
        let configuration = match &self.provider {
            Some(schema) => Some(schema.read(&format!("{path}.provider"))?),
            None => None,
        };
        let modes = [
            (ResourceMode::Managed, "resource_schemas", &self.resource_schemas),
            (ResourceMode::Data, "data_source_schemas", &self.data_source_schemas),
            (ResourceMode::Ephemeral, "ephemeral_resource_schemas", &self.ephemeral_resource_schemas),
            (ResourceMode::Action, "action_schemas", &self.action_schemas),
        ];
        let mut resources = Vec::new();
        for (mode, member, schemas) in modes {
            for (name, schema) in schemas {
                let schema = schema.read(&format!("{path}.{member}.{name}"))?;
                resources.push(((mode, SmolStr::from(name.as_str())), schema));
            }
        }
        Ok(ProviderSchema::new(configuration, resources))
    }
}

impl SchemaJson<'_> {
    fn read(&self, path: &str) -> Result<Schema, SchemaError> {
        self.block.as_ref().map_or_else(|| Ok(Schema::new()), |block| block.read(&format!("{path}.block")))
    }
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
                SchemaAttribute::optional(ty.map_err(|error| fail(format!("this is not a type: {error}")))?)
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
        attribute.write_only = self.write_only;
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
