//! Resolves the value of a YAML scalar.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use terrane_function::beginning;
use terrane_value::{Integer, Number, Type, Value};

use super::token::Style;
use crate::datetime::{Syntax, Timestamp};

const STRING_TAG: &str = "tag:yaml.org,2002:str";
const BOOL_TAG: &str = "tag:yaml.org,2002:bool";
const INT_TAG: &str = "tag:yaml.org,2002:int";
const FLOAT_TAG: &str = "tag:yaml.org,2002:float";
const NULL_TAG: &str = "tag:yaml.org,2002:null";
const TIMESTAMP_TAG: &str = "tag:yaml.org,2002:timestamp";
const BINARY_TAG: &str = "tag:yaml.org,2002:binary";
/// The tag of a key whose value is merged into the mapping.
pub(super) const MERGE_TAG: &str = "tag:yaml.org,2002:merge";

/// Returns the value of `text` with a tag, which may be empty.
pub(super) fn resolve(tag: &str, text: &str, style: Style) -> Result<Value, String> {
    let supported = [STRING_TAG, BOOL_TAG, INT_TAG, FLOAT_TAG, NULL_TAG, TIMESTAMP_TAG, BINARY_TAG];
    if !tag.is_empty() && !supported.contains(&tag) {
        return Err(format!("the tag {tag:?} is not supported"));
    }
    // Only text that begins with one of these characters resolves to a value other than a string.
    let telling =
        text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit() || "+-.yYnNtTfFoO~".contains(c));
    if telling && tag != STRING_TAG && tag != BINARY_TAG {
        if matches!(style, Style::SingleQuoted | Style::DoubleQuoted) {
            return Ok(text.into());
        }
        if let Some(value) = plain(tag, text)? {
            return Ok(value);
        }
    }
    tagged(tag, text)
}

/// Returns the value that the text of an unquoted scalar resolves to; `None` if it is a string.
fn plain(tag: &str, text: &str) -> Result<Option<Value>, String> {
    if let Some(value) = word(text) {
        return Ok(Some(value));
    }
    if tag.is_empty() && matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Err(".nan is not supported: a number must have a value".to_owned());
    }
    if text.starts_with('.') {
        return Ok(Number::parse(text).map(Value::number));
    }
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '+' || c == '-') {
        return Ok(None);
    }
    if matches!(tag, "" | TIMESTAMP_TAG)
        && let Some(time) = Timestamp::parse(text, Syntax::Yaml)
    {
        return Ok(Some(time.to_string().into()));
    }
    if looks_like_integer(text) || looks_like_float(text) {
        return number(text).map(Some);
    }
    Ok(None)
}

fn word(text: &str) -> Option<Value> {
    Some(match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Value::TRUE,
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Value::FALSE,
        "" | "~" | "null" | "Null" | "NULL" => Value::NULL,
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Value::number(Number::infinity(false)),
        "-.inf" | "-.Inf" | "-.INF" => Value::number(Number::infinity(true)),
        _ => return None,
    })
}

fn tagged(tag: &str, text: &str) -> Result<Value, String> {
    let wrong = || format!("{:?} does not fit its tag {tag:?}", beginning(text));
    match tag {
        BINARY_TAG if STANDARD.decode(text.replace(['\r', '\n'], "")).is_err() => Err(wrong()),
        BOOL_TAG => word(text).filter(|value| value.as_bool().is_some()).ok_or_else(wrong),
        INT_TAG | FLOAT_TAG => number(text),
        TIMESTAMP_TAG => {
            Timestamp::parse(text, Syntax::Yaml).map(|time| time.to_string().into()).ok_or_else(wrong)
        }
        NULL_TAG => Ok(Value::null(Type::Dynamic)),
        _ => Ok(text.into()),
    }
}

/// Whether the text is decimal digits with an optional sign, or unsigned octal or hexadecimal digits.
fn looks_like_integer(text: &str) -> bool {
    let of = |digits: &str, base: u32| !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(base));
    match (text.strip_prefix("0o"), text.strip_prefix("0x")) {
        (Some(octal), _) => of(octal, 8),
        (None, Some(hex)) => of(hex, 16),
        (None, None) => of(text.strip_prefix(['+', '-']).unwrap_or(text), 10),
    }
}

fn looks_like_float(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent_fits = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !digits.is_empty() && are_digits(digits)
    });
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    has_digits && are_digits(whole) && are_digits(fraction) && exponent_fits
}

/// Parses a decimal number, or a whole number of 64 bits with a base prefix.
fn number(text: &str) -> Result<Value, String> {
    let plain = text.replace('_', "");
    if let Some(number) = Number::parse(&plain) {
        return Ok(Value::number(number));
    }
    let unsigned = plain.strip_prefix(['+', '-']).unwrap_or(&plain);
    let based = |(prefix, base): (&str, u32)| {
        let digits = unsigned.strip_prefix('0')?.strip_prefix(prefix)?;
        u64::from_str_radix(digits, base).ok().filter(|_| !digits.starts_with('+'))
    };
    let bases = [("x", 16), ("X", 16), ("o", 8), ("O", 8), ("b", 2), ("B", 2)];
    let magnitude = bases.into_iter().find_map(based);
    let value = match (magnitude, plain.strip_prefix(['+', '-'])) {
        (Some(magnitude), None) => Some(Integer::from(magnitude)),
        (Some(magnitude), Some(_)) if magnitude <= 1 << 63 => {
            let negative = plain.starts_with('-');
            let fits = negative || magnitude < 1 << 63;
            let integer = Integer::from(magnitude);
            fits.then_some(if negative { -integer } else { integer })
        }
        (Some(_) | None, _) => None,
    };
    let value = value
        .ok_or_else(|| format!("{:?} is not a number, or is too large for its form", beginning(text)))?;
    Ok(Value::number(Number::from_integer(value)))
}
