//! What a function of the configuration language is, and the one place that calls it.
//!
//! A [`Function`] is a row: name, parameters with their policy, result type, and a body of a few lines.
//! Arity, conversion of arguments, the short way out for unknown arguments, and marks are the business of
//! [`call()`], once, for all functions.
//!
//! ```
//! use std::path::Path;
//! use terrane_function::{CallEnv, Function, Limits, Parameter, ResultType, call};
//! use terrane_source::MemoryFiles;
//! use terrane_value::{Type, Value};
//!
//! let shout = Function::new("shout", "The text, louder.", ResultType::Fixed(Type::String), |call| {
//!     Ok(Value::from(format!("{}!", call.string(0))))
//! });
//! let shout = shout.parameter(Parameter::new("text", Type::String));
//!
//! let (files, limits) = (MemoryFiles::new(), Limits::default());
//! let env = CallEnv::new(&files, Path::new("."), &limits);
//! assert_eq!(call(&shout, vec![Value::from("hello")], &env)?.as_str(), Some("hello!"));
//! // Arguments are converted, and the body never sees an unknown, a null or a mark that it does not ask for.
//! assert_eq!(call(&shout, vec![Value::TRUE], &env)?.as_str(), Some("true!"));
//! let unknown = call(&shout, vec![Value::unknown(Type::String)], &env)?;
//! assert!(!unknown.is_known() && unknown.is_never_null());
//! assert!(call(&shout, vec![Value::NULL], &env).is_err());
//! # Ok::<(), terrane_function::FunctionError>(())
//! ```
//!
//! Reading order: [`Function`], [`Parameter`], [`Availability`], [`CallEnv`], [`Limits`], [`call()`].

mod call;
mod cost;
mod dialect;
mod env;
mod function;
mod functions;
mod invoke;
mod parameter;
#[cfg(test)]
mod tests;

pub use call::{Call, FunctionError};
pub use cost::Effort;
pub use dialect::{Availability, Dialect, Edition, NAMESPACES, Product};
pub use env::{CallEnv, Clock, Environment, FixedClock, Host, Limits, Meter, Random, World};
pub use function::{Body, Function, FunctionBody, Place, ResultType};
pub use functions::Functions;
pub use invoke::{call, call_converted, convert_argument};
pub use parameter::Parameter;
