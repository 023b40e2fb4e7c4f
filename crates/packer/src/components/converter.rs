//! Converts the values of arguments within the limits of the run.

use terrane_function::conversion::{self, ConversionError};
use terrane_function::{Limits, Meter};
use terrane_value::{Type, TypeConstraint, Value};

/// The limits of a run, and the part of them that is used.
#[derive(Clone, Copy)]
pub(crate) struct Converter<'c> {
    pub(crate) limits: &'c Limits,
    pub(crate) meter: &'c Meter,
}

impl Converter<'_> {
    /// Returns the value with the type `ty`. After a limit was exceeded, which has been reported, the value is unknown.
    ///
    /// # Errors
    ///
    /// The reason if the value does not fit the type, or exceeds a limit.
    pub(crate) fn convert(self, value: &Value, ty: &Type) -> Result<Value, ConversionError> {
        if self.meter.is_stopped() {
            return Ok(Value::error());
        }
        conversion::convert(&TypeConstraint::new(ty.clone()), value, self.limits, self.meter)
    }
}
