//! Compiled expressions: nodes in an arena.

use terrane_source::Span;
use terrane_syntax::ExprId;
use terrane_syntax::tree::{List, Step};
use terrane_value::{LastPlace, Shape, Value, ValueKind};

use crate::functions::table::PlainFunction;
use crate::plain::operation::{Arithmetic, Operation, Order};

/// Compiled code of the expressions within a loop, or of a whole [`Program`](crate::Program).
#[derive(Default, Debug)]
pub(crate) struct Compiled {
    /// The index of the first expression in `forms`.
    pub(super) first: usize,
    pub(super) forms: Vec<Form>,
    pub(super) nodes: Vec<Node>,
    /// The number of slots for loop-invariant expressions.
    pub(super) slots: u32,
}

/// The way in which an expression is evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// By the rules, in each iteration.
    Rules,
    /// Once for all iterations of the loops around it. This slot keeps the value.
    Invariant(Slot),
    /// On the fast path, or by the rules if that gives no value.
    Fast(NodeId),
}

/// The index of a node in its [`Compiled`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeId(pub(super) u32);

/// The slot for the value of a loop-invariant expression of a [`Compiled`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot(u32);

/// A compiled expression. Its names are resolved, and it does not refer to a tree.
#[derive(Debug)]
pub(crate) enum Node {
    Constant(Value),
    /// The value of a loop-invariant expression, in this slot, and the node that computes it, if there is one.
    Invariant(Slot, Option<NodeId>),
    /// The binding at this index.
    Binding(usize),
    /// An attribute of the binding at this index.
    BindingAttribute(usize, Attribute),
    /// The element of the innermost splat.
    Item,
    /// An attribute of the element of the innermost splat.
    ItemAttribute(Attribute),
    /// A name that no loop binds, followed only by attributes, outside loops. Inside a loop it is loop-invariant.
    Name(Name),
    Arithmetic {
        op: Arithmetic,
        left: NodeId,
        right: NodeId,
    },
    Order {
        op: Order,
        left: NodeId,
        right: NodeId,
    },
    Equal {
        left: NodeId,
        right: NodeId,
        negated: bool,
    },
    /// A comparison with a constant.
    EqualConstant {
        left: NodeId,
        right: Value,
        negated: bool,
    },
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Conditional {
        condition: NodeId,
        yes: NodeId,
        no: NodeId,
    },
    /// A conditional between two constants of one primitive type.
    Choice {
        condition: NodeId,
        yes: Value,
        no: Value,
    },
    Not(NodeId),
    Negate(NodeId),
    Template(Box<[Piece]>),
    Call(PlainFunction, Box<[NodeId]>),
    Object(ObjectNode),
    Tuple(Box<[NodeId]>),
    For(Box<ForLoop>),
    Splat {
        source: NodeId,
        each: NodeId,
    },
}

/// An object with these attributes, in the order of their names.
#[derive(Debug)]
pub(crate) struct ObjectNode {
    pub(super) shape: Shape,
    pub(super) values: Box<[NodeId]>,
    /// The bytes that a new object takes up.
    pub(super) bytes: usize,
}

/// A `for` whose parts are all compiled.
#[derive(Debug)]
pub(crate) struct ForLoop {
    pub(super) collection: NodeId,
    /// The index of the first name that it binds.
    pub(super) first_name: usize,
    pub(super) has_key_name: bool,
    pub(super) condition: Option<NodeId>,
    /// The key of an attribute; `None` if the result is a tuple.
    pub(super) key: Option<NodeId>,
    pub(super) value: NodeId,
    /// The steps that each element takes.
    pub(super) steps: u64,
}

/// The steps of an element of a loop, without the steps of its expressions.
pub(super) const STEPS_OF_ELEMENT: u64 = 4;

/// A reference: see [`Expr::Traversal`](terrane_syntax::Expr::Traversal).
#[derive(Debug)]
pub(crate) struct Name {
    pub(crate) root: Box<str>,
    pub(crate) steps: List<Step>,
    pub(crate) span: Span,
}

/// The name of an attribute, and its position in the object in which it was last found.
#[derive(Debug)]
pub(crate) struct Attribute {
    name: Box<str>,
    last_place: LastPlace,
}

/// A part of a template.
#[derive(Debug)]
pub(crate) enum Piece {
    Text(Box<str>),
    Value(NodeId),
}

impl Compiled {
    #[inline]
    pub(crate) fn form(&self, id: ExprId) -> Form {
        self.forms.get(id.index().wrapping_sub(self.first)).copied().unwrap_or(Form::Rules)
    }

    /// Returns the node of an expression that has one.
    #[inline]
    pub(crate) fn node_of(&self, id: ExprId) -> Option<NodeId> {
        match self.form(id) {
            Form::Fast(node) => Some(node),
            Form::Rules | Form::Invariant(_) => None,
        }
    }

    /// Adds a node. An expression has fewer nodes than bytes, which `u32` can count.
    pub(super) fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(node);
        id
    }

    /// Replaces a node.
    #[expect(clippy::indexing_slicing, reason = "`add` makes an id for each node, and no node is removed")]
    pub(super) fn replace(&mut self, id: NodeId, node: Node) {
        self.nodes[id.0 as usize] = node;
    }

    /// Adds a slot.
    pub(super) fn add_slot(&mut self) -> Slot {
        let slot = Slot(self.slots);
        self.slots += 1;
        slot
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "`add` makes an id for each node, and no node is removed")]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Returns all nodes, by their ids.
    #[inline]
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Whether nothing is compiled.
    pub(crate) fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }
}

impl Slot {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl ForLoop {
    /// Returns the attribute that the loop reads of each element, if the loop does nothing else. `value`
    /// is the node of its value.
    pub(super) fn only_attribute<'n>(&self, value: &'n Node) -> Option<&'n Attribute> {
        let value_name = self.first_name + usize::from(self.has_key_name);
        if let Node::BindingAttribute(index, attribute) = value
            && *index == value_name
            && self.condition.is_none()
        {
            return Some(attribute);
        }
        None
    }
}

impl Node {
    pub(super) fn operation(operation: Operation, left: NodeId, right: NodeId) -> Node {
        match operation {
            Operation::Arithmetic(op) => Node::Arithmetic { op, left, right },
            Operation::Order(op) => Node::Order { op, left, right },
            Operation::Equal => Node::Equal { left, right, negated: false },
            Operation::NotEqual => Node::Equal { left, right, negated: true },
            Operation::And => Node::And(left, right),
            Operation::Or => Node::Or(left, right),
        }
    }

    /// Calls `visit` for each operand.
    pub(super) fn for_each_operand(&self, visit: &mut dyn FnMut(NodeId)) {
        match self {
            Node::Arithmetic { left, right, .. }
            | Node::Order { left, right, .. }
            | Node::Equal { left, right, .. }
            | Node::And(left, right)
            | Node::Or(left, right)
            | Node::Splat { source: left, each: right } => [*left, *right].into_iter().for_each(visit),
            Node::Conditional { condition, yes, no } => [*condition, *yes, *no].into_iter().for_each(visit),
            Node::EqualConstant { left: operand, .. }
            | Node::Choice { condition: operand, .. }
            | Node::Not(operand)
            | Node::Negate(operand) => {
                visit(*operand);
            }
            Node::Invariant(_, node) => node.iter().copied().for_each(visit),
            Node::Template(pieces) => pieces.iter().for_each(|piece| match piece {
                Piece::Text(_) => {}
                Piece::Value(value) => visit(*value),
            }),
            Node::Call(_, operands)
            | Node::Object(ObjectNode { values: operands, .. })
            | Node::Tuple(operands) => {
                operands.iter().copied().for_each(visit);
            }
            Node::For(parts) => {
                let operands = [Some(parts.collection), parts.condition, parts.key, Some(parts.value)];
                operands.into_iter().flatten().for_each(visit);
            }
            Node::Constant(_)
            | Node::Binding(_)
            | Node::BindingAttribute(..)
            | Node::Item
            | Node::ItemAttribute(_)
            | Node::Name(_) => {}
        }
    }
}

impl Attribute {
    pub(super) fn new(name: &str) -> Attribute {
        Attribute { name: name.into(), last_place: LastPlace::default() }
    }

    /// Returns the attribute of an object or map; `None` if it is missing, or `value` is anything else.
    #[inline]
    pub(crate) fn of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match value.plain_object() {
            Some(entries) => entries.get_near(&self.name, &self.last_place),
            None => self.of_map(value),
        }
    }

    #[inline(never)]
    fn of_map<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        if let ValueKind::Map(entries) = value.kind() {
            entries.get_near(&self.name, &self.last_place)
        } else {
            None
        }
    }
}
