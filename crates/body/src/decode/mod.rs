//! From a body to a value, as a [`Spec`] says.

mod blocks;
mod decoder;
mod planned;
mod references;
mod schema;
mod spec;

use decoder::Decoder;
pub use references::references_by_spec;
pub use schema::{Nesting, Schema, SchemaAttribute, SchemaBlock};
pub use spec::{BodySpec, Collection, Spec, Usage};
use terrane_eval::Scope;
use terrane_source::Diagnostics;
use terrane_value::Value;

use crate::body::Body;
use crate::expand::dynamic::{Expanded, Expander};

/// The value of a body. `dynamic` blocks stand for the blocks that they make.
///
/// Everything that does not fit is reported in one run; what depends on it is unknown.
pub fn decode(body: &Body, spec: &BodySpec, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Value {
    let mut decoder = Decoder::new(Expander::new(scope, diagnostics));
    decoder.body(&Expanded::new(body.clone()), &[], spec, false)
}

/// As [`decode`], where neither names nor functions may be used, and the strings of JSON are their characters.
pub fn decode_constant(
    body: &Body,
    spec: &BodySpec,
    scope: &Scope<'_>,
    diagnostics: &mut Diagnostics,
) -> Value {
    let mut decoder = Decoder::new(Expander::new(scope, diagnostics).constant());
    decoder.body(&Expanded::new(body.clone()), &[], spec, false)
}

/// As [`decode`], for a part of a body: gives the body without what the spec reads, `dynamic` blocks that make such
/// blocks included, and reports nothing about the rest.
pub fn decode_partially(
    body: &Body,
    spec: &BodySpec,
    scope: &Scope<'_>,
    diagnostics: &mut Diagnostics,
) -> (Value, Body) {
    let mut decoder = Decoder::new(Expander::new(scope, diagnostics));
    let value = decoder.body(&Expanded::new(body.clone()), &[], spec, true);
    (value, body.without(spec.schema()))
}
