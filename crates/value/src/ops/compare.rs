//! Equality and order of values as operators.
//!
//! `==` and `<` on possibly unknown and marked operands; structural equality is in `equality`.

use std::cmp::Ordering;

use super::{operands, reject_null, unknown, unknown_with};
use crate::{Bound, Number, Operand, Origins, Refinement, Type, Value, ValueError, ValueKind};

/// Evaluates `left == right`.
///
/// No value is converted, nulls of any types are equal, and the result has all marks of both values and of everything
/// inside them.
pub fn equal(left: &Value, right: &Value) -> Value {
    equality(left, right, |left, right| left.equals(right), &Origins::NONE)
}

/// Does the same as [`equal`], for a value in the configuration of a resource without a schema. The provider may
/// convert it to another primitive type, so primitive values of different types may be equal. If so, the result is
/// unknown because of `origins`.
pub fn equal_configured(left: &Value, right: &Value, origins: &Origins) -> Value {
    equality(left, right, equals_configured, origins)
}

fn equals_configured(left: &Value, right: &Value) -> Option<bool> {
    match (left.kind(), right.kind()) {
        (ValueKind::String(_), ValueKind::Number(_) | ValueKind::Bool(_))
        | (ValueKind::Number(_) | ValueKind::Bool(_), ValueKind::String(_)) => None,
        (ValueKind::Tuple(left), ValueKind::Tuple(right)) if left.len() == right.len() => {
            all_equal(left.iter().zip(right))
        }
        (ValueKind::Object(left), ValueKind::Object(right)) if left.keys().eq(right.keys()) => {
            all_equal(left.values().zip(right.values()))
        }
        (
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Map(_)
            | ValueKind::Tuple(_)
            | ValueKind::Object(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_)
            | ValueKind::Marked(..),
            _,
        ) => left.equals(right),
    }
}

/// Whether all pairs of parts are equal: certainly not if one pair is not.
fn all_equal<'v>(pairs: impl Iterator<Item = (&'v Value, &'v Value)>) -> Option<bool> {
    let mut equal = Some(true);
    for (left, right) in pairs {
        match equals_configured(left, right) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => equal = None,
        }
    }
    equal
}

fn equality(
    left: &Value,
    right: &Value,
    equals: fn(&Value, &Value) -> Option<bool>,
    origins: &Origins,
) -> Value {
    // Most comparisons are of plain values.
    if let (ValueKind::Number(_), ValueKind::Number(_)) | (ValueKind::String(_), ValueKind::String(_)) =
        (left.kind(), right.kind())
        && let Some(equal) = equals(left, right)
    {
        return Value::from(equal);
    }
    let (left, left_marks) = left.unmark_deep();
    let (right, right_marks) = right.unmark_deep();
    let result = match equals(&left, &right) {
        Some(equal) => Value::from(equal),
        None => unknown_with(Type::Bool, left.origins_deep().union(&right.origins_deep()).union(origins)),
    };
    result.with_marks(&left_marks).with_marks(&right_marks)
}

/// Evaluates `left < right`.
pub fn less(left: &Value, right: &Value) -> Result<Value, ValueError> {
    binary(left, right, Ordering::Less, false)
}

/// Evaluates `left <= right`.
pub fn less_or_equal(left: &Value, right: &Value) -> Result<Value, ValueError> {
    binary(left, right, Ordering::Less, true)
}

/// Evaluates `left > right`.
pub fn greater(left: &Value, right: &Value) -> Result<Value, ValueError> {
    binary(left, right, Ordering::Greater, false)
}

/// Evaluates `left >= right`.
pub fn greater_or_equal(left: &Value, right: &Value) -> Result<Value, ValueError> {
    binary(left, right, Ordering::Greater, true)
}

fn binary(left: &Value, right: &Value, wanted: Ordering, or_equal: bool) -> Result<Value, ValueError> {
    // Two numbers can be equal by their decimal texts although one is slightly greater.
    let compare =
        |left: &Number, right: &Number| left.compare(right) == wanted || (or_equal && left == right);
    if let (ValueKind::Number(left), ValueKind::Number(right)) = (left.kind(), right.kind()) {
        return Ok(Value::from(compare(left, right)));
    }
    let (left, right) = operands(left, right, &Type::Number)?;
    reject_null(&left, Operand::Left)?;
    reject_null(&right, Operand::Right)?;
    let answer = match (left.as_number(), right.as_number()) {
        (Some(left), Some(right)) => Some(compare(left, right)),
        (None, _) | (_, None) => {
            let ordered = ordered_by_bounds(&left.range(), &right.range(), wanted);
            if or_equal { either(ordered, left.equals(&right)) } else { ordered }
        }
    };
    let result = answer.map_or_else(|| unknown(Type::Bool, [&left, &right]), Value::from);
    Ok(result.with_marks(left.marks()).with_marks(right.marks()))
}

fn either(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        (None, _) | (_, None) => None,
    }
}

/// Returns the order if the bounds decide it. As in the reference, a bound counts as if it were excluded.
fn ordered_by_bounds(left: &Refinement, right: &Refinement, wanted: Ordering) -> Option<bool> {
    let is_below = |max: &Option<Bound>, min: &Option<Bound>| match (max, min) {
        (Some(max), Some(min)) => max.number.compare(&min.number).is_lt(),
        (None, _) | (_, None) => false,
    };
    let left_below = is_below(&left.max, &right.min);
    let right_below = is_below(&right.max, &left.min);
    match wanted {
        Ordering::Less if left_below => Some(true),
        Ordering::Less if right_below => Some(false),
        Ordering::Greater if right_below => Some(true),
        Ordering::Greater if left_below => Some(false),
        Ordering::Less | Ordering::Greater | Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Marks, OriginKind, ValueErrorKind};

    fn number(value: i64) -> Value {
        Value::number(Number::literal(value))
    }

    fn between(min: i64, max: i64) -> Value {
        Value::unknown(Type::Number)
            .not_null()
            .with_lower_bound(Bound::inclusive(Number::literal(min)))
            .with_upper_bound(Bound::inclusive(Number::literal(max)))
    }

    #[test]
    fn equality_takes_all_marks_and_origins() {
        let sensitive = |value: Value| value.with_marks(&Marks::sensitive());
        let tuple = Value::tuple([sensitive(Value::TRUE)]);
        let result = equal(&tuple, &Value::NULL);
        assert!(result.is_marked());
        assert_eq!(result.as_bool(), Some(false));
        let origins = Origins::one(OriginKind::Variable, "var.a");
        let inside = Value::tuple([Value::unknown_from(Type::Bool, origins)]);
        let result = equal(&inside, &Value::tuple([Value::TRUE]));
        assert!(!result.is_known() && result.is_never_null());
        assert_eq!(result.origins().as_slice().len(), 1);
    }

    #[test]
    fn values_that_a_provider_may_convert_may_be_equal() {
        assert_eq!(equal(&Value::from("443"), &number(443)).as_bool(), Some(false));
        let origins = Origins::one(OriginKind::ResourceAttribute, "a.b.port");
        let result = equal_configured(&Value::from("443"), &number(443), &origins);
        assert!(!result.is_known());
        assert_eq!(result.origins().as_slice(), origins.as_slice());
        let result = equal_configured(&Value::from("443"), &Value::from("443"), &origins);
        assert_eq!(result.as_bool(), Some(true));
    }

    #[test]
    fn numbers_are_compared_after_conversion() {
        assert_eq!(greater(&Value::from("10"), &Value::from("9")).unwrap().as_bool(), Some(true));
        assert_eq!(less_or_equal(&number(2), &number(2)).unwrap().as_bool(), Some(true));
        assert_eq!(
            less(&Value::TRUE, &number(1)).unwrap_err().kind,
            ValueErrorKind::InvalidOperand(Operand::Left)
        );
        assert_eq!(less(&Value::NULL, &number(1)).unwrap_err().kind, ValueErrorKind::OperationFailed);
    }

    #[test]
    fn bounds_decide_as_if_they_were_exclusive() {
        let decided = |result: Result<Value, ValueError>| result.unwrap().as_bool();
        assert_eq!(decided(less(&between(1, 5), &number(10))), Some(true));
        assert_eq!(decided(greater(&between(1, 5), &number(10))), Some(false));
        assert_eq!(decided(greater(&between(0, 5), &number(-1))), Some(true));
        assert_eq!(decided(greater_or_equal(&between(0, 5), &number(0))), None);
        assert_eq!(decided(less(&between(0, 5), &number(0))), None);
        assert_eq!(decided(less_or_equal(&between(1, 5), &number(10))), Some(true));
    }
}
