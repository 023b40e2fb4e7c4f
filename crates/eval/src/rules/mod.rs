//! The rules of evaluation. `evaluator.rs` has the match over the forms of expressions; the other files extend the evaluator.
//!
//! - Forms: `conditional`, `for_expr`, `object`, `operators`, `splat`, `template`, `traversal`, `call`.
//! - Calls: the functions that evaluate expressions (`special`, `template_call`, `type_function`, `builtin_provider`) and the errors of calls.
//! - Around every form: earlier values (`reuse`), the fast path (`fast_path`), nested evaluations (`nested`), messages (`explain`,
//!   `value_error`).
//! - `type_constraint` reads types; only their defaults are evaluated.

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
