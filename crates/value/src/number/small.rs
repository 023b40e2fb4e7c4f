//! Arithmetic on whole numbers that fit into 64 bits: the fast path for most numbers.

use std::num::NonZeroU32;

use super::{Number, NumberRepr, bits_of};

/// A whole number other than negative zero that fits 64 bits, and its precision. Each operation returns the result of
/// the same operation of [`Number`], or `None` if the result is not such a number.
#[derive(Clone, Copy, Debug)]
pub struct SmallNumber {
    value: i64,
    precision: NonZeroU32,
}

impl SmallNumber {
    /// Returns the number.
    #[inline]
    pub const fn value(self) -> i64 {
        self.value
    }

    #[inline]
    fn fitting(value: i64, precision: NonZeroU32) -> Option<SmallNumber> {
        (precision.get() >= u64::BITS || bits_of(value) <= precision.get())
            .then_some(SmallNumber { value, precision })
    }

    #[inline]
    fn precision_with(self, other: SmallNumber) -> NonZeroU32 {
        self.precision.max(other.precision)
    }

    /// Adds like [`Number::add`].
    #[inline]
    pub fn plus(self, other: SmallNumber) -> Option<SmallNumber> {
        SmallNumber::fitting(self.value.checked_add(other.value)?, self.precision_with(other))
    }

    /// Subtracts like [`Number::subtract`].
    #[inline]
    pub fn minus(self, other: SmallNumber) -> Option<SmallNumber> {
        SmallNumber::fitting(self.value.checked_sub(other.value)?, self.precision_with(other))
    }

    /// Multiplies like [`Number::multiply`].
    #[inline]
    pub fn times(self, other: SmallNumber) -> Option<SmallNumber> {
        let product = self.value.checked_mul(other.value)?;
        // Zero times a negative number is negative zero.
        if product == 0 && (self.value < 0 || other.value < 0) {
            return None;
        }
        let precision = self.precision_with(other);
        if precision.get() >= u64::BITS {
            return Some(SmallNumber { value: product, precision });
        }
        let needed = bits_of(product).saturating_sub(product.trailing_zeros());
        SmallNumber::fitting(product, precision.max(NonZeroU32::new(needed)?))
    }

    /// Divides like [`Number::divide`].
    #[inline]
    pub fn divided_by(self, other: SmallNumber) -> Option<SmallNumber> {
        let is_exact = self.value != 0 && self.value.checked_rem(other.value)? == 0;
        let quotient = is_exact.then(|| self.value.checked_div(other.value))??;
        SmallNumber::fitting(quotient, self.precision_with(other))
    }

    /// Computes the remainder like [`Number::remainder`].
    #[inline]
    pub fn remainder(self, other: SmallNumber) -> Option<SmallNumber> {
        let rest = self.value.checked_rem(other.value)?;
        // With two bits to spare, the rounded quotient has the same whole part as the exact one.
        let is_exact = bits_of(self.value) + 2 <= self.precision_with(other).get();
        is_exact.then(|| SmallNumber::fitting(rest, self.precision))?
    }

    /// Negates like [`Number::negate`].
    #[inline]
    pub fn negate(self) -> Option<SmallNumber> {
        // Negative zero is not a small number.
        let value = self.value.checked_neg().filter(|value| *value != 0)?;
        Some(SmallNumber { value, ..self })
    }
}

impl Number {
    /// Returns the number if it is a small whole number. Most numbers are.
    #[inline]
    pub fn as_small(&self) -> Option<SmallNumber> {
        match self.0 {
            NumberRepr::Int { value, precision } => {
                NonZeroU32::new(precision).map(|precision| SmallNumber { value, precision })
            }
            NumberRepr::Float(_) => None,
        }
    }

    /// Returns both numbers if they are small.
    #[inline]
    pub(super) fn small_operands(&self, other: &Number) -> Option<(SmallNumber, SmallNumber)> {
        self.as_small().zip(other.as_small())
    }
}

impl From<SmallNumber> for Number {
    #[inline]
    fn from(small: SmallNumber) -> Number {
        Number(NumberRepr::Int { value: small.value, precision: small.precision.get() })
    }
}
