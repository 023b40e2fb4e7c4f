//! Expressions over a scope: text already parsed becomes a value.
//!
//! Reading order: [`Scope`] and [`Names`] (what an expression may refer to), [`evaluate()`], [`references()`],
//! [`type_constraint()`].

mod batch;

mod rules;

mod fast;

mod state;

mod names;

mod functions;

mod plain;

pub use batch::Batch;
pub use functions::table::{Callee, FunctionTable, Special};
pub use names::references::{is_static_step, references, references_in_body};
pub use names::scope::{Lookup, Names, NoNames, ProviderFunctions, Reference, Scope, Semantics, Variables};
pub use names::shared::{FEWEST_SHARED, Shared};
pub use rules::evaluator::{Answer, Program, constant, evaluate, evaluate_in_console};
pub use rules::explain::conceal;
pub use rules::value_error_id;
pub use rules::{strict_type_constraint, type_constraint};

#[cfg(test)]
mod tests;
