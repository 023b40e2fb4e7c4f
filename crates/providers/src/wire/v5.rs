//! Schemas in version 5 of the protocol, and their conversion to version 6.

use std::collections::BTreeMap;

use super::schema::schema_messages;
use super::{Diagnostic, Function, v6};

schema_messages!();

/// An attribute of a block.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Attribute {
    /// The name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The type as JSON.
    #[prost(bytes = "vec", tag = "2")]
    pub ty: Vec<u8>,
    /// The description.
    #[prost(string, tag = "3")]
    pub description: String,
    /// Whether the attribute must be configured.
    #[prost(bool, tag = "4")]
    pub required: bool,
    /// Whether the attribute may be configured.
    #[prost(bool, tag = "5")]
    pub optional: bool,
    /// Whether the provider may set the attribute.
    #[prost(bool, tag = "6")]
    pub computed: bool,
    /// Whether the value is secret.
    #[prost(bool, tag = "7")]
    pub sensitive: bool,
    /// The format of the description: 0 is plain text, 1 Markdown.
    #[prost(int32, tag = "8")]
    pub description_kind: i32,
    /// Whether the attribute is deprecated.
    #[prost(bool, tag = "9")]
    pub deprecated: bool,
    /// Whether the value is not kept in the state.
    #[prost(bool, tag = "10")]
    pub write_only: bool,
    /// Advice to users of a deprecated attribute.
    #[prost(string, tag = "11")]
    pub deprecation_message: String,
}

impl From<Attribute> for v6::Attribute {
    fn from(attribute: Attribute) -> v6::Attribute {
        v6::Attribute {
            name: attribute.name,
            ty: attribute.ty,
            description: attribute.description,
            required: attribute.required,
            optional: attribute.optional,
            computed: attribute.computed,
            sensitive: attribute.sensitive,
            description_kind: attribute.description_kind,
            deprecated: attribute.deprecated,
            nested_type: None,
            write_only: attribute.write_only,
            deprecation_message: attribute.deprecation_message,
        }
    }
}

impl From<NestedBlock> for v6::NestedBlock {
    fn from(nested: NestedBlock) -> v6::NestedBlock {
        let NestedBlock { type_name, block, nesting, min_items, max_items } = nested;
        v6::NestedBlock { type_name, block: block.map(Into::into), nesting, min_items, max_items }
    }
}

impl From<Block> for v6::Block {
    fn from(block: Block) -> v6::Block {
        v6::Block {
            attributes: block.attributes.into_iter().map(Into::into).collect(),
            block_types: block.block_types.into_iter().map(Into::into).collect(),
            description: block.description,
            description_kind: block.description_kind,
            deprecated: block.deprecated,
            deprecation_message: block.deprecation_message,
        }
    }
}

impl From<Schema> for v6::Schema {
    fn from(schema: Schema) -> v6::Schema {
        v6::Schema { version: schema.version, block: schema.block.map(Into::into) }
    }
}

impl From<ActionSchema> for v6::ActionSchema {
    fn from(action: ActionSchema) -> v6::ActionSchema {
        v6::ActionSchema { schema: action.schema.map(Into::into) }
    }
}

impl From<SchemaReply> for v6::SchemaReply {
    fn from(reply: SchemaReply) -> v6::SchemaReply {
        v6::SchemaReply {
            provider: reply.provider.map(Into::into),
            resource_schemas: converted(reply.resource_schemas),
            data_source_schemas: converted(reply.data_source_schemas),
            diagnostics: reply.diagnostics,
            functions: reply.functions,
            ephemeral_resource_schemas: converted(reply.ephemeral_resource_schemas),
            list_resource_schemas: converted(reply.list_resource_schemas),
            state_store_schemas: BTreeMap::new(),
            action_schemas: converted(reply.action_schemas),
        }
    }
}

fn converted<T, U: From<T>>(schemas: BTreeMap<String, T>) -> BTreeMap<String, U> {
    schemas.into_iter().map(|(name, schema)| (name, schema.into())).collect()
}
