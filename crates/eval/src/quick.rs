//! The quick way: what is made of plain values is computed at once.
//!
//! Most operators, conditionals and templates meet known values of primitive types without marks, of which nothing can
//! be wrong. Here they need neither diagnostics nor copies of their operands. Wherever anything else turns up, the
//! answer is `None`, and the expression is evaluated by the rules.

use std::cell::Cell;
use terrane_value::SmolStr;

use terrane_function::Limits;
use terrane_syntax::Tree;
use terrane_syntax::tree::{BinaryOp, Step};
use terrane_value::{Number, SmallNumber, Type, Value, ValueKind, ops};

use crate::bound::Bound;
use crate::function_table::PlainFunction;
use crate::plan::{Kept, Name, Node, NodeId, Piece, Plan};
use crate::template::push_plain;
use crate::{Lookup, Reference, Scope};

/// Calls with more arguments are not made the quick way.
pub(crate) const MOST_ARGUMENTS: usize = 3;

/// Computes the nodes of a plan.
#[derive(Clone, Copy)]
pub(crate) struct Quick<'q> {
    pub(crate) tree: &'q Tree,
    pub(crate) plan: &'q Plan,
    pub(crate) scope: Option<&'q Scope<'q>>,
    pub(crate) limits: &'q Limits,
    pub(crate) locals: &'q [(&'q str, Bound)],
    pub(crate) items: &'q [Bound],
    pub(crate) kept: &'q Kept,
    /// Whether it counts that a name may stand for nothing, as in `try` and `can`.
    pub(crate) is_attempt: bool,
    /// Room for the text of a template.
    pub(crate) text: &'q Cell<String>,
}

impl<'q> Quick<'q> {
    /// The value of a node where it is there already.
    #[inline]
    pub(crate) fn there(&self, node: &'q Node) -> Option<&'q Value> {
        match node {
            Node::Constant(value) => Some(value),
            Node::Same(place) => self.kept.get(*place),
            Node::Local(slot) => self.locals.get(*slot).map(|(_, bound)| bound.value()),
            Node::LocalAttribute(slot, name) => plain_attribute(self.locals.get(*slot)?.1.value(), name),
            Node::Item => self.items.last().map(Bound::value),
            Node::ItemAttribute(name) => plain_attribute(self.items.last()?.value(), name),
            Node::Name(_)
            | Node::Binary(..)
            | Node::Conditional { .. }
            | Node::Not(_)
            | Node::Negate(_)
            | Node::Template(_)
            | Node::Call(..)
            | Node::Object(_)
            | Node::Tuple(_) => None,
        }
    }

    /// The value of a node, where all that it is made of is plain.
    pub(crate) fn value(&self, id: NodeId) -> Option<Value> {
        let node = self.plan.node(id)?;
        match node {
            Node::Binary(op, left, right) => match op {
                BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Modulo => match self.small(id) {
                    Some(number) => Some(Value::number(number)),
                    None => self.with(*left, |left| self.with(*right, |right| plain(*op, left, right))),
                },
                BinaryOp::Or
                | BinaryOp::And
                | BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterOrEqual
                | BinaryOp::Less
                | BinaryOp::LessOrEqual => self.truth(id).map(Value::from),
            },
            Node::Conditional { condition, yes, no } => {
                let condition = self.truth(*condition)?;
                self.with(*yes, |yes| {
                    self.with(*no, |no| {
                        plain_type(yes, no)?;
                        Some(if condition { yes.clone() } else { no.clone() })
                    })
                })
            }
            Node::Not(_) => self.truth(id).map(Value::from),
            Node::Negate(operand) => self.with(*operand, |operand| {
                operand.is_plain(&Type::Number).then(|| ops::negate(operand).ok())?
            }),
            Node::Template(pieces) => match &**pieces {
                [Piece::Value(value)] => self.value(*value),
                pieces => self.template(pieces),
            },
            Node::Call(function, arguments) => self.call(*function, arguments),
            Node::Object(attributes) => self.object(attributes),
            Node::Tuple(elements) => {
                let values: Option<Vec<Value>> =
                    elements.iter().map(|element| self.value(*element)).collect();
                Some(Value::tuple(values?)).filter(|value| value.refused().is_none())
            }
            Node::Name(name) => self.name(name),
            Node::Constant(_)
            | Node::Same(_)
            | Node::Local(_)
            | Node::LocalAttribute(..)
            | Node::Item
            | Node::ItemAttribute(_) => self.there(node).cloned(),
        }
    }

    /// What `take` makes of the value of a node.
    #[inline]
    fn with<T>(&self, id: NodeId, take: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        match self.there(self.plan.node(id)?) {
            Some(value) => take(value),
            None => take(&self.value(id)?),
        }
    }

    /// The value of a node that is a small number, without making a value of it.
    fn small(&self, id: NodeId) -> Option<SmallNumber> {
        let node = self.plan.node(id)?;
        let Node::Binary(op, left, right) = node else {
            return match self.there(node) {
                Some(value) => plain_small(value),
                None => plain_small(&self.value(id)?),
            };
        };
        let (left, right) = (self.small(*left)?, self.small(*right)?);
        match op {
            BinaryOp::Add => left.add(right),
            BinaryOp::Subtract => left.subtract(right),
            BinaryOp::Multiply => left.multiply(right),
            BinaryOp::Divide => left.divide(right),
            BinaryOp::Modulo => left.remainder(right),
            BinaryOp::Or
            | BinaryOp::And
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterOrEqual
            | BinaryOp::Less
            | BinaryOp::LessOrEqual => None,
        }
    }

    /// The value of a node that is true or false, without making a value of it.
    pub(crate) fn truth(&self, id: NodeId) -> Option<bool> {
        match self.plan.node(id)? {
            Node::Binary(op, left, right) => self.comparison(*op, *left, *right),
            Node::Not(operand) => Some(!self.truth(*operand)?),
            _ => self.with(id, plain_bool),
        }
    }

    fn comparison(&self, op: BinaryOp, left: NodeId, right: NodeId) -> Option<bool> {
        match op {
            BinaryOp::Or | BinaryOp::And => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                Some(if op == BinaryOp::Or { left || right } else { left && right })
            }
            BinaryOp::Equal => self.equal(left, right),
            BinaryOp::NotEqual => self.equal(left, right).map(|equal| !equal),
            BinaryOp::Greater | BinaryOp::GreaterOrEqual | BinaryOp::Less | BinaryOp::LessOrEqual => {
                let Some((small, other)) = self.small(left).zip(self.small(right)) else {
                    return self
                        .with(left, |left| self.with(right, |right| plain(op, left, right)?.as_bool()));
                };
                let (left, right) = (small.value(), other.value());
                Some(match op {
                    BinaryOp::Greater => left > right,
                    BinaryOp::GreaterOrEqual => left >= right,
                    BinaryOp::Less => left < right,
                    _ => left <= right,
                })
            }
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => {
                None
            }
        }
    }

    fn equal(&self, left: NodeId, right: NodeId) -> Option<bool> {
        // What is computed is most likely a number.
        if let Some(Node::Binary(..)) = self.plan.node(left)
            && let (Some(left), Some(right)) = (self.small(left), self.small(right))
        {
            return Some(left.value() == right.value());
        }
        self.with(left, |left| self.with(right, |right| plain_equal(left, right)))
    }

    fn name(&self, name: &Name) -> Option<Value> {
        if self.is_attempt {
            return None;
        }
        let tree = self.tree;
        let reference = Reference { tree, root: &name.root, steps: tree.list(name.steps), span: name.span };
        let (mut value, consumed) = self.look_up(&reference)?;
        for step in reference.steps.get(consumed..)? {
            let Step::Attr { name, .. } = step else { return None };
            value = ops::attribute(&value, tree.slice(*name)).ok()?;
        }
        Some(value)
    }

    /// What the reference stands for, and how many of its steps are taken already.
    pub(crate) fn look_up(&self, reference: &Reference<'_>) -> Option<(Value, usize)> {
        if let Some(value) = self.local(reference.root) {
            return Some((value.clone(), 0));
        }
        match self.scope?.names.lookup(reference) {
            Lookup::Found { value, consumed } => Some((value, consumed)),
            Lookup::Undeclared => None,
        }
    }

    /// What a loop or a block has bound to a name.
    pub(crate) fn local(&self, name: &str) -> Option<&'q Value> {
        self.locals.iter().rev().find(|(local, _)| *local == name).map(|(_, bound)| bound.value())
    }

    fn call(&self, function: PlainFunction, arguments: &[NodeId]) -> Option<Value> {
        let scope = self.scope?;
        let function = scope.functions.plain_function(function)?;
        // Room on the stack for the few arguments that most calls have.
        let mut values = [Value::NULL; MOST_ARGUMENTS];
        for (value, argument) in values.iter_mut().zip(arguments) {
            *value = self.value(*argument)?;
        }
        function.call_plain(values.get(..arguments.len())?, scope.env)
    }

    fn object(&self, attributes: &[(SmolStr, NodeId)]) -> Option<Value> {
        let mut is_complete = true;
        let values = attributes.iter().map_while(|(name, value)| {
            let value = self.value(*value);
            is_complete = value.is_some();
            Some((name.clone(), value?))
        });
        let object = Value::object(values);
        (is_complete && object.refused().is_none()).then_some(object)
    }

    fn template(&self, pieces: &[Piece]) -> Option<Value> {
        let mut text = self.text.take();
        text.clear();
        let is_plain = pieces.iter().all(|piece| match piece {
            Piece::Text(literal) => {
                text.push_str(literal);
                true
            }
            Piece::Value(value) => self.value(*value).is_some_and(|value| push_plain(&mut text, &value)),
        });
        let value = (is_plain && text.len() <= self.limits.bytes).then(|| Value::from(text.as_str()));
        self.text.set(text);
        value
    }
}

/// An attribute of an object or map that neither is marked nor lacks it.
#[inline]
fn plain_attribute<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value.kind() {
        ValueKind::Object(entries) | ValueKind::Map(entries) => entries.get(name),
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Tuple(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => None,
    }
}

fn plain_bool(value: &Value) -> Option<bool> {
    if let ValueKind::Bool(value) = value.kind() { Some(value) } else { None }
}

/// The result for two plain values of one primitive type, of which nothing can be wrong; for what most operators are
/// used for. None where the rules have to be asked.
pub(crate) fn plain(op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
    match op {
        BinaryOp::Equal => plain_equal(left, right).map(Value::from),
        BinaryOp::NotEqual => plain_equal(left, right).map(|equal| Value::from(!equal)),
        BinaryOp::Or => Some(Value::from(plain_bool(left)? | plain_bool(right)?)),
        BinaryOp::And => Some(Value::from(plain_bool(left)? & plain_bool(right)?)),
        // Two numbers can be equal by their decimal texts although one is a little greater.
        BinaryOp::Greater => plain_numbers(left, right).and_then(|_| ops::greater(left, right).ok()),
        BinaryOp::GreaterOrEqual => {
            plain_numbers(left, right).and_then(|_| ops::greater_or_equal(left, right).ok())
        }
        BinaryOp::Less => plain_numbers(left, right).and_then(|_| ops::less(left, right).ok()),
        BinaryOp::LessOrEqual => {
            plain_numbers(left, right).and_then(|_| ops::less_or_equal(left, right).ok())
        }
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => {
            let (left, right) = plain_numbers(left, right)?;
            let result = match op {
                BinaryOp::Add => left.add(right),
                BinaryOp::Subtract => left.subtract(right),
                BinaryOp::Multiply => left.multiply(right),
                BinaryOp::Divide => left.divide(right),
                _ => left.remainder(right),
            };
            result.ok().map(Value::number)
        }
    }
}

#[inline]
fn plain_numbers<'v>(left: &'v Value, right: &'v Value) -> Option<(&'v Number, &'v Number)> {
    match (left.kind(), right.kind()) {
        (ValueKind::Number(left), ValueKind::Number(right)) => Some((left, right)),
        _ => None,
    }
}

#[inline]
fn plain_small(value: &Value) -> Option<SmallNumber> {
    if let ValueKind::Number(number) = value.kind() { number.as_small() } else { None }
}

/// Whether two values are equal, where they are plain ones of one primitive type.
#[inline]
fn plain_equal(left: &Value, right: &Value) -> Option<bool> {
    match (left.kind(), right.kind()) {
        (ValueKind::Number(left), ValueKind::Number(right)) => Some(left == right),
        (ValueKind::String(left), ValueKind::String(right)) => Some(left == right),
        (ValueKind::Bool(left), ValueKind::Bool(right)) => Some(left == right),
        _ => None,
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
