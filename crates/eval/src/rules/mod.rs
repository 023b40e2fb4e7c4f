//! The rules of evaluation: the evaluator and one file for each form of expression.

pub(crate) mod call;
pub(crate) mod conditional;
pub(crate) mod evaluator;
pub(crate) mod explain;
pub(crate) mod for_expr;
mod object;
pub(crate) mod operators;
pub(crate) mod special;
mod splat;
pub(crate) mod template;
mod traversal;
pub(crate) mod type_call;
pub(crate) mod type_constraint;
mod variable_text;

pub use traversal::value_error_id;
pub use type_constraint::{strict_type_constraint, type_constraint};
