//! What stays the same from one turn of a loop to the next: names are resolved and what depends on none of the loop's
//! names is computed once.

use terrane_source::Span;
use terrane_syntax::tree::{List, Part, Step};
use terrane_syntax::{Expr, ExprId, Tree};
use terrane_value::Value;

use crate::for_expr::{ForBody, ForHead};

/// What is known about the expressions within the outermost loop that is being evaluated; nothing outside of one.
#[derive(Default)]
pub(crate) struct Plan {
    /// The index of the first expression.
    first: usize,
    states: Vec<State>,
}

/// What is known about one expression.
#[derive(Clone)]
pub(crate) enum State {
    /// It has to be evaluated each time.
    Varies,
    /// It gives the same in every turn, but has not been evaluated yet.
    Same,
    /// It has this value, without a diagnostic.
    Known(Value),
    /// It starts with a name that a loop binds, at this index of the names that are bound.
    Local(usize),
}

/// The loops of which something depends on a turn, a bit for each by its nesting.
type Turns = u64;

/// Stands for all loops that are nested so deeply that they have no bit of their own.
const DEEPEST: u32 = Turns::BITS - 1;

/// A table that would have more than this many unused places for each used one is not made.
const MOST_GAPS: usize = 4;

impl Plan {
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

    /// Whether no loop is being evaluated.
    pub(crate) fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    pub(crate) fn state(&self, id: ExprId) -> &State {
        let place = id.index().checked_sub(self.first);
        place.and_then(|place| self.states.get(place)).unwrap_or(&State::Varies)
    }

    pub(crate) fn set(&mut self, id: ExprId, state: State) {
        let place = id.index().checked_sub(self.first);
        if let Some(place) = place.and_then(|place| self.states.get_mut(place)) {
            *place = state;
        }
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
    found: Vec<(ExprId, State)>,
}

impl<'t> Planner<'t> {
    fn new(tree: &'t Tree, outside: usize) -> Planner<'t> {
        Planner { tree, names: Vec::new(), outside, items: Vec::new(), loops: 0, found: Vec::new() }
    }

    fn finish(self) -> Plan {
        let indexes = || self.found.iter().map(|(id, _)| id.index());
        let (Some(first), Some(last)) = (indexes().min(), indexes().max()) else { return Plan::default() };
        let len = last - first + 1;
        if len / MOST_GAPS > self.found.len() {
            return Plan::default();
        }
        let mut plan = Plan { first, states: vec![State::Varies; len] };
        self.found.into_iter().for_each(|(id, state)| plan.set(id, state));
        plan
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

    /// Looks at an expression; gives the loops that it depends on. Chains of operators may be long.
    fn expr(&mut self, mut id: ExprId) -> Turns {
        let mut chain = Vec::new();
        while let Expr::Binary { left, right, .. } = self.tree.expr(id) {
            chain.push((id, right));
            id = left;
        }
        let mut turns = self.operand(id);
        for (whole, right) in chain.into_iter().rev() {
            turns |= self.expr(right);
            self.record(whole, turns);
        }
        turns
    }

    fn record(&mut self, id: ExprId, turns: Turns) {
        let state = if turns == 0 { State::Same } else { State::Varies };
        self.found.push((id, state));
    }

    fn operand(&mut self, id: ExprId) -> Turns {
        let tree = self.tree;
        let turns = match tree.expr(id) {
            Expr::Missing => Turns::MAX,
            Expr::Literal(_) => 0,
            Expr::Item => self.items.last().map_or(0, |turn| 1 << turn),
            Expr::Traversal { root_end, steps } => return self.traversal(id, root_end, steps),
            Expr::Template { parts, .. } => self.parts(parts),
            Expr::Relative { source, steps } => self.expr(source) | self.steps(steps),
            Expr::Splat { source, each, .. } => {
                let source = self.expr(source);
                let turn = self.next_turn();
                self.items.push(turn);
                let each = self.expr(each);
                self.items.pop();
                source | self.leave(each)
            }
            // A function may give something else each time.
            Expr::Call(call) => {
                self.all(tree.list(tree.call(call).arguments));
                Turns::MAX
            }
            Expr::Conditional { condition, yes, no } => self.all(&[condition, yes, no]),
            Expr::Binary { left, right, .. } => self.all(&[left, right]),
            Expr::Unary { operand, .. } => self.expr(operand),
            Expr::Tuple(elements) => self.all(tree.list(elements)),
            Expr::Object(items) => {
                let mut turns = 0;
                for item in tree.list(items) {
                    turns |= if tree.plain_key(item.key).is_some() {
                        self.record(item.key, 0);
                        0
                    } else {
                        self.expr(item.key)
                    };
                    turns |= self.expr(item.value);
                }
                turns
            }
            Expr::For(for_id) => {
                let parts = tree.for_expr(for_id);
                let collection = self.expr(parts.collection);
                self.bind(parts.key_name, parts.value_name);
                let body = ForBody::Values { key: parts.key, value: parts.value };
                let turns = self.body(parts.condition, body);
                collection | self.unbind(parts.key_name, turns)
            }
            Expr::Parens(inner) => self.expr(inner),
        };
        self.record(id, turns);
        turns
    }

    fn all(&mut self, ids: &[ExprId]) -> Turns {
        ids.iter().fold(0, |turns, id| turns | self.expr(*id))
    }

    fn body(&mut self, condition: Option<ExprId>, body: ForBody) -> Turns {
        let condition = condition.map_or(0, |condition| self.expr(condition));
        condition
            | match body {
                ForBody::Values { key, value } => key.map_or(0, |key| self.expr(key)) | self.expr(value),
                ForBody::Text(parts) => self.parts(parts),
            }
    }

    fn traversal(&mut self, id: ExprId, root_end: u32, steps: List<Step>) -> Turns {
        let root = self.tree.slice(Span::new(self.tree.span(id).start, root_end));
        let keys = self.steps(steps);
        let local = self.names.iter().rev().find(|(name, ..)| *name == root);
        match local {
            Some((_, slot, turn)) => {
                let turns = keys | 1 << turn;
                self.found.push((id, State::Local(*slot)));
                turns
            }
            None => {
                self.record(id, keys);
                keys
            }
        }
    }

    fn steps(&mut self, steps: List<Step>) -> Turns {
        self.tree.list(steps).iter().fold(0, |turns, step| match step {
            Step::Attr { .. } | Step::LegacyIndex { .. } => turns,
            Step::Index { key, .. } => turns | self.expr(*key),
        })
    }

    fn parts(&mut self, parts: List<Part>) -> Turns {
        let tree = self.tree;
        tree.list(parts).iter().fold(0, |turns, part| {
            turns
                | match part {
                    Part::Literal { .. } => 0,
                    Part::Interpolation { expr, .. } => self.expr(*expr),
                    Part::If(id) => {
                        let directive = tree.if_directive(*id);
                        let condition = self.expr(directive.condition);
                        condition | self.parts(directive.yes) | self.parts(directive.no)
                    }
                    Part::For(id) => {
                        let directive = tree.for_directive(*id);
                        let collection = self.expr(directive.collection);
                        self.bind(directive.key_name, directive.value_name);
                        let turns = self.parts(directive.body);
                        collection | self.unbind(directive.key_name, turns)
                    }
                }
        })
    }
}
