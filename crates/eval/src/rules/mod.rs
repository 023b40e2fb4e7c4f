//! The rules of evaluation: the evaluator and one file for each form of expression.
//!
//! `evaluator.rs` has the match over the forms. Each other file extends the evaluator and is used through its methods only.

mod builtin_provider;
mod call;
mod call_errors;
mod conditional;
pub(crate) mod evaluator;
mod explain;
mod fast_path;
mod for_expr;
mod nested;
mod object;
mod operators;
mod reuse;
mod special;
mod splat;
mod template;
mod template_call;
mod traversal;
pub(crate) mod type_constraint;
mod type_function;
mod unknown_function;
pub(crate) mod value_error;
