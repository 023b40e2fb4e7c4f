//! Evaluation of expressions: a parsed expression and a scope give a value.
//!
//! The folders, from top to bottom; each imports only from those below it:
//!
//! - [`evaluate()`], [`Program`], [`Batch`]: the ways to evaluate expressions;
//! - `rules`: the evaluator, one match over the forms of expressions, with the rule of each form in a file of its own;
//! - `fast`: the fast path, compiled code for plain values;
//! - `state`: the parts of an evaluator;
//! - `names`: [`Scope`] and [`Names`], [`references()`];
//! - `functions`: the [`FunctionTable`], with the rules of evaluation of its dialect;
//! - `plain`: operations on plain values.

mod batch;
mod fast;
mod functions;
mod names;
mod plain;
mod program;
mod rules;
mod state;

pub use batch::Batch;
pub use functions::table::{Callee, FunctionTable, Special};
pub use names::added::AddedNames;
pub use names::instance_cache::{FEWEST_CACHED, InstanceCache};
pub use names::references::{
    BoundName, ForName, InnerNames, each_reference, inner_names, is_static_step, references,
};
pub use names::scope::{Lookup, Names, NoNames, ProviderFunctions, Reference, Scope};
pub use names::variables::Variables;
pub use plain::literal::literal_value;
pub use program::{Program, constant, evaluate, evaluate_in_console};
pub use rules::type_constraint::{strict_type_constraint, type_constraint};
pub use rules::value_error::value_error_id;
pub use state::budget::steps_of_text;
pub use state::conceal::conceal;
pub use state::requested_types::Answer;

#[cfg(test)]
mod tests;
