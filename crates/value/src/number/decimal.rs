//! Converts binary numbers to decimal digits: exact, rounded, or the shortest digits that read back as the number.

use dashu_int::UBig;
use dashu_int::ops::DivRem as _;

use super::float::{Finite, bits, shift_left};

/// The number `0.DIGITS * 10^point`. The digits (as ASCII) neither begin nor end with zero; zero has no digits.
#[derive(Clone, Default)]
pub(super) struct Decimal {
    pub(super) digits: Vec<u8>,
    pub(super) point: i64,
}

impl Decimal {
    /// Returns all digits of `mantissa * 2^exponent`.
    fn exact(mantissa: &UBig, exponent: i64) -> Decimal {
        // A negative power of two equals a power of five with the point moved.
        let moved = exponent.min(0).unsigned_abs();
        let whole = if moved > 0 {
            mantissa * UBig::from(5_u8).pow(usize::try_from(moved).unwrap_or_default())
        } else {
            shift_left(mantissa, exponent)
        };
        let digits = whole.to_string().into_bytes();
        let point = i64::try_from(digits.len()).unwrap_or(i64::MAX).saturating_sub_unsigned(moved);
        let mut decimal = Decimal { digits, point };
        decimal.trim();
        decimal
    }

    /// Returns all digits of a number.
    pub(super) fn of(number: &Finite) -> Decimal {
        Decimal::exact(&number.mantissa, number.exponent)
    }

    /// Returns enough digits of a number to round it to `digits` digits, or to `digits` places after the point.
    pub(super) fn rounding(number: &Finite, digits: i64, behind_point: bool) -> Decimal {
        let before_point = digits_before_point(number.top());
        let wanted = if behind_point { before_point.saturating_add(digits) } else { digits };
        let wanted = wanted.saturating_add(4).max(1);
        let all = before_point.max(0).saturating_sub(number.exponent.min(0));
        match u32::try_from(wanted) {
            Ok(wanted) if i64::from(wanted) < all => {
                Decimal::leading(&number.mantissa, number.exponent, wanted)
            }
            Ok(_) | Err(_) => Decimal::of(number),
        }
    }

    /// Returns the fewest digits that distinguish a number from the other numbers of its precision. As in the
    /// reference, the number is assumed to lie in the middle between its neighbours, which powers of two do not; their
    /// last digits are rounder than they should be.
    pub(super) fn shortest(number: &Finite, precision: u32) -> Decimal {
        Decimal::short(number, precision).unwrap_or_else(|| Decimal::shortest_of_all(number, precision))
    }

    /// Does the same as [`Decimal::shortest`] without computing all digits of the binary number, for a number that
    /// stands for a decimal with few digits after the point, as most fractions in real text do.
    fn short(number: &Finite, precision: u32) -> Option<Decimal> {
        const PLACES: u32 = 19;
        const SCALE: u64 = 10_u64.pow(PLACES);
        // If the numbers of this precision are closer together than decimals of so many places, only one such decimal
        // can be near enough that this number stands for it.
        let behind = usize::try_from(-number.exponent).ok()?;
        if behind == 0 || number.top() + 66 > i64::from(precision) {
            return None;
        }
        let scaled = &number.mantissa * UBig::from(SCALE);
        let nearest = (&scaled + (UBig::ONE << (behind - 1))) >> behind;
        let back = &nearest << behind;
        let distance = if back > scaled { back - scaled } else { scaled - back };
        let half_unit = i64::from(precision) + 1 - bits(&number.mantissa);
        if nearest.is_zero() || shift_left(&distance, half_unit) >= UBig::from(SCALE) {
            return None;
        }
        let digits = nearest.to_string().into_bytes();
        let point = i64::try_from(digits.len()).ok()? - i64::from(PLACES);
        let mut decimal = Decimal { digits, point };
        decimal.trim();
        Some(decimal)
    }

    fn shortest_of_all(number: &Finite, precision: u32) -> Decimal {
        // The last bit of the widened mantissa counts half of the last place.
        let widen = i64::from(precision) + 1 - bits(&number.mantissa);
        if number.exponent >= 0 && widen > number.exponent {
            return Decimal::of(number);
        }
        let mantissa = shift_left(&number.mantissa, widen);
        let exponent = number.exponent - widen;
        // More digits than these are not needed to distinguish the neighbours.
        let scale = Scale::new(exponent, bits(&mantissa), precision / 3 + 8);
        let (scaled, step) = (scale.apply(&mantissa), scale.step());
        let bounds = [scale.leading(&scaled - &step), scale.leading(&scaled + &step)];
        // The bounds themselves would be rounded to an even number.
        let mut decimal = scale.leading(scaled);
        decimal.shorten(&bounds, widen > 1);
        decimal
    }

    /// Returns the first `count` digits of `mantissa * 2^exponent`, or a few more, and a last digit that stands for the
    /// remaining ones if these are not all zero.
    fn leading(mantissa: &UBig, exponent: i64, count: u32) -> Decimal {
        let scale = Scale::new(exponent, bits(mantissa), count);
        scale.leading(scale.apply(mantissa))
    }

    /// Removes the digits that are not needed to stay between the bounds.
    fn shorten(&mut self, [lower, upper]: &[Decimal; 2], inclusive: bool) {
        for index in 0..self.digits.len() {
            let digit = self.digit(index);
            let (low, high) = (lower.digit(index), upper.digit(index));
            let count = index + 1;
            let down = low != digit || (inclusive && count == lower.digits.len());
            let up = digit != high && (inclusive || digit + 1 < high || count < upper.digits.len());
            match (down, up) {
                (true, true) => self.round(count),
                (true, false) => self.round_down(count),
                (false, true) => self.round_up(count),
                (false, false) => continue,
            }
            break;
        }
    }

    fn digit(&self, index: usize) -> u8 {
        self.digits.get(index).copied().unwrap_or(b'0')
    }

    /// Writes the digits from `from` up to `to` places after the point; before the point, places are negative. Places
    /// without a digit are zeros.
    pub(super) fn write_digits(&self, text: &mut String, from: i64, to: i64) {
        let index = |place: i64| place.saturating_add(self.point);
        let count = |from: i64, to: i64| usize::try_from(to.saturating_sub(from)).unwrap_or(0);
        let end = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        let (from, to) = (index(from), index(to));
        let zeros = |from: i64, to: i64| std::iter::repeat_n('0', count(from, to));
        text.extend(zeros(from, to.min(0)));
        let digits = self.digits.get(count(0, from).min(count(0, end))..count(0, to).min(count(0, end)));
        // Digits are ASCII.
        text.push_str(digits.and_then(|digits| str::from_utf8(digits).ok()).unwrap_or_default());
        text.extend(zeros(from.max(end), to));
    }

    /// Rounds to `count` digits, half to even. A negative count changes nothing.
    pub(super) fn round_to(&mut self, count: i64) {
        if let Ok(count) = usize::try_from(count) {
            self.round(count);
        }
    }

    fn round(&mut self, count: usize) {
        let Some(next) = self.digits.get(count).copied() else { return };
        let half = next == b'5' && count + 1 == self.digits.len();
        let even = count == 0 || self.digit(count - 1).is_multiple_of(2);
        if next < b'5' || (half && even) { self.round_down(count) } else { self.round_up(count) }
    }

    fn round_down(&mut self, count: usize) {
        self.digits.truncate(count);
        self.trim();
    }

    fn round_up(&mut self, count: usize) {
        self.digits.truncate(count);
        while self.digits.last() == Some(&b'9') {
            self.digits.pop();
        }
        if let Some(last) = self.digits.last_mut() {
            *last += 1;
        } else {
            self.digits.push(b'1');
            self.point += 1;
        }
    }

    fn trim(&mut self) {
        while self.digits.last() == Some(&b'0') {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.point = 0;
        }
    }
}

/// The power of ten that moves the leading digits of a number before the point. Neighbours have the same scale.
struct Scale {
    /// The power of ten.
    places: i64,
    /// The remaining power of two, including the exponent of the number.
    twos: i64,
    /// Five to the power of `places`.
    fives: UBig,
}

impl Scale {
    /// Returns the scale for `count` digits of the numbers with this exponent and `bits` bits.
    fn new(exponent: i64, bits: i64, count: u32) -> Scale {
        let before_point = digits_before_point(exponent.saturating_add(bits));
        let places = i64::from(count).saturating_sub(before_point);
        let fives = UBig::from(5_u8).pow(usize::try_from(places.unsigned_abs()).unwrap_or_default());
        Scale { places, twos: exponent.saturating_add(places), fives }
    }

    /// Multiplies the mantissa by the power of five, unless the scale divides by it.
    fn apply(&self, mantissa: &UBig) -> UBig {
        if self.places >= 0 { mantissa * &self.fives } else { mantissa.clone() }
    }

    /// Returns the distance between scaled neighbours.
    fn step(&self) -> UBig {
        if self.places >= 0 { self.fives.clone() } else { UBig::ONE }
    }

    /// Returns the digits of a scaled mantissa, and a last digit that stands for the remaining ones
    /// if these are not all zero.
    fn leading(&self, scaled: UBig) -> Decimal {
        let (whole, cut) = if self.places >= 0 && self.twos >= 0 {
            (shift_left(&scaled, self.twos), false)
        } else if self.places >= 0 {
            let behind = usize::try_from(self.twos.unsigned_abs()).unwrap_or_default();
            let cut = scaled.trailing_zeros().is_some_and(|zeros| zeros < behind);
            (scaled >> behind, cut)
        } else {
            let up = shift_left(&scaled, self.twos.max(0));
            let below = shift_left(&self.fives, self.twos.min(0).saturating_neg());
            let (whole, rest) = up.div_rem(below);
            (whole, !rest.is_zero())
        };
        let mut digits = whole.to_string().into_bytes();
        let point = i64::try_from(digits.len()).unwrap_or(i64::MAX).saturating_sub(self.places);
        if cut {
            digits.push(b'1');
        }
        let mut decimal = Decimal { digits, point };
        decimal.trim();
        decimal
    }
}

/// Returns the number of decimal digits that a number below `2^top` has before the point, or one less; if negative, the
/// number of zeros after the point.
fn digits_before_point(top: i64) -> i64 {
    top.saturating_mul(30_103) / 100_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Number;

    #[test]
    fn short_decimals_are_the_shortest() {
        let mut found = 0;
        for (whole, fraction) in [(0, 1), (99, 999), (7, 25), (120, 1), (0, 10_000_001), (123_456_789, 5)] {
            for zeros in 0..14 {
                let text = format!("{whole}.{}{fraction}", "0".repeat(zeros));
                let exact = Number::parse(&text).unwrap();
                // Three times a third of a number is often only nearly the number.
                let third = exact.divide(&Number::literal(3)).unwrap();
                for number in [exact, third.multiply(&Number::literal(3)).unwrap(), third] {
                    let float = number.to_float();
                    let super::super::float::Magnitude::Finite(finite) = float.magnitude else { continue };
                    let long = Decimal::shortest_of_all(&finite, float.precision);
                    let Some(short) = Decimal::short(&finite, float.precision) else {
                        let places = i64::try_from(long.digits.len()).unwrap() - long.point;
                        assert!(places > 19, "{text}");
                        continue;
                    };
                    assert_eq!((short.digits, short.point), (long.digits, long.point), "{text}");
                    found += 1;
                }
            }
        }
        assert!(found > 100);
    }

    /// Applies the rule itself, to all digits of the number and of its neighbours.
    fn shortest_by_all_digits(number: &Finite, precision: u32) -> Decimal {
        let widen = i64::from(precision) + 1 - bits(&number.mantissa);
        let mut decimal = Decimal::of(number);
        if number.exponent >= 0 && widen > number.exponent {
            return decimal;
        }
        let mantissa = shift_left(&number.mantissa, widen);
        let exact = |mantissa: UBig| Decimal::exact(&mantissa, number.exponent - widen);
        let bounds = [exact(&mantissa - UBig::ONE), exact(&mantissa + UBig::ONE)];
        decimal.shorten(&bounds, widen > 1);
        decimal
    }

    #[test]
    fn a_few_leading_digits_are_enough() {
        let mut random: u64 = 7;
        let mut next = |end: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % end
        };
        for round in 0..3000 {
            let precision = [1, 2, 8, 24, 53, 64, 100, 512][round % 8];
            let wide = next(3) > 0;
            let mut mantissa = UBig::from(next(1 << 31) | 1);
            while wide && bits(&mantissa) < i64::from(precision) {
                mantissa = (mantissa << 31) + UBig::from(next(1 << 31) | 1);
            }
            let mantissa =
                (&mantissa >> bits(&mantissa).saturating_sub(i64::from(precision)) as usize) | UBig::ONE;
            let exponent = i64::try_from(next(2400)).unwrap() - 1200;
            let number = Finite { mantissa, exponent };
            let (short, long) =
                (Decimal::shortest_of_all(&number, precision), shortest_by_all_digits(&number, precision));
            assert_eq!((short.digits, short.point), (long.digits, long.point), "{number:?} at {precision}");
            for digits in [0, 1, 3, 17, 40] {
                for behind in [false, true] {
                    let rounded = |mut decimal: Decimal| {
                        let count = if behind { decimal.point + digits } else { digits };
                        decimal.round_to(count);
                        // Digits wholly after the last place are not written.
                        (count >= 0).then_some((decimal.digits, decimal.point))
                    };
                    let few = rounded(Decimal::rounding(&number, digits, behind));
                    assert_eq!(few, rounded(Decimal::of(&number)), "{number:?} to {digits}, {behind}");
                }
            }
        }
    }
}
