//! The quick way: what is made of plain values is computed at once.
//!
//! Most operators, conditionals and templates meet known values of primitive types without marks, and most calls of
//! functions wholly known ones: nothing can be wrong with them, and no rule is about them. Names, tuples and objects
//! take any values. Wherever anything else turns up, the answer is `None`, and the expression is evaluated by the rules.

use std::cell::Cell;
use std::path::Path;

use smallvec::SmallVec;
use terrane_function::{CallEnv, Limits, Meter};
use terrane_source::MemoryFiles;
use terrane_syntax::Tree;
use terrane_syntax::tree::Step;
use terrane_value::{Shape, SmallNumber, Type, Value, ValueKind, ops};

use crate::fast::compiler::{Kept, Name, Node, NodeId, Piece, Plan};
use crate::functions::table::PlainFunction;
use crate::plain::operation::{Operation, plain_bool, plain_equal};
use crate::rules::call::work_to_make;
use crate::rules::template::push_plain;
use crate::state::binding::Bound;
use crate::{FunctionTable, Lookup, Names, Reference, Scope};

/// Calls with more arguments are not made the quick way.
pub(crate) const MOST_ARGUMENTS: usize = 3;

/// Room on the stack for the attributes of most objects.
const FEW_ATTRIBUTES: usize = 8;

/// Nor are calls that have more to do, in which a run may be stopped: see [`Limits::work`].
const MOST_WORK: usize = 1024;

static NO_FILES: MemoryFiles = MemoryFiles::new();

/// What an expression may refer to.
#[derive(Clone, Copy)]
pub(crate) enum Place<'q> {
    /// Neither variables nor functions.
    Nowhere,
    /// What a scope has.
    Scope(&'q Scope<'q>),
    /// These names and functions, which see nothing of the world: pure ones look at nothing but the limits.
    Bare(&'q dyn Names, &'q FunctionTable),
}

impl<'q> Place<'q> {
    #[inline]
    fn names(self) -> Option<&'q dyn Names> {
        match self {
            Place::Nowhere => None,
            Place::Scope(scope) => Some(scope.names),
            Place::Bare(names, _) => Some(names),
        }
    }

    #[inline]
    fn functions(self) -> Option<&'q FunctionTable> {
        match self {
            Place::Nowhere => None,
            Place::Scope(scope) => Some(scope.functions),
            Place::Bare(_, functions) => Some(functions),
        }
    }

    #[inline]
    pub(crate) fn env(self) -> Option<&'q CallEnv<'q>> {
        match self {
            Place::Nowhere | Place::Bare(..) => None,
            Place::Scope(scope) => Some(scope.env),
        }
    }
}

/// Computes the nodes of a plan.
#[derive(Clone, Copy)]
pub(crate) struct Quick<'q> {
    pub(crate) tree: &'q Tree,
    pub(crate) plan: &'q Plan,
    pub(crate) place: Place<'q>,
    pub(crate) limits: &'q Limits,
    pub(crate) locals: &'q [(&'q str, Bound)],
    pub(crate) items: &'q [Bound],
    pub(crate) kept: &'q Kept,
    /// Whether it counts that a name may stand for nothing, as in `try` and `can`.
    pub(crate) is_attempt: bool,
    /// Room for the text of a template.
    pub(crate) text: &'q Cell<String>,
    /// What the calls had to do, in steps.
    pub(crate) work: &'q Cell<u64>,
}

impl<'q> Quick<'q> {
    /// The value of a node where it is there already.
    #[inline(always)]
    pub(crate) fn there(&self, node: &'q Node) -> Option<&'q Value> {
        match node {
            Node::Constant(value) => Some(value),
            Node::Same(place) => self.kept.get(*place),
            Node::Local(slot) => self.locals.get(*slot).map(|(_, bound)| bound.value()),
            Node::LocalAttribute(slot, name) => name.of(self.locals.get(*slot)?.1.value()),
            Node::Item => self.items.last().map(Bound::value),
            Node::ItemAttribute(name) => name.of(self.items.last()?.value()),
            Node::Name(name) => self.kept_name(name),
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

    /// The value of a node, where all that it is made of is plain.
    #[inline]
    pub(crate) fn value(&self, id: NodeId) -> Option<Value> {
        let node = self.plan.node(id)?;
        match self.there(node) {
            Some(value) => Some(value.clone()),
            None => self.computed(id, node),
        }
    }

    /// Adds the value of a node: a value that comes from several places into one variable would be moved more often.
    #[inline]
    fn push_value<const N: usize>(&self, id: NodeId, values: &mut SmallVec<[Value; N]>) -> Option<()>
    where
        [Value; N]: smallvec::Array<Item = Value>,
    {
        let node = self.plan.node(id)?;
        match self.there(node) {
            Some(value) => values.push(value.clone()),
            None => match self.computed(id, node) {
                Some(value) => values.push(value),
                None => return None,
            },
        }
        Some(())
    }

    /// The value of a node that is not there.
    pub(crate) fn computed(&self, id: NodeId, node: &'q Node) -> Option<Value> {
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
            | Node::Same(_)
            | Node::Local(_)
            | Node::LocalAttribute(..)
            | Node::Item
            | Node::ItemAttribute(_)
            | Node::Choice { .. } => None,
        }
    }

    /// What `take` makes of the value of a node.
    #[inline]
    fn with<T>(&self, id: NodeId, take: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        let node = self.plan.node(id)?;
        match self.there(node) {
            Some(value) => take(value),
            None => take(&self.computed(id, node)?),
        }
    }

    /// The value of a node that is a small number, without making a value of it.
    #[inline]
    fn small(&self, id: NodeId) -> Option<SmallNumber> {
        let node = self.plan.node(id)?;
        if let Node::Constant(value) = node { value.as_small() } else { self.small_of(id, node) }
    }

    fn small_of(&self, id: NodeId, node: &'q Node) -> Option<SmallNumber> {
        match node {
            Node::Constant(value) => value.as_small(),
            Node::Local(slot) => self.locals.get(*slot)?.1.value().as_small(),
            Node::Arithmetic(op, left, right) => op.of_small(self.small(*left)?, self.small(*right)?),
            Node::Name(name) => match self.kept_name(name) {
                Some(value) => value.as_small(),
                None => self.name(name)?.as_small(),
            },
            Node::Same(_)
            | Node::LocalAttribute(..)
            | Node::Item
            | Node::ItemAttribute(_)
            | Node::Choice { .. } => self.there(node)?.as_small(),
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

    /// The value of a node that is true or false, without making a value of it.
    pub(crate) fn truth(&self, id: NodeId) -> Option<bool> {
        let node = self.plan.node(id)?;
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
            | Node::Same(_)
            | Node::Local(_)
            | Node::LocalAttribute(..)
            | Node::Item
            | Node::ItemAttribute(_)
            | Node::Choice { .. } => plain_bool(self.there(node)?),
            Node::Arithmetic(..) | Node::Negate(_) | Node::Object(..) | Node::Tuple(_) => None,
        }
    }

    fn equal(&self, left: NodeId, right: NodeId) -> Option<bool> {
        // What is computed is most likely a number.
        if let Some(Node::Arithmetic(..)) = self.plan.node(left)
            && let (Some(left), Some(right)) = (self.small(left), self.small(right))
        {
            return Some(left.value() == right.value());
        }
        self.with(left, |left| self.with(right, |right| plain_equal(left, right)))
    }

    /// What a name stands for, where it need not be copied.
    #[inline]
    fn kept_name(&self, name: &Name) -> Option<&'q Value> {
        if self.is_attempt {
            return None;
        }
        let kept = match self.local(&name.root) {
            Some(value) => value,
            None => self.place.names()?.kept(&name.root)?,
        };
        self.tree.list(name.steps).iter().try_fold(kept, |value, step| match (step, value.kind()) {
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
        let (mut value, consumed) = self.look_up(&reference)?;
        for step in reference.steps.get(consumed..)? {
            let Step::Attr { name, .. } = step else { return None };
            value = ops::attribute(&value, tree.slice(*name)).ok()?;
        }
        Some(value)
    }

    /// What the reference stands for, and how many of its steps are taken already.
    #[inline]
    pub(crate) fn look_up(&self, reference: &Reference<'_>) -> Option<(Value, usize)> {
        if let Some(value) = self.local(reference.root) {
            return Some((value.clone(), 0));
        }
        match self.place.names()?.lookup(reference) {
            Lookup::Found { value, consumed } => Some((value, consumed)),
            Lookup::Undeclared => None,
        }
    }

    /// What a loop or a block has bound to a name.
    #[inline]
    pub(crate) fn local(&self, name: &str) -> Option<&'q Value> {
        self.locals.iter().rev().find(|(local, _)| *local == name).map(|(_, bound)| bound.value())
    }

    fn call(&self, function: PlainFunction, arguments: &[NodeId]) -> Option<Value> {
        let function = self.place.functions()?.plain_function(function)?;
        let mut values: SmallVec<[Value; MOST_ARGUMENTS]> = SmallVec::new();
        for argument in arguments {
            self.push_value(*argument, &mut values)?;
        }
        let work = Cell::new(0);
        let value = match self.place.env() {
            Some(env) => function.call_plain(&values, env, &work, MOST_WORK),
            None => {
                // Each call counts all that it does, whatever was done before.
                let meter = Meter::default();
                let env =
                    CallEnv { meter: Some(&meter), ..CallEnv::new(&NO_FILES, Path::new("."), self.limits) };
                function.call_plain(&values, &env, &work, MOST_WORK)
            }
        };
        if let Some(value) = &value {
            let work = work.get().saturating_add(work_to_make(function.cost, value));
            self.work.set(self.work.get().saturating_add(work as u64));
        }
        value
    }

    fn object(&self, shape: &Shape, values: &[NodeId]) -> Option<Value> {
        let mut attributes: SmallVec<[Value; FEW_ATTRIBUTES]> = SmallVec::with_capacity(values.len());
        for value in values {
            self.push_value(*value, &mut attributes)?;
        }
        // As they are drained, the room for them is not moved.
        Value::object_of_shape(shape.clone(), attributes.drain(..)).ok()
    }

    fn template(&self, pieces: &[Piece]) -> Option<Value> {
        let mut text = self.text.take();
        text.clear();
        let value = self.written(pieces, &mut text);
        self.text.set(text);
        value
    }

    #[inline(never)]
    fn written(&self, pieces: &[Piece], text: &mut String) -> Option<Value> {
        self.write(pieces, text)?;
        if self.limits.allow(text) { Some(Value::from(text.as_str())) } else { None }
    }

    /// Writes the pieces of a template, as far as they are plain and not too long.
    fn write(&self, pieces: &[Piece], text: &mut String) -> Option<()> {
        for piece in pieces {
            match piece {
                Piece::Text(literal) => text.push_str(literal),
                Piece::Value(id) => {
                    let node = self.plan.node(*id)?;
                    let is_plain = match self.there(node) {
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

/// The type of two results without marks that are of one primitive type and need no conversion, as most are.
pub(crate) fn plain_type(yes: &Value, no: &Value) -> Option<Type> {
    let both = |ty: Type| (yes.is_plain(&ty) && no.is_plain(&ty)).then_some(ty);
    both(Type::String).or_else(|| both(Type::Number)).or_else(|| both(Type::Bool))
}
