//! Operators and conditionals over plain values of primitive types.

use terrane_syntax::tree::BinaryOp;
use terrane_value::{Number, SmallNumber, Type, Value, ValueKind, ops};

/// A binary operator.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Arithmetic(Arithmetic),
    Order(Order),
    Equal,
    NotEqual,
    And,
    Or,
}

/// An operator whose result is a number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// An operator that compares two numbers by size.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

impl From<BinaryOp> for Operation {
    fn from(op: BinaryOp) -> Operation {
        match op {
            BinaryOp::Or => Operation::Or,
            BinaryOp::And => Operation::And,
            BinaryOp::Equal => Operation::Equal,
            BinaryOp::NotEqual => Operation::NotEqual,
            BinaryOp::Greater => Operation::Order(Order::Greater),
            BinaryOp::GreaterOrEqual => Operation::Order(Order::GreaterOrEqual),
            BinaryOp::Less => Operation::Order(Order::Less),
            BinaryOp::LessOrEqual => Operation::Order(Order::LessOrEqual),
            BinaryOp::Add => Operation::Arithmetic(Arithmetic::Add),
            BinaryOp::Subtract => Operation::Arithmetic(Arithmetic::Subtract),
            BinaryOp::Multiply => Operation::Arithmetic(Arithmetic::Multiply),
            BinaryOp::Divide => Operation::Arithmetic(Arithmetic::Divide),
            BinaryOp::Modulo => Operation::Arithmetic(Arithmetic::Remainder),
        }
    }
}

impl Operation {
    /// Returns the result for two plain operands of the type that the operator takes. `None` for any other operands,
    /// which the rules convert or report.
    pub(crate) fn of_plain(self, left: &Value, right: &Value) -> Option<Value> {
        match self {
            Operation::Arithmetic(arithmetic) => {
                let (left, right) = plain_numbers(left, right)?;
                arithmetic.of_numbers(left, right).map(Value::number)
            }
            Operation::Order(order) => order.of_plain(left, right).map(Value::from),
            Operation::Equal => plain_equal(left, right).map(Value::from),
            Operation::NotEqual => plain_equal(left, right).map(|equal| Value::from(!equal)),
            Operation::And => Some(Value::from(plain_bool(left)? & plain_bool(right)?)),
            Operation::Or => Some(Value::from(plain_bool(left)? | plain_bool(right)?)),
        }
    }
}

impl Arithmetic {
    fn of_numbers(self, left: &Number, right: &Number) -> Option<Number> {
        let result = match self {
            Arithmetic::Add => left.add(right),
            Arithmetic::Subtract => left.subtract(right),
            Arithmetic::Multiply => left.multiply(right),
            Arithmetic::Divide => left.divide(right),
            Arithmetic::Remainder => left.remainder(right),
        };
        result.ok()
    }

    #[inline(always)]
    pub(crate) fn of_small(self, left: SmallNumber, right: SmallNumber) -> Option<SmallNumber> {
        match self {
            Arithmetic::Add => left.plus(right),
            Arithmetic::Subtract => left.minus(right),
            Arithmetic::Multiply => left.times(right),
            Arithmetic::Divide => left.divided_by(right),
            Arithmetic::Remainder => left.remainder(right),
        }
    }
}

impl Order {
    /// Returns the result for two plain numbers. Numbers with equal decimal texts can still differ slightly in size.
    pub(crate) fn of_plain(self, left: &Value, right: &Value) -> Option<bool> {
        plain_numbers(left, right)?;
        let result = match self {
            Order::Greater => ops::greater(left, right),
            Order::GreaterOrEqual => ops::greater_or_equal(left, right),
            Order::Less => ops::less(left, right),
            Order::LessOrEqual => ops::less_or_equal(left, right),
        };
        result.ok()?.as_bool()
    }

    #[inline]
    pub(crate) fn of_small(self, left: SmallNumber, right: SmallNumber) -> bool {
        let (left, right) = (left.value(), right.value());
        match self {
            Order::Greater => left > right,
            Order::GreaterOrEqual => left >= right,
            Order::Less => left < right,
            Order::LessOrEqual => left <= right,
        }
    }
}

/// Returns the value of a plain bool.
#[inline]
pub(crate) fn plain_bool(value: &Value) -> Option<bool> {
    if let ValueKind::Bool(value) = value.kind() { Some(value) } else { None }
}

#[inline]
fn plain_numbers<'v>(left: &'v Value, right: &'v Value) -> Option<(&'v Number, &'v Number)> {
    if let (ValueKind::Number(left), ValueKind::Number(right)) = (left.kind(), right.kind()) {
        return Some((left, right));
    }
    None
}

/// Whether two plain values of one primitive type are equal.
#[inline(always)]
pub(crate) fn plain_equal(left: &Value, right: &Value) -> Option<bool> {
    if let Some(left) = left.plain_text()
        && let Some(right) = right.plain_text()
    {
        // Most different texts differ in length.
        return Some(left.len() == right.len() && left == right);
    }
    plain_equal_numbers_or_bools(left, right)
}

#[inline(never)]
fn plain_equal_numbers_or_bools(left: &Value, right: &Value) -> Option<bool> {
    if let Some((left, right)) = plain_numbers(left, right) {
        return Some(left == right);
    }
    Some(plain_bool(left)? == plain_bool(right)?)
}

/// Returns the type of two plain results of one primitive type. A conditional between them needs no
/// conversion. Most conditionals are like that.
pub(crate) fn plain_type(yes: &Value, no: &Value) -> Option<Type> {
    let both = |ty: Type| (yes.is_plain(&ty) && no.is_plain(&ty)).then_some(ty);
    both(Type::String).or_else(|| both(Type::Number)).or_else(|| both(Type::Bool))
}
