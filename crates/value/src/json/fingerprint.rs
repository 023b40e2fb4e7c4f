//! Fingerprints of JSON texts: equal for texts with the same value.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::read::{self, Build, Content};
use crate::Value;

/// Returns a hash of the value of a JSON text, whatever its white space, the order of its properties, and the forms of its strings and
/// numbers. Of several properties with the same name, the last one counts. `None` if the text is not a JSON value, or has a name in
/// another form than Unicode normal form C, which [`decode`](super::decode) rejects, or more than 4,194,304 values.
///
/// This takes less time and memory than decoding the text, and about the same for each byte of any text.
///
/// ```
/// use terrane_value::json::fingerprint;
///
/// assert_eq!(fingerprint(r#"{"a": 1, "b": "x"}"#), fingerprint(r#"{"b":"\u0078","a":1.0}"#));
/// assert_ne!(fingerprint("[1, 2]"), fingerprint("[2, 1]"));
/// assert_eq!(fingerprint("{"), None);
/// ```
pub fn fingerprint(text: &str) -> Option<u64> {
    let mut fingerprints = Fingerprints { refuses: false };
    let fingerprint = read::build(text, MAX_VALUES, &mut fingerprints).ok()?;
    (!fingerprints.refuses).then_some(fingerprint)
}

/// Limit on the values of a text. Eight bytes of each element of an open array are in memory, and sixteen of each property of an
/// open object.
const MAX_VALUES: usize = 1 << 22;

/// Makes the fingerprint of each value.
struct Fingerprints {
    /// Whether the text has a part without a fingerprint.
    refuses: bool,
}

/// Returns the hash of the content of a value of some kind. It has no seed, so every run finds the same texts equal.
fn hash(kind: u8, content: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write_u8(kind);
    content.hash(&mut hasher);
    hasher.finish()
}

impl<'t> Build<'t> for &mut Fingerprints {
    type Value = u64;
    type Property = (u64, u64);

    fn value(&mut self, _: usize, content: Content<'t, u64, (u64, u64)>) -> u64 {
        match content {
            Content::Null => hash(0, ()),
            Content::Bool(value) => hash(1, value),
            Content::Number(text) => match DecimalForm::of(text) {
                Some(form) => hash(2, form),
                None => {
                    self.refuses = true;
                    0
                }
            },
            Content::String(text) => hash(3, Value::normalize(&text)),
            Content::Array(elements) => hash(4, elements),
            Content::Object(mut properties) => {
                // The sort is stable, so the last property of a name comes first of them.
                properties.reverse();
                properties.sort_by_key(|(name, _)| *name);
                properties.dedup_by_key(|(name, _)| *name);
                hash(5, properties)
            }
        }
    }

    fn property(&mut self, _: usize, name: Cow<'t, str>, value: u64) -> (u64, u64) {
        self.refuses |= Value::normalize(&name) != name;
        (hash(6, name), value)
    }
}

/// The decimal form of a number: digits without zeros around them, times a power of ten.
struct DecimalForm<'t> {
    is_negative: bool,
    digits: Cow<'t, str>,
    exponent: i64,
}

impl Hash for DecimalForm<'_> {
    /// Writes a number with few digits, as most are, at once: each write takes as long as the rest of the number.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let few: Option<u64> = if self.digits.is_empty() { Some(0) } else { self.digits.parse().ok() };
        match few {
            Some(digits) => {
                state.write_u128(u128::from(digits) << 64 | u128::from(self.exponent.cast_unsigned()));
            }
            None => (&self.digits, self.exponent).hash(state),
        }
        if self.is_negative {
            state.write_u8(1);
        }
    }
}

impl<'t> DecimalForm<'t> {
    /// Returns the form of a number in JSON. `None` for an exponent that no number has.
    fn of(text: &'t str) -> Option<DecimalForm<'t>> {
        let (is_negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
        let (digits, exponent) = match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => (Cow::Borrowed(text), 0),
            false => DecimalForm::without_point(text)?,
        };
        let without_end = |digits: &str| digits.trim_end_matches('0').len();
        let zeros = digits.len() - without_end(&digits);
        let trimmed = match digits {
            Cow::Borrowed(digits) => Cow::Borrowed(digits.trim_matches('0')),
            Cow::Owned(digits) => Cow::Owned(digits.trim_matches('0').to_owned()),
        };
        let exponent = match trimmed.is_empty() {
            true => 0,
            false => exponent.checked_add(i64::try_from(zeros).ok()?)?,
        };
        Some(DecimalForm { is_negative, digits: trimmed, exponent })
    }

    /// Returns the digits of a number without sign, and the power of ten that multiplies them.
    fn without_point(text: &'t str) -> Option<(Cow<'t, str>, i64)> {
        let (text, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent: i64 = exponent.parse().ok()?;
        let Some((whole, fraction)) = text.split_once('.') else {
            return Some((Cow::Borrowed(text), exponent));
        };
        let decimals = i64::try_from(fraction.len()).ok()?;
        Some((Cow::Owned(whole.to_owned() + fraction), exponent.checked_sub(decimals)?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{decode, encode};
    use super::*;

    /// The definition of equal texts: decoded and encoded, they are the same.
    fn encoded(text: &str) -> Option<String> {
        encode(&decode(text).ok()?).ok()
    }

    const TEXTS: &[&str] = &[
        "null",
        "true",
        "false",
        "{}",
        "[]",
        "[[]]",
        "[{}]",
        "{",
        "",
        "[1,]",
        "0",
        "-0",
        "0.0",
        "1",
        "1.0",
        "10e-1",
        "0.1e1",
        "100",
        "1e2",
        "1E+2",
        "1.00e2",
        "0.001",
        "1e-3",
        "-1",
        "\"1\"",
        "\"\"",
        "\"a\"",
        "\"\\u0061\"",
        "\"é\"",
        "\"e\\u0301\"",
        "\"null\"",
        "[1, 2]",
        "[2, 1]",
        "[1,2]",
        "[12]",
        "[\"a\", \"b\"]",
        "[\"a\\\", \\\"b\"]",
        "{\"a\":1}",
        "{ \"a\" : 1 }",
        "{\"a\":1,\"b\":2}",
        "{\"b\":2,\"a\":1}",
        "{\"a\":2,\"b\":1}",
        "{\"a\":3,\"b\":2,\"a\":1}",
        "{\"a\":1,\"b\":2,\"a\":3}",
        "{\"e\\u0301\":1}",
        "{\"é\":1}",
        "{\"a\":{\"b\":null}}",
        "{\"a\":{},\"b\":null}",
        "{\"a\":1}}",
        "{\"a\":1} x",
    ];

    #[test]
    fn texts_have_the_same_fingerprint_if_they_have_the_same_value() {
        for one in TEXTS {
            let of_one = fingerprint(one);
            assert_eq!(of_one.is_some(), encoded(one).is_some(), "{one}");
            for other in TEXTS.iter().filter(|other| of_one.is_some() && encoded(other).is_some()) {
                let is_same = of_one == fingerprint(other);
                assert_eq!(is_same, encoded(one) == encoded(other), "{one} and {other}");
            }
        }
    }

    /// The decimal digits of such a number would take much memory.
    #[test]
    fn numbers_are_not_written_out() {
        let of = fingerprint;
        assert_eq!(of("1e600000000"), of("10e599999999"));
        assert_ne!(of("1e600000000"), of("1e600000001"));
        assert_eq!(of("1e99999999999999999999"), None);
    }
}
