//! Operators, and chains of them.

use terrane_source::ids;
use terrane_syntax::tree::{BinaryOp, UnaryOp};
use terrane_syntax::{Expr, ExprId};
use terrane_value::ops::{self, Logical};
use terrane_value::{Operand, Origins, Type, Value, ValueError, ValueErrorKind, ValueKind};

use crate::plain::operation::Operation;
use crate::rules::evaluator::Evaluator;

/// One operator of a chain `a + b - c`.
#[derive(Clone, Copy)]
struct Link {
    op: BinaryOp,
    whole: ExprId,
    left: ExprId,
    right: ExprId,
}

/// The operands of an operator, and the positions of their diagnostics.
#[derive(Clone, Copy)]
struct Operands<'v> {
    left: &'v Value,
    right: &'v Value,
    /// The mark before the diagnostics of the left operand.
    start: usize,
    /// The mark between the diagnostics of the left and the right operand.
    middle: usize,
}

/// Longer chains of operators are evaluated in a loop.
const LONGEST_RECURSIVE_CHAIN: usize = 8;

/// The steps of comparing a part of two values.
const WORK_OF_COMPARED_PART: usize = 4;

/// The steps of comparing a part of a set whose elements are compared by texts.
const WORK_OF_KEY: usize = 40;

/// The steps of an operator.
const STEPS_OF_LINK: u64 = 12;

impl Evaluator<'_> {
    /// Evaluates an operator with two operands. Chains nest in their left operand and may be long: operators beyond the
    /// first few are evaluated in a loop.
    pub(crate) fn binary(&mut self, id: ExprId) -> Value {
        self.chain(id, LONGEST_RECURSIVE_CHAIN)
    }

    /// Evaluates a chain of operators, up to `inside` of them by recursion.
    fn chain(&mut self, id: ExprId, inside: usize) -> Value {
        let Expr::Binary { op, left, right } = self.tree.expr(id) else { return self.eval(id) };
        if inside == 0 {
            return self.long_chain(id);
        }
        let mark = self.report.mark();
        let is_link = matches!(self.tree.expr(left), Expr::Binary { .. });
        let value = match is_link {
            true => self.eval_or(left, |this| this.chain(left, inside - 1)),
            false => self.eval(left),
        };
        self.link(&Link { op, whole: id, left, right }, mark, &value)
    }

    /// Evaluates a chain of any number of operators, without a nested call for each.
    fn long_chain(&mut self, id: ExprId) -> Value {
        let mut links = Vec::new();
        let mut first = id;
        while let Expr::Binary { op, left, right } = self.tree.expr(first) {
            links.push(Link { op, whole: first, left, right });
            first = left;
        }
        let mark = self.report.mark();
        let mut value = self.eval(first);
        for link in links.iter().rev() {
            value = self.link(link, mark, &value);
        }
        value
    }

    /// Evaluates one operator. The diagnostics since `mark` belong to its left operand.
    // Not inlined, so that the result is written once, directly to its destination.
    #[inline(never)]
    fn link(&mut self, link: &Link, mark: usize, left: &Value) -> Value {
        let middle = self.report.mark();
        self.budget.work(STEPS_OF_LINK);
        let right = self.eval(link.right);
        if self.report.is_clean_since(mark)
            && let Some(value) = Operation::from(link.op).of_plain(left, &right)
        {
            return value;
        }
        let operands = Operands { left, right: &right, start: mark, middle };
        let value = self.link_of_any(link, &operands);
        self.budget.work_of_reading();
        value
    }

    /// Evaluates one operator whose operands may have to be converted.
    fn link_of_any(&mut self, link: &Link, operands: &Operands<'_>) -> Value {
        let Operands { left, right, start: mark, .. } = *operands;
        let short_circuit = self.frame.scope().is_none_or(|scope| scope.functions.semantics().short_circuit);
        let decided = match link.op {
            BinaryOp::Or if short_circuit => self.shortcut(Logical::Or, operands),
            BinaryOp::And if short_circuit => self.shortcut(Logical::And, operands),
            BinaryOp::Or
            | BinaryOp::And
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterOrEqual
            | BinaryOp::Less
            | BinaryOp::LessOrEqual
            | BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Modulo => None,
        };
        if let Some(value) = decided {
            return value;
        }
        if link.op == BinaryOp::Equal && self.report.is_clean_since(mark) {
            return self.equal(link, left, right);
        }
        match self.apply(link, left, right) {
            Ok(value) if !self.report.has_errors_since(mark) => value,
            Ok(_) => failed_result(link.op).with_marks(left.marks()).with_marks(right.marks()),
            Err(error) => self.failed_operator(link, error, operands),
        }
    }

    /// Returns the result of `&&` or `||` if one operand decides it. Drops the diagnostics of the other operand.
    fn shortcut(&mut self, operator: Logical, operands: &Operands<'_>) -> Option<Value> {
        let left = ops::operand(operands.left, &Type::Bool, Operand::Left).ok()?;
        let right = ops::operand(operands.right, &Type::Bool, Operand::Right).ok()?;
        let left_failed = self.report.has_errors_between(operands.start, operands.middle);
        let right_failed = self.report.has_errors_since(operands.middle);
        let shortcut = ops::shortcut(operator, &left, &right, [left_failed, right_failed])?;
        match shortcut.decided_by {
            Operand::Left | Operand::Only => self.report.drop_since(operands.middle),
            Operand::Right => self.report.drop_between(operands.start, operands.middle),
        }
        Some(shortcut.value)
    }

    fn apply(&mut self, link: &Link, left: &Value, right: &Value) -> Result<Value, ValueError> {
        match link.op {
            BinaryOp::Or => ops::or(left, right),
            BinaryOp::And => ops::and(left, right),
            BinaryOp::Equal => Ok(self.equal(link, left, right)),
            BinaryOp::NotEqual => ops::not(&self.equal(link, left, right)),
            BinaryOp::Greater => ops::greater(left, right),
            BinaryOp::GreaterOrEqual => ops::greater_or_equal(left, right),
            BinaryOp::Less => ops::less(left, right),
            BinaryOp::LessOrEqual => ops::less_or_equal(left, right),
            BinaryOp::Add => ops::add(left, right),
            BinaryOp::Subtract => ops::subtract(left, right),
            BinaryOp::Multiply => ops::multiply(left, right),
            BinaryOp::Divide => ops::divide(left, right),
            BinaryOp::Modulo => ops::modulo(left, right),
        }
    }

    fn equal(&mut self, link: &Link, left: &Value, right: &Value) -> Value {
        // A comparison takes no longer than the smaller value, but finding unknown parts may.
        let unknown = |value: &Value| if value.is_wholly_known() { 0 } else { value.size() };
        let part = if left.ty().has_set_of_compounds() { WORK_OF_KEY } else { WORK_OF_COMPARED_PART };
        let compared = left.size().min(right.size()).saturating_mul(part);
        let work = compared.saturating_add(unknown(left)).saturating_add(unknown(right));
        if !self.work(work as u64, self.tree.span(link.whole)) {
            return Value::error();
        }
        let primitive = |value: &Value| value.ty().is_primitive() && value.is_known() && !value.is_null();
        let may_convert = match (left.unmarked().kind(), right.unmarked().kind()) {
            // Elements and attributes may be of different types.
            (ValueKind::Tuple(_), ValueKind::Tuple(_)) | (ValueKind::Object(_), ValueKind::Object(_)) => true,
            _ => primitive(left) && primitive(right) && left.ty() != right.ty(),
        };
        let origins = if may_convert {
            self.configured(link.left).or_else(|| self.configured(link.right))
        } else {
            None
        };
        match origins {
            Some(origins) => ops::equal_configured(left, right, &origins),
            None => ops::equal(left, right),
        }
    }

    fn failed_operator(&mut self, link: &Link, error: ValueError, operands: &Operands<'_>) -> Value {
        let Operands { left, right, start: mark, .. } = *operands;
        match error.kind {
            ValueErrorKind::InvalidOperand(Operand::Left | Operand::Only) => {
                // The right operand may also be wrong.
                let other = ops::operand(right, &operand_type(link.op), Operand::Right).err();
                self.report_operand(link, link.left, error, mark);
                if let Some(other) = other {
                    self.report_operand(link, link.right, other, mark + 1);
                }
            }
            ValueErrorKind::InvalidOperand(Operand::Right) => {
                self.report_operand(link, link.right, error, mark);
            }
            ValueErrorKind::OperationFailed
            | ValueErrorKind::NotConvertible
            | ValueErrorKind::UnsupportedAttribute
            | ValueErrorKind::MissingMapElement
            | ValueErrorKind::InvalidIndex
            | ValueErrorKind::IndexOfNull
            | ValueErrorKind::AttributeOfNull => {
                if self.report.has_errors_since(mark) {
                    return failed_result(link.op).with_marks(left.marks()).with_marks(right.marks());
                }
                self.report_value_error(error, self.tree.span(link.whole), Some(link.whole));
            }
        }
        failed_result(link.op)
    }

    /// Reports an operand of a wrong type. As in the reference, this error comes before the errors inside the operands.
    fn report_operand(&mut self, link: &Link, at: ExprId, error: ValueError, mark: usize) {
        let mut diagnostic = self.report.diagnostic(ids::INVALID_OPERAND, self.tree.span(at), error.message);
        diagnostic.hints = error.hints;
        let diagnostic = self.explained(diagnostic.within(self.tree.span(link.whole)), at);
        self.report.insert(mark, diagnostic);
    }

    /// Evaluates an operator with one operand.
    pub(crate) fn unary(&mut self, id: ExprId, op: UnaryOp, operand: ExprId) -> Value {
        let mark = self.report.mark();
        let value = self.eval(operand);
        let (result, ty) = match op {
            UnaryOp::Negate => (ops::negate(&value), Type::Number),
            UnaryOp::Not => (ops::not(&value), Type::Bool),
        };
        self.budget.work_of_reading();
        let failed = self.report.has_errors_since(mark);
        match result {
            Ok(value) if !failed && value.is_known() => value,
            // The reference drops the marks here, as in all its functions that handle marks themselves.
            Ok(value) if !failed => value.unmarked().clone(),
            Ok(_) => Value::unknown_from(ty, Origins::error()),
            Err(error) => {
                let wrong_type = matches!(error.kind, ValueErrorKind::InvalidOperand(_));
                if wrong_type {
                    self.report_value_error(error, self.tree.span(operand), Some(operand));
                } else if !failed {
                    self.report_value_error(error, self.tree.span(id), Some(operand));
                }
                Value::unknown_from(ty, Origins::error())
            }
        }
    }
}

/// Returns the type to which both operands are converted.
fn operand_type(op: BinaryOp) -> Type {
    match op {
        BinaryOp::Or | BinaryOp::And => Type::Bool,
        BinaryOp::Equal | BinaryOp::NotEqual => Type::Dynamic,
        BinaryOp::Greater
        | BinaryOp::GreaterOrEqual
        | BinaryOp::Less
        | BinaryOp::LessOrEqual
        | BinaryOp::Add
        | BinaryOp::Subtract
        | BinaryOp::Multiply
        | BinaryOp::Divide
        | BinaryOp::Modulo => Type::Number,
    }
}

/// Returns the result of a failed operator: unknown, of the type of its results.
fn failed_result(op: BinaryOp) -> Value {
    let ty = match op {
        BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterOrEqual
        | BinaryOp::Less
        | BinaryOp::LessOrEqual => Type::Bool,
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => {
            Type::Number
        }
    };
    Value::unknown_from(ty, Origins::error())
}
