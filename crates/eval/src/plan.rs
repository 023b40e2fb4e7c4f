//! What is found out about an expression before it is evaluated: constants are made, the names that loops bind are
//! resolved, and what stays the same from one turn of a loop to the next is evaluated once.

use terrane_source::Span;
use terrane_syntax::tree::{CallId, List, ObjectItem, Part, Step};
use terrane_syntax::{Expr, ExprId, Tree};
use terrane_value::Value;

use crate::evaluate::literal;
use crate::for_expr::{ForBody, ForHead};

/// What is known about the expressions within the outermost loop that is being evaluated, or within a whole
/// [`Program`](crate::Program); nothing outside of both.
#[derive(Default, Debug)]
pub(crate) struct Plan {
    /// The index of the first expression.
    first: usize,
    states: Vec<State>,
}

/// What is known about one expression.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// It has to be evaluated each time.
    Varies,
    /// It always has this value.
    Constant(Value),
    /// It gives the same in every turn of the loops around it: the place of its value among those that are kept.
    Same(usize),
    /// It is a name that a loop binds, at this index of the names that are bound.
    Local(usize),
    /// It is an attribute of a name that a loop binds.
    LocalAttribute(usize, Box<str>),
    /// It is a name that a loop binds with any other steps behind it.
    LocalSteps(usize),
    /// It is an attribute of the element of a splat.
    ItemAttribute(Box<str>),
    /// It is a name that no loop binds, with nothing but attributes behind it.
    Name,
    /// It is worth to be tried the quick way: see [`Evaluator::quick`](crate::evaluate::Evaluator::quick).
    Quick,
}

/// What is found out about an expression by looking at it.
#[derive(Clone, Copy)]
struct Seen {
    /// The loops that it depends on.
    turns: Turns,
    /// How many quick operations are inside of each other in it; nothing where it is not quick.
    height: Option<u8>,
}

/// Higher operations are not tried the quick way as a whole, so that what turns out not to be plain far inside is tried
/// only so many times.
const MOST_HEIGHT: u8 = 8;

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
    pub(crate) fn of_expr(tree: &Tree, id: ExprId) -> (Plan, Vec<CallId>) {
        let mut planner = Planner::new(tree, 0);
        planner.expr(id);
        let calls = std::mem::take(&mut planner.calls);
        (planner.finish(), calls)
    }

    /// The plan for a `for`, whose names are bound behind `bound` others.
    pub(crate) fn of_for(tree: &Tree, head: &ForHead, bound: usize) -> Plan {
        let mut planner = Planner::new(tree, bound);
        planner.bind(head.key_name, head.value_name);
        planner.body(head.condition, head.body);
        planner.finish()
    }

    /// The plan for a splat that evaluates `each` for each element.
    pub(crate) fn of_splat(tree: &Tree, each: ExprId, bound: usize) -> Plan {
        let mut planner = Planner::new(tree, bound);
        let turn = planner.next_turn();
        planner.items.push(turn);
        planner.expr(each);
        planner.finish()
    }
}

impl Planned<'_> {
    fn plan(&self) -> &Plan {
        match self {
            Planned::Before(plan) => plan,
            Planned::Here(plan) => plan,
        }
    }

    /// Whether there is nothing yet, so that a loop is worth a plan of its own.
    pub(crate) fn is_empty(&self) -> bool {
        self.plan().states.is_empty()
    }

    #[inline]
    pub(crate) fn state(&self, id: ExprId) -> &State {
        let plan = self.plan();
        plan.states.get(id.index().wrapping_sub(plan.first)).unwrap_or(&State::Varies)
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
}

impl<'t> Planner<'t> {
    fn new(tree: &'t Tree, outside: usize) -> Planner<'t> {
        Planner {
            tree,
            names: Vec::new(),
            outside,
            items: Vec::new(),
            loops: 0,
            kept: 0,
            count: 0,
            calls: Vec::new(),
            found: Vec::new(),
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
        Plan { first, states }
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
        while let Expr::Binary { left, right, .. } = self.tree.expr(id) {
            chain.push((id, right));
            id = left;
        }
        let mut seen = self.operand(id);
        for (whole, right) in chain.into_iter().rev() {
            let both = seen.and(self.expr(right));
            seen = self.quick(whole, both);
        }
        seen
    }

    /// Records an expression that has nothing quick about it.
    fn slow(&mut self, id: ExprId, turns: Turns) -> Seen {
        self.record(id, turns, State::Varies);
        Seen { turns, height: None }
    }

    /// Records an operation on parts that were seen so.
    fn quick(&mut self, id: ExprId, parts: Seen) -> Seen {
        let height = parts.height.map(|height| height + 1).filter(|height| *height <= MOST_HEIGHT);
        self.record(id, parts.turns, if height.is_some() { State::Quick } else { State::Varies });
        Seen { height, ..parts }
    }

    /// Records an expression that is in this state unless it stays the same in the loops around it.
    fn record(&mut self, id: ExprId, turns: Turns, state: State) {
        if turns == 0 && self.loops > 0 {
            self.found.push((id, State::Same(self.kept)));
            self.kept += 1;
        } else if !matches!(state, State::Varies) {
            self.found.push((id, state));
        }
    }

    fn operand(&mut self, id: ExprId) -> Seen {
        let tree = self.tree;
        self.count += 1;
        match tree.expr(id) {
            Expr::Missing => self.slow(id, Turns::MAX),
            Expr::Literal(written) => {
                self.found.push((id, State::Constant(literal(tree, id, written))));
                Seen::CONSTANT
            }
            Expr::Item => {
                let turns = self.items.last().map_or(0, |turn| 1 << turn);
                self.slow(id, turns)
            }
            Expr::Traversal { root_end, steps } => self.traversal(id, root_end, steps),
            Expr::Template { parts, .. } => {
                let parts = self.parts(parts);
                self.quick(id, parts)
            }
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
            // A function may give something else each time.
            Expr::Call(call) => {
                self.calls.push(call);
                self.all(tree.list(tree.call(call).arguments));
                self.slow(id, Turns::MAX)
            }
            Expr::Conditional { condition, yes, no } => {
                let parts = self.all(&[condition, yes, no]);
                self.quick(id, parts)
            }
            Expr::Binary { left, right, .. } => {
                let parts = self.all(&[left, right]);
                self.quick(id, parts)
            }
            Expr::Unary { operand, .. } => {
                let operand = self.expr(operand);
                self.quick(id, operand)
            }
            Expr::Tuple(elements) => {
                let turns = self.all(tree.list(elements)).turns;
                self.slow(id, turns)
            }
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

    /// What is in parentheses is in the same state as the whole.
    fn parens(&mut self, id: ExprId, inner: ExprId) -> Seen {
        let seen = self.expr(inner);
        if let Some((found, state)) = self.found.last()
            && *found == inner
        {
            let state = state.clone();
            self.found.push((id, state));
        }
        seen
    }

    fn object(&mut self, id: ExprId, items: List<ObjectItem>) -> Seen {
        let mut turns = 0;
        for item in self.tree.list(items) {
            match self.tree.plain_key(item.key) {
                Some(name) => self.found.push((item.key, State::Constant(Value::from(name)))),
                None => turns |= self.expr(item.key).turns,
            }
            turns |= self.expr(item.value).turns;
        }
        self.slow(id, turns)
    }

    fn all(&mut self, ids: &[ExprId]) -> Seen {
        ids.iter().fold(Seen::CONSTANT, |seen, id| seen.and(self.expr(*id)))
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
        let root = tree.slice(Span::new(tree.span(id).start, root_end));
        let turns = self.steps(steps);
        let steps = tree.list(steps);
        let local = self.names.iter().rev().find(|(name, ..)| *name == root);
        let Some((_, slot, turn)) = local else {
            let has_names = steps.iter().all(|step| matches!(step, Step::Attr { .. }));
            self.record(id, turns, if has_names { State::Name } else { State::Varies });
            return Seen { turns, height: has_names.then_some(0) };
        };
        let (state, height) = match steps {
            [] => (State::Local(*slot), Some(0)),
            [Step::Attr { name, .. }] => (State::LocalAttribute(*slot, tree.slice(*name).into()), Some(0)),
            _ => (State::LocalSteps(*slot), None),
        };
        let turns = turns | 1 << turn;
        self.found.push((id, state));
        Seen { turns, height }
    }

    fn relative(&mut self, id: ExprId, source: ExprId, steps: List<Step>) -> Seen {
        let tree = self.tree;
        let turns = self.expr(source).turns | self.steps(steps);
        if let (Expr::Item, [Step::Attr { name, .. }]) = (tree.expr(source), tree.list(steps)) {
            self.found.push((id, State::ItemAttribute(tree.slice(*name).into())));
            return Seen { turns, height: Some(0) };
        }
        self.slow(id, turns)
    }

    fn steps(&mut self, steps: List<Step>) -> Turns {
        self.tree.list(steps).iter().fold(0, |turns, step| match step {
            Step::Attr { .. } | Step::LegacyIndex { .. } => turns,
            Step::Index { key, .. } => turns | self.expr(*key).turns,
        })
    }

    fn parts(&mut self, parts: List<Part>) -> Seen {
        let tree = self.tree;
        tree.list(parts).iter().fold(Seen::CONSTANT, |seen, part| {
            seen.and(match part {
                Part::Literal { .. } => Seen::CONSTANT,
                Part::Interpolation { expr, .. } => self.expr(*expr),
                Part::If(id) => {
                    let directive = tree.if_directive(*id);
                    let condition = self.expr(directive.condition).turns;
                    let turns = condition | self.parts(directive.yes).turns | self.parts(directive.no).turns;
                    Seen { turns, height: None }
                }
                Part::For(id) => {
                    let directive = tree.for_directive(*id);
                    let collection = self.expr(directive.collection).turns;
                    self.bind(directive.key_name, directive.value_name);
                    let turns = self.parts(directive.body).turns;
                    let turns = collection | self.unbind(directive.key_name, turns);
                    Seen { turns, height: None }
                }
            })
        })
    }
}

impl Seen {
    const CONSTANT: Seen = Seen { turns: 0, height: Some(0) };

    /// Both as the parts of one expression.
    fn and(self, other: Seen) -> Seen {
        let height = self.height.zip(other.height).map(|(one, other)| one.max(other));
        Seen { turns: self.turns | other.turns, height }
    }
}
