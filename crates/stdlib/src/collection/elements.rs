//! The elements of lists, sets and tuples, known or open.

use terrane_value::{SmolStr, Type, Value, ValueKind};

/// Returns the text of a known string; `None` for any other value.
pub(super) fn text(value: &Value) -> Option<&SmolStr> {
    if let ValueKind::String(text) = value.unmarked().kind() { Some(text) } else { None }
}

/// Returns the elements of a list, a tuple or an open sequence, for functions that refuse sets: a list and a tuple read the
/// same. Returns `None` for any other value, and for an open sequence without elements, because its element type is unknown.
pub(super) fn indexed_elements(value: &Value) -> Option<&[Value]> {
    match value.as_unknown() {
        Some(unknown) => unknown.plain_elements().filter(|elements| !elements.is_empty()),
        None => value.as_sequence(),
    }
}

/// Whether the value is, or will be, a list, set or tuple. Avoids computing the type of a large tuple.
pub(super) fn is_sequence(value: &Value) -> bool {
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

/// Whether a value of this type may be a list, set or tuple.
pub(super) fn may_be_sequence(ty: &Type) -> bool {
    is_sequence_type(ty) || *ty == Type::Dynamic
}

/// Whether the value is a known tuple.
pub(super) fn is_tuple(value: &Value) -> bool {
    matches!(value.unmarked().kind(), ValueKind::Tuple(_))
}

/// Whether the value is a known set.
pub(super) fn is_set(value: &Value) -> bool {
    matches!(value.unmarked().kind(), ValueKind::Set(_))
}
