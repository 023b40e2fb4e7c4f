//! Starts the rows of functions whose result always has the same primitive type.

use terrane_function::{Call, Function, FunctionError, ResultType};
use terrane_value::{Type, Value};

/// The code of a function, as a function pointer without captured variables.
pub(crate) type Body = fn(&Call<'_>) -> Result<Value, FunctionError>;

/// Starts the row of a function that returns a string.
pub(crate) fn text(name: &'static str, description: &'static str, body: Body) -> Function {
    Function::new(name, description, ResultType::Fixed(Type::String), body)
}

/// Starts the row of a function that returns a number.
pub(crate) fn number(name: &'static str, description: &'static str, body: Body) -> Function {
    Function::new(name, description, ResultType::Fixed(Type::Number), body)
}

/// Starts the row of a function that returns a bool.
pub(crate) fn question(name: &'static str, description: &'static str, body: Body) -> Function {
    Function::new(name, description, ResultType::Fixed(Type::Bool), body)
}

/// Returns the row of a function from one string to another that never fails and needs nothing else.
pub(crate) fn text_of_text(
    name: &'static str,
    description: &'static str,
    compute: fn(&str) -> Value,
) -> Function {
    Function::on_text(name, description, Type::String, compute)
}
