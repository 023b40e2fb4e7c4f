//! Whole numbers of 64 bits: reads them from arguments and makes them as results.

use terrane_value::{Number, Value};

/// Returns a number of elements as a value.
pub(crate) fn count(count: usize) -> Value {
    Value::number(Number::counted(i64::try_from(count).unwrap_or(i64::MAX)))
}

/// Returns the value as a whole number; `None` if it is unknown or does not fit into 64 bits.
pub(crate) fn whole(value: &Value) -> Option<i64> {
    value.as_number().and_then(Number::to_i64)
}
