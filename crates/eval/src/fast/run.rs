//! Runs compiled expressions.
//!
//! Operators, conditionals and templates take plain values of primitive types, calls take wholly known values, and names,
//! tuples and objects take any values. The result is `None` for anything else, and the rules evaluate the expression.

use std::cell::Cell;
use std::path::Path;

use smallvec::SmallVec;
use terrane_function::{CallEnv, Limits, Meter};
use terrane_source::MemoryFiles;
use terrane_syntax::Tree;
use terrane_syntax::tree::Step;
use terrane_value::{Shape, SmallNumber, Type, Value, ValueKind, ops};

use crate::fast::compiled::{Compiled, Name, Node, NodeId, Piece};
use crate::fast::memory::Memory;
use crate::functions::table::PlainFunction;
use crate::functions::work::work_of_result;
use crate::names::scope::Reference;
use crate::plain::operation::{Operation, plain_bool, plain_equal, plain_type};
use crate::plain::text::push_plain;
use crate::state::frame::FrameView;

/// Calls with more arguments are made by the rules.
pub(crate) const MOST_ARGUMENTS: usize = 3;

/// Room on the stack for the attributes of most objects.
const FEW_ATTRIBUTES: usize = 8;

/// Calls with more work are made by the rules too, because a run may be stopped during them: see [`Limits::work`].
const MOST_WORK: usize = 1024;

static NO_FILES: MemoryFiles = MemoryFiles::new();

/// Runs the nodes of compiled code at one point of an evaluation.
#[derive(Clone, Copy)]
pub(crate) struct Run<'r> {
    pub(crate) tree: &'r Tree,
    pub(crate) code: &'r Compiled,
    pub(crate) frame: FrameView<'r>,
    pub(crate) limits: &'r Limits,
    pub(crate) memory: &'r Memory,
    /// Whether the expression is an argument of `try` or `can`, which leave names to the rules.
    pub(crate) is_attempt: bool,
}

impl<'r> Run<'r> {
    /// The value of a node that exists already and need not be computed.
    #[inline(always)]
    pub(crate) fn existing(&self, node: &'r Node) -> Option<&'r Value> {
        match node {
            Node::Constant(value) => Some(value),
            Node::Invariant(slot) => self.memory.invariants.get(*slot),
            Node::Binding(index) => self.frame.binding(*index),
            Node::BindingAttribute(index, name) => name.of(self.frame.binding(*index)?),
            Node::Item => self.frame.item(),
            Node::ItemAttribute(name) => name.of(self.frame.item()?),
            Node::Name(name) => self.stored_name(name),
            Node::Choice { condition, yes, no } => Some(if self.truth(*condition)? { yes } else { no }),
            Node::Arithmetic(..)
            | Node::Order(..)
            | Node::Equal { .. }
            | Node::And(..)
            | Node::Or(..)
            | Node::Conditional { .. }
            | Node::Not(_)
            | Node::Negate(_)
            | Node::Template(_)
            | Node::Call(..)
            | Node::Object(..)
            | Node::Tuple(_) => None,
        }
    }

    /// The value of a node, where all of its operands are plain.
    #[inline]
    pub(crate) fn value(&self, id: NodeId) -> Option<Value> {
        let node = self.code.node(id)?;
        match self.existing(node) {
            Some(value) => Some(value.clone()),
            None => self.computed(id, node),
        }
    }

    /// Appends the value of a node. Each branch pushes: a value merged from several branches is moved more often.
    #[inline]
    fn push_value<const N: usize>(&self, id: NodeId, values: &mut SmallVec<[Value; N]>) -> Option<()>
    where
        [Value; N]: smallvec::Array<Item = Value>,
    {
        let node = self.code.node(id)?;
        match self.existing(node) {
            Some(value) => values.push(value.clone()),
            None => match self.computed(id, node) {
                Some(value) => values.push(value),
                None => return None,
            },
        }
        Some(())
    }

    /// The value of a node that has no existing one.
    pub(crate) fn computed(&self, id: NodeId, node: &'r Node) -> Option<Value> {
        match node {
            Node::Arithmetic(op, left, right) => match self.small(id) {
                Some(number) => Some(Value::number(number)),
                None => {
                    let operation = Operation::Arithmetic(*op);
                    self.with(*left, |left| self.with(*right, |right| operation.of_plain(left, right)))
                }
            },
            Node::Order(..) | Node::Equal { .. } | Node::And(..) | Node::Or(..) | Node::Not(_) => {
                self.truth(id).map(Value::from)
            }
            Node::Conditional { condition, yes, no } => {
                let condition = self.truth(*condition)?;
                self.with(*yes, |yes| {
                    self.with(*no, |no| {
                        plain_type(yes, no)?;
                        Some(if condition { yes.clone() } else { no.clone() })
                    })
                })
            }
            Node::Negate(operand) => self.with(*operand, |operand| {
                operand.is_plain(&Type::Number).then(|| ops::negate(operand).ok())?
            }),
            Node::Template(pieces) => match &**pieces {
                [Piece::Value(value)] => self.value(*value),
                pieces => self.template(pieces),
            },
            Node::Call(function, arguments) => self.call(*function, arguments),
            Node::Object(shape, values) => self.object(shape, values),
            Node::Tuple(elements) => {
                let values: Option<Vec<Value>> =
                    elements.iter().map(|element| self.value(*element)).collect();
                Some(Value::tuple(values?)).filter(|value| value.refused().is_none())
            }
            Node::Name(name) => self.name(name),
            Node::Constant(_)
            | Node::Invariant(_)
            | Node::Binding(_)
            | Node::BindingAttribute(..)
            | Node::Item
            | Node::ItemAttribute(_)
            | Node::Choice { .. } => None,
        }
    }

    /// Applies `take` to the value of a node.
    #[inline]
    fn with<T>(&self, id: NodeId, take: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        let node = self.code.node(id)?;
        match self.existing(node) {
            Some(value) => take(value),
            None => take(&self.computed(id, node)?),
        }
    }

    /// The value of a node that is a small number, without allocating a value.
    #[inline]
    fn small(&self, id: NodeId) -> Option<SmallNumber> {
        let node = self.code.node(id)?;
        if let Node::Constant(value) = node { value.as_small() } else { self.small_of(id, node) }
    }

    fn small_of(&self, id: NodeId, node: &'r Node) -> Option<SmallNumber> {
        match node {
            Node::Constant(value) => value.as_small(),
            Node::Binding(index) => self.frame.binding(*index)?.as_small(),
            Node::Arithmetic(op, left, right) => op.of_small(self.small(*left)?, self.small(*right)?),
            Node::Name(name) => match self.stored_name(name) {
                Some(value) => value.as_small(),
                None => self.name(name)?.as_small(),
            },
            Node::Invariant(_)
            | Node::BindingAttribute(..)
            | Node::Item
            | Node::ItemAttribute(_)
            | Node::Choice { .. } => self.existing(node)?.as_small(),
            Node::Conditional { .. } | Node::Negate(_) | Node::Template(_) | Node::Call(..) => {
                self.computed(id, node)?.as_small()
            }
            Node::Order(..)
            | Node::Equal { .. }
            | Node::And(..)
            | Node::Or(..)
            | Node::Not(_)
            | Node::Object(..)
            | Node::Tuple(_) => None,
        }
    }

    /// The value of a node that is a bool, without allocating a value.
    pub(crate) fn truth(&self, id: NodeId) -> Option<bool> {
        let node = self.code.node(id)?;
        match node {
            Node::Order(op, left, right) => {
                if let Some((left, right)) = self.small(*left).zip(self.small(*right)) {
                    return Some(op.of_small(left, right));
                }
                self.with(*left, |left| self.with(*right, |right| op.of_plain(left, right)))
            }
            Node::Equal { left, right, negated } => Some(self.equal(*left, *right)? != *negated),
            Node::And(left, right) => Some(self.truth(*left)? & self.truth(*right)?),
            Node::Or(left, right) => Some(self.truth(*left)? | self.truth(*right)?),
            Node::Not(operand) => Some(!self.truth(*operand)?),
            Node::Conditional { .. } | Node::Template(_) | Node::Call(..) => {
                plain_bool(&self.computed(id, node)?)
            }
            Node::Name(_) => self.with(id, plain_bool),
            Node::Constant(_)
            | Node::Invariant(_)
            | Node::Binding(_)
            | Node::BindingAttribute(..)
            | Node::Item
            | Node::ItemAttribute(_)
            | Node::Choice { .. } => plain_bool(self.existing(node)?),
            Node::Arithmetic(..) | Node::Negate(_) | Node::Object(..) | Node::Tuple(_) => None,
        }
    }

    fn equal(&self, left: NodeId, right: NodeId) -> Option<bool> {
        // An arithmetic operand makes numbers likely.
        if let Some(Node::Arithmetic(..)) = self.code.node(left)
            && let (Some(left), Some(right)) = (self.small(left), self.small(right))
        {
            return Some(left.value() == right.value());
        }
        self.with(left, |left| self.with(right, |right| plain_equal(left, right)))
    }

    /// The value of a name that need not be copied.
    #[inline]
    fn stored_name(&self, name: &Name) -> Option<&'r Value> {
        if self.is_attempt {
            return None;
        }
        let stored = self.frame.stored(&name.root)?;
        self.tree.list(name.steps).iter().try_fold(stored, |value, step| match (step, value.kind()) {
            (Step::Attr { name, .. }, ValueKind::Object(entries) | ValueKind::Map(entries)) => {
                entries.get(self.tree.slice(*name))
            }
            _ => None,
        })
    }

    fn name(&self, name: &Name) -> Option<Value> {
        if self.is_attempt {
            return None;
        }
        let tree = self.tree;
        let reference = Reference { tree, root: &name.root, steps: tree.list(name.steps), span: name.span };
        let (mut value, consumed) = self.frame.look_up(&reference)?;
        for step in reference.steps.get(consumed..)? {
            let Step::Attr { name, .. } = step else { return None };
            value = ops::attribute(&value, tree.slice(*name)).ok()?;
        }
        Some(value)
    }

    fn call(&self, function: PlainFunction, arguments: &[NodeId]) -> Option<Value> {
        let function = self.frame.environment.functions()?.plain_function(function)?;
        let mut values: SmallVec<[Value; MOST_ARGUMENTS]> = SmallVec::new();
        for argument in arguments {
            self.push_value(*argument, &mut values)?;
        }
        let work = Cell::new(0);
        let value = match self.frame.environment.call_env() {
            Some(env) => function.call_plain(&values, env, &work, MOST_WORK),
            None => {
                // Without a run, each call counts its work alone.
                let meter = Meter::default();
                let env =
                    CallEnv { meter: Some(&meter), ..CallEnv::new(&NO_FILES, Path::new("."), self.limits) };
                function.call_plain(&values, &env, &work, MOST_WORK)
            }
        };
        if let Some(value) = &value {
            let work = work.get().saturating_add(work_of_result(function.cost, value));
            self.memory.work.set(self.memory.work.get().saturating_add(work as u64));
        }
        value
    }

    fn object(&self, shape: &Shape, values: &[NodeId]) -> Option<Value> {
        let mut attributes: SmallVec<[Value; FEW_ATTRIBUTES]> = SmallVec::with_capacity(values.len());
        for value in values {
            self.push_value(*value, &mut attributes)?;
        }
        // Draining does not move the array itself.
        Value::object_of_shape(shape.clone(), attributes.drain(..)).ok()
    }

    fn template(&self, pieces: &[Piece]) -> Option<Value> {
        let mut text = self.memory.text.take();
        text.clear();
        let value = self.written(pieces, &mut text);
        self.memory.text.set(text);
        value
    }

    /// The text of a template, put together in the buffer `text`.
    #[inline(never)]
    fn written(&self, pieces: &[Piece], text: &mut String) -> Option<Value> {
        self.write(pieces, text)?;
        if self.limits.allow(text) { Some(Value::from(text.as_str())) } else { None }
    }

    /// Appends the pieces of a template; none where one is not plain or the text is too long.
    fn write(&self, pieces: &[Piece], text: &mut String) -> Option<()> {
        for piece in pieces {
            match piece {
                Piece::Text(literal) => text.push_str(literal),
                Piece::Value(id) => {
                    let node = self.code.node(*id)?;
                    let is_plain = match self.existing(node) {
                        Some(value) => push_plain(text, value),
                        None => push_plain(text, &self.computed(*id, node)?),
                    };
                    if !is_plain {
                        return None;
                    }
                }
            }
            if text.len() > self.limits.bytes {
                return None;
            }
        }
        Some(())
    }
}
