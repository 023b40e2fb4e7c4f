//! Whole numbers of 64 bits as arguments and results.

use terrane_value::{Number, Value};

/// The number of counted elements.
pub(crate) fn count(count: usize) -> Value {
    Value::number(Number::counted(i64::try_from(count).unwrap_or(i64::MAX)))
}

/// The value as a whole number, if it is a known one that fits into 64 bits.
pub(crate) fn whole(value: &Value) -> Option<i64> {
    value.as_number().and_then(Number::to_i64)
}
