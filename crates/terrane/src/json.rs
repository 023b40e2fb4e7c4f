//! Converts values to and from `serde_json`, and writes JSON for all documents.

pub(crate) mod members;
pub(crate) mod text;
pub(crate) mod value_type;

use std::fmt;

use serde_json::Value as Json;
use terrane_value::{Entries, MAX_DEPTH, Number, SmolStr, Value, ValueKind};

/// Why a value cannot be converted to `serde_json`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ToJsonError {
    /// A part is unknown.
    Unknown,
    /// A part is marked, for example as sensitive. Remove the marks first with [`Value::unmark_deep`].
    Marked,
    /// A part is an infinite number, or a number that [`serde_json::Number`] cannot hold exactly.
    Inexact,
}

impl fmt::Display for ToJsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ToJsonError::Unknown => "An unknown value has no JSON.",
            ToJsonError::Marked => "A marked value is not converted to JSON.",
            ToJsonError::Inexact => "A number is too large or too precise for `serde_json::Number`.",
        })
    }
}

impl std::error::Error for ToJsonError {}

/// Why JSON cannot be converted to a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FromJsonError {
    /// The JSON is nested more deeply than [`MAX_DEPTH`], or has more elements than a value may have.
    TooLarge,
    /// The exponent of a number is out of range.
    NumberTooLarge,
}

impl fmt::Display for FromJsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FromJsonError::TooLarge => "The JSON is nested too deeply, or has too many elements.",
            FromJsonError::NumberTooLarge => "The exponent of a number in the JSON is too large.",
        })
    }
}

impl std::error::Error for FromJsonError {}

/// Converts a value to `serde_json`. Lists, sets and tuples become arrays; maps and objects become objects.
///
/// The numbers of the language are more precise than 64-bit floats. A number is converted only if [`from_json`] returns the
/// same number: 64-bit integers, and fractions with as few digits as `0.1`. With the feature `arbitrary_precision` of
/// `serde_json`, every finite number is converted. For the text of any value as `jsonencode` writes it, use [`json::encode`](terrane_value::json::encode).
///
/// ```
/// use terrane::{from_json, to_json};
/// use serde_json::json;
///
/// let value = from_json(&json!({"ports": [80, 8080], "ratio": 0.1, "owner": null}))?;
/// assert_eq!(value.ty().to_string(), "object({owner=any,ports=tuple([number,number]),ratio=number})");
/// assert_eq!(to_json(&value)?, json!({"ports": [80, 8080], "ratio": 0.1, "owner": null}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If a part is unknown, marked, or a number that would change.
pub fn to_json(value: &Value) -> Result<Json, ToJsonError> {
    Ok(match value.kind() {
        ValueKind::Null(_) => Json::Null,
        ValueKind::Bool(value) => Json::Bool(value),
        ValueKind::Number(number) => Json::Number(exact_number(number)?),
        ValueKind::String(text) => Json::String(text.to_string()),
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => array(elements)?,
        ValueKind::Map(entries) | ValueKind::Object(entries) => object(entries)?,
        ValueKind::Unknown(_) => return Err(ToJsonError::Unknown),
        ValueKind::Marked(..) => return Err(ToJsonError::Marked),
    })
}

// Loops here and below instead of iterator adapters, which need much stack for deeply nested values.
fn array(elements: &[Value]) -> Result<Json, ToJsonError> {
    let mut array = Vec::with_capacity(elements.len());
    for element in elements {
        array.push(to_json(element)?);
    }
    Ok(Json::Array(array))
}

fn object(entries: &Entries) -> Result<Json, ToJsonError> {
    let mut object = serde_json::Map::new();
    for (key, value) in entries {
        object.insert(key.to_string(), to_json(value)?);
    }
    Ok(Json::Object(object))
}

/// Converts JSON to a value, like `jsondecode`: arrays become tuples, objects become objects. Use
/// [`convert`](terrane_value::convert()) for another type.
///
/// Numbers keep all digits of [`serde_json::Number`]. Strings and property names are normalized to Unicode NFC; if two names
/// become equal, the last one wins.
///
/// # Errors
///
/// If the JSON exceeds the limits of values or numbers.
pub fn from_json(json: &Json) -> Result<Value, FromJsonError> {
    from_json_at(json, 0)
}

fn from_json_at(json: &Json, depth: u16) -> Result<Value, FromJsonError> {
    if depth > MAX_DEPTH {
        return Err(FromJsonError::TooLarge);
    }
    let value = match json {
        Json::Null => Value::NULL,
        Json::Bool(value) => Value::from(*value),
        Json::Number(number) => {
            let number = Number::parse(&number.to_string());
            number.map(Value::number).ok_or(FromJsonError::NumberTooLarge)?
        }
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(elements) => from_array(elements, depth)?,
        Json::Object(properties) => from_object(properties, depth)?,
    };
    if value.refused().is_some() { Err(FromJsonError::TooLarge) } else { Ok(value) }
}

fn from_array(elements: &[Json], depth: u16) -> Result<Value, FromJsonError> {
    let mut values = Vec::with_capacity(elements.len());
    for element in elements {
        values.push(from_json_at(element, depth + 1)?);
    }
    Ok(Value::tuple(values))
}

fn from_object(properties: &serde_json::Map<String, Json>, depth: u16) -> Result<Value, FromJsonError> {
    let mut attributes: Vec<(SmolStr, Value)> = Vec::with_capacity(properties.len());
    for (name, json) in properties {
        attributes.push((SmolStr::from(&*Value::normalize(name)), from_json_at(json, depth + 1)?));
    }
    Ok(Value::object(attributes))
}

fn exact_number(number: &Number) -> Result<serde_json::Number, ToJsonError> {
    if number.is_infinite() || !number.has_decimal_text() {
        return Err(ToJsonError::Inexact);
    }
    let exact: serde_json::Number =
        serde_json::from_str(&number.to_string()).map_err(|_| ToJsonError::Inexact)?;
    let back = Number::parse(&exact.to_string());
    if back.as_ref() == Some(number) { Ok(exact) } else { Err(ToJsonError::Inexact) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use terrane_value::{Marks, Type};

    use super::*;

    fn number(text: &str) -> Value {
        Value::number(Number::parse(text).unwrap())
    }

    #[test]
    fn values_survive_a_round_trip() {
        let json = json!({"b": [1, -2.5, 0.1, true, null, "x"], "a": {}, "big": u64::MAX, "e": 0.5});
        assert_eq!(to_json(&from_json(&json).unwrap()).unwrap(), json);
        let set = Value::set(Type::String, ["b", "a"].map(Value::from));
        assert_eq!(to_json(&set).unwrap(), json!(["a", "b"]));
        assert_eq!(from_json(&json!("e\u{301}")).unwrap().as_str(), Some("\u{e9}"));
    }

    #[test]
    fn numbers_keep_their_value_as_json() {
        assert_eq!(to_json(&number("9007199254740993")).unwrap(), json!(9_007_199_254_740_993_i64));
        assert_eq!(to_json(&number("0.1")).unwrap(), json!(0.1));
        // Another crate of the build may have turned `arbitrary_precision` on; the command does.
        let long = "123456789012345678901234567890";
        let is_arbitrary = serde_json::from_str::<serde_json::Number>(long).unwrap().to_string() == long;
        for text in [long, "0.1234567890123456789"] {
            let json = to_json(&number(text)).map(|json| json.to_string());
            assert_eq!(json, if is_arbitrary { Ok(text.to_owned()) } else { Err(ToJsonError::Inexact) });
        }
        assert_eq!(to_json(&number("inf")), Err(ToJsonError::Inexact));
    }

    #[test]
    fn values_without_json_are_errors() {
        let inside = |value: Value| to_json(&Value::tuple([value]));
        assert_eq!(inside(Value::unknown(Type::Bool)), Err(ToJsonError::Unknown));
        assert_eq!(inside(Value::TRUE.with_marks(&Marks::sensitive())), Err(ToJsonError::Marked));
        let deep = (0..2000).fold(json!(1), |inner, _| Json::Array(vec![inner]));
        assert_eq!(from_json(&deep).unwrap_err(), FromJsonError::TooLarge);
        let deepest = (0..MAX_DEPTH).fold(json!(1), |inner, _| Json::Array(vec![inner]));
        assert_eq!(to_json(&from_json(&deepest).unwrap()).unwrap(), deepest);
    }
}
