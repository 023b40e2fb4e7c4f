//! The quick way: what is made of plain values is computed at once.
//!
//! Most operators, conditionals and templates of a loop meet known values of primitive types without marks, of which
//! nothing can be wrong. Here they need neither diagnostics nor copies of their operands. Wherever anything else turns
//! up, the answer is `None`, and the expression is evaluated by the rules.

use terrane_syntax::tree::{BinaryOp, List, Part, Step, UnaryOp};
use terrane_syntax::{Expr, ExprId};
use terrane_value::{Type, Value, ValueKind, ops};

use crate::evaluate::Evaluator;
use crate::plan::State;
use crate::template::push_plain;

impl Evaluator<'_> {
    /// The value of an expression that was found to be worth the attempt, where all its parts are plain.
    pub(crate) fn quick(&self, id: ExprId) -> Option<Value> {
        match self.plan.state(id) {
            State::Name => return self.quick_name(id),
            State::Quick => {}
            State::Varies
            | State::Constant(_)
            | State::Same(_)
            | State::Local(_)
            | State::LocalAttribute(..)
            | State::LocalSteps(_)
            | State::ItemAttribute(_) => return None,
        }
        match self.inside_parentheses(id).1 {
            Expr::Binary { op, left, right } => {
                self.taken(left, |left| self.taken(right, |right| plain(op, left, right)))
            }
            Expr::Conditional { condition, yes, no } => {
                let condition = self.taken(condition, plain_bool)?;
                self.taken(yes, |yes| {
                    self.taken(no, |no| {
                        plain_type(yes, no)?;
                        Some(if condition { yes.clone() } else { no.clone() })
                    })
                })
            }
            Expr::Unary { op: UnaryOp::Not, operand } => {
                self.taken(operand, |operand| plain_bool(operand).map(|value| Value::from(!value)))
            }
            Expr::Unary { op: UnaryOp::Negate, operand } => self.taken(operand, |operand| {
                operand.is_plain(&Type::Number).then(|| ops::negate(operand).ok())?
            }),
            Expr::Template { parts, .. } => self.quick_template(parts),
            Expr::Missing
            | Expr::Literal(_)
            | Expr::Traversal { .. }
            | Expr::Relative { .. }
            | Expr::Splat { .. }
            | Expr::Item
            | Expr::Call(_)
            | Expr::Tuple(_)
            | Expr::Object(_)
            | Expr::For(_)
            | Expr::Parens(_) => None,
        }
    }

    /// What `take` makes of the value of a part.
    #[inline]
    fn taken<T>(&self, id: ExprId, take: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        match self.at_hand(id) {
            Some(value) => take(value),
            None => take(&self.quick(id)?),
        }
    }

    fn quick_name(&self, id: ExprId) -> Option<Value> {
        // In `try` and `can` it counts whether there may be no such name.
        if self.attempts > 0 {
            return None;
        }
        let (id, expr) = self.inside_parentheses(id);
        let Expr::Traversal { root_end, steps } = expr else { return None };
        let reference = self.reference(id, root_end, steps);
        let (mut value, consumed) = self.look_up(&reference)?;
        for step in reference.steps.get(consumed..)? {
            let Step::Attr { name, .. } = step else { return None };
            value = ops::attribute(&value, self.tree.slice(*name)).ok()?;
        }
        Some(value)
    }

    fn quick_template(&self, parts: List<Part>) -> Option<Value> {
        let parts = self.tree.list(parts);
        if let [Part::Interpolation { expr, .. }] = parts {
            return self.taken(*expr, |value| Some(value.clone()));
        }
        let mut text = self.text.take();
        text.clear();
        let is_plain = parts.iter().all(|part| match part {
            Part::Literal { text: literal, .. } => {
                text.push_str(self.tree.text(*literal));
                true
            }
            Part::Interpolation { expr, .. } => {
                self.taken(*expr, |value| push_plain(&mut text, value).then_some(())).is_some()
            }
            Part::If(_) | Part::For(_) => false,
        });
        let value = (is_plain && self.limits.allow(&text)).then(|| Value::from(text.as_str()));
        self.text.set(text);
        value
    }
}

fn plain_bool(value: &Value) -> Option<bool> {
    if let ValueKind::Bool(value) = value.kind() { Some(value) } else { None }
}

/// The result for two plain values of one primitive type, of which nothing can be wrong; for what most operators are
/// used for. None where the rules have to be asked.
#[inline]
pub(crate) fn plain(op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
    match (left.kind(), right.kind()) {
        (ValueKind::Number(one), ValueKind::Number(other)) => match op {
            // Two numbers can be equal by their decimal texts although one is a little greater.
            BinaryOp::Greater => ops::greater(left, right).ok(),
            BinaryOp::GreaterOrEqual => ops::greater_or_equal(left, right).ok(),
            BinaryOp::Less => ops::less(left, right).ok(),
            BinaryOp::LessOrEqual => ops::less_or_equal(left, right).ok(),
            BinaryOp::Add => one.add(other).ok().map(Value::number),
            BinaryOp::Subtract => one.subtract(other).ok().map(Value::number),
            BinaryOp::Multiply => one.multiply(other).ok().map(Value::number),
            BinaryOp::Divide => one.divide(other).ok().map(Value::number),
            BinaryOp::Modulo => one.remainder(other).ok().map(Value::number),
            BinaryOp::Or | BinaryOp::And | BinaryOp::Equal | BinaryOp::NotEqual => {
                plain_equality(op, || one == other)
            }
        },
        (ValueKind::String(left), ValueKind::String(right)) => plain_equality(op, || left == right),
        (ValueKind::Bool(left), ValueKind::Bool(right)) => match op {
            BinaryOp::And => Some(Value::from(left && right)),
            BinaryOp::Or => Some(Value::from(left || right)),
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterOrEqual
            | BinaryOp::Less
            | BinaryOp::LessOrEqual
            | BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Modulo => plain_equality(op, || left == right),
        },
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
        ) => None,
    }
}

#[inline]
fn plain_equality(op: BinaryOp, equal: impl FnOnce() -> bool) -> Option<Value> {
    match op {
        BinaryOp::Equal => Some(Value::from(equal())),
        BinaryOp::NotEqual => Some(Value::from(!equal())),
        BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::Greater
        | BinaryOp::GreaterOrEqual
        | BinaryOp::Less
        | BinaryOp::LessOrEqual
        | BinaryOp::Add
        | BinaryOp::Subtract
        | BinaryOp::Multiply
        | BinaryOp::Divide
        | BinaryOp::Modulo => None,
    }
}

/// The type of two results without marks that are of one primitive type and need no conversion, as most are.
pub(crate) fn plain_type(yes: &Value, no: &Value) -> Option<Type> {
    match (yes.kind(), no.kind()) {
        (ValueKind::Bool(_), ValueKind::Bool(_)) => Some(Type::Bool),
        (ValueKind::Number(_), ValueKind::Number(_)) => Some(Type::Number),
        (ValueKind::String(_), ValueKind::String(_)) => Some(Type::String),
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
        ) => None,
    }
}
