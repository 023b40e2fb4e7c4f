//! The operators of the language, and access to parts of values.
//!
//! An operator converts its operands, passes their marks and origins to the result, and names the wrong operand in an
//! error.

mod access;
mod arithmetic;
mod compare;
mod length;
mod logic;

pub use access::{attribute, has_index, index};
pub use arithmetic::{add, divide, modulo, multiply, negate, subtract};
pub use compare::{equal, equal_configured, greater, greater_or_equal, less, less_or_equal};
pub(crate) use length::element_count;
pub use length::length;
pub use logic::{Logical, Shortcut, and, not, or, shortcut};

use crate::{
    Known, Operand, Origins, StoredRefinement, Type, Unknown, Value, ValueError, ValueErrorKind, convert,
};

/// Converts an operand to the type with which the operator works. The error says which operand is wrong.
pub fn operand(value: &Value, ty: &Type, side: Operand) -> Result<Value, ValueError> {
    convert(value, ty).map_err(|error| {
        let kind = ValueErrorKind::InvalidOperand(side);
        let message = format!("The {} is not suitable: {error}.", operand_name(side));
        ValueError { hints: error.hints, ..ValueError::new(kind, message) }
    })
}

fn operand_name(side: Operand) -> &'static str {
    match side {
        Operand::Left => "left operand",
        Operand::Right => "right operand",
        Operand::Only => "operand",
    }
}

/// Converts both operands to `ty`, or returns the error of the first that cannot be converted.
fn operands(left: &Value, right: &Value, ty: &Type) -> Result<(Value, Value), ValueError> {
    Ok((operand(left, ty, Operand::Left)?, operand(right, ty, Operand::Right)?))
}

fn reject_null(value: &Value, side: Operand) -> Result<(), ValueError> {
    if value.is_null() {
        return Err(failed(format!("The {} is null.", operand_name(side))));
    }
    Ok(())
}

fn failed(message: impl Into<String>) -> ValueError {
    ValueError::new(ValueErrorKind::OperationFailed, message)
}

/// Returns an unknown result that is not null, with the origins of the operands.
fn unknown(ty: Type, operands: [&Value; 2]) -> Value {
    let [left, right] = operands;
    unknown_with(ty, left.origins().union(right.origins()))
}

fn unknown_with(ty: Type, origins: Origins) -> Value {
    Value::from(Unknown { ty, refinement: StoredRefinement::NOT_NULL, origins, known: Known::Nothing })
}
