//! Bodies of blocks: what stands in them, by schema or without one.
//!
//! A [`Body`] is the content of a file or block, native or JSON. [`decode()`] makes a value of it as a [`Spec`] says,
//! [`open_body()`] reads one without a schema, and [`ExpandedBody`] reads one step by step. All three expand `dynamic`
//! blocks.

mod body;

mod body_schema;

mod content;

mod missing_item;

mod expand;

mod body_reader;

mod expanded_body;

mod open_body;

mod decode;

pub mod constant;

mod read_source;

pub use body::Body;
pub use body_reader::BodyReader;
pub use body_schema::BodySchema;
pub use content::{Attribute, Block, Content, Label};
pub use decode::{
    BodySpec, Collection, Nesting, Schema, SchemaAttribute, SchemaBlock, Spec, Usage, decode,
    decode_constant, decode_partially, references_by_spec,
};
pub use expanded_body::{ExpandedBlock, ExpandedBody, ResolvedArgument, ResolvedBlock, ResolvedBody};
pub use open_body::{Owner, open_body};
pub use read_source::read_source;

#[cfg(test)]
mod tests;
