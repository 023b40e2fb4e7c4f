//! Arithmetic operators on values.
//!
//! Converts operands to numbers, then computes with [`Number`]; unknown operands give refined unknown results.

use super::{failed, operand, operands, reject_null, unknown};
use crate::{Number, NumberError, Operand, Type, Value, ValueError, ValueKind};

/// Evaluates `left + right`.
pub fn add(left: &Value, right: &Value) -> Result<Value, ValueError> {
    binary(left, right, Number::add)
}

/// Evaluates `left - right`.
pub fn subtract(left: &Value, right: &Value) -> Result<Value, ValueError> {
    binary(left, right, Number::subtract)
}

/// Evaluates `left * right`.
pub fn multiply(left: &Value, right: &Value) -> Result<Value, ValueError> {
    binary(left, right, Number::multiply)
}

/// Evaluates `left / right`.
pub fn divide(left: &Value, right: &Value) -> Result<Value, ValueError> {
    binary(left, right, Number::divide)
}

/// Evaluates `left % right`.
pub fn modulo(left: &Value, right: &Value) -> Result<Value, ValueError> {
    binary(left, right, Number::remainder)
}

/// Evaluates `-value`.
pub fn negate(value: &Value) -> Result<Value, ValueError> {
    let value = operand(value, &Type::Number, Operand::Only)?;
    reject_null(&value, Operand::Only)?;
    let result = match value.as_number() {
        Some(number) => Value::number(number.negate()),
        None => unknown(Type::Number, [&value, &value]),
    };
    Ok(result.with_marks(value.marks()))
}

fn binary(
    left: &Value,
    right: &Value,
    compute: fn(&Number, &Number) -> Result<Number, NumberError>,
) -> Result<Value, ValueError> {
    let compute = |left: &Number, right: &Number| {
        compute(left, right).map(Value::number).map_err(|error| failed(error.to_string()))
    };
    if let (ValueKind::Number(left), ValueKind::Number(right)) = (left.kind(), right.kind()) {
        return compute(left, right);
    }
    let (left, right) = operands(left, right, &Type::Number)?;
    reject_null(&left, Operand::Left)?;
    reject_null(&right, Operand::Right)?;
    let result = match (left.as_number(), right.as_number()) {
        (Some(left), Some(right)) => compute(left, right)?,
        (None, _) | (_, None) => unknown(Type::Number, [&left, &right]),
    };
    Ok(result.with_marks(left.marks()).with_marks(right.marks()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Marks, OriginKind, Origins, ValueErrorKind};

    fn number(text: &str) -> Value {
        Value::number(Number::parse(text).unwrap())
    }

    fn text(result: Result<Value, ValueError>) -> String {
        result.unwrap().as_number().unwrap().to_string()
    }

    #[test]
    fn operands_are_converted() {
        assert_eq!(text(add(&Value::from("5"), &number("6"))), "11");
        assert_eq!(text(multiply(&Value::from("3"), &Value::from("4"))), "12");
        let error = add(&number("1"), &Value::TRUE).unwrap_err();
        assert_eq!(error.kind, ValueErrorKind::InvalidOperand(Operand::Right));
        let error = negate(&Value::from("a")).unwrap_err();
        assert_eq!(error.kind, ValueErrorKind::InvalidOperand(Operand::Only));
    }

    #[test]
    fn there_are_no_results_for_null_and_some_infinities() {
        assert_eq!(add(&Value::NULL, &number("1")).unwrap_err().kind, ValueErrorKind::OperationFailed);
        assert_eq!(divide(&number("0"), &number("0")).unwrap_err().kind, ValueErrorKind::OperationFailed);
        assert_eq!(text(divide(&number("1"), &number("0"))), "+Inf");
        assert_eq!(text(modulo(&number("5"), &number("0"))), "5");
        assert_eq!(text(modulo(&number("-7"), &number("3"))), "-1");
    }

    #[test]
    fn unknown_results_are_not_null_and_keep_marks_and_origins() {
        let var = |name: &str| Value::unknown_from(Type::Dynamic, Origins::one(OriginKind::Variable, name));
        let result = add(&var("a").with_marks(&Marks::sensitive()), &var("b")).unwrap();
        assert_eq!(result.ty(), Type::Number);
        assert!(result.is_never_null() && result.is_marked());
        assert_eq!(result.origins().as_slice().len(), 2);
        let zero = multiply(&number("0"), &var("a")).unwrap();
        assert!(!zero.is_known());
    }
}
