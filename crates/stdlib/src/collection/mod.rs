//! Functions on lists, sets, tuples, maps and objects.

mod element;
mod map;
mod sequence;
mod summary;
#[cfg(test)]
mod tests;

use terrane_function::Function;
use terrane_value::{Number, SmolStr, Type, Value, ValueKind};

pub(crate) fn functions() -> Vec<Function> {
    let nouns = [element::functions, map::functions, sequence::functions, summary::functions];
    nouns.into_iter().flat_map(|noun| noun()).collect()
}

/// The number that tells how many there are of something.
pub(crate) fn count(count: usize) -> Value {
    Value::number(Number::counted(i64::try_from(count).unwrap_or(i64::MAX)))
}

/// The whole number that `value` is, where it is known and fits 64 bits.
pub(crate) fn whole(value: &Value) -> Option<i64> {
    value.as_number().and_then(Number::to_i64)
}

/// The text of a known string.
fn text(value: &Value) -> Option<&SmolStr> {
    if let ValueKind::String(text) = value.unmarked().kind() { Some(text) } else { None }
}

/// The elements of a list or tuple, and of an open sequence: a function for which a set is an error reads the same of a list and
/// of a tuple. An open one without elements gives nothing, as there is none to read and none that tells their type.
fn in_place(value: &Value) -> Option<&[Value]> {
    match value.as_unknown() {
        Some(unknown) => unknown.plain_elements().filter(|elements| !elements.is_empty()),
        None => value.as_sequence(),
    }
}

/// Whether the value is, or will be, a list, set or tuple. Looks at no more of its type than it has to: the type
/// of a large tuple takes time to make.
fn is_sequence(value: &Value) -> bool {
    match value.unmarked().kind() {
        ValueKind::List(_) | ValueKind::Set(_) | ValueKind::Tuple(_) => true,
        ValueKind::Null(ty) => is_sequence_type(ty),
        ValueKind::Unknown(unknown) => is_sequence_type(&unknown.ty),
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Map(_)
        | ValueKind::Object(_)
        | ValueKind::Marked(..) => false,
    }
}

fn is_sequence_type(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_))
}

/// Whether the value is a known set.
fn is_set(value: &Value) -> bool {
    matches!(value.unmarked().kind(), ValueKind::Set(_))
}
