//! What a function of the configuration language is, and the one place that calls it.
//!
//! A [`Function`] is a row: name, parameters with their policy, result type, and a body of a few lines.
//! Arity, conversion of arguments, the short way out for unknown arguments, and marks are the business of
//! [`call()`], once, for all functions.
//!
//! Reading order: [`Function`], [`Parameter`], [`CallEnv`], [`Limits`], [`call()`].

mod call;
mod env;
mod function;

pub use call::{Call, FunctionError, call, call_converted};
pub use env::{CallEnv, Clock, FixedClock, Limits};
pub use function::{Function, Functions, Parameter, ResultType};
