//! Logical operators on values.
//!
//! `||`, `&&` and `!`, with the shortcut by which one operand decides.

use super::{operand, operands, reject_null, unknown};
use crate::{Operand, Type, Value, ValueError};

/// A logical operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logical {
    /// The operator `||`.
    Or,
    /// The operator `&&`.
    And,
}

/// A result that one operand alone decides.
#[derive(Clone, Debug)]
pub struct Shortcut {
    /// The result, with the marks of both operands.
    pub value: Value,
    /// The operand that decides; errors of the other operand are ignored.
    pub decided_by: Operand,
}

/// Evaluates `left || right`, without the shortcut.
pub fn or(left: &Value, right: &Value) -> Result<Value, ValueError> {
    binary(left, right, |left, right| left || right)
}

/// Evaluates `left && right`, without the shortcut.
pub fn and(left: &Value, right: &Value) -> Result<Value, ValueError> {
    binary(left, right, |left, right| left && right)
}

/// Evaluates `!value`.
pub fn not(value: &Value) -> Result<Value, ValueError> {
    let value = operand(value, &Type::Bool, Operand::Only)?;
    reject_null(&value, Operand::Only)?;
    let result = match value.as_bool() {
        Some(known) => Value::from(!known),
        None => unknown(Type::Bool, [&value, &value]),
    };
    Ok(result.with_marks(value.marks()))
}

/// Returns the result if one operand of `||` or `&&` decides it, as in HCL 2.24; `None` if [`or`] or [`and`] has to
/// compute it. The operands must have been converted by [`operand`]. `failed` says for the left and the right one whether its
/// evaluation met an error. A null counts as false here.
pub fn shortcut(operator: Logical, left: &Value, right: &Value, failed: [bool; 2]) -> Option<Shortcut> {
    let [left_failed, right_failed] = failed;
    let deciding = operator == Logical::Or;
    let truth = |value: &Value| value.is_known().then(|| value.as_bool().unwrap_or(false));
    // The errors of the right operand are ignored, so they are no reason either.
    let undecided = || unknown(Type::Bool, [left, if right_failed { left } else { right }]);
    let (value, decided_by) = match (truth(left), truth(right)) {
        (Some(value), _) if value == deciding => (Value::from(deciding), Operand::Left),
        (_, Some(value)) if value == deciding => (Value::from(deciding), Operand::Right),
        (None, None) if left_failed => return None,
        (None, _) => (undecided(), Operand::Left),
        (Some(_), None) => (undecided(), Operand::Right),
        (Some(_), Some(_)) => return None,
    };
    let value = value.with_marks(left.marks()).with_marks(right.marks());
    Some(Shortcut { value, decided_by })
}

fn binary(
    left: &Value,
    right: &Value,
    compute: impl FnOnce(bool, bool) -> bool,
) -> Result<Value, ValueError> {
    let (left, right) = operands(left, right, &Type::Bool)?;
    reject_null(&left, Operand::Left)?;
    reject_null(&right, Operand::Right)?;
    let result = match (left.as_bool(), right.as_bool()) {
        (Some(left), Some(right)) => Value::from(compute(left, right)),
        (None, _) | (_, None) => unknown(Type::Bool, [&left, &right]),
    };
    Ok(result.with_marks(left.marks()).with_marks(right.marks()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Marks, ValueErrorKind};

    fn unknown_bool() -> Value {
        Value::unknown(Type::Bool)
    }

    fn null_bool() -> Value {
        Value::null(Type::Bool)
    }

    #[test]
    fn without_the_shortcut_every_operand_counts() {
        assert_eq!(and(&Value::from("true"), &Value::TRUE).unwrap().as_bool(), Some(true));
        assert!(!and(&unknown_bool(), &Value::FALSE).unwrap().is_known());
        assert_eq!(or(&null_bool(), &Value::TRUE).unwrap_err().kind, ValueErrorKind::OperationFailed);
        assert_eq!(
            and(&Value::TRUE, &Value::from("x")).unwrap_err().kind,
            ValueErrorKind::InvalidOperand(Operand::Right)
        );
        assert_eq!(not(&Value::NULL).unwrap_err().kind, ValueErrorKind::OperationFailed);
    }

    #[test]
    fn either_side_decides() {
        let decide = |operator, left: &Value, right: &Value| {
            let shortcut = shortcut(operator, left, right, [false, false])?;
            Some((shortcut.value.as_bool(), shortcut.decided_by))
        };
        let (unknown, null) = (unknown_bool(), null_bool());
        assert_eq!(decide(Logical::Or, &Value::TRUE, &unknown), Some((Some(true), Operand::Left)));
        assert_eq!(decide(Logical::Or, &unknown, &Value::TRUE), Some((Some(true), Operand::Right)));
        assert_eq!(decide(Logical::And, &null, &Value::TRUE), Some((Some(false), Operand::Left)));
        assert_eq!(decide(Logical::And, &Value::TRUE, &null), Some((Some(false), Operand::Right)));
        assert_eq!(decide(Logical::Or, &null, &Value::TRUE), Some((Some(true), Operand::Right)));
        assert_eq!(decide(Logical::Or, &null, &Value::FALSE), None);
        assert_eq!(decide(Logical::Or, &null, &unknown), Some((None, Operand::Right)));
        assert_eq!(decide(Logical::And, &unknown, &Value::TRUE), Some((None, Operand::Left)));
        assert_eq!(decide(Logical::And, &unknown, &unknown), Some((None, Operand::Left)));
        assert!(shortcut(Logical::And, &unknown, &unknown, [true, false]).is_none());
        let undecided = shortcut(Logical::And, &unknown, &Value::error(), [false, true]).unwrap().value;
        assert!(undecided.origins().as_slice().is_empty(), "an ignored error is no reason");
        let marked = Value::TRUE.with_marks(&Marks::sensitive());
        assert!(shortcut(Logical::Or, &Value::TRUE, &marked, [false, false]).unwrap().value.is_marked());
    }
}
