//! The compiler of the fast path: it computes constants, resolves names that loops bind, and finds loop-invariant
//! expressions, which are evaluated once per loop.
//!
//! The forms of expressions are in `expressions.rs`.

use terrane_function::{Limits, Meter, ResultType};
use terrane_source::Span;
use terrane_syntax::tree::CallId;
use terrane_syntax::{Expr, ExprId, Tree};
use terrane_value::Value;

use crate::fast::calls::pure_call_env;
use crate::fast::compiled::{Compiled, Form, Node, NodeId};
use crate::fast::memory::Memory;
use crate::fast::run::Run;
use crate::functions::table::FunctionTable;
use crate::names::scope::NoNames;
use crate::plain::for_parts::ForParts;
use crate::plain::operation::plain_type;
use crate::state::budget::Budget;
use crate::state::frame::{Environment, FrameView};

/// Limit on the height of operations that are compiled as a whole. It bounds how often a deep part is computed again if
/// it turns out not to be plain.
pub(super) const MAX_HEIGHT: u8 = 8;

/// Limit, in bytes, on constant texts that are computed in advance.
const LONGEST_FOLDED: usize = 256;

/// The compiled code is dropped if its table has more than this many unused entries for each used one.
const MAX_GAPS: usize = 4;

/// The loops whose current elements an expression depends on: one bit for each, by nesting.
pub(super) type LoopSet = u64;

/// The bit that all more deeply nested loops share.
const DEEPEST: u32 = LoopSet::BITS - 1;

/// The result of compiling one expression.
#[derive(Clone, Copy)]
pub(super) struct Outcome {
    pub(super) loops: LoopSet,
    /// The compiled expression; `None` if the rules evaluate the expression.
    pub(super) operand: Option<Operand>,
}

/// A compiled expression as an operand of another.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) node: NodeId,
    /// The nesting of its operations.
    pub(super) height: u8,
}

/// A name that a loop binds.
pub(super) struct LoopName<'t> {
    pub(super) name: &'t str,
    /// The index among all bindings.
    pub(super) index: usize,
    /// The bit of the loop.
    pub(super) bit: u32,
}

pub(crate) struct Compiler<'t> {
    pub(super) tree: &'t Tree,
    /// The functions that may be called; `None` if calls are not allowed.
    pub(super) functions: Option<&'t FunctionTable>,
    pub(super) names: Vec<LoopName<'t>>,
    /// The number of names bound around the outermost loop.
    pub(super) outer_bindings: usize,
    /// The bits of the enclosing splats.
    pub(super) items: Vec<u32>,
    /// The number of enclosing loops.
    loops: u32,
    /// The number of expressions visited so far.
    pub(super) visited: usize,
    pub(super) calls: Vec<CallId>,
    pub(super) forms: Vec<(ExprId, Form)>,
    pub(super) code: Compiled,
}

impl<'t> Compiler<'t> {
    fn new(tree: &'t Tree, functions: Option<&'t FunctionTable>, outer_bindings: usize) -> Compiler<'t> {
        Compiler {
            tree,
            functions,
            names: Vec::new(),
            outer_bindings,
            items: Vec::new(),
            loops: 0,
            visited: 0,
            calls: Vec::new(),
            forms: Vec::new(),
            code: Compiled::default(),
        }
    }

    /// Returns the code of an expression outside all loops, and the calls in it.
    pub(crate) fn program(tree: &Tree, id: ExprId, functions: &FunctionTable) -> (Compiled, Vec<CallId>) {
        let mut compiler = Compiler::new(tree, Some(functions), 0);
        compiler.compile(id);
        let calls = std::mem::take(&mut compiler.calls);
        (compiler.finish(), calls)
    }

    /// Returns the code of a `for`. `bound` names are bound around it.
    pub(crate) fn for_loop(
        tree: &Tree,
        functions: Option<&FunctionTable>,
        parts: &ForParts,
        bound: usize,
    ) -> Compiled {
        let mut compiler = Compiler::new(tree, functions, bound);
        compiler.bind(parts.key_name, parts.value_name);
        compiler.for_body(parts.condition, parts.body);
        compiler.finish()
    }

    /// Returns the code of the steps after a splat. `bound` names are bound around it.
    pub(crate) fn splat_loop(
        tree: &Tree,
        functions: Option<&FunctionTable>,
        each: ExprId,
        bound: usize,
    ) -> Compiled {
        let mut compiler = Compiler::new(tree, functions, bound);
        let bit = compiler.enter_loop();
        compiler.items.push(bit);
        compiler.compile(each);
        compiler.finish()
    }

    fn finish(self) -> Compiled {
        let indexes = || self.forms.iter().map(|(id, _)| id.index());
        let (Some(first), Some(last)) = (indexes().min(), indexes().max()) else {
            return Compiled::default();
        };
        let len = last - first + 1;
        if len / MAX_GAPS > self.visited {
            return Compiled::default();
        }
        let mut forms = vec![Form::Rules; len];
        for (id, form) in self.forms {
            #[expect(clippy::indexing_slicing, reason = "the index is between `first` and `last`")]
            let entry = &mut forms[id.index() - first];
            *entry = form;
        }
        Compiled { first, forms, ..self.code }
    }

    /// Enters a loop; returns its bit.
    pub(super) fn enter_loop(&mut self) -> u32 {
        let bit = self.loops.min(DEEPEST);
        self.loops += 1;
        bit
    }

    /// Leaves the innermost loop; returns `loops` without it.
    pub(super) fn leave_loop(&mut self, loops: LoopSet) -> LoopSet {
        self.loops -= 1;
        if self.loops < DEEPEST { loops & !(1 << self.loops) } else { loops }
    }

    /// Enters a `for`, which binds these names.
    pub(super) fn bind(&mut self, key: Option<Span>, value: Span) {
        let bit = self.enter_loop();
        for name in key.into_iter().chain([value]) {
            let index = self.outer_bindings + self.names.len();
            self.names.push(LoopName { name: self.tree.slice(name), index, bit });
        }
    }

    /// Leaves a `for`; returns `loops` without it.
    pub(super) fn unbind(&mut self, key: Option<Span>, loops: LoopSet) -> LoopSet {
        let count = if key.is_some() { 2 } else { 1 };
        self.names.truncate(self.names.len().saturating_sub(count));
        self.leave_loop(loops)
    }

    /// Compiles an expression. Chains of operators may be long.
    pub(super) fn compile(&mut self, mut id: ExprId) -> Outcome {
        let mut chain = Vec::new();
        while let Expr::Binary { op, left, right } = self.tree.expr(id) {
            chain.push((id, op, right));
            id = left;
        }
        let mut left = self.expr(id);
        for (whole, op, right) in chain.into_iter().rev() {
            let right = self.compile(right);
            left = self.operation(whole, &[left, right], |nodes| {
                let [left, right] = *nodes else { return None };
                Some(Node::operation(op.into(), left, right))
            });
        }
        left
    }

    /// Records an expression that the rules evaluate: once per loop if it is loop-invariant.
    pub(super) fn by_rules(&mut self, id: ExprId, loops: LoopSet) -> Outcome {
        if loops != 0 || self.loops == 0 {
            return Outcome { loops, operand: None };
        }
        self.invariant(id, None)
    }

    /// Records a loop-invariant expression, which `node` computes if there is one.
    fn invariant(&mut self, id: ExprId, node: Option<NodeId>) -> Outcome {
        let slot = self.code.add_slot();
        self.forms.push((id, Form::Invariant(slot)));
        let node = self.code.add(Node::Invariant(slot, node));
        Outcome { loops: 0, operand: Some(Operand { node, height: 0 }) }
    }

    /// Records an operation, given its operands and the function that makes its node.
    pub(super) fn operation(
        &mut self,
        id: ExprId,
        operands: &[Outcome],
        node: impl FnOnce(&[NodeId]) -> Option<Node>,
    ) -> Outcome {
        let loops = operands.iter().fold(0, |loops, operand| loops | operand.loops);
        let operands: Option<Vec<Operand>> = operands.iter().map(|outcome| outcome.operand).collect();
        let height = operands.iter().flatten().map(|operand| operand.height).max().unwrap_or(0);
        let nodes: Option<Vec<NodeId>> =
            operands.map(|operands| operands.iter().map(|operand| operand.node).collect());
        match nodes.filter(|_| height < MAX_HEIGHT).and_then(|nodes| node(&nodes)) {
            Some(node) => self.fast(id, loops, height + 1, node),
            None => self.by_rules(id, loops),
        }
    }

    /// Records an expression that the fast path computes.
    pub(super) fn fast(&mut self, id: ExprId, loops: LoopSet, height: u8, node: Node) -> Outcome {
        let node = self.simplified(node);
        let is_constant = matches!(node, Node::Constant(_));
        let is_foldable = self.is_foldable(&node);
        let node = self.code.add(node);
        let is_constant = is_constant || (is_foldable && self.fold(node));
        if loops == 0 && self.loops > 0 && !is_constant {
            return self.invariant(id, Some(node));
        }
        let height = if is_constant { 0 } else { height };
        self.forms.push((id, Form::Fast(node)));
        Outcome { loops, operand: Some(Operand { node, height }) }
    }

    /// Records a constant.
    pub(super) fn constant(&mut self, id: ExprId, value: Value) -> Outcome {
        self.fast(id, 0, 0, Node::Constant(value))
    }

    /// Returns a simpler node with the same value, if there is one.
    fn simplified(&self, node: Node) -> Node {
        if let Node::Equal { left, right, negated } = node
            && let [of_left, Node::Constant(right)] = [left, right].map(|part| self.code.node(part))
            && !matches!(of_left, Node::Constant(_))
        {
            return Node::EqualConstant { left, right: right.clone(), negated };
        }
        let Node::Conditional { condition, yes, no } = node else { return node };
        match [condition, yes, no].map(|part| self.code.node(part)) {
            [Node::Constant(_), ..] => node,
            [_, Node::Constant(yes), Node::Constant(no)] if plain_type(yes, no).is_some() => {
                Node::Choice { condition, yes: yes.clone(), no: no.clone() }
            }
            [..] => node,
        }
    }

    /// Whether a node computes a value from constants only. Templates are not folded, because their length is checked
    /// when they are evaluated. Collections are not folded either, because they may be large and never needed.
    fn is_foldable(&self, node: &Node) -> bool {
        let is_constant = |id: &NodeId| matches!(self.code.node(*id), Node::Constant(_));
        match node {
            Node::Arithmetic { left, right, .. }
            | Node::Order { left, right, .. }
            | Node::Equal { left, right, .. }
            | Node::And(left, right)
            | Node::Or(left, right) => [left, right].into_iter().all(is_constant),
            Node::Conditional { condition, yes, no } => [condition, yes, no].into_iter().all(is_constant),
            Node::Not(operand) | Node::Negate(operand) => is_constant(operand),
            Node::Call(_, arguments) => arguments.iter().all(is_constant),
            Node::Constant(_)
            | Node::Invariant(..)
            | Node::Binding(_)
            | Node::BindingAttribute(..)
            | Node::Item
            | Node::ItemAttribute(_)
            | Node::Name(_)
            | Node::EqualConstant { .. }
            | Node::Choice { .. }
            | Node::Template(_)
            | Node::Object(..)
            | Node::Tuple(_)
            | Node::For(_)
            | Node::Splat { .. } => false,
        }
    }

    /// Replaces an operation on constants by its value. Returns false if it has no plain value.
    fn fold(&mut self, node: NodeId) -> bool {
        let value = self.functions.and_then(|functions| folded(self.tree, &self.code, functions, node));
        let Some(value) = value else { return false };
        self.code.replace(node, Node::Constant(value));
        true
    }
}

/// Returns the value of an operation on constants.
fn folded(tree: &Tree, code: &Compiled, functions: &FunctionTable, node: NodeId) -> Option<Value> {
    if let Node::Call(function, _) = code.node(node) {
        let function = functions.plain_function(*function)?;
        matches!(&function.result, ResultType::Fixed(ty) if ty.is_primitive()).then_some(())?;
    }
    let limits = Limits { bytes: LONGEST_FOLDED, ..Limits::default() };
    let frame = FrameView::new(Environment::Pure(&NoNames, functions));
    let (budget, memory) = (Budget::new(&limits, None), Memory::default());
    let meter = Meter::default();
    let run = Run {
        tree,
        nodes: code.nodes(),
        frame,
        limits: &limits,
        budget: &budget,
        memory: &memory,
        call_env: Some(&pure_call_env(&limits, &meter)),
        is_attempt: false,
    };
    run.value(node, None).filter(|value| value.as_str().is_none_or(|text| text.len() <= LONGEST_FOLDED))
}
