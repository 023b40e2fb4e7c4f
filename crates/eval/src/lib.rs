//! Expressions over a scope: text already parsed becomes a value.
//!
//! Reading order: [`Scope`] and [`Names`] (what an expression may refer to), [`evaluate()`], [`references()`],
//! [`type_constraint()`].

mod scope;

mod function_table;

mod evaluate;

mod asked_types;
mod batch;
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

mod explain;

pub use batch::Batch;
pub use evaluate::{Answer, Program, constant, evaluate, evaluate_in_console};
pub use explain::conceal;
pub use function_table::{Callee, FunctionTable, Special};
pub use references::{is_static_step, references, references_in_body};
pub use scope::{Lookup, Names, NoNames, ProviderFunctions, Reference, Scope, Semantics, Variables};
pub use shared::{FEWEST_SHARED, Shared};
pub use traversal::value_error_id;
pub use type_constraint::{strict_type_constraint, type_constraint};

#[cfg(test)]
mod tests;
