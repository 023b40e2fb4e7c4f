//! Arithmetic on [`Number`]: sums, products, quotients, remainders and rounding, with the precision of the results.

use std::fmt;

use super::float::Float;
use super::{Number, NumberRepr, SmallNumber};

/// The precision at which products are computed before they are rounded to the needed precision.
const PRODUCT_PRECISION: u32 = 512;

/// The reason why an operation on numbers has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberError {
    /// An infinity plus the opposite infinity, or minus itself.
    OpposingInfinities,
    /// Zero times infinity.
    ZeroTimesInfinity,
    /// Zero by zero.
    ZeroByZero,
    /// Infinity by infinity.
    InfinityByInfinity,
    /// A remainder with infinity on either side.
    RemainderOfInfinity,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NumberError::OpposingInfinities => {
                "Infinities of opposite sign have no sum, and an infinity has no difference from itself."
            }
            NumberError::ZeroTimesInfinity => "Zero times infinity has no value.",
            NumberError::ZeroByZero => "Zero divided by zero has no value.",
            NumberError::InfinityByInfinity => "Infinity divided by infinity has no value.",
            NumberError::RemainderOfInfinity => "There is no remainder where one of the numbers is infinite.",
        })
    }
}

impl std::error::Error for NumberError {}

impl Number {
    /// Returns the sum, at the larger precision of the two.
    pub fn add(&self, other: &Number) -> Result<Number, NumberError> {
        if let Some(sum) = self.small_operands(other).and_then(|(a, b)| a.plus(b)) {
            return Ok(sum.into());
        }
        let precision = self.precision().max(other.precision());
        let sum = self.to_float().add(&other.to_float(), precision);
        sum.map(Number::from_float).ok_or(NumberError::OpposingInfinities)
    }

    /// Returns the difference, at the larger precision of the two.
    pub fn subtract(&self, other: &Number) -> Result<Number, NumberError> {
        if let Some(rest) = self.small_operands(other).and_then(|(a, b)| a.minus(b)) {
            return Ok(rest.into());
        }
        self.add(&other.negate())
    }

    /// Returns the product, at the larger precision of both operands, or at the precision that it needs if that is
    /// more.
    pub fn multiply(&self, other: &Number) -> Result<Number, NumberError> {
        if let Some(product) = self.small_operands(other).and_then(|(a, b)| a.times(b)) {
            return Ok(product.into());
        }
        let product = self.to_float().multiply(&other.to_float(), PRODUCT_PRECISION);
        let product = product.ok_or(NumberError::ZeroTimesInfinity)?;
        let precision = self.precision().max(other.precision()).max(product.needed_precision());
        Ok(Number::from_float(product.with_precision(precision)))
    }

    /// Returns the quotient, at the larger precision of the two. Any other number divided by zero is infinity.
    pub fn divide(&self, other: &Number) -> Result<Number, NumberError> {
        if let Some(quotient) = self.small_operands(other).and_then(|(a, b)| a.divided_by(b)) {
            return Ok(quotient.into());
        }
        let precision = self.precision().max(other.precision());
        let quotient = self.to_float().divide(&other.to_float(), precision);
        quotient.map(Number::from_float).ok_or(if self.is_infinite() {
            NumberError::InfinityByInfinity
        } else {
            NumberError::ZeroByZero
        })
    }

    /// Returns the remainder: `self` minus `other` times the whole part of the (rounded) quotient, at the precision of
    /// `self`. If `other` is zero, returns `self`.
    pub fn remainder(&self, other: &Number) -> Result<Number, NumberError> {
        if let Some(rest) = self.small_operands(other).and_then(|(a, b)| a.remainder(b)) {
            return Ok(rest.into());
        }
        // The infinity without a precision, from which `min` and `max` start, makes the result infinite.
        if [self, other].iter().any(|operand| operand.is_infinite() && operand.precision() == 0) {
            return self.multiply(other);
        }
        if other.is_zero() {
            return Ok(self.clone());
        }
        let failed = NumberError::RemainderOfInfinity;
        let (left, right) = (self.to_float(), other.to_float());
        let quotient = left.divide(&right, left.precision.max(right.precision)).ok_or(failed)?;
        let (whole, _) = quotient.truncated().ok_or(failed)?;
        let taken = right.multiply(&whole.with_precision(left.precision), left.precision).ok_or(failed)?;
        let rest = left.add(&taken.negated(), left.precision).ok_or(failed)?;
        Ok(Number::from_float(rest))
    }

    /// Returns the number with the opposite sign. Zero has a sign, too.
    #[must_use]
    pub fn negate(&self) -> Number {
        match self.as_small().and_then(SmallNumber::negate) {
            Some(negated) => negated.into(),
            None => Number::from_float(self.to_float().negated()),
        }
    }

    /// Returns the number without its sign.
    #[must_use]
    pub fn abs(&self) -> Number {
        if self.is_negative() { self.negate() } else { self.clone() }
    }

    /// Returns the largest whole number that is not larger. Infinities stay as they are.
    #[must_use]
    pub fn floor(&self) -> Number {
        self.whole(|negative| negative)
    }

    /// Returns the smallest whole number that is not smaller. Infinities stay as they are.
    #[must_use]
    pub fn ceil(&self) -> Number {
        self.whole(|negative| !negative)
    }

    /// Returns the number without its fraction, with precision 64, or more if it needs more. Whole numbers and
    /// infinities stay as they are.
    #[must_use]
    pub fn truncate(&self) -> Number {
        match &self.0 {
            NumberRepr::Float(float) if !self.is_integer() => match float.truncated() {
                Some((whole, _)) => {
                    let precision = whole.whole_bits().max(64);
                    Number::from_float(whole.with_precision(precision))
                }
                None => self.clone(),
            },
            NumberRepr::Int { .. } | NumberRepr::Float(_) => self.clone(),
        }
    }

    /// Returns the whole part. If a fraction was cut off and `away` returns true for the sign, the result
    /// is one further from zero.
    fn whole(&self, away: impl Fn(bool) -> bool) -> Number {
        let NumberRepr::Float(float) = &self.0 else { return self.clone() };
        let Some((whole, cut)) = float.truncated() else { return self.clone() };
        if cut && away(float.negative) {
            let one = Float::rounded(float.negative, dashu_int::UBig::ONE, 0, false, 1);
            return whole.add(&one, float.precision).map_or_else(|| self.clone(), Number::from_float);
        }
        Number::from_float(whole)
    }
}
