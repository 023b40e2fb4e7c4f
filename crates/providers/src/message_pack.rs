//! Values as MessagePack, as providers read and write them.
//!
//! The type decides how a value is encoded: a list, a set and a tuple are arrays, a map and an object are maps. For a dynamic
//! type, the value is an array of its own type, as JSON, and itself. An extension is an unknown value.

use std::collections::BTreeMap;

use rmpv::Value as Packed;
use terrane::value::json::{decode_type, encode_type};
use terrane::value::{Entries, Number, SmolStr, Type, Value, ValueKind};

use crate::failure::Failure;

/// The deepest nesting of an answer.
const MAX_DEPTH: usize = 128;

/// Encodes a known value without marks. Its type is `ty`, or any type if `ty` is dynamic.
pub(crate) fn encode(value: &Value, ty: &Type) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    rmpv::encode::write_value(&mut bytes, &packed(value, ty)?)
        .map_err(|error| Failure::new(format!("a value cannot be encoded: {error}")))?;
    Ok(bytes)
}

fn packed(value: &Value, ty: &Type) -> Result<Packed, Failure> {
    let own = value.ty();
    if *ty == Type::Dynamic && own != Type::Dynamic {
        let of_type = Packed::Binary(encode_type(&own).into_bytes());
        return Ok(Packed::Array(vec![of_type, packed(value, &own)?]));
    }
    Ok(match value.kind() {
        ValueKind::Null(_) => Packed::Nil,
        ValueKind::Bool(value) => Packed::Boolean(value),
        ValueKind::String(text) => Packed::from(text.as_str()),
        ValueKind::Number(number) => packed_number(number),
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            let element = |(index, element)| packed(element, element_type(ty, index));
            Packed::Array(elements.iter().enumerate().map(element).collect::<Result<_, _>>()?)
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => packed_entries(entries, ty)?,
        ValueKind::Unknown(_) | ValueKind::Marked(..) => {
            return Err(Failure::new("only known values can be encoded"));
        }
    })
}

/// Returns the encoding of a number. Integers of 64 bits and fractions that are floating-point numbers are encoded as such, all
/// other numbers as text.
fn packed_number(number: &Number) -> Packed {
    if let Some(integer) = number.to_i64() {
        return Packed::from(integer);
    }
    let float = number.to_f64();
    match Number::from_f64(float) {
        Some(same) if !number.is_integer() && same.compare(number).is_eq() => Packed::F64(float),
        Some(_) | None => Packed::from(number.to_string()),
    }
}

fn packed_entries(entries: &Entries, ty: &Type) -> Result<Packed, Failure> {
    let entry = |(name, value): (&SmolStr, &Value)| {
        Ok((Packed::from(name.as_str()), packed(value, entry_type(ty, name))?))
    };
    entries.iter().map(entry).collect::<Result<_, Failure>>().map(Packed::Map)
}

/// Returns the type of an element of a sequence.
fn element_type(ty: &Type, index: usize) -> &Type {
    let own = if let Type::Tuple(elements) = ty { elements.get(index) } else { ty.element() };
    own.unwrap_or(&Type::Dynamic)
}

/// Returns the type of an element of a map, or of an attribute of an object.
fn entry_type<'t>(ty: &'t Type, name: &str) -> &'t Type {
    let own = if let Type::Object(object) = ty { object.get(name) } else { ty.element() };
    own.unwrap_or(&Type::Dynamic)
}

/// Decodes a value of a type. `None` if a part of it is unknown.
pub(crate) fn decode(bytes: &[u8], ty: &Type) -> Result<Option<Value>, Failure> {
    let mut rest = bytes;
    let packed = rmpv::decode::read_value_with_max_depth(&mut rest, MAX_DEPTH)
        .map_err(|error| Failure::new(format!("the answer is not MessagePack: {error}")))?;
    if rest.is_empty() { value(&packed, ty) } else { Err(Failure::new("the answer has more than one value")) }
}

fn value(packed: &Packed, ty: &Type) -> Result<Option<Value>, Failure> {
    let wrong = || Failure::new(format!("the answer has a value that is no {ty}"));
    match packed {
        Packed::Ext(..) => return Ok(None),
        Packed::Nil => return Ok(Some(Value::null(ty.clone()))),
        Packed::Boolean(_) | Packed::Integer(_) | Packed::F32(_) | Packed::F64(_) => {}
        Packed::String(_) | Packed::Binary(_) | Packed::Array(_) | Packed::Map(_) => {}
    }
    let found = match ty {
        Type::Bool => packed.as_bool().map(Value::from),
        Type::String => packed.as_str().map(Value::string),
        Type::Number => number(packed).map(Value::number),
        Type::Dynamic => {
            let Some([of_type, inner]) = packed.as_array().map(Vec::as_slice) else { return Err(wrong()) };
            let text = of_type.as_slice().and_then(|bytes| std::str::from_utf8(bytes).ok());
            let own = text.and_then(|text| decode_type(text).ok()).ok_or_else(wrong)?;
            return if own == Type::Dynamic { Err(wrong()) } else { value(inner, &own) };
        }
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => {
            return sequence(packed.as_array().ok_or_else(wrong)?, ty);
        }
        Type::Map(_) | Type::Object(_) => return mapping(packed.as_map().ok_or_else(wrong)?, ty),
    };
    found.map(Some).ok_or_else(wrong)
}

fn number(packed: &Packed) -> Option<Number> {
    match packed {
        Packed::Integer(integer) => Number::parse(&integer.to_string()),
        Packed::F32(float) => Number::from_f64(f64::from(*float)),
        Packed::F64(float) => Number::from_f64(*float),
        Packed::String(text) => Number::parse(text.as_str()?),
        Packed::Nil | Packed::Boolean(_) | Packed::Binary(_) => None,
        Packed::Array(_) | Packed::Map(_) | Packed::Ext(..) => None,
    }
}

fn sequence(elements: &[Packed], ty: &Type) -> Result<Option<Value>, Failure> {
    if let Type::Tuple(types) = ty
        && types.len() != elements.len()
    {
        return Err(Failure::new(format!("the answer has a value that is no {ty}")));
    }
    let decoded = elements.iter().enumerate().map(|(index, element)| value(element, element_type(ty, index)));
    let Some(values) = decoded.collect::<Result<Option<Vec<Value>>, Failure>>()? else { return Ok(None) };
    Ok(Some(match ty {
        Type::List(element) => Value::list((**element).clone(), values),
        Type::Set(element) => Value::set((**element).clone(), values),
        Type::Bool
        | Type::Number
        | Type::String
        | Type::Dynamic
        | Type::Map(_)
        | Type::Tuple(_)
        | Type::Object(_) => Value::tuple(values),
    }))
}

fn mapping(entries: &[(Packed, Packed)], ty: &Type) -> Result<Option<Value>, Failure> {
    let wrong = || Failure::new(format!("the answer has a value that is no {ty}"));
    let mut values = BTreeMap::new();
    for (name, entry) in entries {
        let name = name.as_str().ok_or_else(wrong)?;
        let Some(entry) = value(entry, entry_type(ty, name))? else { return Ok(None) };
        values.insert(SmolStr::from(name), entry);
    }
    let Type::Object(object) = ty else {
        let element = entry_type(ty, "").clone();
        return Ok(Some(Value::map(element, values)));
    };
    let attributes = object.attributes();
    let is_whole = attributes.iter().all(|(name, _)| values.contains_key(name));
    if is_whole && values.len() == attributes.len() { Ok(Some(Value::object(values))) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    use terrane::value::json::encode as json_of;

    fn json(value: &Value) -> String {
        json_of(value).unwrap()
    }

    fn round_trip(text: &str, ty: &Type) {
        let value = terrane::value::json::decode_stored(text, ty).unwrap();
        let bytes = encode(&value, ty).unwrap();
        let decoded = decode(&bytes, ty).unwrap().unwrap();
        assert_eq!(decoded.ty(), value.ty(), "{text}");
        assert_eq!(json(&decoded), json(&value), "{text}");
    }

    #[test]
    fn values_are_the_same_after_both_ways() {
        for (ty, text) in [
            (r#""string""#, r#""ä""#),
            (r#""string""#, "null"),
            (r#""bool""#, "true"),
            (r#""number""#, "12"),
            (r#""number""#, "-0.5"),
            (r#""number""#, "340282366920938463463374607431768211457"),
            (r#""number""#, "0.1"),
            (r#"["list","string"]"#, r#"["b","a"]"#),
            (r#"["set",["list","number"]]"#, "[[1],[]]"),
            (r#"["map","bool"]"#, r#"{"a":true,"b":null}"#),
            (r#"["tuple",["string","number"]]"#, r#"["a",1]"#),
            (
                r#"["object",{"a":"string","b":["list","dynamic"]}]"#,
                r#"{"a":null,"b":[{"value":1,"type":"number"}]}"#,
            ),
            (r#""dynamic""#, r#"{"value":{"a":["x"]},"type":["object",{"a":["set","string"]}]}"#),
        ] {
            round_trip(text, &decode_type(ty).unwrap());
        }
    }

    /// The bytes are the same that Terraform writes.
    #[test]
    fn bytes_follow_the_type() {
        let text = Value::from("a");
        assert_eq!(encode(&text, &Type::String).unwrap(), b"\xa1a");
        assert_eq!(encode(&text, &Type::Dynamic).unwrap(), b"\x92\xc4\x08\"string\"\xa1a");
        assert_eq!(encode(&Value::NULL, &Type::Dynamic).unwrap(), b"\xc0");
        assert_eq!(encode(&Value::from(300), &Type::Number).unwrap(), b"\xcd\x01\x2c");
        let number = |text: &str| Value::number(Number::parse(text).unwrap());
        assert_eq!(encode(&number("0.5"), &Type::Number).unwrap(), b"\xcb\x3f\xe0\0\0\0\0\0\0");
        assert_eq!(encode(&number("0.1"), &Type::Number).unwrap(), b"\xa30.1");
        assert_eq!(encode(&number("1e19"), &Type::Number).unwrap(), b"\xb410000000000000000000");
    }

    #[test]
    fn other_bytes_are_errors_or_unknown() {
        let list = Type::List(Type::String.into());
        assert!(decode(b"\x91\xd4\x00\x00", &list).unwrap().is_none());
        for bytes in [
            &b"\x91\x01"[..],
            b"\xa1a",
            b"",
            b"\x91\xa1a\xc0",
            b"\xdd\xff\xff\xff\xff",
            &b"\x91".repeat(1000),
        ] {
            assert!(decode(bytes, &list).is_err(), "{bytes:?}");
        }
        let object = decode_type(r#"["object",{"a":"string"}]"#).unwrap();
        assert!(decode(b"\x80", &object).is_err() && decode(b"\x81\xa1b\xa1x", &object).is_err());
    }
}
