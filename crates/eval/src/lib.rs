//! Expressions over a scope: text already parsed becomes a value.
//!
//! Reading order: [`Scope`] and [`Names`] (what an expression may refer to), [`evaluate()`], [`references()`],
//! [`type_constraint()`], [`open_body()`].

mod scope;

mod function_table;

mod evaluate;

mod asked_types;
mod bound;

mod plan;

mod quick;

mod operation;
mod operators;

mod conditional;

mod template;

mod object;

mod for_expr;

mod splat;

mod traversal;

mod call;

mod shared;
mod special;
mod variable_text;

mod references;

mod type_constraint;

mod body;

mod dynamic;

mod expanded_body;

mod open_body;

mod decode;

mod explain;

pub use body::{Attribute, Block, Body, BodySchema, Content, Label};
pub use decode::{
    BodySpec, Collection, Nesting, Schema, SchemaAttribute, SchemaBlock, Spec, Usage, decode,
    decode_constant, decode_partially, references_by_spec,
};
pub use evaluate::{Answer, Program, constant, evaluate, evaluate_in_console};
pub use expanded_body::{BodyReader, ExpandedBody, MadeBlock, ResolvedArgument, ResolvedBlock, ResolvedBody};
pub use function_table::{Callee, FunctionTable, Special};
pub use open_body::{Owner, open_body};
pub use references::{references, references_in_body};
pub use scope::{Lookup, Names, NoNames, ProviderFunctions, Reference, Scope, Semantics, Variables};
pub use shared::Shared;
pub use traversal::value_error_id;
pub use type_constraint::{strict_type_constraint, type_constraint};

#[cfg(test)]
mod tests;
