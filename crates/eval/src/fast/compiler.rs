//! What is found out about an expression before it is evaluated: constants are made, the names that loops bind are
//! resolved, and what stays the same from one turn of a loop to the next is evaluated once.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicUsize;

use terrane_function::{Limits, ResultType};
use terrane_source::Span;
use terrane_syntax::tree::{CallId, List, ObjectItem, Part, Step, UnaryOp};
use terrane_syntax::{Expr, ExprId, Tree};
use terrane_value::{Shape, SmolStr, Value, ValueKind};

use crate::NoNames;
use crate::fast::run::{MOST_ARGUMENTS, Place, Quick, plain_type};
use crate::functions::table::{FunctionTable, PlainFunction};
use crate::plain::operation::{Arithmetic, Operation, Order};
use crate::rules::call::function_name;
use crate::rules::evaluator::literal;
use crate::rules::for_expr::{ForBody, ForHead};

/// What is known about the expressions within the outermost loop that is being evaluated, or within a whole
/// [`Program`](crate::Program); nothing outside of both.
#[derive(Default, Debug)]
pub(crate) struct Plan {
    /// The index of the first expression.
    first: usize,
    states: Vec<State>,
    nodes: Vec<Node>,
}

/// What is known about one expression.
#[derive(Clone, Copy, Debug)]
pub(crate) enum State {
    /// It has to be evaluated each time, by the rules.
    Varies,
    /// It gives the same in every turn of the loops around it: the place of its value among those that are kept.
    Same(usize),
    /// It is a name that a loop binds, at this index of the names that are bound, with steps behind it.
    LocalSteps(usize),
    /// It is worth to be tried the quick way.
    Ready(NodeId),
}

/// An expression that is ready to be computed the quick way: see [`Quick`]. What its names stand for is found, and
/// no tree has to be walked.
#[derive(Debug)]
pub(crate) enum Node {
    /// It always has this value.
    Constant(Value),
    /// As [`State::Same`].
    Same(usize),
    /// A name that a loop binds, at this index of the names that are bound.
    Local(usize),
    /// An attribute of a name that a loop binds.
    LocalAttribute(usize, Attribute),
    /// The element of a splat.
    Item,
    /// An attribute of the element of a splat.
    ItemAttribute(Attribute),
    /// A name that no loop binds, with nothing but attributes behind it, outside of loops: inside it is the same in each
    /// turn.
    Name(Name),
    Arithmetic(Arithmetic, NodeId, NodeId),
    Order(Order, NodeId, NodeId),
    Equal {
        left: NodeId,
        right: NodeId,
        negated: bool,
    },
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Conditional {
        condition: NodeId,
        yes: NodeId,
        no: NodeId,
    },
    /// One of two values of the same primitive type.
    Choice {
        condition: NodeId,
        yes: Value,
        no: Value,
    },
    Not(NodeId),
    Negate(NodeId),
    Template(Box<[Piece]>),
    Call(PlainFunction, Box<[NodeId]>),
    /// An object with these attributes, in the order of their names.
    Object(Shape, Box<[NodeId]>),
    Tuple(Box<[NodeId]>),
}

/// A traversal: see [`Expr::Traversal`].
#[derive(Debug)]
pub(crate) struct Name {
    pub(crate) root: Box<str>,
    pub(crate) steps: List<Step>,
    pub(crate) span: Span,
}

/// The name of an attribute, and its place in the object in which it was found the last time.
#[derive(Debug)]
pub(crate) struct Attribute {
    name: Box<str>,
    place: AtomicUsize,
}

impl Attribute {
    fn new(name: &str) -> Attribute {
        Attribute { name: name.into(), place: AtomicUsize::new(0) }
    }

    /// This attribute of an object or map that neither is marked nor lacks it.
    #[inline]
    pub(crate) fn of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        if let ValueKind::Object(entries) | ValueKind::Map(entries) = value.kind() {
            entries.get_near(&self.name, &self.place)
        } else {
            None
        }
    }
}

/// A part of a template.
#[derive(Debug)]
pub(crate) enum Piece {
    Text(Box<str>),
    Value(NodeId),
}

/// A place among the nodes of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeId(u32);

/// What is found out about an expression by looking at it.
#[derive(Clone, Copy)]
struct Seen {
    /// The loops that it depends on.
    turns: Turns,
    ready: Option<Ready>,
}

/// An expression that can be computed the quick way.
#[derive(Clone, Copy)]
struct Ready {
    node: NodeId,
    /// How many operations are inside of each other in it.
    height: u8,
}

/// Higher operations are not tried the quick way as a whole, so that what turns out not to be plain far inside is tried
/// only so many times.
const MOST_HEIGHT: u8 = 8;

/// Longer texts are not computed before they are needed, in bytes.
const LONGEST_FOLDED: usize = 256;

/// The plan of an evaluation.
pub(crate) enum Planned<'e> {
    /// That of a program.
    Before(&'e Plan),
    /// That of the outermost loop; empty outside of one.
    Here(Plan),
}

/// The values that stay the same in the loops around them, as far as they were evaluated.
#[derive(Default)]
pub(crate) struct Kept(Vec<Keep>);

#[derive(Clone)]
enum Keep {
    /// It was not evaluated yet.
    Not,
    Value(Value),
    /// It has a mistake, which is reported for each turn.
    Never,
}

/// The loops of which something depends on a turn, a bit for each by its nesting.
type Turns = u64;

/// Stands for all loops that are nested so deeply that they have no bit of their own.
const DEEPEST: u32 = Turns::BITS - 1;

/// A table that would have more than this many unused places for each used one is not made.
const MOST_GAPS: usize = 4;

impl Plan {
    /// The plan for an expression around which no name is bound, and the calls in it.
    pub(crate) fn of_expr(tree: &Tree, id: ExprId, functions: &FunctionTable) -> (Plan, Vec<CallId>) {
        let mut planner = Planner::new(tree, Some(functions), 0);
        planner.expr(id);
        let calls = std::mem::take(&mut planner.calls);
        (planner.finish(), calls)
    }

    /// The plan for a `for`, whose names are bound behind `bound` others.
    pub(crate) fn of_for(
        tree: &Tree,
        functions: Option<&FunctionTable>,
        head: &ForHead,
        bound: usize,
    ) -> Plan {
        let mut planner = Planner::new(tree, functions, bound);
        planner.bind(head.key_name, head.value_name);
        planner.body(head.condition, head.body);
        planner.finish()
    }

    /// The plan for a splat that evaluates `each` for each element.
    pub(crate) fn of_splat(
        tree: &Tree,
        functions: Option<&FunctionTable>,
        each: ExprId,
        bound: usize,
    ) -> Plan {
        let mut planner = Planner::new(tree, functions, bound);
        let turn = planner.next_turn();
        planner.items.push(turn);
        planner.expr(each);
        planner.finish()
    }
}

impl Node {
    fn operation(operation: Operation, left: NodeId, right: NodeId) -> Node {
        match operation {
            Operation::Arithmetic(op) => Node::Arithmetic(op, left, right),
            Operation::Order(op) => Node::Order(op, left, right),
            Operation::Equal => Node::Equal { left, right, negated: false },
            Operation::NotEqual => Node::Equal { left, right, negated: true },
            Operation::And => Node::And(left, right),
            Operation::Or => Node::Or(left, right),
        }
    }
}

impl Plan {
    #[inline]
    fn state(&self, id: ExprId) -> State {
        self.states.get(id.index().wrapping_sub(self.first)).copied().unwrap_or(State::Varies)
    }

    /// The place of the node of an expression, where it is ready.
    #[inline]
    pub(crate) fn ready(&self, id: ExprId) -> Option<NodeId> {
        match self.state(id) {
            State::Ready(node) => Some(node),
            State::Varies | State::Same(_) | State::LocalSteps(_) => None,
        }
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }
}

impl Planned<'_> {
    #[inline]
    pub(crate) fn plan(&self) -> &Plan {
        match self {
            Planned::Before(plan) => plan,
            Planned::Here(plan) => plan,
        }
    }

    /// The node of a part that is ready.
    #[inline]
    pub(crate) fn node(&self, id: ExprId) -> Option<&Node> {
        let plan = self.plan();
        plan.node(plan.ready(id)?)
    }

    /// Whether there is nothing yet, so that a loop is worth a plan of its own.
    pub(crate) fn is_empty(&self) -> bool {
        self.plan().states.is_empty()
    }

    #[inline]
    pub(crate) fn state(&self, id: ExprId) -> State {
        self.plan().state(id)
    }
}

impl Kept {
    /// The value at `place`, where it is known by now.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> Option<&Value> {
        match self.0.get(place) {
            Some(Keep::Value(value)) => Some(value),
            Some(Keep::Not | Keep::Never) | None => None,
        }
    }

    /// Whether there must not be a value at `place`.
    pub(crate) fn is_never(&self, place: usize) -> bool {
        matches!(self.0.get(place), Some(Keep::Never))
    }

    /// Keeps a value, or that there must not be one.
    pub(crate) fn set(&mut self, place: usize, value: Option<&Value>) {
        if self.0.len() <= place {
            self.0.resize(place + 1, Keep::Not);
        }
        if let Some(keep) = self.0.get_mut(place) {
            *keep = value.map_or(Keep::Never, |value| Keep::Value(value.clone()));
        }
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

struct Planner<'t> {
    tree: &'t Tree,
    /// None where there are none.
    functions: Option<&'t FunctionTable>,
    /// The names that loops bind, with their indexes among the names that are bound and their loops.
    names: Vec<(&'t str, usize, u32)>,
    /// How many names are bound around the outermost loop.
    outside: usize,
    /// The loops of the enclosing splats.
    items: Vec<u32>,
    /// How many loops are entered.
    loops: u32,
    /// How many values are to be kept.
    kept: usize,
    /// How many expressions were looked at.
    count: usize,
    calls: Vec<CallId>,
    /// What is known about some of them.
    found: Vec<(ExprId, State)>,
    plan: Plan,
}

impl<'t> Planner<'t> {
    fn new(tree: &'t Tree, functions: Option<&'t FunctionTable>, outside: usize) -> Planner<'t> {
        Planner {
            tree,
            functions,
            names: Vec::new(),
            outside,
            items: Vec::new(),
            loops: 0,
            kept: 0,
            count: 0,
            calls: Vec::new(),
            found: Vec::new(),
            plan: Plan::default(),
        }
    }

    fn finish(self) -> Plan {
        let indexes = || self.found.iter().map(|(id, _)| id.index());
        let (Some(first), Some(last)) = (indexes().min(), indexes().max()) else { return Plan::default() };
        let len = last - first + 1;
        if len / MOST_GAPS > self.count {
            return Plan::default();
        }
        let mut states = vec![State::Varies; len];
        for (id, state) in self.found {
            if let Some(place) = states.get_mut(id.index() - first) {
                *place = state;
            }
        }
        Plan { first, states, ..self.plan }
    }

    /// The bit of the loop that is entered next.
    fn next_turn(&mut self) -> u32 {
        let turn = self.loops.min(DEEPEST);
        self.loops += 1;
        turn
    }

    /// What remains of `turns` outside of the loop that was entered last.
    fn leave(&mut self, turns: Turns) -> Turns {
        self.loops -= 1;
        if self.loops < DEEPEST { turns & !(1 << self.loops) } else { turns }
    }

    fn bind(&mut self, key: Option<Span>, value: Span) {
        let turn = self.next_turn();
        for name in key.into_iter().chain([value]) {
            let slot = self.outside + self.names.len();
            self.names.push((self.tree.slice(name), slot, turn));
        }
    }

    fn unbind(&mut self, key: Option<Span>, turns: Turns) -> Turns {
        let count = if key.is_some() { 2 } else { 1 };
        self.names.truncate(self.names.len().saturating_sub(count));
        self.leave(turns)
    }

    /// Looks at an expression. Chains of operators may be long.
    fn expr(&mut self, mut id: ExprId) -> Seen {
        let mut chain = Vec::new();
        while let Expr::Binary { op, left, right } = self.tree.expr(id) {
            chain.push((id, op, right));
            id = left;
        }
        let mut seen = self.operand(id);
        for (whole, op, right) in chain.into_iter().rev() {
            let right = self.expr(right);
            seen = self.operation(whole, &[seen, right], |nodes| {
                let [left, right] = *nodes else { return None };
                Some(Node::operation(op.into(), left, right))
            });
        }
        seen
    }

    /// Records an expression that has to be evaluated by the rules.
    fn slow(&mut self, id: ExprId, turns: Turns) -> Seen {
        self.record(id, turns, State::Varies)
    }

    /// Records an operation on parts that were seen so, which `node` makes of the nodes of the parts.
    fn operation(
        &mut self,
        id: ExprId,
        parts: &[Seen],
        node: impl FnOnce(&[NodeId]) -> Option<Node>,
    ) -> Seen {
        let turns = parts.iter().fold(0, |turns, part| turns | part.turns);
        let ready: Option<Vec<Ready>> = parts.iter().map(|part| part.ready).collect();
        let height = ready.iter().flatten().map(|part| part.height).max().unwrap_or(0);
        let nodes: Option<Vec<NodeId>> = ready.map(|ready| ready.iter().map(|part| part.node).collect());
        match nodes.filter(|_| height < MOST_HEIGHT).and_then(|nodes| node(&nodes)) {
            Some(node) => self.ready(id, turns, height + 1, node),
            None => self.slow(id, turns),
        }
    }

    /// Records an expression that can be computed the quick way.
    fn ready(&mut self, id: ExprId, turns: Turns, height: u8, node: Node) -> Seen {
        let node = self.simplified(node);
        let is_constant = matches!(node, Node::Constant(_));
        let is_of_constants = self.is_of_constants(&node);
        let node = self.add(node);
        let is_constant = is_constant || (is_of_constants && self.fold(node));
        if turns == 0 && self.loops > 0 && !is_constant {
            return self.slow(id, turns);
        }
        let height = if is_constant { 0 } else { height };
        self.found.push((id, State::Ready(node)));
        Seen { turns, ready: Some(Ready { node, height }) }
    }

    /// The node, where something can be found out about it now.
    fn simplified(&self, node: Node) -> Node {
        let Node::Conditional { condition, yes, no } = node else { return node };
        match [condition, yes, no].map(|part| self.plan.node(part)) {
            [Some(Node::Constant(_)), ..] => node,
            [Some(_), Some(Node::Constant(yes)), Some(Node::Constant(no))]
                if plain_type(yes, no).is_some() =>
            {
                Node::Choice { condition, yes: yes.clone(), no: no.clone() }
            }
            [..] => node,
        }
    }

    fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(u32::try_from(self.plan.nodes.len()).unwrap_or(u32::MAX));
        self.plan.nodes.push(node);
        id
    }

    /// Whether a node computes something of constants. Templates are left alone: how long they may be is found out when
    /// they are evaluated. So are collections, which may be large and never be needed.
    fn is_of_constants(&self, node: &Node) -> bool {
        let is_constant = |id: &NodeId| matches!(self.plan.node(*id), Some(Node::Constant(_)));
        match node {
            Node::Arithmetic(_, left, right)
            | Node::Order(_, left, right)
            | Node::Equal { left, right, .. }
            | Node::And(left, right)
            | Node::Or(left, right) => [left, right].into_iter().all(is_constant),
            Node::Conditional { condition, yes, no } => [condition, yes, no].into_iter().all(is_constant),
            Node::Not(operand) | Node::Negate(operand) => is_constant(operand),
            Node::Call(_, arguments) => arguments.iter().all(is_constant),
            Node::Constant(_)
            | Node::Same(_)
            | Node::Local(_)
            | Node::LocalAttribute(..)
            | Node::Item
            | Node::ItemAttribute(_)
            | Node::Name(_)
            | Node::Choice { .. }
            | Node::Template(_)
            | Node::Object(..)
            | Node::Tuple(_) => false,
        }
    }

    /// Computes an operation on constants; false where it has to be computed each time.
    fn fold(&mut self, node: NodeId) -> bool {
        let value = self.functions.and_then(|functions| folded(self.tree, &self.plan, functions, node));
        let (Some(value), Some(node)) = (value, self.plan.nodes.get_mut(node.0 as usize)) else {
            return false;
        };
        *node = Node::Constant(value);
        true
    }

    fn constant(&mut self, id: ExprId, value: Value) -> Seen {
        self.ready(id, 0, 0, Node::Constant(value))
    }

    /// Records an expression that is in this state unless it stays the same in the loops around it.
    fn record(&mut self, id: ExprId, turns: Turns, state: State) -> Seen {
        if turns != 0 || self.loops == 0 {
            if !matches!(state, State::Varies) {
                self.found.push((id, state));
            }
            return Seen { turns, ready: None };
        }
        let place = self.kept;
        self.kept += 1;
        self.found.push((id, State::Same(place)));
        Seen { turns, ready: Some(Ready { node: self.add(Node::Same(place)), height: 0 }) }
    }

    fn operand(&mut self, id: ExprId) -> Seen {
        let tree = self.tree;
        self.count += 1;
        match tree.expr(id) {
            Expr::Missing => self.slow(id, Turns::MAX),
            Expr::Literal(written) => self.constant(id, literal(tree, id, written)),
            Expr::Item => match self.items.last() {
                Some(turn) => self.ready(id, 1 << turn, 0, Node::Item),
                None => self.slow(id, Turns::MAX),
            },
            Expr::Traversal { root_end, steps } => self.traversal(id, root_end, steps),
            Expr::Template { parts, .. } => self.template(id, parts),
            Expr::Relative { source, steps } => self.relative(id, source, steps),
            Expr::Splat { source, each, .. } => {
                let source = self.expr(source).turns;
                let turn = self.next_turn();
                self.items.push(turn);
                let each = self.expr(each).turns;
                self.items.pop();
                let turns = source | self.leave(each);
                self.slow(id, turns)
            }
            Expr::Call(call) => self.call(id, call),
            Expr::Conditional { condition, yes, no } => {
                let parts = [condition, yes, no].map(|part| self.expr(part));
                self.operation(id, &parts, |nodes| {
                    let [condition, yes, no] = *nodes else { return None };
                    Some(Node::Conditional { condition, yes, no })
                })
            }
            // Chains are walked by the caller.
            Expr::Binary { .. } => self.expr(id),
            Expr::Unary { op, operand } => {
                let operand = self.expr(operand);
                self.operation(id, &[operand], |nodes| {
                    let [operand] = *nodes else { return None };
                    Some(match op {
                        UnaryOp::Not => Node::Not(operand),
                        UnaryOp::Negate => Node::Negate(operand),
                    })
                })
            }
            Expr::Tuple(elements) => self.tuple(id, elements),
            Expr::Object(items) => self.object(id, items),
            Expr::For(for_id) => {
                let parts = tree.for_expr(for_id);
                let collection = self.expr(parts.collection).turns;
                self.bind(parts.key_name, parts.value_name);
                let body = ForBody::Values { key: parts.key, value: parts.value };
                let turns = self.body(parts.condition, body);
                let turns = collection | self.unbind(parts.key_name, turns);
                self.slow(id, turns)
            }
            Expr::Parens(inner) => self.parens(id, inner),
        }
    }

    fn call(&mut self, id: ExprId, call_id: CallId) -> Seen {
        self.calls.push(call_id);
        let call = self.tree.call(call_id);
        let arguments = self.tree.list(call.arguments);
        let parts: Vec<Seen> = arguments.iter().map(|argument| self.expr(*argument)).collect();
        let name = function_name(self.tree.slice(call.name));
        let turns = parts.iter().fold(0, |turns, part| turns | part.turns);
        // Others may give something else each time.
        let Some(functions) = self.functions.filter(|functions| functions.is_pure(&name)) else {
            return self.slow(id, Turns::MAX);
        };
        let is_few = !call.expand_last && arguments.len() <= MOST_ARGUMENTS;
        match functions.plain(&name, arguments.len()).filter(|_| is_few) {
            Some(function) => self.operation(id, &parts, |nodes| Some(Node::Call(function, nodes.into()))),
            None => self.slow(id, turns),
        }
    }

    /// What is in parentheses is in the same state as the whole.
    fn parens(&mut self, id: ExprId, inner: ExprId) -> Seen {
        let seen = self.expr(inner);
        if let Some((found, state)) = self.found.last()
            && *found == inner
        {
            let state = *state;
            self.found.push((id, state));
        }
        seen
    }

    fn object(&mut self, id: ExprId, items: List<ObjectItem>) -> Seen {
        let is_json = self.tree.is_json_object(id);
        let mut turns = 0;
        let mut height = 0;
        let mut attributes = Some(BTreeMap::new());
        for item in self.tree.list(items) {
            let key = match self.tree.plain_key(item.key) {
                Some(name) => self.constant(item.key, Value::from(name)),
                None => self.expr(item.key),
            };
            turns |= key.turns;
            // In JSON no two names may be equal.
            let key = key.ready.filter(|_| !is_json).and_then(|key| self.plan.node(key.node));
            let name = match key {
                Some(Node::Constant(name)) => Some(name.clone()),
                Some(_) | None => None,
            };
            let value = self.expr(item.value);
            turns |= value.turns;
            height = height.max(value.ready.map_or(0, |ready| ready.height));
            let Some((ValueKind::String(name), value)) = name.as_ref().map(Value::kind).zip(value.ready)
            else {
                attributes = None;
                continue;
            };
            // A value that is not used may have a mistake.
            attributes = attributes.and_then(|mut attributes| {
                attributes.insert(name.clone(), value.node).is_none().then_some(attributes)
            });
        }
        match attributes {
            Some(attributes) if height < MOST_HEIGHT => {
                let (names, values): (Vec<SmolStr>, Vec<NodeId>) = attributes.into_iter().unzip();
                let shape = names.into_iter().collect();
                self.ready(id, turns, height + 1, Node::Object(shape, values.into()))
            }
            Some(_) | None => self.slow(id, turns),
        }
    }

    fn tuple(&mut self, id: ExprId, elements: List<ExprId>) -> Seen {
        let parts: Vec<Seen> = self.tree.list(elements).iter().map(|element| self.expr(*element)).collect();
        self.operation(id, &parts, |nodes| Some(Node::Tuple(nodes.into())))
    }

    fn body(&mut self, condition: Option<ExprId>, body: ForBody) -> Turns {
        let condition = condition.map_or(0, |condition| self.expr(condition).turns);
        condition
            | match body {
                ForBody::Values { key, value } => {
                    key.map_or(0, |key| self.expr(key).turns) | self.expr(value).turns
                }
                ForBody::Text(parts) => self.parts(parts).turns,
            }
    }

    fn traversal(&mut self, id: ExprId, root_end: u32, steps: List<Step>) -> Seen {
        let tree = self.tree;
        let span = tree.span(id);
        let root = tree.slice(Span::new(span.start, root_end));
        let turns = self.steps(steps);
        let taken = tree.list(steps);
        let local = self.names.iter().rev().find(|(name, ..)| *name == root);
        let Some((_, slot, turn)) = local else {
            if taken.iter().all(|step| matches!(step, Step::Attr { .. })) {
                return self.ready(id, turns, 0, Node::Name(Name { root: root.into(), steps, span }));
            }
            return self.slow(id, turns);
        };
        let (slot, turns) = (*slot, turns | 1 << turn);
        match taken {
            [] => self.ready(id, turns, 0, Node::Local(slot)),
            [Step::Attr { name, .. }] => {
                self.ready(id, turns, 0, Node::LocalAttribute(slot, Attribute::new(tree.slice(*name))))
            }
            _ => self.record(id, turns, State::LocalSteps(slot)),
        }
    }

    fn relative(&mut self, id: ExprId, source: ExprId, steps: List<Step>) -> Seen {
        let tree = self.tree;
        let turns = self.expr(source).turns | self.steps(steps);
        if let (Expr::Item, [Step::Attr { name, .. }]) = (tree.expr(source), tree.list(steps)) {
            return self.ready(id, turns, 0, Node::ItemAttribute(Attribute::new(tree.slice(*name))));
        }
        self.slow(id, turns)
    }

    fn steps(&mut self, steps: List<Step>) -> Turns {
        self.tree.list(steps).iter().fold(0, |turns, step| match step {
            Step::Attr { .. } | Step::LegacyIndex { .. } => turns,
            Step::Index { key, .. } => turns | self.expr(*key).turns,
        })
    }

    fn template(&mut self, id: ExprId, parts: List<Part>) -> Seen {
        let seen = self.parts(parts);
        match seen.pieces {
            Some(pieces) if seen.height < MOST_HEIGHT => {
                self.ready(id, seen.turns, seen.height + 1, Node::Template(pieces.into()))
            }
            Some(_) | None => self.slow(id, seen.turns),
        }
    }

    fn parts(&mut self, parts: List<Part>) -> SeenParts {
        let tree = self.tree;
        let mut seen = SeenParts { turns: 0, height: 0, pieces: Some(Vec::new()) };
        for part in tree.list(parts) {
            let (turns, piece) = match part {
                Part::Literal { text, .. } => (0, Some(Piece::Text(tree.text(*text).into()))),
                Part::Interpolation { expr, .. } => {
                    let part = self.expr(*expr);
                    seen.height = seen.height.max(part.ready.map_or(0, |ready| ready.height));
                    (part.turns, part.ready.map(|ready| Piece::Value(ready.node)))
                }
                Part::If(id) => {
                    let directive = tree.if_directive(*id);
                    let condition = self.expr(directive.condition).turns;
                    (condition | self.parts(directive.yes).turns | self.parts(directive.no).turns, None)
                }
                Part::For(id) => {
                    let directive = tree.for_directive(*id);
                    let collection = self.expr(directive.collection).turns;
                    self.bind(directive.key_name, directive.value_name);
                    let turns = self.parts(directive.body).turns;
                    (collection | self.unbind(directive.key_name, turns), None)
                }
            };
            seen.turns |= turns;
            seen.pieces = seen.pieces.zip(piece).map(|(mut pieces, piece)| {
                pieces.push(piece);
                pieces
            });
        }
        seen
    }
}

/// The value of an operation on constants.
fn folded(tree: &Tree, plan: &Plan, functions: &FunctionTable, node: NodeId) -> Option<Value> {
    if let Node::Call(function, _) = plan.node(node)? {
        let function = functions.plain_function(*function)?;
        matches!(&function.result, ResultType::Fixed(ty) if ty.is_primitive()).then_some(())?;
    }
    let limits = Limits { bytes: LONGEST_FOLDED, ..Limits::default() };
    let quick = Quick {
        tree,
        plan,
        place: Place::Bare(&NoNames, functions),
        limits: &limits,
        locals: &[],
        items: &[],
        kept: &Kept::default(),
        is_attempt: false,
        text: &Cell::default(),
        work: &Cell::default(),
    };
    quick.value(node).filter(|value| value.as_str().is_none_or(|text| text.len() <= LONGEST_FOLDED))
}

/// The parts of a template, as they were seen.
struct SeenParts {
    turns: Turns,
    height: u8,
    /// Where all of them are ready.
    pieces: Option<Vec<Piece>>,
}
