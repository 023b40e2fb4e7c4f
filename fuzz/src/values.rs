//! Types and values of every kind from bytes.

use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use terrane_value::{
    Bound, Mark, Marks, Number, ObjectType, OriginKind, Origins, SmolStr, Type, Value, convert,
};

/// How deeply generated values and types are nested.
const DEPTH: u32 = 4;

/// A type, with dynamic parts and optional attributes.
pub fn ty(bytes: &mut Unstructured<'_>) -> Result<Type> {
    type_at(bytes, DEPTH)
}

/// Any value that the constructors can give.
pub fn value(bytes: &mut Unstructured<'_>) -> Result<Value> {
    value_at(bytes, DEPTH)
}

/// A number: small, from text, counted, or computed by 64-bit floating point.
pub fn number(bytes: &mut Unstructured<'_>) -> Result<Number> {
    Ok(match bytes.int_in_range(0..=5)? {
        0 => Number::literal(bytes.int_in_range(-3..=20)?),
        1 => Number::counted(bytes.arbitrary()?),
        2 => Number::from_f64(bytes.arbitrary()?).unwrap_or(Number::literal(0)),
        3 => Number::infinity(bytes.arbitrary()?),
        4 => {
            let mantissa: i64 = bytes.arbitrary()?;
            let exponent = bytes.int_in_range(-400..=400)?;
            Number::parse(&format!("{mantissa}e{exponent}")).unwrap_or(Number::literal(1))
        }
        _ => Number::parse(bytes.arbitrary()?).unwrap_or(Number::literal(2)),
    })
}

fn word(bytes: &mut Unstructured<'_>) -> Result<SmolStr> {
    const WORDS: [&str; 12] =
        ["", "a", "b", "c", "1", "01", "true", "0.5", "e\u{301}", "\u{e9}", "line\nline\n", "${x}"];
    let text = if bytes.ratio(3, 4)? { bytes.choose(&WORDS)? } else { bytes.arbitrary::<&str>()? };
    Ok(SmolStr::from(&*Value::normalize(text)))
}

fn several<T>(
    bytes: &mut Unstructured<'_>,
    mut one: impl FnMut(&mut Unstructured<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    (0..bytes.int_in_range(0..=4)?).map(|_| one(bytes)).collect()
}

fn type_at(bytes: &mut Unstructured<'_>, depth: u32) -> Result<Type> {
    let inner = |bytes: &mut Unstructured<'_>| type_at(bytes, depth - 1);
    Ok(match bytes.int_in_range(0..=if depth == 0 { 3 } else { 8 })? {
        0 => Type::Bool,
        1 => Type::Number,
        2 => Type::String,
        3 => Type::Dynamic,
        4 => Type::list(inner(bytes)?),
        5 => Type::set(inner(bytes)?),
        6 => Type::map(inner(bytes)?),
        7 => Type::tuple(several(bytes, inner)?),
        _ => {
            let attributes = several(bytes, |bytes| Ok((word(bytes)?, inner(bytes)?)))?;
            let mut optional = Vec::new();
            for (name, _) in &attributes {
                if bytes.ratio(1, 3)? {
                    optional.push(name.clone());
                }
            }
            Type::Object(Arc::new(ObjectType::with_optional(attributes, optional)))
        }
    })
}

fn value_at(bytes: &mut Unstructured<'_>, depth: u32) -> Result<Value> {
    let inner = |bytes: &mut Unstructured<'_>| value_at(bytes, depth - 1);
    let entry = |bytes: &mut Unstructured<'_>| Ok((word(bytes)?, value_at(bytes, depth - 1)?));
    let value = match bytes.int_in_range(0..=if depth == 0 { 5 } else { 10 })? {
        0 => Value::from(bytes.arbitrary::<bool>()?),
        1 => Value::number(number(bytes)?),
        2 | 3 => Value::string(word(bytes)?),
        4 => Value::null(ty(bytes)?.without_optional()),
        5 => unknown(bytes)?,
        6 | 7 => Value::tuple(several(bytes, inner)?),
        8 => Value::object(several(bytes, entry)?),
        9 => {
            let origins = Origins::one(OriginKind::ResourceAttribute, "test_resource.a");
            if bytes.arbitrary()? {
                Value::open_object(several(bytes, entry)?.into_iter().collect(), origins)
            } else {
                Value::open_sequence(several(bytes, inner)?, origins)
            }
        }
        _ => {
            let whole = value_at(bytes, depth - 1)?;
            let want = type_at(bytes, 2)?;
            convert(&whole, &want).unwrap_or(whole)
        }
    };
    Ok(match bytes.int_in_range(0..=15)? {
        0 => value.with_marks(&Marks::sensitive()),
        1 => value.with_marks(&Marks::one(Mark::Ephemeral)),
        2 => value.with_marks(&Marks::one(Mark::Deprecated("old".into()))),
        _ => value,
    })
}

fn unknown(bytes: &mut Unstructured<'_>) -> Result<Value> {
    let origins =
        if bytes.arbitrary()? { Origins::one(OriginKind::Variable, word(bytes)?) } else { Origins::NONE };
    let mut value = Value::unknown_from(ty(bytes)?.without_optional(), origins);
    for _ in 0..bytes.int_in_range(0..=3)? {
        value = match bytes.int_in_range(0..=5)? {
            0 => value.not_null(),
            1 => value.with_prefix(&word(bytes)?),
            2 => value.with_full_prefix(&word(bytes)?),
            3 => value.with_lower_bound(Bound { number: number(bytes)?, is_inclusive: bytes.arbitrary()? }),
            4 => value.with_upper_bound(Bound { number: number(bytes)?, is_inclusive: bytes.arbitrary()? }),
            _ => {
                let min = bytes.int_in_range(0..=3)?;
                value.with_length_bounds(min, bytes.arbitrary::<Option<u8>>()?.map(u64::from))
            }
        };
    }
    Ok(value)
}
