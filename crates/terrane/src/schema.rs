//! Reads provider schemas from the JSON of `terraform providers schema -json`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;
use terrane_body::{Nesting, Schema, SchemaAttribute, SchemaBlock};
use terrane_config::address::ResourceMode;
use terrane_config::state_file::json_problem;
use terrane_module::provider::{ProviderAddress, SourceProblem};
use terrane_module::{ProviderSchema, ResourceType, SchemaTable, Schemas};
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
/// If the text does not have that form. The error names the position.
pub fn schema_from_json(text: &str) -> Result<Schema, SchemaError> {
    let block: SchemaBlockJson<'_> = serde_json::from_str(text).map_err(|error| SchemaError::json(&error))?;
    block.read(&mut SchemaSize::default())
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
/// If the text does not have that form. The error names the position.
pub fn schemas_from_json(text: &str) -> Result<Schemas, SchemaError> {
    SchemasJson::parse(text)?.providers().try_fold(Schemas::default(), |schemas, provider| {
        let provider = provider?;
        let read = provider.schemas.read().map_err(|error| provider.error(error))?;
        Ok(schemas.with(provider.address, read))
    })
}

/// An error in the JSON form of a schema.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaError {
    path: String,
    message: String,
}

impl SchemaError {
    pub(crate) fn new(message: impl Into<String>) -> SchemaError {
        SchemaError { path: String::new(), message: message.into() }
    }

    pub(crate) fn json(error: &serde_json::Error) -> SchemaError {
        let message = error.to_string();
        // The parser has no code for this error.
        match message.strip_prefix("recursion limit exceeded at ") {
            Some(place) => SchemaError::new(format!(
                "the schema is nested too deeply: more than 127 brackets are open at {place}"
            )),
            None => {
                let place = format!("at line {}, column {}", error.line(), error.column());
                SchemaError::new(match (error.classify(), json_problem(&message)) {
                    (Category::Data, Some(problem)) => format!("{problem} {place}"),
                    (Category::Eof, _) => format!("the file is cut off: its JSON text ends {place}"),
                    (Category::Syntax, _) => format!("it is not JSON: {message}"),
                    (Category::Data | Category::Io, _) => message,
                })
            }
        }
    }

    /// Returns this error with a place that is relative to the beginning of a block.
    fn of_block(self) -> SchemaError {
        SchemaError { message: self.message + " of the block", ..self }
    }

    /// Returns this error for a part of the schema at `path`. Paths are built only for errors, because they repeat names of any
    /// length.
    pub(crate) fn within(mut self, path: &str) -> SchemaError {
        self.path.insert_str(0, path);
        self
    }
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
pub(crate) struct SchemasJson<'j> {
    pub(crate) format_version: String,
    #[serde(default, borrow)]
    pub(crate) provider_schemas: BTreeMap<String, SchemaProviderJson<'j>>,
}

#[derive(Deserialize)]
pub(crate) struct SchemaProviderJson<'j> {
    #[serde(default, borrow)]
    pub(crate) provider: Option<SchemaJson<'j>>,
    #[serde(default, borrow)]
    pub(crate) resource_schemas: BTreeMap<String, SchemaJson<'j>>,
    #[serde(default, borrow)]
    pub(crate) data_source_schemas: BTreeMap<String, SchemaJson<'j>>,
    #[serde(default, borrow)]
    pub(crate) ephemeral_resource_schemas: BTreeMap<String, SchemaJson<'j>>,
    #[serde(borrow, default)]
    pub(crate) action_schemas: BTreeMap<String, SchemaJson<'j>>,
    /// The functions, which are parsed only to store them.
    #[serde(borrow, default)]
    pub(crate) functions: Option<&'j RawValue>,
}

#[derive(Deserialize)]
pub(crate) struct SchemaJson<'j> {
    #[serde(default)]
    pub(crate) version: u64,
    /// The attributes and blocks. Missing for a provider without arguments.
    #[serde(default, borrow)]
    block: Option<&'j RawValue>,
}

#[derive(Deserialize)]
pub(crate) struct SchemaBlockJson<'j> {
    #[serde(default, borrow)]
    pub(crate) attributes: BTreeMap<String, SchemaAttributeJson<'j>>,
    #[serde(default, borrow)]
    pub(crate) block_types: BTreeMap<String, BlockTypeJson<'j>>,
    /// The description and its kind are parsed only to store them, and so is `deprecated`.
    #[serde(borrow, default)]
    pub(crate) description: Option<&'j RawValue>,
    #[serde(borrow, default)]
    pub(crate) description_kind: Option<&'j RawValue>,
    #[serde(borrow, default)]
    pub(crate) deprecated: Option<&'j RawValue>,
}

#[derive(Deserialize)]
pub(crate) struct SchemaAttributeJson<'j> {
    #[serde(default, borrow)]
    pub(crate) r#type: Option<&'j RawValue>,
    #[serde(default, borrow)]
    pub(crate) nested_type: Option<NestedJson<'j>>,
    #[serde(default)]
    pub(crate) required: bool,
    #[serde(default)]
    pub(crate) optional: bool,
    #[serde(default)]
    pub(crate) computed: bool,
    #[serde(default)]
    pub(crate) sensitive: bool,
    #[serde(default)]
    pub(crate) write_only: bool,
    /// The description and its kind are parsed only to store them, and so is `deprecated`.
    #[serde(borrow, default)]
    pub(crate) description: Option<&'j RawValue>,
    #[serde(borrow, default)]
    pub(crate) description_kind: Option<&'j RawValue>,
    #[serde(borrow, default)]
    pub(crate) deprecated: Option<&'j RawValue>,
}

#[derive(Deserialize)]
pub(crate) struct NestedJson<'j> {
    #[serde(default, borrow)]
    pub(crate) attributes: BTreeMap<String, SchemaAttributeJson<'j>>,
    pub(crate) nesting_mode: String,
}

#[derive(Deserialize)]
pub(crate) struct BlockTypeJson<'j> {
    pub(crate) nesting_mode: String,
    #[serde(borrow)]
    pub(crate) block: SchemaBlockJson<'j>,
    #[serde(default)]
    pub(crate) min_items: usize,
    #[serde(default)]
    pub(crate) max_items: usize,
}

/// The most attributes and block types of one schema, including nested ones.
pub(crate) const MAX_PARTS: usize = 100_000;

/// The number of attributes and block types of a schema that were read.
#[derive(Default)]
struct SchemaSize(usize);

impl SchemaSize {
    fn one_more(&mut self) -> Result<(), SchemaError> {
        self.0 += 1;
        match self.0 > MAX_PARTS {
            true => Err(SchemaError::new(format!(
                "the schema has more than {MAX_PARTS} attributes and block types"
            ))),
            false => Ok(()),
        }
    }
}

/// A provider of a document.
pub(crate) struct NamedProvider<'p, 'j> {
    /// The name as the document writes it.
    name: &'p str,
    pub(crate) address: ProviderAddress,
    pub(crate) schemas: &'p SchemaProviderJson<'j>,
}

impl NamedProvider<'_, '_> {
    /// Returns an error in the schemas of the provider, with its path in the document.
    pub(crate) fn error(&self, error: SchemaError) -> SchemaError {
        error.within(&format!("provider_schemas[{:?}]", self.name))
    }
}

impl<'j> SchemasJson<'j> {
    /// Parses the text of a document, which may begin with a byte order mark.
    pub(crate) fn parse(text: &'j str) -> Result<SchemasJson<'j>, SchemaError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let document: SchemasJson<'_> =
            serde_json::from_str(text).map_err(|error| SchemaError::json(&error))?;
        let major = document.format_version.split('.').next();
        if !matches!(major, Some("0" | "1")) {
            let version = &document.format_version;
            let message = format!("the format version {version} is not supported; write it with version 1.0");
            return Err(SchemaError::new(message).within("format_version"));
        }
        Ok(document)
    }

    /// Returns the providers of the document.
    pub(crate) fn providers(&self) -> impl Iterator<Item = Result<NamedProvider<'_, 'j>, SchemaError>> {
        self.provider_schemas.iter().map(|(name, provider)| {
            let invalid = |problem: SourceProblem| {
                SchemaError::new(problem.reason).within(&format!("provider_schemas[{name:?}]"))
            };
            Ok(NamedProvider { name, address: name.parse().map_err(invalid)?, schemas: provider })
        })
    }
}

/// The resource types of one mode.
pub(crate) struct ModeJson<'p, 'j> {
    pub(crate) mode: ResourceMode,
    /// The name of the document's member that contains them.
    pub(crate) member: &'static str,
    pub(crate) schemas: &'p BTreeMap<String, SchemaJson<'j>>,
}

impl<'j> SchemaProviderJson<'j> {
    /// Returns the resource types of each mode.
    pub(crate) fn modes(&self) -> [ModeJson<'_, 'j>; 4] {
        let of = |mode, member, schemas| ModeJson { mode, member, schemas };
        [
            of(ResourceMode::Managed, "resource_schemas", &self.resource_schemas),
            of(ResourceMode::Data, "data_source_schemas", &self.data_source_schemas),
            of(ResourceMode::Ephemeral, "ephemeral_resource_schemas", &self.ephemeral_resource_schemas),
            of(ResourceMode::Action, "action_schemas", &self.action_schemas),
        ]
    }

    /// Returns the number of resource types of all modes.
    pub(crate) fn resource_types(&self) -> usize {
        self.modes().iter().map(|of_mode| of_mode.schemas.len()).sum()
    }

    fn read(&self) -> Result<ProviderSchema, SchemaError> {
        let configuration = match &self.provider {
            Some(schema) => Some(schema.read().map_err(|error| error.within(".provider"))?),
            None => None,
        };
        let (mut resources, mut texts) = (Vec::new(), SchemaTexts::default());
        for ModeJson { mode, member, schemas } in self.modes() {
            for (name, schema) in schemas {
                schema.read().map_err(|error| error.within(&format!(".{member}.{name}")))?;
                let name = SmolStr::from(name.as_str());
                let index = u32::try_from(texts.0.len()).unwrap_or(u32::MAX);
                resources.push((ResourceType { mode, name }, index));
                let block = schema.block.map(|block| block.get().into());
                texts.0.push(SchemaText { version: schema.version, block });
            }
        }
        Ok(ProviderSchema::from_table(configuration, resources, Arc::new(texts)))
    }
}

impl<'j> SchemaJson<'j> {
    /// Returns the block of the schema, if it has one.
    pub(crate) fn block(&self) -> Result<Option<SchemaBlockJson<'j>>, SchemaError> {
        let read = |block: &'j RawValue| {
            serde_json::from_str(block.get()).map_err(|error| SchemaError::json(&error).of_block())
        };
        self.block.map(read).transpose().map_err(|error| error.within(".block"))
    }

    fn read(&self) -> Result<Schema, SchemaError> {
        let Some(block) = self.block()? else { return Ok(Schema::new()) };
        let schema = block.read(&mut SchemaSize::default()).map_err(|error| error.within(".block"))?;
        Ok(schema.versioned(self.version))
    }
}

/// The texts of the schemas of resource types. Each text is read once to find mistakes, and again when the schema is first needed:
/// a provider has many more types than a module uses.
#[derive(Default, Debug)]
struct SchemaTexts(Vec<SchemaText>);

/// The text of a schema that is not made yet.
#[derive(Debug)]
struct SchemaText {
    version: u64,
    block: Option<Box<str>>,
}

impl SchemaTable for SchemaTexts {
    fn schema(&self, index: u32) -> Option<Schema> {
        let SchemaText { version, block } = self.0.get(index as usize)?;
        match block {
            Some(block) => Some(schema_from_json(block).ok()?.versioned(*version)),
            None => Some(Schema::new()),
        }
    }
}

impl SchemaBlockJson<'_> {
    fn read(&self, count: &mut SchemaSize) -> Result<Schema, SchemaError> {
        let mut schema = Schema::new();
        for (name, attribute) in &self.attributes {
            let attribute =
                attribute.read(count).map_err(|error| error.within(&format!(".attributes.{name}")))?;
            schema = schema.attribute(name, attribute);
        }
        for (name, block) in &self.block_types {
            let block = block.read(count).map_err(|error| error.within(&format!(".block_types.{name}")))?;
            schema = schema.block_type(name, block);
        }
        Ok(schema)
    }
}

impl BlockTypeJson<'_> {
    fn read(&self, count: &mut SchemaSize) -> Result<SchemaBlock, SchemaError> {
        count.one_more()?;
        let nesting = nesting(&self.nesting_mode)?;
        let schema = self.block.read(count)?;
        Ok(SchemaBlock { nesting, schema, min: self.min_items, max: self.max_items })
    }
}

impl SchemaAttributeJson<'_> {
    fn read(&self, count: &mut SchemaSize) -> Result<SchemaAttribute, SchemaError> {
        count.one_more()?;
        let mut attribute = match (&self.r#type, &self.nested_type) {
            (Some(ty), None) => {
                let ty = json::decode_type(ty.get());
                let fail = |error| SchemaError::new(format!("this is not a type: {error}"));
                SchemaAttribute::optional(ty.map_err(fail)?)
            }
            (None, Some(nested)) => {
                let mut attributes = Vec::new();
                for (name, attribute) in &nested.attributes {
                    let attribute =
                        attribute.read(count).map_err(|error| error.within(&format!(".{name}")))?;
                    attributes.push((name.as_str(), attribute));
                }
                SchemaAttribute::nested(nesting(&nested.nesting_mode)?, attributes)
            }
            (None, None) | (Some(_), Some(_)) => {
                return Err(SchemaError::new("an attribute has either `type` or `nested_type`"));
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

pub(crate) fn nesting(mode: &str) -> Result<Nesting, SchemaError> {
    match mode {
        "single" => Ok(Nesting::Single),
        "group" => Ok(Nesting::Group),
        "list" => Ok(Nesting::List),
        "set" => Ok(Nesting::Set),
        "map" => Ok(Nesting::Map),
        _ => {
            Err(SchemaError::new(format!("`nesting_mode` is single, group, list, set or map, not {mode:?}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text of a schema with blocks nested in blocks.
    fn nested(levels: usize, mode: &str) -> String {
        let open = format!(r#"{{"block_types": {{"g": {{"nesting_mode": "{mode}", "block": "#);
        open.repeat(levels) + r#"{"attributes": {"a": {"type": "string"}}}"# + &"}}}".repeat(levels)
    }

    #[test]
    fn groups_in_groups_are_read_as_fast_as_written() {
        let schema = schema_from_json(&nested(30, "group")).unwrap();
        let expected = format!("{}object({{a=string}}){}", "object({g=".repeat(30), "})".repeat(30));
        assert_eq!(schema.ty().to_string(), expected);
    }

    #[test]
    fn a_schema_that_is_too_deep_is_an_error() {
        let error = schema_from_json(&nested(200, "group")).unwrap_err().to_string();
        assert!(
            error.starts_with("the schema is nested too deeply: more than 127 brackets are open at line 1"),
            "{error}"
        );
    }

    #[test]
    fn a_schema_with_too_many_parts_is_an_error() {
        let attributes = |count: usize| {
            let attributes: Vec<String> =
                (0..count).map(|index| format!(r#""a{index}": {{"type": "bool"}}"#)).collect();
            format!(r#"{{"attributes": {{{}}}}}"#, attributes.join(","))
        };
        assert!(schema_from_json(&attributes(MAX_PARTS)).is_ok());
        let error = schema_from_json(&attributes(MAX_PARTS + 1)).unwrap_err().to_string();
        assert_eq!(error, ".attributes.a99999: the schema has more than 100000 attributes and block types");
    }

    #[test]
    fn an_error_names_its_place() {
        let text = nested(2, "list").replace("\"string\"", "\"text\"");
        let error = schema_from_json(&text).unwrap_err().to_string();
        assert!(
            error.starts_with(".block_types.g.block_types.g.attributes.a: this is not a type"),
            "{error}"
        );
        let error = schema_from_json(&nested(1, "heap")).unwrap_err().to_string();
        assert_eq!(error, ".block_types.g: `nesting_mode` is single, group, list, set or map, not \"heap\"");
    }
}
