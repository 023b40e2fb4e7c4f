//! [`Number`]: binary floating point in which each value carries its precision.
//!
//! Small whole numbers are stored inline; `small` computes with them, `float` with all others.

mod arithmetic;
mod decimal;
#[cfg(test)]
mod exact;
mod float;
mod parse;
mod small;
#[cfg(test)]
mod tests;
mod text;

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use dashu_int::IBig;

pub use arithmetic::NumberError;
use float::{Float, Magnitude, shift_left};
pub use small::SmallNumber;

/// A whole number of any size.
pub type Integer = IBig;

/// A number.
///
/// Two numbers are equal if their shortest decimal texts are; see [`Number::compare`] for the numeric order.
#[derive(Clone)]
pub struct Number(NumberRepr);

enum NumberRepr {
    /// A whole number that needs at most `precision` bits, except negative zero. Every such number has this form.
    Int { value: i64, precision: u32 },
    /// Every other number.
    Float(Arc<Float>),
}

impl Clone for NumberRepr {
    #[inline]
    fn clone(&self) -> NumberRepr {
        match self {
            NumberRepr::Int { value, precision } => NumberRepr::Int { value: *value, precision: *precision },
            NumberRepr::Float(float) => NumberRepr::clone_float(float),
        }
    }
}

impl NumberRepr {
    #[inline(never)]
    fn clone_float(float: &Arc<Float>) -> NumberRepr {
        NumberRepr::Float(Arc::clone(float))
    }
}

/// Numbers with more bits than this before or after the point have no decimal text and are not converted to whole
/// numbers: a short text such as `1e600000000` must not take gigabytes.
const MAX_TEXT_BITS: i64 = 1 << 21;

fn bits_of(value: i64) -> u32 {
    u64::BITS - value.unsigned_abs().leading_zeros()
}

impl Number {
    /// Returns an integer with the precision of literals, strings and JSON: 512.
    pub const fn literal(value: i64) -> Number {
        Number(NumberRepr::Int { value, precision: 512 })
    }

    /// Returns the bytes that it takes up in addition to the value itself.
    #[inline]
    pub(crate) fn own_bytes(&self) -> usize {
        match &self.0 {
            NumberRepr::Int { .. } => 0,
            NumberRepr::Float(float) if Arc::strong_count(float) > 1 => 0,
            NumberRepr::Float(float) => float.own_bytes(),
        }
    }

    /// Returns an integer that the engine counted (`length`, `count.index`), with precision 64.
    pub const fn counted(value: i64) -> Number {
        Number(NumberRepr::Int { value, precision: 64 })
    }

    /// Returns a whole number with precision 64, or more if it needs more.
    pub fn from_integer(value: Integer) -> Number {
        let (sign, mantissa) = value.into_parts();
        let precision = u32::try_from(float::bits(&mantissa)).unwrap_or(u32::MAX).max(64);
        let negative = sign == dashu_int::Sign::Negative;
        Number::from_float(Float::rounded(negative, mantissa, 0, false, precision))
    }

    /// Returns the infinity from which `min` and `max` start. It has no precision of its own: the result of an
    /// operation has the precision of the other operand.
    pub fn infinity(negative: bool) -> Number {
        Number::from_float(Float::infinity(negative, 0))
    }

    fn from_float(float: Float) -> Number {
        let small = match &float.magnitude {
            Magnitude::Zero if !float.negative => Some(0),
            Magnitude::Finite(finite) if finite.is_integer() && finite.top() <= 63 => {
                i64::try_from(shift_left(&finite.mantissa, finite.exponent)).ok()
            }
            Magnitude::Zero | Magnitude::Finite(_) | Magnitude::Infinite => None,
        };
        match small {
            Some(value) if bits_of(value) <= float.precision => {
                let value = if float.negative { -value } else { value };
                Number(NumberRepr::Int { value, precision: float.precision })
            }
            Some(_) | None => Number(NumberRepr::Float(Arc::new(float))),
        }
    }

    fn to_float(&self) -> Float {
        match &self.0 {
            NumberRepr::Int { value, precision } => {
                Float::rounded(*value < 0, value.unsigned_abs().into(), 0, false, *precision)
            }
            NumberRepr::Float(float) => (**float).clone(),
        }
    }

    /// Returns the number of mantissa bits, from which operations compute the precision of their results.
    pub fn precision(&self) -> u32 {
        match &self.0 {
            NumberRepr::Int { precision, .. } => *precision,
            NumberRepr::Float(float) => float.precision,
        }
    }

    /// Returns the number rounded to another precision of at least 1.
    #[must_use]
    pub fn with_precision(&self, precision: u32) -> Number {
        match &self.0 {
            NumberRepr::Int { value, .. } if bits_of(*value) <= precision => {
                Number(NumberRepr::Int { value: *value, precision })
            }
            NumberRepr::Int { .. } | NumberRepr::Float(_) => {
                Number::from_float(self.to_float().with_precision(precision.max(1)))
            }
        }
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            NumberRepr::Int { value, .. } => match value.cmp(&0) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            },
            NumberRepr::Float(float) if float.magnitude == Magnitude::Zero => 0,
            NumberRepr::Float(float) => {
                if float.negative {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// Whether this is a whole number.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            NumberRepr::Int { .. } => true,
            NumberRepr::Float(float) => match &float.magnitude {
                Magnitude::Zero => true,
                Magnitude::Finite(finite) => finite.is_integer(),
                Magnitude::Infinite => false,
            },
        }
    }

    /// Whether this is positive or negative infinity.
    pub fn is_infinite(&self) -> bool {
        matches!(&self.0, NumberRepr::Float(float) if float.magnitude == Magnitude::Infinite)
    }

    /// Whether this is zero of either sign.
    pub fn is_zero(&self) -> bool {
        self.signum() == 0
    }

    /// Whether the sign is negative; true of negative zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            NumberRepr::Int { value, .. } => *value < 0,
            NumberRepr::Float(float) => float.negative,
        }
    }

    /// Returns the number as an `i64`, if that is exact.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            NumberRepr::Int { value, .. } => Some(*value),
            NumberRepr::Float(_) => i64::try_from(self.to_integer()?).ok(),
        }
    }

    /// Returns the number as a `u64`, if that is exact.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            NumberRepr::Int { value, .. } => u64::try_from(*value).ok(),
            NumberRepr::Float(_) => u64::try_from(self.to_integer()?).ok(),
        }
    }

    /// Returns the number as a whole number, if that is exact. `None` also for numbers of more
    /// than about 600,000 digits.
    pub fn to_integer(&self) -> Option<Integer> {
        match &self.0 {
            NumberRepr::Int { value, .. } => Some(Integer::from(*value)),
            NumberRepr::Float(float) => match &float.magnitude {
                Magnitude::Zero => Some(Integer::ZERO),
                Magnitude::Finite(finite) if finite.is_integer() && finite.top() <= MAX_TEXT_BITS => {
                    let value = Integer::from(shift_left(&finite.mantissa, finite.exponent));
                    Some(if float.negative { -value } else { value })
                }
                Magnitude::Finite(_) | Magnitude::Infinite => None,
            },
        }
    }

    /// Compares numerically. Precision is ignored, and the two zeros are equal.
    pub fn compare(&self, other: &Number) -> Ordering {
        match (&self.0, &other.0) {
            (NumberRepr::Int { value: left, .. }, NumberRepr::Int { value: right, .. }) => left.cmp(right),
            (
                NumberRepr::Int { .. } | NumberRepr::Float(_),
                NumberRepr::Int { .. } | NumberRepr::Float(_),
            ) => self.to_float().compare(&other.to_float()),
        }
    }
}

/// Compares whole numbers by value, and other numbers by their shortest decimal texts, each at its own precision.
impl Number {
    /// Whether both are the same number, including the sign of zero and the precision.
    pub(crate) fn is_identical(&self, other: &Number) -> bool {
        match (&self.0, &other.0) {
            (
                NumberRepr::Int { value, precision },
                NumberRepr::Int { value: other, precision: other_precision },
            ) => value == other && precision == other_precision,
            (NumberRepr::Float(left), NumberRepr::Float(right)) => {
                left.precision == right.precision
                    && left.negative == right.negative
                    && left.magnitude == right.magnitude
            }
            (NumberRepr::Int { .. }, NumberRepr::Float(_))
            | (NumberRepr::Float(_), NumberRepr::Int { .. }) => false,
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        match (&self.0, &other.0) {
            (NumberRepr::Int { value: left, .. }, NumberRepr::Int { value: right, .. }) => left == right,
            (NumberRepr::Int { .. }, NumberRepr::Float(_))
            | (NumberRepr::Float(_), NumberRepr::Int { .. }) => {
                self.is_integer() && other.is_integer() && self.compare(other).is_eq()
            }
            (NumberRepr::Float(left), NumberRepr::Float(right)) => floats_equal(left, right),
        }
    }
}

fn floats_equal(left: &Float, right: &Float) -> bool {
    match (&left.magnitude, &right.magnitude) {
        (Magnitude::Finite(a), Magnitude::Finite(b)) => {
            if left.negative != right.negative || a.is_integer() != b.is_integer() {
                return false;
            }
            if a.is_integer() || (a == b && left.precision == right.precision) {
                return a == b;
            }
            // A shortest text is within half a unit of the last place, so numbers this far apart differ.
            (a.top() - b.top()).abs() <= 1 && left.to_string() == right.to_string()
        }
        (Magnitude::Zero, Magnitude::Zero) => true,
        (Magnitude::Infinite, Magnitude::Infinite) => left.negative == right.negative,
        (Magnitude::Zero | Magnitude::Finite(_) | Magnitude::Infinite, _) => false,
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}@{}", self.precision())
    }
}
