//! The functions whose result is the first argument that they do not pass over.

use terrane_module::place::count;
use terrane_value::Value;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FirstOf {
    /// `try` passes over arguments with an error.
    Try,
    Coalesce,
    CoalesceList,
}

impl FirstOf {
    /// The function with this name, without `core::`.
    pub(crate) fn named(function: &str) -> Option<FirstOf> {
        match function {
            "try" => Some(FirstOf::Try),
            "coalesce" => Some(FirstOf::Coalesce),
            "coalescelist" => Some(FirstOf::CoalesceList),
            _ => None,
        }
    }

    /// Why the function passes over an argument with a known value, in words; none if that is its result.
    pub(crate) fn refusal(self, value: &Value) -> Option<&'static str> {
        let value = value.unmarked();
        let is_empty = match self {
            FirstOf::Try => return None,
            FirstOf::Coalesce => value.as_str() == Some(""),
            FirstOf::CoalesceList => count(value) == Some(0),
        };
        match (value.is_null(), is_empty) {
            (true, _) => Some("is null"),
            (false, true) => Some("is empty"),
            (false, false) => None,
        }
    }
}
