//! Functions of the configuration language: their rows, and the code that calls them.
//!
//! A [`Function`] is a row: name, description, parameters with their policy, result type, availability, examples, cost, purity,
//! the parts of the arguments in its result, and a body of a few lines. [`call()`] checks the number of arguments, converts
//! them, applies the policy for unknown and marked arguments, and calls the body, for all functions alike.
//!
//! ```
//! use std::path::Path;
//! use terrane_function::{CallEnv, Function, Limits, Parameter, ResultType, call};
//! use terrane_source::MemoryFiles;
//! use terrane_value::{Type, Value};
//!
//! let shout = Function::new("shout", "Adds an exclamation mark.", ResultType::Fixed(Type::String), |call| {
//!     Ok(Value::from(format!("{}!", call.string(0))))
//! });
//! let shout = shout.parameter(Parameter::new("text", Type::String));
//!
//! let (files, limits) = (MemoryFiles::new(), Limits::default());
//! let env = CallEnv::new(&files, Path::new("."), &limits);
//! assert_eq!(call(&shout, vec![Value::from("hello")], &env)?.as_str(), Some("hello!"));
//! // Arguments are converted. The body receives unknown, null or marked arguments only where a parameter admits them.
//! assert_eq!(call(&shout, vec![Value::TRUE], &env)?.as_str(), Some("true!"));
//! let unknown = call(&shout, vec![Value::unknown(Type::String)], &env)?;
//! assert!(!unknown.is_known() && unknown.is_never_null());
//! assert!(call(&shout, vec![Value::NULL], &env).is_err());
//! # Ok::<(), terrane_function::FunctionError>(())
//! ```
//!
//! Reading order: [`Function`], [`Parameter`], [`Availability`], [`CallEnv`], [`Limits`], [`call()`].

mod call;
pub mod conversion;
mod cost;
mod dialect;
mod env;
mod function;
mod functions;
mod invoke;
mod limits;
mod parameter;
mod purity;
mod result_parts;
#[cfg(test)]
mod tests;

pub use call::{Call, FunctionError, beginning};
pub use cost::Cost;
pub use dialect::{
    Availability, Dialect, Edition, NAMESPACES, OPENTOFU_REGISTRY, Product, TERRAFORM_REGISTRY,
};
pub use env::{CallEnv, Clock, EnvironmentVariables, FixedClock, Host, Random, World};
pub use function::{Body, CallSite, Direct, Function, FunctionBody, ResultType};
pub use functions::Functions;
pub use invoke::{call, call_converted, convert_argument};
pub use limits::{Excess, Limits, Meter, RAISE_MEMORY, RAISE_STEPS, RAISE_TIME, Together};
pub use parameter::Parameter;
pub use purity::Purity;
pub use result_parts::{ResultParts, Skipped};
