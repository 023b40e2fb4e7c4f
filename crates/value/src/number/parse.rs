//! Reads numbers: from decimal text, text in another base, and `f64`; and converts numbers to `f64`.

use std::borrow::Cow;
use std::cell::Cell;

use dashu_int::ops::{BitTest as _, DivRem as _};
use dashu_int::{IBig, Sign, UBig};

use super::Number;
use super::float::{Float, Magnitude, bits};

/// The precision of numbers read from text.
const PRECISION: u32 = 512;

/// The digits of a number that can make a difference.
const MAX_DIGITS: usize = 100_000;

/// A text of at most this many bytes is read for nothing.
const SHORT: usize = 64;

thread_local! {
    /// The work of reading long texts on this thread that no meter has counted.
    static WORK_OF_READING: Cell<u64> = const { Cell::new(0) };
}

impl Number {
    /// Returns a number computed with 64-bit floating point (`pow`, `log`): precision 53. `None` for "not a number".
    pub fn from_f64(value: f64) -> Option<Number> {
        from_f64(value).map(Number::from_float)
    }

    /// Parses a number in a literal or a string, with precision 512: decimal digits with an optional sign, point and
    /// exponent (`e` to the base ten, `p` to the base two), or `inf`.
    pub fn parse(text: &str) -> Option<Number> {
        parse(text)
    }

    /// Returns the work to read `text` as a number, in steps of about 20 nanoseconds; zero for a short text. The time for all
    /// digits grows with a power of one and a half.
    pub fn work_to_read(text: &str) -> u64 {
        if text.len() <= SHORT { 0 } else { extent_of_number(text).1 }
    }

    /// Returns the work of all long texts that this thread has read as numbers since the last call, for the meter of the run.
    /// Texts become numbers in many places; so none of them has to count.
    #[inline]
    pub fn take_work_of_reading() -> u64 {
        WORK_OF_READING.take()
    }

    /// Parses a whole number in a base from 2 to 62.
    pub fn parse_radix(text: &str, base: u32) -> Option<Number> {
        parse_radix(text, base)
    }

    /// Returns the nearest 64-bit float; infinity if the number is too large.
    pub fn to_f64(&self) -> f64 {
        to_f64(&self.to_float())
    }
}

/// Returns the length of the beginning of a long text that may be a number, and the work to read it.
fn extent_of_number(text: &str) -> (usize, u64) {
    /// This many bytes are looked at in one step.
    const BYTES: usize = 8;
    /// This many digits, of a number with this many digits, are one step.
    const DIGITS: usize = 80;
    let is_part =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'p' | b'P' | b'+' | b'-');
    let end = text.bytes().position(|byte| !is_part(byte));
    let digits = if end.is_none() { text.len().min(MAX_DIGITS) } else { 0 };
    let read = end.unwrap_or(text.len());
    (read, (read / BYTES + digits * digits.isqrt() / DIGITS) as u64)
}

/// Counts the work of reading a long text. Returns false if it is no number, which its first wrong byte shows.
fn may_be_number(text: &str) -> bool {
    let (read, work) = extent_of_number(text);
    WORK_OF_READING.set(WORK_OF_READING.get().saturating_add(work));
    read == text.len()
}

/// Parses a number in a literal or a string; see [`Number::parse`].
fn parse(text: &str) -> Option<Number> {
    if text.len() <= 18 && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok().map(Number::literal);
    }
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    if digits == "Inf" || digits == "inf" {
        return Some(Number::from_float(Float::infinity(negative, PRECISION)));
    }
    if let Some(float) = short_decimal(negative, digits) {
        return Some(Number::from_float(float));
    }
    if digits.len() > SHORT && !may_be_number(digits) {
        return None;
    }
    let end = digits.find(['e', 'E', 'p', 'P']).unwrap_or(digits.len());
    let (mantissa, exponent) = digits.split_at_checked(end)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = format!("{whole}{fraction}");
    if all_digits.is_empty() || !all_digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let binary = exponent.starts_with(['p', 'P']);
    let exponent = parse_exponent(exponent)?;
    let (digits, left_out) = leading(match all_digits.trim_start_matches('0') {
        "" => "0",
        significant => significant,
    });
    let mantissa = UBig::from_str_radix(&digits, 10).ok()?;
    let fraction = i64::try_from(fraction.len()).ok()?.checked_sub(i64::try_from(left_out).ok()?)?;
    let float = scale(negative, mantissa, fraction, exponent, binary)?;
    Some(Number::from_float(float))
}

/// Parses a number such as `0.25`, with few digits and without an exponent, as the quotient of two small numbers.
fn short_decimal(negative: bool, text: &str) -> Option<Float> {
    /// Up to this many digits, both numbers fit 64 bits.
    const MOST: usize = 19;
    if !(2..=MOST + 1).contains(&text.len()) {
        return None;
    }
    let (whole, fraction) = text.split_once('.')?;
    let digits = || whole.bytes().chain(fraction.bytes());
    if !digits().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mantissa = digits().fold(0_u64, |value, digit| value * 10 + u64::from(digit - b'0'));
    if mantissa == 0 {
        return Some(Float::zero(negative, PRECISION));
    }
    let places = u32::try_from(fraction.len()).ok()?;
    let five: u64 = 5;
    let divisor = five.pow(places);
    // The quotient has more bits than are kept: after the shift, the mantissa has 66 more bits than needed, and
    // the divisor has at most 64.
    let shift = PRECISION + 2 + mantissa.leading_zeros();
    let (quotient, rest) = (UBig::from(mantissa) << shift as usize).div_rem(UBig::from(divisor));
    let exponent = -i64::from(shift) - i64::from(places);
    Some(Float::rounded(negative, quotient, exponent, !rest.is_zero(), PRECISION))
}

/// Returns the digits that can make a difference, and how many digits are left out. Any digits left out count as a one
/// after the others, because rounding distinguishes no more.
fn leading(digits: &str) -> (Cow<'_, str>, usize) {
    match digits.split_at_checked(MAX_DIGITS) {
        Some((leading, rest)) if rest.bytes().any(|digit| digit != b'0') => {
            (Cow::Owned(format!("{leading}1")), rest.len() - 1)
        }
        Some((leading, rest)) => (Cow::Borrowed(leading), rest.len()),
        None => (Cow::Borrowed(digits), 0),
    }
}

/// Parses the number after the letter of an optional exponent part.
fn parse_exponent(text: &str) -> Option<i64> {
    let Some(text) = text.get(1..) else { return Some(0) };
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Returns `mantissa`, whose last `fraction` digits follow the point, times ten (or two) to the power of `exponent`;
/// `None` if the exponent is out of all range. The power of five is rounded in the same steps as in the reference,
/// because that decides the last bits of numbers with large exponents.
fn scale(negative: bool, mantissa: UBig, fraction: i64, exponent: i64, binary: bool) -> Option<Float> {
    if mantissa.is_zero() {
        return Some(Float::zero(negative, PRECISION));
    }
    let fives = if binary { -fraction } else { exponent.checked_sub(fraction)? };
    let twos = exponent.checked_sub(fraction)?;
    let top = twos.checked_add(bits(&mantissa))?;
    i32::try_from(top).ok()?;
    if fives == 0 {
        return Some(Float::rounded(negative, mantissa, twos, false, PRECISION));
    }
    // All digits take part: rounding happens once, with the power of five.
    let width = u32::try_from(mantissa.bit_len()).ok()?;
    let exact = Float::rounded(negative, mantissa, twos, false, width);
    let power = power_of_five(fives.unsigned_abs(), PRECISION + 64)?;
    if fives < 0 { exact.divide(&power, PRECISION) } else { exact.multiply(&power, PRECISION) }
}

/// Returns `5^exponent` at `precision`, computed from squares with 64 additional bits.
fn power_of_five(exponent: u64, precision: u32) -> Option<Float> {
    /// The largest power of five that fits a `u64`.
    const EXACT: u64 = 27;
    let small = |value: u64| Float::rounded(false, UBig::from(value), 0, false, 64);
    let five: u64 = 5;
    let first = exponent.min(EXACT);
    let mut power = small(five.pow(u32::try_from(first).ok()?));
    power.precision = precision;
    let mut rest = exponent - first;
    let mut square = small(five);
    let wide = precision + 64;
    while rest > 0 {
        if rest & 1 == 1 {
            power = power.multiply(&square, precision)?;
        }
        square = square.multiply(&square, wide)?;
        rest >>= 1;
    }
    Some(power)
}

/// Parses a whole number in another base; see [`Number::parse_radix`].
fn parse_radix(text: &str, base: u32) -> Option<Number> {
    if !(2..=62).contains(&base) {
        return None;
    }
    let negative = text.starts_with('-');
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits: Vec<u8> = digits.bytes().map(|byte| digit(byte, base)).collect::<Option<_>>()?;
    if digits.is_empty() {
        return None;
    }
    let sign = if negative { Sign::Negative } else { Sign::Positive };
    Some(Number::from_integer(IBig::from_parts(sign, from_digits(&digits, base))))
}

/// Returns the value of a digit. Up to base 36 the case of letters is ignored; above, capitals come last.
fn digit(byte: u8, base: u32) -> Option<u8> {
    let value = match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'z' => byte - b'a' + 10,
        b'A'..=b'Z' if base <= 36 => byte - b'A' + 10,
        b'A'..=b'Z' => byte - b'A' + 36,
        _ => return None,
    };
    (u32::from(value) < base).then_some(value)
}

/// The number of digits that are read at once: with base 62 they fit into 64 bits.
const CHUNK: usize = 10;

/// Returns the number with these digits. Halving keeps the factors of each multiplication equally long, so long texts
/// do not take quadratic time.
fn from_digits(digits: &[u8], base: u32) -> UBig {
    // The base to the power of CHUNK, twice CHUNK, four times CHUNK, ...
    let mut powers: Vec<UBig> = Vec::new();
    while CHUNK << powers.len() < digits.len() {
        powers.push(match powers.last() {
            Some(power) => power * power,
            None => UBig::from(base).pow(CHUNK),
        });
    }
    joined(digits, base, &powers)
}

/// Returns the number with at most CHUNK times two to the power of `powers.len()` digits.
fn joined(digits: &[u8], base: u32, powers: &[UBig]) -> UBig {
    let Some((power, smaller)) = powers.split_last() else {
        return UBig::from(
            digits.iter().fold(0_u64, |value, digit| value * u64::from(base) + u64::from(*digit)),
        );
    };
    let (high, low) = digits.split_at(digits.len().saturating_sub(CHUNK << smaller.len()));
    let low = joined(low, base, smaller);
    if high.is_empty() { low } else { joined(high, base, smaller) * power + low }
}

/// Returns the number with the precision of a 64-bit float; `None` for "not a number".
fn from_f64(value: f64) -> Option<Float> {
    const PRECISION: u32 = 53;
    let negative = value.is_sign_negative();
    if value.is_nan() {
        return None;
    }
    if value.is_infinite() {
        return Some(Float::infinity(negative, PRECISION));
    }
    let raw = value.to_bits();
    let fraction = raw & ((1 << 52) - 1);
    let (mantissa, biased) = match (raw >> 52) & 0x7ff {
        0 => (fraction, 1),
        biased => (fraction | (1 << 52), i64::try_from(biased).ok()?),
    };
    Some(Float::rounded(negative, UBig::from(mantissa), biased - 1075, false, PRECISION))
}

/// Returns the nearest 64-bit float; infinity if the number is too large.
fn to_f64(float: &Float) -> f64 {
    let magnitude = match &float.magnitude {
        Magnitude::Zero => 0.0,
        Magnitude::Infinite => f64::INFINITY,
        Magnitude::Finite(finite) => {
            // Small numbers have fewer than 53 bits; the smallest one stands for the range from half of it up.
            let precision = finite.top().saturating_add(1074).min(53);
            match u32::try_from(precision) {
                Err(_) => 0.0,
                Ok(0) if finite.mantissa.is_one() => 0.0,
                Ok(0) => f64::from_bits(1),
                Ok(precision) => finite_to_f64(&float.with_precision(precision)),
            }
        }
    };
    if float.negative { -magnitude } else { magnitude }
}

/// Does the same as [`to_f64`], for a finite number that has few enough bits already.
fn finite_to_f64(float: &Float) -> f64 {
    let Magnitude::Finite(finite) = &float.magnitude else { return 0.0 };
    let Ok(mantissa) = u64::try_from(&finite.mantissa) else { return f64::INFINITY };
    let top = finite.top();
    if top > 1024 {
        return f64::INFINITY;
    }
    let lowest = (top - 53).max(-1074);
    let Ok(shift) = u32::try_from(finite.exponent - lowest) else { return 0.0 };
    let mantissa = mantissa.checked_shl(shift).unwrap_or_default();
    let biased = u64::try_from(lowest + 1075).unwrap_or_default();
    // The topmost bit of a normal number is not stored: it counts as the last bit of the exponent.
    let raw = if mantissa >> 52 == 0 { mantissa } else { ((biased - 1) << 52) + mantissa };
    f64::from_bits(raw)
}
