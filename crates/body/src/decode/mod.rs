//! Decodes a body to a value by a [`Spec`].
//!
//! `decoder` follows the spec, `blocks` has the rules for blocks, and `references` lists the references that a spec
//! reads. `schema` translates the schema of a provider to a spec, `planned` computes the planned value of its objects,
//! and `written` reads the content for a schema without evaluating it.

mod blocks;
mod decoder;
mod planned;
mod references;
mod schema;
mod spec;
mod written;

use decoder::Decoder;
pub use planned::UnsetArgument;
pub use references::references_by_spec;
pub use schema::{NestedAttributes, Nesting, Schema, SchemaAttribute, SchemaBlock};
pub use spec::{BodySpec, Collection, Spec, Usage};
use terrane_eval::Scope;
use terrane_source::Diagnostics;
use terrane_value::Value;
pub use written::SchemaPart;

use crate::body::Body;
use crate::expand::expander::Expander;
use crate::expand::scoped_body::ScopedBody;

/// Returns the value of a body, with its `dynamic` blocks expanded.
///
/// One run reports all errors; values that depend on an error are unknown.
pub fn decode(body: &Body, spec: &BodySpec, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Value {
    let mut decoder = Decoder::new(Expander::new(scope, diagnostics));
    decoder.body(&ScopedBody::new(body.clone()), &[], spec, false)
}

/// Does the same as [`decode`] for constants: expressions must not use names or functions, and
/// JSON strings are literal.
pub fn decode_constant(
    body: &Body,
    spec: &BodySpec,
    scope: &Scope<'_>,
    diagnostics: &mut Diagnostics,
) -> Value {
    let mut decoder = Decoder::new(Expander::new(scope, diagnostics).constant());
    decoder.body(&ScopedBody::new(body.clone()), &[], spec, false)
}

/// Does the same as [`decode`] for a part of a body. Also returns the rest, which is not reported: the body without the
/// names that the spec reads, and without `dynamic` blocks that generate such blocks.
pub fn decode_partially(
    body: &Body,
    spec: &BodySpec,
    scope: &Scope<'_>,
    diagnostics: &mut Diagnostics,
) -> (Value, Body) {
    let mut decoder = Decoder::new(Expander::new(scope, diagnostics));
    let value = decoder.body(&ScopedBody::new(body.clone()), &[], spec, true);
    (value, body.without(spec.schema()))
}
