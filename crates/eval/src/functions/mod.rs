//! The functions that an expression may call, and the rules of their dialect.
//!
//! Callers make a `FunctionTable`, in which the evaluator finds the function of each call.

pub(crate) mod name;
pub(crate) mod semantics;
pub(crate) mod table;
pub(crate) mod work;
