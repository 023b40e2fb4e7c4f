//! Counts the elements of collections.
//!
//! The function `length` calls it, and so do `count` and `for_each` above this crate.

use super::unknown_with;
use crate::equality::length_range;
use crate::{Bound, Number, Type, Value, ValueKind};

/// Returns the number of elements of a list, set, map, tuple or object; `None` for null and for other values. The
/// length of an unknown collection is unknown, within its known bounds.
pub fn length(value: &Value) -> Option<Value> {
    let exact = |length: usize| Value::number(counted(length as u64));
    let result = match value.unmarked().kind() {
        ValueKind::List(elements) | ValueKind::Tuple(elements) => exact(elements.len()),
        ValueKind::Map(entries) | ValueKind::Object(entries) => exact(entries.len()),
        ValueKind::Set(_) => {
            let (fewest, most) = length_range(value)?;
            if fewest == most { Value::number(counted(most)) } else { bounded(value, 1, most) }
        }
        ValueKind::Unknown(unknown) => match &unknown.ty {
            Type::Tuple(elements) => exact(elements.len()),
            Type::Object(object) => exact(object.attributes().len()),
            Type::List(_) | Type::Set(_) | Type::Map(_) => {
                let refinement = &unknown.refinement;
                // The reference's lengths are signed 64-bit integers, which shows as an upper bound.
                bounded(value, refinement.length_min, refinement.length_max.unwrap_or(i64::MAX as u64))
            }
            Type::Dynamic => unknown_with(Type::Number, unknown.origins.clone()),
            Type::Bool | Type::Number | Type::String => return None,
        },
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Null(_)
        | ValueKind::Marked(..) => return None,
    };
    Some(result.with_marks(value.marks()))
}

fn bounded(value: &Value, min: u64, max: u64) -> Value {
    unknown_with(Type::Number, value.origins_deep())
        .with_lower_bound(Bound::inclusive(counted(min)))
        .with_upper_bound(Bound::inclusive(counted(max)))
}

fn counted(length: u64) -> Number {
    Number::counted(i64::try_from(length).unwrap_or(i64::MAX))
}

/// Returns the number of elements in a known collection, 0 for other values.
pub(crate) fn element_count(value: &Value) -> u64 {
    length_range(value).map_or(0, |(_, most)| most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Marks;

    #[test]
    fn unknown_lengths_are_bounded() {
        let unknown = || Value::unknown(Type::String);
        let set = Value::set(Type::Dynamic, [unknown(), Value::from("a")]);
        let range = length(&set).unwrap().range();
        assert_eq!(range.min, Some(Bound::inclusive(Number::counted(1))));
        assert_eq!(range.max, Some(Bound::inclusive(Number::counted(2))));
        let one = Value::set(Type::Dynamic, [unknown()]);
        assert_eq!(length(&one).unwrap().as_number(), Some(&Number::counted(1)));
        let tuple = Value::unknown(Type::tuple([Type::Bool, Type::Bool]));
        assert_eq!(length(&tuple).unwrap().as_number(), Some(&Number::counted(2)));
        let list = Value::unknown(Type::list(Type::Bool));
        let range = length(&list).unwrap().range();
        assert_eq!(range.max, Some(Bound::inclusive(Number::counted(i64::MAX))));
    }

    #[test]
    fn marks_stay_and_other_values_have_no_length() {
        let marked = Value::tuple([]).with_marks(&Marks::sensitive());
        assert!(length(&marked).unwrap().is_marked());
        assert!(length(&Value::from("abc")).is_none());
        assert!(length(&Value::null(Type::list(Type::Bool))).is_none());
    }
}
