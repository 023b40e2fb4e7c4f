//! Messages between Terraform and providers, as they are encoded.
//!
//! Versions 5 and 6 of the protocol have most messages in common. Schemas differ in the fields of attributes, so each version
//! has a module with schemas of its own. Schemas of version 5 are converted to schemas of version 6.

mod schema;
pub mod v5;
pub mod v6;

use std::collections::BTreeMap;

/// A message without fields, such as the request for all schemas.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct Empty {}

/// An error or a warning in an answer.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Diagnostic {
    /// The severity: 1 is an error, 2 a warning.
    #[prost(int32, tag = "1")]
    pub severity: i32,
    /// The title.
    #[prost(string, tag = "2")]
    pub summary: String,
    /// The sentences below the title.
    #[prost(string, tag = "3")]
    pub detail: String,
}

/// A function of a provider.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Function {
    /// The parameters by position.
    #[prost(message, repeated, tag = "1")]
    pub parameters: Vec<Parameter>,
    /// The parameter of all further arguments.
    #[prost(message, optional, tag = "2")]
    pub variadic_parameter: Option<Parameter>,
    /// The result.
    #[prost(message, optional, tag = "3")]
    pub result: Option<Return>,
    /// The description in one line.
    #[prost(string, tag = "4")]
    pub summary: String,
    /// The description.
    #[prost(string, tag = "5")]
    pub description: String,
    /// The format of the description: 0 is plain text, 1 Markdown.
    #[prost(int32, tag = "6")]
    pub description_kind: i32,
    /// Advice to callers of a deprecated function.
    #[prost(string, tag = "7")]
    pub deprecation_message: String,
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Parameter {
    /// The name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The type as JSON.
    #[prost(bytes = "vec", tag = "2")]
    pub ty: Vec<u8>,
    /// Whether the function takes null.
    #[prost(bool, tag = "3")]
    pub allow_null_value: bool,
    /// Whether the function takes values with unknown parts.
    #[prost(bool, tag = "4")]
    pub allow_unknown_values: bool,
    /// The description.
    #[prost(string, tag = "5")]
    pub description: String,
    /// The format of the description: 0 is plain text, 1 Markdown.
    #[prost(int32, tag = "6")]
    pub description_kind: i32,
}

/// The result of a function.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Return {
    /// The type as JSON.
    #[prost(bytes = "vec", tag = "1")]
    pub ty: Vec<u8>,
}

/// The answer with all functions of a provider.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct FunctionsReply {
    /// The functions by name.
    #[prost(btree_map = "string, message", tag = "1")]
    pub functions: BTreeMap<String, Function>,
    /// Errors and warnings.
    #[prost(message, repeated, tag = "2")]
    pub diagnostics: Vec<Diagnostic>,
}

/// A value, encoded by its type.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct DynamicValue {
    /// The value as MessagePack.
    #[prost(bytes = "vec", tag = "1")]
    pub msgpack: Vec<u8>,
    /// The value as JSON, if there is no MessagePack.
    #[prost(bytes = "vec", tag = "2")]
    pub json: Vec<u8>,
}

/// The call of a function.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct CallRequest {
    /// The name of the function.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The arguments, encoded by the types of the parameters.
    #[prost(message, repeated, tag = "2")]
    pub arguments: Vec<DynamicValue>,
}

/// The answer to the call of a function.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct CallReply {
    /// The result.
    #[prost(message, optional, tag = "1")]
    pub result: Option<DynamicValue>,
    /// The error in place of a result.
    #[prost(message, optional, tag = "2")]
    pub error: Option<FunctionError>,
}

/// The error of a function.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct FunctionError {
    /// The message.
    #[prost(string, tag = "1")]
    pub text: String,
    /// The index of the argument that caused the error.
    #[prost(int64, optional, tag = "2")]
    pub function_argument: Option<i64>,
}

/// The answer with the schemas of resource identities.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct IdentityReply {
    /// The schemas by resource type.
    #[prost(btree_map = "string, message", tag = "1")]
    pub identity_schemas: BTreeMap<String, IdentitySchema>,
    /// Errors and warnings.
    #[prost(message, repeated, tag = "2")]
    pub diagnostics: Vec<Diagnostic>,
}

/// The schema of the identity of a resource.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct IdentitySchema {
    /// The version of the schema.
    #[prost(int64, tag = "1")]
    pub version: i64,
    /// The attributes.
    #[prost(message, repeated, tag = "2")]
    pub attributes: Vec<IdentityAttribute>,
}

/// An attribute of the identity of a resource.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct IdentityAttribute {
    /// The name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The type as JSON.
    #[prost(bytes = "vec", tag = "2")]
    pub ty: Vec<u8>,
    /// Whether an import needs the attribute.
    #[prost(bool, tag = "3")]
    pub required_for_import: bool,
    /// Whether an import may have the attribute.
    #[prost(bool, tag = "4")]
    pub optional_for_import: bool,
    /// The description.
    #[prost(string, tag = "5")]
    pub description: String,
}
