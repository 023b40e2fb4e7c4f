//! Bodies of files and blocks: their content, `dynamic` blocks, and values decoded from them.
//!
//! A [`Body`] is the content of a file or block, native or JSON. A [`BodySchema`] selects its attributes and blocks. Four
//! ways to evaluate a body expand `dynamic` blocks:
//!
//! - [`decode()`]: the value of a body by a [`Spec`], or by the [`Schema`] of a provider;
//! - [`open_body()`]: a body without a schema;
//! - [`BodyReader`]: an [`ExpandedBody`] step by step;
//! - [`constant`]: single attributes that must be constants.
//!
//! Reading order: [`BodySchema`], [`Body`], [`Content`], `expand`, then the four ways.

mod body;
mod body_reader;
mod body_schema;
pub mod constant;
mod content;
mod decode;
mod expand;
mod expanded_body;
mod missing_item;
mod open_body;
mod read_source;

pub use body::Body;
pub use body_reader::BodyReader;
pub use body_schema::{BodySchema, DYNAMIC};
pub use content::{
    Attribute, Block, Content, Label, SecretNames, WrittenDynamic, hide_declared_secrets,
    may_have_open_argument,
};
pub use decode::{
    BodySpec, Collection, NestedAttributes, Nesting, Schema, SchemaAttribute, SchemaBlock, SchemaPart, Spec,
    UnsetArgument, Usage, decode, decode_constant, decode_partially, references_by_spec,
};
pub use expanded_body::{ExpandedBlock, ExpandedBody, ResolvedArgument, ResolvedBlock, ResolvedBody};
pub use open_body::{Owner, open_body};
pub use read_source::SourceReader;

#[cfg(test)]
mod tests;
