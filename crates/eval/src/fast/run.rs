//! Runs compiled expressions.
//!
//! Operators, conditionals and templates take plain values of primitive types, calls take wholly known values,
//! and names, tuples and objects take any values. The result is `None` for anything else, and the rules
//! evaluate the expression.

use terrane_function::{CallEnv, Limits};
use terrane_syntax::Tree;
use terrane_syntax::tree::Step;
use terrane_value::{Made, SmallNumber, Type, Value, ValueKind, ops};

use crate::fast::bound::{Bound, Innermost};
use crate::fast::compiled::{Name, Node, NodeId, ObjectNode, Piece, Slot};
use crate::fast::memory::Memory;
use crate::functions::work::work_of_text;
use crate::names::scope::Reference;
use crate::plain::operation::{Arithmetic, Operation, Order, plain_bool, plain_equal, plain_type};
use crate::plain::text::push_plain;
use crate::state::budget::Budget;
use crate::state::frame::FrameView;

/// The bytes from which a value is compared with the limit on memory at once.
const FEWEST_CHECKED_BYTES: usize = 16 * 1024;

/// Runs the nodes of compiled code at one point of an evaluation.
#[derive(Clone, Copy)]
pub(crate) struct Run<'r> {
    pub(crate) tree: &'r Tree,
    pub(crate) nodes: &'r [Node],
    pub(crate) frame: FrameView<'r>,
    pub(crate) limits: &'r Limits,
    /// The use of the limits before the run.
    pub(crate) budget: &'r Budget<'r>,
    pub(crate) memory: &'r Memory,
    /// The environment of calls; `None` if the code has no calls.
    pub(crate) call_env: Option<&'r CallEnv<'r>>,
    /// Whether the expression is an argument of `try` or `can`, where the rules evaluate names.
    pub(crate) is_attempt: bool,
}

impl<'r> Run<'r> {
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "ids are made only by the compiler of this code")]
    pub(crate) fn node(&self, id: NodeId) -> &'r Node {
        &self.nodes[id.0 as usize]
    }

    /// Returns the value of a node if it exists already and need not be computed.
    #[inline(always)]
    pub(crate) fn existing<'s>(&self, node: &'s Node, at: Innermost<'s>) -> Option<&'s Value>
    where
        'r: 's,
    {
        match node {
            Node::Constant(value) => Some(value),
            Node::Invariant(slot, node) => match self.memory.invariants.get(*slot) {
                Some(value) => Some(value),
                None => self.first_invariant(*slot, *node),
            },
            Node::Binding(index) => self.binding(*index, at),
            Node::BindingAttribute(index, name) => name.of(self.binding(*index, at)?),
            Node::Item => self.item(at),
            Node::ItemAttribute(name) => name.of(self.item(at)?),
            Node::Name(name) => self.stored_name(name),
            Node::Choice { condition, yes, no } => Some(if self.truth(*condition, at)? { yes } else { no }),
            Node::Arithmetic { .. }
            | Node::Order { .. }
            | Node::Equal { .. }
            | Node::EqualConstant { .. }
            | Node::And(..)
            | Node::Or(..)
            | Node::Conditional { .. }
            | Node::Not(_)
            | Node::Negate(_)
            | Node::Template(_)
            | Node::Call(..)
            | Node::Object(..)
            | Node::Tuple(_)
            | Node::For(_)
            | Node::Splat { .. } => None,
        }
    }

    /// Returns the value of a constant, or of a name of a loop on the fast path: values that need no call.
    #[inline(always)]
    pub(super) fn at_hand<'s>(&self, node: &'s Node, at: Innermost<'s>) -> Option<&'s Value> {
        if let Node::Constant(value) = node {
            Some(value)
        } else if let Node::Binding(index) = node {
            Bound::find(at, *index)
        } else {
            None
        }
    }

    /// Returns the value of the binding at `index`.
    #[inline(always)]
    fn binding<'s>(&self, index: usize, at: Innermost<'s>) -> Option<&'s Value>
    where
        'r: 's,
    {
        match Bound::find(at, index) {
            Some(value) => Some(value),
            None => self.frame.binding(index),
        }
    }

    /// Returns the element of the innermost splat.
    #[inline(always)]
    fn item<'s>(&self, at: Innermost<'s>) -> Option<&'s Value>
    where
        'r: 's,
    {
        match Bound::item(at) {
            Some(item) => Some(item),
            None => self.frame.item(),
        }
    }

    /// Computes a loop-invariant value and keeps it.
    #[cold]
    fn first_invariant(&self, slot: Slot, node: Option<NodeId>) -> Option<&'r Value> {
        let invariants = &self.memory.invariants;
        if invariants.is_refused(slot) {
            return None;
        }
        let mark = self.memory.mark();
        let value = self.value(node?, None)?;
        self.memory.keep_since(mark);
        invariants.set(slot, Some(&value));
        invariants.get(slot)
    }

    /// Returns the value of a node, if all its operands are plain.
    #[inline]
    pub(crate) fn value(&self, id: NodeId, at: Innermost<'_>) -> Option<Value> {
        let node = self.node(id);
        match self.existing(node, at) {
            Some(value) => Some(value.clone()),
            None => self.computed(id, node, at),
        }
    }

    /// Passes the value of a node to `push`. Each branch pushes itself, because a value merged from several
    /// branches is moved more often.
    #[inline]
    pub(super) fn push_value(&self, id: NodeId, at: Innermost<'_>, push: impl FnMut(Value)) -> Option<()> {
        self.push_value_of(id, self.node(id), at, push)
    }

    /// Does the same as [`Run::push_value`], for the node `id` that has been looked up.
    #[inline(always)]
    pub(super) fn push_value_of(
        &self,
        id: NodeId,
        node: &Node,
        at: Innermost<'_>,
        mut push: impl FnMut(Value),
    ) -> Option<()> {
        match self.existing(node, at) {
            Some(value) => push(value.clone()),
            None => match self.computed(id, node, at) {
                Some(value) => push(value),
                None => return None,
            },
        }
        Some(())
    }

    /// Returns the value of a node whose value does not exist yet.
    pub(crate) fn computed(&self, id: NodeId, node: &Node, at: Innermost<'_>) -> Option<Value> {
        match node {
            Node::Arithmetic { op, left, right } => self.arithmetic(*op, [*left, *right], at),
            Node::Order { .. }
            | Node::Equal { .. }
            | Node::EqualConstant { .. }
            | Node::And(..)
            | Node::Or(..)
            | Node::Not(_) => self.truth_value(id, at),
            Node::Conditional { condition, yes, no } => self.conditional(*condition, [*yes, *no], at),
            Node::Negate(operand) => self.negation(*operand, at),
            Node::Template(pieces) => self.template(pieces, at),
            Node::Call(function, arguments) => self.call(*function, arguments, at),
            Node::Object(object) => self.object(object, at),
            Node::Tuple(elements) => self.tuple(elements, at),
            Node::For(for_loop) => self.for_loop(id, for_loop, at),
            Node::Splat { source, each } => self.splat(id, *source, *each, at),
            Node::Name(name) => self.name(name),
            Node::Constant(_)
            | Node::Invariant(..)
            | Node::Binding(_)
            | Node::BindingAttribute(..)
            | Node::Item
            | Node::ItemAttribute(_)
            | Node::Choice { .. } => None,
        }
    }

    #[inline(never)]
    fn arithmetic(&self, op: Arithmetic, operands: [NodeId; 2], at: Innermost<'_>) -> Option<Value> {
        if let Some(number) = self.small_arithmetic(op, operands, at) {
            return Some(Value::number(number));
        }
        let ([left, right], operation) = (operands, Operation::Arithmetic(op));
        let value =
            self.with(left, at, |left| self.with(right, at, |right| operation.of_plain(left, right)))?;
        self.counted(value)
    }

    #[inline(never)]
    fn truth_value(&self, id: NodeId, at: Innermost<'_>) -> Option<Value> {
        self.truth(id, at).map(Value::from)
    }

    #[inline(never)]
    fn negation(&self, operand: NodeId, at: Innermost<'_>) -> Option<Value> {
        self.with(operand, at, |operand| {
            operand.is_plain(&Type::Number).then(|| ops::negate(operand).ok())?
        })
    }

    #[inline(never)]
    fn conditional(&self, condition: NodeId, results: [NodeId; 2], at: Innermost<'_>) -> Option<Value> {
        let ([yes, no], condition) = (results, self.truth(condition, at)?);
        self.with(yes, at, |yes| {
            self.with(no, at, |no| {
                plain_type(yes, no)?;
                Some(if condition { yes.clone() } else { no.clone() })
            })
        })
    }

    #[inline(never)]
    fn tuple(&self, elements: &[NodeId], at: Innermost<'_>) -> Option<Value> {
        // A vector collected from optional values would have more room than it needs.
        let mut values = Vec::with_capacity(elements.len());
        for element in elements {
            self.push_value(*element, at, |value| values.push(value))?;
        }
        let value = Some(Value::tuple(values)).filter(|value| value.refused().is_none())?;
        self.counted(value)
    }

    /// Calls `take` with the value of a node.
    #[inline]
    pub(super) fn with<T>(
        &self,
        id: NodeId,
        at: Innermost<'_>,
        take: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<T> {
        let node = self.node(id);
        match self.existing(node, at) {
            Some(value) => take(value),
            None => {
                let mark = self.memory.mark();
                let value = self.computed(id, node, at)?;
                if !self.memory.has_grown(mark) {
                    return take(&value);
                }
                let made = self.memory.mark();
                let taken = take(&value);
                self.memory.release(value.freed_bytes().min(made.since(mark)), mark);
                taken
            }
        }
    }

    /// Returns the value of a node that is a small number, without allocating a value.
    #[inline]
    fn small(&self, id: NodeId, at: Innermost<'_>) -> Option<SmallNumber> {
        let node = self.node(id);
        if let Node::Constant(value) = node { value.as_small() } else { self.small_of(id, node, at) }
    }

    fn small_of(&self, id: NodeId, node: &Node, at: Innermost<'_>) -> Option<SmallNumber> {
        // Most numbers in a loop are attributes of its elements, and reading them needs few registers.
        if let Node::BindingAttribute(index, name) = node {
            return name.of(self.binding(*index, at)?)?.as_small();
        }
        if let Node::Arithmetic { op, left, right } = node {
            return self.small_arithmetic(*op, [*left, *right], at);
        }
        self.small_of_other(id, node, at)
    }

    #[inline(never)]
    fn small_arithmetic(
        &self,
        op: Arithmetic,
        operands: [NodeId; 2],
        at: Innermost<'_>,
    ) -> Option<SmallNumber> {
        let [left, right] = operands;
        op.of_small(self.small(left, at)?, self.small(right, at)?)
    }

    #[inline(never)]
    fn small_of_other(&self, id: NodeId, node: &Node, at: Innermost<'_>) -> Option<SmallNumber> {
        match node {
            Node::Name(name) => match self.stored_name(name) {
                Some(value) => value.as_small(),
                None => self.name(name)?.as_small(),
            },
            Node::Constant(_)
            | Node::Binding(_)
            | Node::Invariant(..)
            | Node::BindingAttribute(..)
            | Node::Item
            | Node::ItemAttribute(_)
            | Node::Choice { .. } => self.existing(node, at)?.as_small(),
            Node::Conditional { .. } | Node::Negate(_) | Node::Template(_) | Node::Call(..) => {
                self.computed(id, node, at)?.as_small()
            }
            Node::Arithmetic { op, left, right } => self.small_arithmetic(*op, [*left, *right], at),
            Node::Order { .. }
            | Node::Equal { .. }
            | Node::EqualConstant { .. }
            | Node::And(..)
            | Node::Or(..)
            | Node::Not(_)
            | Node::Object(..)
            | Node::Tuple(_)
            | Node::For(_)
            | Node::Splat { .. } => None,
        }
    }

    /// Returns the value of a node that is a bool, without allocating a value.
    #[inline]
    pub(crate) fn truth(&self, id: NodeId, at: Innermost<'_>) -> Option<bool> {
        self.truth_of_node(id, self.node(id), at)
    }

    /// Does the same as [`Run::truth`], for the node `id` that has been looked up.
    pub(super) fn truth_of_node(&self, id: NodeId, node: &Node, at: Innermost<'_>) -> Option<bool> {
        // Most conditions compare a constant, usually with a name.
        let Node::EqualConstant { left, right, negated } = node else { return self.truth_of(id, node, at) };
        match self.at_hand(self.node(*left), at) {
            Some(left) => Some(plain_equal(left, right)? != *negated),
            None => self.equal_constant(*left, right, *negated, at),
        }
    }

    #[inline(never)]
    fn truth_of(&self, id: NodeId, node: &Node, at: Innermost<'_>) -> Option<bool> {
        match node {
            Node::Order { op, left, right } => self.is_ordered(*op, [*left, *right], at),
            Node::Equal { left, right, negated } => Some(self.equal(*left, *right, at)? != *negated),
            Node::EqualConstant { left, right, negated } => self.equal_constant(*left, right, *negated, at),
            Node::And(left, right) => Some(self.truth(*left, at)? & self.truth(*right, at)?),
            Node::Or(left, right) => Some(self.truth(*left, at)? | self.truth(*right, at)?),
            Node::Not(operand) => Some(!self.truth(*operand, at)?),
            Node::Conditional { .. } | Node::Template(_) | Node::Call(..) => {
                plain_bool(&self.computed(id, node, at)?)
            }
            Node::Name(_) => self.with(id, at, plain_bool),
            Node::Constant(_)
            | Node::Invariant(..)
            | Node::Binding(_)
            | Node::BindingAttribute(..)
            | Node::Item
            | Node::ItemAttribute(_)
            | Node::Choice { .. } => plain_bool(self.existing(node, at)?),
            Node::Arithmetic { .. }
            | Node::Negate(_)
            | Node::Object(..)
            | Node::Tuple(_)
            | Node::For(_)
            | Node::Splat { .. } => None,
        }
    }

    #[inline(never)]
    fn is_ordered(&self, op: Order, operands: [NodeId; 2], at: Innermost<'_>) -> Option<bool> {
        let [left, right] = operands;
        if let Some((left, right)) = self.small(left, at).zip(self.small(right, at)) {
            return Some(op.of_small(left, right));
        }
        self.with(left, at, |left| self.with(right, at, |right| op.of_plain(left, right)))
    }

    fn equal(&self, left: NodeId, right: NodeId, at: Innermost<'_>) -> Option<bool> {
        // If an operand is arithmetic, both operands are probably numbers.
        if let Node::Arithmetic { .. } = self.node(left)
            && let (Some(left), Some(right)) = (self.small(left, at), self.small(right, at))
        {
            return Some(left.value() == right.value());
        }
        self.with(left, at, |left| self.with(right, at, |right| plain_equal(left, right)))
    }

    #[inline(never)]
    fn equal_constant(&self, left: NodeId, right: &Value, negated: bool, at: Innermost<'_>) -> Option<bool> {
        let is_equal = if let Node::Arithmetic { .. } = self.node(left)
            && let (Some(left), Some(right)) = (self.small(left, at), right.as_small())
        {
            left.value() == right.value()
        } else {
            self.with(left, at, |left| plain_equal(left, right))?
        };
        Some(is_equal != negated)
    }

    /// Returns the value of a name that need not be copied.
    #[inline(never)]
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

    #[inline(never)]
    fn name(&self, name: &Name) -> Option<Value> {
        if self.is_attempt {
            return None;
        }
        let tree = self.tree;
        let (root, steps) = (&*name.root, tree.list(name.steps));
        let reference = Reference { tree, root, steps, span: name.span, splat: None };
        let (mut value, consumed) = self.frame.look_up(&reference)?;
        for step in reference.steps.get(consumed..)? {
            let Step::Attr { name, .. } = step else { return None };
            value = ops::attribute(&value, tree.slice(*name)).ok()?;
        }
        Some(value)
    }

    #[inline(never)]
    fn object(&self, object: &ObjectNode, at: Innermost<'_>) -> Option<Value> {
        let mut is_plain = true;
        // The values are made where they stay.
        let make = |value: &NodeId| self.some_or_null(*value, at, &mut is_plain);
        let values = Made { parts: object.values.iter(), make };
        // The value is moved only once.
        match Value::object_of_shape(object.shape.clone(), values) {
            Ok(value) if is_plain && self.count(object.bytes) => Some(value),
            Ok(_) | Err(_) => None,
        }
    }

    /// Returns the value of a node, or null after setting `is_plain` to false if the node or an earlier one has
    /// none. Never returns `None`.
    #[inline(never)]
    fn some_or_null(&self, id: NodeId, at: Innermost<'_>, is_plain: &mut bool) -> Option<Value> {
        match self.at_hand(self.node(id), at) {
            Some(value) => Some(value.clone()),
            None => Some(self.computed_or_null(id, at, is_plain)),
        }
    }

    #[inline(never)]
    pub(super) fn computed_or_null(&self, id: NodeId, at: Innermost<'_>, is_plain: &mut bool) -> Value {
        let value = if *is_plain { self.value(id, at) } else { None };
        *is_plain = value.is_some();
        match value {
            Some(value) => value,
            None => Value::NULL,
        }
    }

    #[inline(never)]
    fn template(&self, pieces: &[Piece], at: Innermost<'_>) -> Option<Value> {
        if let [Piece::Value(value)] = pieces {
            return self.value(*value, at);
        }
        let mut text = self.memory.text.take();
        text.clear();
        let mark = self.memory.mark();
        let is_written = self.write(pieces, at, &mut text).is_some() && self.limits.allow(&text);
        if self.memory.has_grown(mark) {
            // The values of the pieces no longer exist.
            self.memory.release(usize::MAX, mark);
        }
        let value = if is_written { self.written(&text) } else { None };
        self.memory.text.set(text);
        value
    }

    /// Returns the text of a template as a value.
    #[inline(never)]
    fn written(&self, text: &str) -> Option<Value> {
        let value = Value::from(text);
        // Most texts are short and take no memory of their own.
        if self.count(value.own_bytes()) { Some(value) } else { None }
    }

    /// Counts the memory of a new value, without the memory of its parts, and returns it. `None` if it is large and
    /// exceeds the limit: a loop checks the limit only after an element, which may contain thousands of such values.
    #[inline]
    pub(super) fn counted(&self, value: Value) -> Option<Value> {
        if self.count(value.outer_bytes()) { Some(value) } else { None }
    }

    /// Counts the bytes of a new value. Returns false if they are many and exceed the limit.
    #[inline]
    fn count(&self, bytes: usize) -> bool {
        if bytes > 0 {
            self.memory.count_bytes(bytes);
        }
        bytes < FEWEST_CHECKED_BYTES || self.is_within_memory()
    }

    /// Whether the values so far are within the limit on memory.
    #[cold]
    pub(super) fn is_within_memory(&self) -> bool {
        let used = self.memory.usage.get();
        used.bytes <= self.budget.left().bytes && !self.budget.exceeds_together(used)
    }

    /// Appends the pieces of a template. `None` if a piece is not plain, or the text is too long.
    fn write(&self, pieces: &[Piece], at: Innermost<'_>, text: &mut String) -> Option<()> {
        for piece in pieces {
            match piece {
                Piece::Text(literal) => text.push_str(literal),
                Piece::Value(id) => {
                    let node = self.node(*id);
                    let is_plain = match self.at_hand(node, at) {
                        Some(value) => push_plain(text, value),
                        None => self.write_value(*id, node, at, text),
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
        let work = work_of_text(text);
        if work > 0 {
            self.memory.count_steps(work);
        }
        Some(())
    }

    /// Appends the text of a node. Returns false if it is not plain.
    #[inline(never)]
    fn write_value(&self, id: NodeId, node: &Node, at: Innermost<'_>, text: &mut String) -> bool {
        match self.existing(node, at) {
            Some(value) => push_plain(text, value),
            None => self.computed(id, node, at).is_some_and(|value| push_plain(text, &value)),
        }
    }
}
