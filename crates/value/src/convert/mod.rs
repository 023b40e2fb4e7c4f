//! Converts a value to a type: [`convert`] and its dispatch by type.
//!
//! The files of this folder convert collections, structural types and unknown values.

mod available;
mod collection;
mod distinct;
mod mismatch;
mod structure;
pub(crate) mod unify;
mod unknown;

pub(crate) use available::{Safety, is_convertible};

use crate::{Number, Type, Value, ValueError, ValueErrorKind, ValueKind};

/// Converts the value to type `want`, which may contain [`Type::Dynamic`] for any type and object types with optional
/// attributes. Keeps marks and, as far as they stay true, refinements of unknowns.
pub fn convert(value: &Value, want: &Type) -> Result<Value, ValueError> {
    if value.is_plain(want) {
        return Ok(value.clone());
    }
    let have = value.ty();
    if have.is_like(want) {
        return Ok(value.clone());
    }
    let converted = match is_convertible(&have, want, Safety::Unsafe) {
        true => apply(value, want, Safety::Unsafe),
        false => Err(mismatch::error(&have, want)),
    };
    converted.map_err(|error| ValueError { path: error.path.outside_of_marks(value), ..error })
}

/// Returns the work to read the long texts in a value that a conversion to type `want` makes numbers, in the unit of
/// [`Number::work_to_read`], or a larger number than `most` if it is more. A shared text counts as often as it occurs.
pub fn work_to_read_numbers(value: &Value, want: &Type, most: u64) -> u64 {
    /// Values with less text contain no text that takes work.
    const SHORT: usize = 64;
    let value = value.unmarked();
    if value.text_bytes() <= SHORT {
        return 0;
    }
    let mut work: u64 = 0;
    let mut add = |part: &Value, want: &Type| {
        if work <= most {
            work = work.saturating_add(work_to_read_numbers(part, want, most - work));
        }
    };
    match want {
        Type::Number => return value.as_str().map_or(0, Number::work_to_read),
        Type::Bool | Type::String | Type::Dynamic => {}
        Type::List(element) | Type::Set(element) | Type::Map(element) => {
            if has_number(element) {
                value.for_each_child(&mut |part| add(part, element));
            }
        }
        Type::Tuple(types) => {
            let parts = value.as_sequence().into_iter().flatten();
            parts.zip(&**types).for_each(|(part, want)| add(part, want));
        }
        Type::Object(object) => {
            for (name, want) in object.attributes() {
                value
                    .as_entries()
                    .and_then(|entries| entries.get(name))
                    .into_iter()
                    .for_each(|part| add(part, want));
            }
        }
    }
    work
}

/// Whether a value of the type may contain a number that the conversion reads.
fn has_number(ty: &Type) -> bool {
    match ty {
        Type::Number => true,
        Type::Bool | Type::String | Type::Dynamic => false,
        Type::List(element) | Type::Set(element) | Type::Map(element) => has_number(element),
        Type::Tuple(elements) => elements.iter().any(has_number),
        Type::Object(object) => object.attributes().iter().any(|(_, ty)| has_number(ty)),
    }
}

/// Whether a value of type `from` can be converted to type `to`, at least for some values.
pub fn can_convert(from: &Type, to: &Type) -> bool {
    from.is_like(to) || is_convertible(from, to, Safety::Unsafe)
}

/// Converts a part of a value whose whole type is known to be convertible.
fn convert_part(value: &Value, want: &Type, safety: Safety) -> Result<Value, ValueError> {
    let have = value.ty();
    // Inside another type, the reference treats a type with optional attributes as a different type. That shows
    // only in the marks of nulls.
    let stays = have.is_like(want) && (have == *want || !value.contains_marked());
    if stays { Ok(value.clone()) } else { apply(value, want, safety) }
}

/// Returns a part of a new value. A null loses its marks, as in the reference, but not in a list made from a tuple,
/// in a map, or in a tuple.
fn without_null_marks(value: Value) -> Value {
    if value.is_null() { value.unmarked().clone() } else { value }
}

fn apply(value: &Value, want: &Type, safety: Safety) -> Result<Value, ValueError> {
    match (value.kind(), want) {
        (ValueKind::Marked(value, marks), _) => Ok(apply(value, want, safety)?.with_marks(marks)),
        (_, Type::Dynamic) => Ok(value.clone()),
        (ValueKind::Unknown(unknown), _) => Ok(unknown::convert_unknown(unknown, want)),
        (ValueKind::Null(ty), _) => Ok(Value::null(unknown::replace_dynamic(ty, &want.without_optional()))),
        (ValueKind::Number(number), Type::String) if number.has_decimal_text() => {
            Ok(Value::from(number.to_string()))
        }
        (ValueKind::Number(_), Type::String) => {
            Err(not_convertible("the number has more than about 630,000 digits, too many for a string"))
        }
        (ValueKind::Bool(value), Type::String) => Ok(Value::from(if value { "true" } else { "false" })),
        (ValueKind::String(text), Type::Number) => to_number(text),
        (ValueKind::String(text), Type::Bool) => to_bool(text),
        (ValueKind::Object(entries), Type::Object(want)) => {
            structure::object_to_object(entries, want, safety)
        }
        (ValueKind::Map(entries), Type::Object(want)) => structure::map_to_object(entries, want, safety),
        (ValueKind::Tuple(elements), Type::Tuple(want)) => structure::tuple_to_tuple(elements, want, safety),
        (ValueKind::List(_) | ValueKind::Set(_), Type::List(want)) => {
            collection::to_list(value, want, safety)
        }
        (ValueKind::List(_) | ValueKind::Set(_), Type::Set(want)) => collection::to_set(value, want, safety),
        (ValueKind::Map(entries), Type::Map(want)) => collection::to_map(value, entries, want, safety),
        (ValueKind::Tuple(elements), Type::List(want)) => collection::tuple_to_list(elements, want, safety),
        (ValueKind::Tuple(elements), Type::Set(want)) => collection::tuple_to_set(elements, want, safety),
        (ValueKind::Object(entries), Type::Map(want)) => collection::object_to_map(entries, want, safety),
        (
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Map(_)
            | ValueKind::Tuple(_)
            | ValueKind::Object(_),
            _,
        ) => Err(mismatch::error(&value.ty(), want)),
    }
}

fn to_number(text: &str) -> Result<Value, ValueError> {
    Number::parse(text).map(Value::number).ok_or_else(|| not_convertible("a number is required"))
}

fn to_bool(text: &str) -> Result<Value, ValueError> {
    match text {
        "true" | "1" => Ok(Value::TRUE),
        "false" | "0" => Ok(Value::FALSE),
        _ => {
            let error = not_convertible("a bool is required");
            // No letter outside of ASCII has one of these letters as its lower case. A long text is not read.
            let lower = ["true", "false"].into_iter().find(|lower| text.eq_ignore_ascii_case(lower));
            Err(match lower {
                Some(lower) => error.hint(format!("Only the lower-case \"{lower}\" is a bool.")),
                None => error,
            })
        }
    }
}

fn not_convertible(message: impl Into<String>) -> ValueError {
    ValueError::new(ValueErrorKind::NotConvertible, message)
}

#[cfg(test)]
mod tests;
