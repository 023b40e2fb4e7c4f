//! Writes numbers as text: fixed, exponent, shortest, and in another base.

use std::fmt;
use std::fmt::Write as _;

use super::decimal::Decimal;
use super::float::{Finite, Float, Magnitude, bits};
use super::{MAX_TEXT_BITS, Number, NumberRepr};

/// The notation of a number.
#[derive(Clone, Copy)]
enum Style {
    /// Without an exponent.
    Fixed,
    /// With an exponent.
    Exponent,
    /// With or without an exponent, depending on the size of the number.
    General,
}

impl Number {
    /// Whether the number has a decimal text. Numbers of more than about 630,000 digits have none: they
    /// print as a whole number times a power of two, such as `3p+9000000`.
    pub fn has_decimal_text(&self) -> bool {
        match &self.0 {
            NumberRepr::Int { .. } => true,
            NumberRepr::Float(float) => match &float.magnitude {
                Magnitude::Finite(finite) => finite.has_text(),
                Magnitude::Zero | Magnitude::Infinite => true,
            },
        }
    }

    /// Returns about the bytes that the number takes up, or its decimal text if that is long.
    pub(crate) fn text_bytes(&self) -> usize {
        let NumberRepr::Float(float) = &self.0 else { return 0 };
        float.own_bytes().saturating_add(self.long_digits())
    }

    /// Returns the larger of the size and the work to write the text: an upper bound for the cost of any operation.
    #[inline]
    pub(crate) fn weight(&self) -> usize {
        match &self.0 {
            // Most numbers are small.
            NumberRepr::Int { .. } => 0,
            NumberRepr::Float(_) => self.text_bytes().max(self.work_to_write()),
        }
    }

    /// Returns about the number of digits of the decimal text if it is long, otherwise zero.
    fn long_digits(&self) -> usize {
        // A shorter text is no longer than the number in memory.
        const LONG: u64 = 4096;
        let NumberRepr::Float(float) = &self.0 else { return 0 };
        let Magnitude::Finite(finite) = &float.magnitude else { return 0 };
        let bits = finite.top().unsigned_abs().max(finite.exponent.unsigned_abs());
        if bits <= LONG || !finite.has_text() {
            return 0;
        }
        // Three decimal digits are about ten bits.
        usize::try_from(bits / 10 * 3).unwrap_or(usize::MAX)
    }

    /// Returns the work to write a long decimal text, in units of about 60 nanoseconds. The time for all digits grows
    /// with a power of one and a half.
    fn work_to_write(&self) -> usize {
        /// This many digits, of a number with this many digits, are one unit. A third of the measured value, because
        /// functions that count little work for the bytes of their arguments may write the numbers among them.
        const DIGITS: usize = 100;
        let digits = self.long_digits();
        digits.saturating_mul(digits.isqrt()) / DIGITS
    }

    /// Returns the work to write the decimal text, in steps of about 10 nanoseconds. It is the work for a long text, or
    /// for finding the digits of a fraction such as `1 / 3`; zero for a number that is written at once.
    pub fn work_of_text(&self) -> usize {
        /// Numbers with fewer significant bits have few digits.
        const FEW_BITS: i64 = 64;
        const WORK_OF_BIT: i64 = 2;
        let NumberRepr::Float(float) = &self.0 else { return 0 };
        let Magnitude::Finite(finite) = &float.magnitude else { return 0 };
        let bits = bits(&finite.mantissa);
        let digits = if bits > FEW_BITS { bits.saturating_mul(WORK_OF_BIT) } else { 0 };
        self.work_to_write().max(usize::try_from(digits).unwrap_or(usize::MAX))
    }

    /// Returns the number without an exponent, with this many digits after the point (C's `%.{digits}f`).
    pub fn to_fixed(&self, digits: usize) -> String {
        self.to_float().text(Style::Fixed, Some(digits))
    }

    /// Returns the number with an exponent, with this many digits after the point (C's `%.{digits}e`).
    pub fn to_exponent(&self, digits: usize) -> String {
        self.to_float().text(Style::Exponent, Some(digits))
    }

    /// Returns the number with this many digits (C's `%.{digits}g`). Large and small numbers have an exponent.
    pub fn to_general(&self, digits: usize) -> String {
        self.to_float().text(Style::General, Some(digits))
    }

    /// Returns the number with the fewest digits that distinguish it from the other numbers of its precision. Numbers
    /// from a million on, and below a ten-thousandth, have an exponent.
    pub fn to_general_shortest(&self) -> String {
        self.to_float().text(Style::General, None)
    }

    /// Returns a whole number in a base from 2 to 36, in small letters; `None` for other numbers.
    pub fn to_radix(&self, base: u8) -> Option<String> {
        if !(2..=36).contains(&base) {
            return None;
        }
        Some(self.to_integer()?.in_radix(base).to_string())
    }
}

/// Writes the shortest decimal that reads back as the number at its precision, never with an exponent.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            NumberRepr::Int { value, .. } => write!(f, "{value}"),
            NumberRepr::Float(float) => write!(f, "{float}"),
        }
    }
}

impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Style::Fixed, None))
    }
}

impl Finite {
    fn has_text(&self) -> bool {
        self.top() <= MAX_TEXT_BITS && self.exponent >= -MAX_TEXT_BITS
    }
}

impl Float {
    fn text(&self, style: Style, digits: Option<usize>) -> String {
        let mut text = String::new();
        if self.negative {
            text.push('-');
        }
        let decimal = match &self.magnitude {
            Magnitude::Infinite => {
                text.push_str(if self.negative { "Inf" } else { "+Inf" });
                return text;
            }
            Magnitude::Finite(finite) if !finite.has_text() => {
                // Writing to a string cannot fail.
                let _ = write!(text, "{}p{:+}", finite.mantissa, finite.exponent);
                return text;
            }
            Magnitude::Zero => Decimal::default(),
            Magnitude::Finite(finite) => match digits {
                None => Decimal::shortest(finite, self.precision),
                Some(digits) => Decimal::rounding(finite, to_i64(digits), matches!(style, Style::Fixed)),
            },
        };
        match digits {
            None => write_shortest(&mut text, style, &decimal),
            Some(digits) => write_rounded(&mut text, style, decimal, to_i64(digits)),
        }
        text
    }
}

fn to_i64(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn write_shortest(text: &mut String, style: Style, decimal: &Decimal) {
    let count = to_i64(decimal.digits.len());
    match style {
        Style::Fixed => write_fixed(text, decimal, (count - decimal.point).max(0)),
        Style::Exponent => write_exponent(text, decimal, count - 1),
        Style::General => write_general(text, decimal, count, 6),
    }
}

fn write_rounded(text: &mut String, style: Style, mut decimal: Decimal, digits: i64) {
    match style {
        Style::Fixed => {
            decimal.round_to(decimal.point.saturating_add(digits));
            write_fixed(text, &decimal, digits);
        }
        Style::Exponent => {
            decimal.round_to(digits.saturating_add(1));
            write_exponent(text, &decimal, digits);
        }
        Style::General => {
            let digits = digits.max(1);
            decimal.round_to(digits);
            let count = to_i64(decimal.digits.len());
            let limit = if digits > count && count >= decimal.point { count } else { digits };
            write_general(text, &decimal, digits, limit);
        }
    }
}

/// Writes at most `digits` digits, with an exponent if more than `limit` digits would precede the point.
fn write_general(text: &mut String, decimal: &Decimal, digits: i64, limit: i64) {
    let count = to_i64(decimal.digits.len());
    let exponent = decimal.point - 1;
    if exponent < -4 || exponent >= limit {
        write_exponent(text, decimal, digits.min(count) - 1);
    } else {
        let digits = if digits > decimal.point { count } else { digits };
        write_fixed(text, decimal, (digits - decimal.point).max(0));
    }
}

fn write_fixed(text: &mut String, decimal: &Decimal, behind: i64) {
    if decimal.point > 0 {
        decimal.write_digits(text, -decimal.point, 0);
    } else {
        text.push('0');
    }
    if behind > 0 {
        text.push('.');
        decimal.write_digits(text, 0, behind);
    }
}

fn write_exponent(text: &mut String, decimal: &Decimal, behind: i64) {
    let mut digits = decimal.digits.iter().copied().map(char::from);
    text.push(digits.next().unwrap_or('0'));
    if behind > 0 {
        text.push('.');
        text.extend((0..behind).map(|_| digits.next().unwrap_or('0')));
    }
    let exponent = if decimal.digits.is_empty() { 0 } else { decimal.point - 1 };
    let sign = if exponent < 0 { '-' } else { '+' };
    // Writing to a string cannot fail.
    let _ = write!(text, "e{sign}{:02}", exponent.unsigned_abs());
}
