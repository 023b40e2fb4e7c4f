//! Binary floating point in which each value carries its precision, rounded half to even.
//!
//! The language defines its numbers by this arithmetic. Exponents have 32 bits; larger values are
//! infinite, and smaller ones zero.

use std::cmp::Ordering;

use dashu_int::UBig;
use dashu_int::ops::{BitTest as _, DivRem as _};

use crate::allocation::{COUNTERS, allocated};

/// A number with sign (zero and infinity have one too) and precision.
#[derive(Clone, Debug)]
pub(super) struct Float {
    pub(super) precision: u32,
    pub(super) negative: bool,
    pub(super) magnitude: Magnitude,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Magnitude {
    Zero,
    Finite(Finite),
    Infinite,
}

/// The number `mantissa * 2^exponent`. The mantissa is odd, so each number has one form.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Finite {
    pub(super) mantissa: UBig,
    pub(super) exponent: i64,
}

impl Finite {
    /// Returns the exponent of the power of two just above the number: it lies in `[2^(top-1), 2^top)`.
    pub(super) fn top(&self) -> i64 {
        self.exponent.saturating_add(bits(&self.mantissa))
    }

    pub(super) fn is_integer(&self) -> bool {
        self.exponent >= 0
    }
}

/// Returns the number of bits of `mantissa`.
pub(super) fn bits(mantissa: &UBig) -> i64 {
    i64::try_from(mantissa.bit_len()).unwrap_or(i64::MAX)
}

/// `mantissa * 2^by` for a `by` that is not negative.
pub(super) fn shift_left(mantissa: &UBig, by: i64) -> UBig {
    mantissa << usize::try_from(by).unwrap_or_default()
}

impl Float {
    pub(super) fn zero(negative: bool, precision: u32) -> Float {
        Float { precision, negative, magnitude: Magnitude::Zero }
    }

    /// Returns about the bytes of memory that it takes up.
    pub(super) fn own_bytes(&self) -> usize {
        let words = match &self.magnitude {
            Magnitude::Finite(finite) => finite.mantissa.as_words().len(),
            Magnitude::Zero | Magnitude::Infinite => 0,
        };
        // A mantissa of more than two words has room to grow, and the number has reference counts.
        let room = if words > 2 { words + words / 8 + 2 } else { 0 };
        allocated(COUNTERS + size_of::<Float>()) + allocated(size_of::<usize>() * room)
    }

    pub(super) fn infinity(negative: bool, precision: u32) -> Float {
        Float { precision, negative, magnitude: Magnitude::Infinite }
    }

    /// Returns `mantissa * 2^exponent`, plus a little more if `sticky`, rounded to `precision`. With `sticky`, the
    /// mantissa must have at least two bits more than `precision`.
    pub(super) fn rounded(
        negative: bool,
        mantissa: UBig,
        exponent: i64,
        sticky: bool,
        precision: u32,
    ) -> Float {
        let Some(zeros) = mantissa.trailing_zeros() else { return Float::zero(negative, precision) };
        let surplus = bits(&mantissa).saturating_sub(i64::from(precision));
        let (mantissa, exponent) = match usize::try_from(surplus) {
            Ok(surplus) if surplus > 0 => {
                let half = mantissa.bit(surplus - 1);
                let more = sticky || zeros < surplus - 1;
                let kept = mantissa >> surplus;
                let up = half && (more || kept.bit(0));
                (if up { kept + UBig::ONE } else { kept }, exponent.saturating_add_unsigned(surplus as u64))
            }
            Ok(_) | Err(_) => (mantissa, exponent),
        };
        let zeros = mantissa.trailing_zeros().unwrap_or_default();
        let finite =
            Finite { mantissa: mantissa >> zeros, exponent: exponent.saturating_add_unsigned(zeros as u64) };
        let top = finite.top();
        if top > i64::from(i32::MAX) {
            Float::infinity(negative, precision)
        } else if top < i64::from(i32::MIN) {
            Float::zero(negative, precision)
        } else {
            Float { precision, negative, magnitude: Magnitude::Finite(finite) }
        }
    }

    /// Returns this number rounded to another precision.
    pub(super) fn with_precision(&self, precision: u32) -> Float {
        match &self.magnitude {
            Magnitude::Finite(finite) => {
                Float::rounded(self.negative, finite.mantissa.clone(), finite.exponent, false, precision)
            }
            magnitude @ (Magnitude::Zero | Magnitude::Infinite) => {
                Float { precision, negative: self.negative, magnitude: magnitude.clone() }
            }
        }
    }

    pub(super) fn negated(mut self) -> Float {
        self.negative = !self.negative;
        self
    }

    /// Returns the fewest bits that can hold the number.
    pub(super) fn needed_precision(&self) -> u32 {
        match &self.magnitude {
            Magnitude::Finite(finite) => u32::try_from(finite.mantissa.bit_len()).unwrap_or(u32::MAX),
            Magnitude::Zero | Magnitude::Infinite => 0,
        }
    }

    /// Returns the number of bits before the point.
    pub(super) fn whole_bits(&self) -> u32 {
        match &self.magnitude {
            Magnitude::Finite(finite) => u32::try_from(finite.top().max(0)).unwrap_or(u32::MAX),
            Magnitude::Zero | Magnitude::Infinite => 0,
        }
    }

    /// Returns the sum at `precision`; `None` for infinities of different sign.
    pub(super) fn add(&self, other: &Float, precision: u32) -> Option<Float> {
        let sum = match (&self.magnitude, &other.magnitude) {
            (Magnitude::Infinite, Magnitude::Infinite) if self.negative != other.negative => return None,
            (Magnitude::Finite(left), Magnitude::Finite(right)) => {
                let left = Term { negative: self.negative, finite: left };
                let right = Term { negative: other.negative, finite: right };
                add_finite(left, right, precision)
            }
            (Magnitude::Zero, Magnitude::Zero) => Float::zero(self.negative && other.negative, precision),
            (Magnitude::Infinite, _) | (_, Magnitude::Zero) => self.with_precision(precision),
            (_, Magnitude::Infinite) | (Magnitude::Zero, _) => other.with_precision(precision),
        };
        Some(sum)
    }

    /// Returns the product at `precision`; `None` for zero times infinity.
    pub(super) fn multiply(&self, other: &Float, precision: u32) -> Option<Float> {
        let negative = self.negative != other.negative;
        match (&self.magnitude, &other.magnitude) {
            (Magnitude::Finite(left), Magnitude::Finite(right)) => {
                let mantissa = &left.mantissa * &right.mantissa;
                let exponent = left.exponent.saturating_add(right.exponent);
                Some(Float::rounded(negative, mantissa, exponent, false, precision))
            }
            (Magnitude::Zero, Magnitude::Infinite) | (Magnitude::Infinite, Magnitude::Zero) => None,
            (Magnitude::Infinite, _) | (_, Magnitude::Infinite) => Some(Float::infinity(negative, precision)),
            (Magnitude::Zero, _) | (_, Magnitude::Zero) => Some(Float::zero(negative, precision)),
        }
    }

    /// Returns the quotient at `precision`; `None` for zero by zero and infinity by infinity.
    pub(super) fn divide(&self, other: &Float, precision: u32) -> Option<Float> {
        let negative = self.negative != other.negative;
        match (&self.magnitude, &other.magnitude) {
            (Magnitude::Finite(left), Magnitude::Finite(right)) => {
                let wanted = i64::from(precision) + 2 + bits(&right.mantissa) - bits(&left.mantissa);
                let shift = wanted.max(0);
                let (quotient, rest) = shift_left(&left.mantissa, shift).div_rem(&right.mantissa);
                let exponent = left.exponent.saturating_sub(right.exponent).saturating_sub(shift);
                Some(Float::rounded(negative, quotient, exponent, !rest.is_zero(), precision))
            }
            (Magnitude::Zero, Magnitude::Zero) | (Magnitude::Infinite, Magnitude::Infinite) => None,
            (Magnitude::Zero, _) | (_, Magnitude::Infinite) => Some(Float::zero(negative, precision)),
            (Magnitude::Infinite, _) | (_, Magnitude::Zero) => Some(Float::infinity(negative, precision)),
        }
    }

    /// Returns the exact whole part, and whether a fraction was cut off; `None` for infinity.
    pub(super) fn truncated(&self) -> Option<(Float, bool)> {
        match &self.magnitude {
            Magnitude::Infinite => None,
            Magnitude::Zero => Some((Float::zero(false, self.precision), false)),
            Magnitude::Finite(finite) if finite.is_integer() => Some((self.clone(), false)),
            Magnitude::Finite(finite) => {
                let cut = usize::try_from(finite.exponent.unsigned_abs()).unwrap_or(usize::MAX);
                if cut >= finite.mantissa.bit_len() {
                    return Some((Float::zero(false, self.precision), true));
                }
                let whole = &finite.mantissa >> cut;
                Some((Float::rounded(self.negative, whole, 0, false, self.precision), true))
            }
        }
    }

    /// Compares numerically: the two zeros are equal, and precision is ignored.
    pub(super) fn compare(&self, other: &Float) -> Ordering {
        let sign = |float: &Float| match (&float.magnitude, float.negative) {
            (Magnitude::Zero, _) => 0,
            (Magnitude::Finite(_) | Magnitude::Infinite, true) => -1,
            (Magnitude::Finite(_) | Magnitude::Infinite, false) => 1,
        };
        let by_sign = sign(self).cmp(&sign(other));
        if by_sign.is_ne() {
            return by_sign;
        }
        let order = match (&self.magnitude, &other.magnitude) {
            (Magnitude::Finite(left), Magnitude::Finite(right)) => compare_finite(left, right),
            (Magnitude::Infinite, Magnitude::Finite(_)) => Ordering::Greater,
            (Magnitude::Finite(_), Magnitude::Infinite) => Ordering::Less,
            (Magnitude::Zero, _) | (_, Magnitude::Zero) | (Magnitude::Infinite, Magnitude::Infinite) => {
                Ordering::Equal
            }
        };
        if self.negative { order.reverse() } else { order }
    }
}

fn compare_finite(left: &Finite, right: &Finite) -> Ordering {
    left.top().cmp(&right.top()).then_with(|| {
        // The tops are equal, so the shift is at most the larger number of mantissa bits.
        let low = left.exponent.min(right.exponent);
        let aligned = |finite: &Finite| shift_left(&finite.mantissa, finite.exponent.saturating_sub(low));
        aligned(left).cmp(&aligned(right))
    })
}

/// One side of a sum.
struct Term<'f> {
    negative: bool,
    finite: &'f Finite,
}

fn add_finite(left: Term<'_>, right: Term<'_>, precision: u32) -> Float {
    let (high, low) = if left.finite.top() >= right.finite.top() { (left, right) } else { (right, left) };
    let same_sign = high.negative == low.negative;
    let Term { negative, finite: high } = high;
    let low = low.finite;
    // The bits below this exponent affect the rounding only by whether any is set.
    let floor = high.exponent.min(high.top().saturating_sub(i64::from(precision)).saturating_sub(4));
    if low.top() < floor {
        let mantissa = shift_left(&high.mantissa, high.exponent.saturating_sub(floor));
        let mantissa = if same_sign { mantissa } else { mantissa - UBig::ONE };
        return Float::rounded(negative, mantissa, floor, true, precision);
    }
    let exponent = high.exponent.min(low.exponent);
    let aligned = |finite: &Finite| shift_left(&finite.mantissa, finite.exponent.saturating_sub(exponent));
    let (high, low) = (aligned(high), aligned(low));
    if same_sign {
        return Float::rounded(negative, high + low, exponent, false, precision);
    }
    match high.cmp(&low) {
        Ordering::Equal => Float::zero(false, precision),
        Ordering::Greater => Float::rounded(negative, high - low, exponent, false, precision),
        Ordering::Less => Float::rounded(!negative, low - high, exponent, false, precision),
    }
}
