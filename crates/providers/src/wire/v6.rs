//! Schemas in version 6 of the protocol.

use std::collections::BTreeMap;

use super::schema::schema_messages;
use super::{Diagnostic, Function};

schema_messages!();

/// An attribute of a block or an object.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Attribute {
    /// The name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The type as JSON; empty beside a nested type.
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
    /// The attributes of the objects in the value.
    #[prost(message, optional, tag = "10")]
    pub nested_type: Option<Object>,
    /// Whether the value is not kept in the state.
    #[prost(bool, tag = "11")]
    pub write_only: bool,
    /// Advice to users of a deprecated attribute.
    #[prost(string, tag = "12")]
    pub deprecation_message: String,
}

/// The type of an attribute whose objects have attributes with schemas.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Object {
    /// The attributes.
    #[prost(message, repeated, tag = "1")]
    pub attributes: Vec<Attribute>,
    /// The nesting mode: 1 is single, 2 list, 3 set, 4 map.
    #[prost(int32, tag = "3")]
    pub nesting: i32,
}
