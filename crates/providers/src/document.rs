//! Writes schemas in the form of `terraform providers schema -json`.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::failure::Failure;
use crate::handshake::shown;
use crate::wire::v6::{ActionSchema, Attribute, Block, NestedBlock, Object, Schema, SchemaReply};
use crate::wire::{Function, IdentityReply, IdentitySchema, Parameter};

/// The schemas of one provider in the form of the document.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct ProviderSchemas(Box<RawValue>);

/// Returns the document with the schemas of providers by their address.
///
/// # Errors
///
/// If the schemas cannot be written.
pub fn document(providers: &BTreeMap<String, ProviderSchemas>) -> Result<String, Failure> {
    let document = Document { format_version: "1.0", provider_schemas: providers };
    serde_json::to_string(&document).map_err(|error| Failure::new(error.to_string()))
}

#[derive(Serialize)]
struct Document<'p> {
    format_version: &'static str,
    provider_schemas: &'p BTreeMap<String, ProviderSchemas>,
}

impl ProviderSchemas {
    pub(crate) fn new(reply: &SchemaReply, identities: &IdentityReply) -> Result<ProviderSchemas, Failure> {
        let provider = ProviderJson {
            provider: reply.provider.as_ref().map_or(Ok(SchemaJson::default()), |schema| {
                SchemaJson::of(schema).map_err(|failure| within("provider", failure))
            })?,
            resource_schemas: each("resource", &reply.resource_schemas, SchemaJson::of)?,
            data_source_schemas: each("data source", &reply.data_source_schemas, SchemaJson::of)?,
            ephemeral_resource_schemas: each(
                "ephemeral resource",
                &reply.ephemeral_resource_schemas,
                SchemaJson::of,
            )?,
            list_resource_schemas: each("list resource", &reply.list_resource_schemas, SchemaJson::of)?,
            functions: each("function", &reply.functions, FunctionJson::of)?,
            resource_identity_schemas: each("identity of", &identities.identity_schemas, IdentityJson::of)?,
            action_schemas: each("action", &reply.action_schemas, ActionJson::of)?,
            state_store_schemas: each("state store", &reply.state_store_schemas, SchemaJson::of)?,
        };
        let raw = serde_json::value::to_raw_value(&provider);
        raw.map(ProviderSchemas).map_err(|error| Failure::new(error.to_string()))
    }
}

fn within(place: &str, failure: Failure) -> Failure {
    Failure { text: format!("{place}: {}", failure.text), ..failure }
}

/// Returns the entries of a member of a provider.
fn each<'w, T, J>(
    kind: &str,
    entries: &'w BTreeMap<String, T>,
    convert: impl Fn(&'w T) -> Result<J, Failure>,
) -> Result<BTreeMap<&'w str, J>, Failure> {
    let converted = entries.iter().map(|(name, entry)| {
        let place = format!("{kind} {}", shown(name));
        Ok((name.as_str(), convert(entry).map_err(|failure| within(&place, failure))?))
    });
    converted.collect()
}

/// Returns the type in a message, which is JSON.
fn type_of(json: &[u8]) -> Result<Option<&RawValue>, Failure> {
    if json.is_empty() {
        return Ok(None);
    }
    serde_json::from_slice(json).map(Some).map_err(|error| {
        let text = shown(&String::from_utf8_lossy(json));
        Failure::new(format!("the type \"{text}\" is not JSON: {error}"))
    })
}

/// Returns the name of the format of a description.
fn kind(kind: i32) -> &'static str {
    if kind == 1 { "markdown" } else { "plain" }
}

/// Returns the name of a nesting mode.
fn nesting(mode: i32) -> Result<&'static str, Failure> {
    Ok(match mode {
        1 => "single",
        2 => "list",
        3 => "set",
        4 => "map",
        5 => "group",
        _ => return Err(Failure::new(format!("the protocol has no nesting mode {mode}"))),
    })
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &i64) -> bool {
    *value == 0
}

#[derive(Serialize)]
struct ProviderJson<'w> {
    provider: SchemaJson<'w>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    resource_schemas: BTreeMap<&'w str, SchemaJson<'w>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    data_source_schemas: BTreeMap<&'w str, SchemaJson<'w>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    ephemeral_resource_schemas: BTreeMap<&'w str, SchemaJson<'w>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    list_resource_schemas: BTreeMap<&'w str, SchemaJson<'w>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    functions: BTreeMap<&'w str, FunctionJson<'w>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    resource_identity_schemas: BTreeMap<&'w str, IdentityJson<'w>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    action_schemas: BTreeMap<&'w str, ActionJson<'w>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    state_store_schemas: BTreeMap<&'w str, SchemaJson<'w>>,
}

#[derive(Default, Serialize)]
struct SchemaJson<'w> {
    version: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<BlockJson<'w>>,
}

impl<'w> SchemaJson<'w> {
    fn of(schema: &'w Schema) -> Result<SchemaJson<'w>, Failure> {
        let block = schema.block.as_ref().map(BlockJson::of).transpose()?;
        Ok(SchemaJson { version: schema.version, block })
    }
}

#[derive(Serialize)]
struct ActionJson<'w> {
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<BlockJson<'w>>,
}

impl<'w> ActionJson<'w> {
    fn of(action: &'w ActionSchema) -> Result<ActionJson<'w>, Failure> {
        let block = action.schema.as_ref().and_then(|schema| schema.block.as_ref());
        Ok(ActionJson { block: block.map(BlockJson::of).transpose()? })
    }
}

#[derive(Serialize)]
struct BlockJson<'w> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    attributes: BTreeMap<&'w str, AttributeJson<'w>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    block_types: BTreeMap<&'w str, NestedJson<'w>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'w str,
    description_kind: &'static str,
    #[serde(skip_serializing_if = "is_false")]
    deprecated: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    deprecation_message: &'w str,
}

impl<'w> BlockJson<'w> {
    fn of(block: &'w Block) -> Result<BlockJson<'w>, Failure> {
        let blocks = block.block_types.iter().map(|nested| {
            let place = format!("block {}", shown(&nested.type_name));
            Ok((&*nested.type_name, NestedJson::of(nested).map_err(|failure| within(&place, failure))?))
        });
        Ok(BlockJson {
            attributes: attributes(&block.attributes)?,
            block_types: blocks.collect::<Result<_, Failure>>()?,
            description: &block.description,
            description_kind: kind(block.description_kind),
            deprecated: block.deprecated,
            deprecation_message: &block.deprecation_message,
        })
    }
}

#[derive(Serialize)]
struct NestedJson<'w> {
    nesting_mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<BlockJson<'w>>,
    #[serde(skip_serializing_if = "is_zero")]
    min_items: i64,
    #[serde(skip_serializing_if = "is_zero")]
    max_items: i64,
}

impl<'w> NestedJson<'w> {
    fn of(nested: &'w NestedBlock) -> Result<NestedJson<'w>, Failure> {
        Ok(NestedJson {
            nesting_mode: nesting(nested.nesting)?,
            block: nested.block.as_ref().map(BlockJson::of).transpose()?,
            min_items: nested.min_items,
            max_items: nested.max_items,
        })
    }
}

#[derive(Serialize)]
struct AttributeJson<'w> {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    ty: Option<&'w RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nested_type: Option<ObjectJson<'w>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'w str,
    description_kind: &'static str,
    #[serde(skip_serializing_if = "is_false")]
    deprecated: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    deprecation_message: &'w str,
    #[serde(skip_serializing_if = "is_false")]
    required: bool,
    #[serde(skip_serializing_if = "is_false")]
    optional: bool,
    #[serde(skip_serializing_if = "is_false")]
    computed: bool,
    #[serde(skip_serializing_if = "is_false")]
    sensitive: bool,
    #[serde(skip_serializing_if = "is_false")]
    write_only: bool,
}

impl<'w> AttributeJson<'w> {
    fn of(attribute: &'w Attribute) -> Result<AttributeJson<'w>, Failure> {
        Ok(AttributeJson {
            ty: type_of(&attribute.ty)?,
            nested_type: attribute.nested_type.as_ref().map(ObjectJson::of).transpose()?,
            description: &attribute.description,
            description_kind: kind(attribute.description_kind),
            deprecated: attribute.deprecated,
            deprecation_message: &attribute.deprecation_message,
            required: attribute.required,
            optional: attribute.optional,
            computed: attribute.computed,
            sensitive: attribute.sensitive,
            write_only: attribute.write_only,
        })
    }
}

/// Returns the attributes of a block or an object by name.
fn attributes(attributes: &[Attribute]) -> Result<BTreeMap<&str, AttributeJson<'_>>, Failure> {
    let converted = attributes.iter().map(|attribute| {
        let place = format!("attribute {}", shown(&attribute.name));
        Ok((&*attribute.name, AttributeJson::of(attribute).map_err(|failure| within(&place, failure))?))
    });
    converted.collect()
}

#[derive(Serialize)]
struct ObjectJson<'w> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    attributes: BTreeMap<&'w str, AttributeJson<'w>>,
    nesting_mode: &'static str,
}

impl<'w> ObjectJson<'w> {
    fn of(object: &'w Object) -> Result<ObjectJson<'w>, Failure> {
        Ok(ObjectJson { attributes: attributes(&object.attributes)?, nesting_mode: nesting(object.nesting)? })
    }
}

/// Returns the signatures of functions in the form of the document.
pub(crate) fn signatures(functions: &BTreeMap<String, Function>) -> Result<Box<RawValue>, Failure> {
    let signatures = each("function", functions, FunctionJson::of)?;
    serde_json::value::to_raw_value(&signatures).map_err(|error| Failure::new(error.to_string()))
}

#[derive(Serialize)]
struct FunctionJson<'w> {
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'w str,
    #[serde(skip_serializing_if = "str::is_empty")]
    summary: &'w str,
    #[serde(skip_serializing_if = "str::is_empty")]
    deprecation_message: &'w str,
    return_type: Option<&'w RawValue>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parameters: Vec<ParameterJson<'w>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variadic_parameter: Option<ParameterJson<'w>>,
}

impl<'w> FunctionJson<'w> {
    fn of(function: &'w Function) -> Result<FunctionJson<'w>, Failure> {
        let return_type = match &function.result {
            Some(result) => type_of(&result.ty)?,
            None => None,
        };
        Ok(FunctionJson {
            description: &function.description,
            summary: &function.summary,
            deprecation_message: &function.deprecation_message,
            return_type,
            parameters: function.parameters.iter().map(ParameterJson::of).collect::<Result<_, _>>()?,
            variadic_parameter: function.variadic_parameter.as_ref().map(ParameterJson::of).transpose()?,
        })
    }
}

#[derive(Serialize)]
struct ParameterJson<'w> {
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'w str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'w str,
    #[serde(skip_serializing_if = "is_false")]
    is_nullable: bool,
    #[serde(rename = "type")]
    ty: Option<&'w RawValue>,
}

impl<'w> ParameterJson<'w> {
    fn of(parameter: &'w Parameter) -> Result<ParameterJson<'w>, Failure> {
        let place = format!("parameter {}", shown(&parameter.name));
        Ok(ParameterJson {
            name: &parameter.name,
            description: &parameter.description,
            is_nullable: parameter.allow_null_value,
            ty: type_of(&parameter.ty).map_err(|failure| within(&place, failure))?,
        })
    }
}

#[derive(Serialize)]
struct IdentityJson<'w> {
    version: i64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    attributes: BTreeMap<&'w str, IdentityAttributeJson<'w>>,
}

#[derive(Serialize)]
struct IdentityAttributeJson<'w> {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    ty: Option<&'w RawValue>,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'w str,
    #[serde(skip_serializing_if = "is_false")]
    required_for_import: bool,
    #[serde(skip_serializing_if = "is_false")]
    optional_for_import: bool,
}

impl<'w> IdentityJson<'w> {
    fn of(schema: &'w IdentitySchema) -> Result<IdentityJson<'w>, Failure> {
        let attributes = schema.attributes.iter().map(|attribute| {
            let json = IdentityAttributeJson {
                ty: type_of(&attribute.ty)?,
                description: &attribute.description,
                required_for_import: attribute.required_for_import,
                optional_for_import: attribute.optional_for_import,
            };
            Ok((&*attribute.name, json))
        });
        Ok(IdentityJson { version: schema.version, attributes: attributes.collect::<Result<_, Failure>>()? })
    }
}
