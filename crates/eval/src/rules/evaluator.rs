//! The evaluator: one match over [`Expr`], with the rule of each form in a file of its own.

use terrane_function::Limits;
use terrane_source::{Diagnostic, Span, ids};
use terrane_syntax::{Expr, ExprId, Tree};
use terrane_value::{Refusal, Value};

use crate::fast::FastPath;
use crate::names::scope::Scope;
use crate::plain::literal::literal_value;
use crate::state::attempt::Attempt;
use crate::state::budget::{Budget, Exceeded};
use crate::state::calls::Calls;
use crate::state::frame::{Environment, Frame};
use crate::state::last_unification::LastUnification;
use crate::state::report::Report;
use crate::state::requested_types::RequestedTypes;

/// The state of an expression's evaluation when [`Evaluator::rule`] is called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The evaluation begins: that is a step, and an earlier value may be used again.
    Begun,
    /// The step has been counted, and no earlier value can be used.
    Counted,
}

/// Evaluates the expressions of one tree.
pub(crate) struct Evaluator<'e> {
    pub(crate) tree: &'e Tree,
    pub(crate) frame: Frame<'e>,
    pub(crate) budget: Budget<'e>,
    pub(crate) report: Report<'e>,
    pub(crate) calls: Calls<'e>,
    pub(crate) attempt: Attempt,
    /// The types for which `type` was called, on the console.
    pub(crate) requested_types: Option<RequestedTypes>,
    /// The common type of the last conditional with results of large types.
    pub(crate) last_unification: Option<Box<LastUnification>>,
    /// A buffer for the text of a template.
    pub(crate) text: String,
    /// The fast path inside a compiled loop or program; `None` elsewhere. This file only asks whether it is there; `fast_path.rs` sets
    /// and uses it.
    pub(super) fast: Option<Box<FastPath<'e>>>,
}

impl<'e> Evaluator<'e> {
    pub(crate) fn new(tree: &'e Tree, scope: &'e Scope<'e>) -> Evaluator<'e> {
        let budget = Budget::new(scope.env.limits, scope.env.meter);
        Evaluator::with_budget(tree, Environment::Scope(scope), budget)
    }

    /// Returns an evaluator for expressions that may use neither names nor functions.
    pub(crate) fn closed(tree: &'e Tree, limits: &'e Limits) -> Evaluator<'e> {
        Evaluator::with_budget(tree, Environment::Empty, Budget::new(limits, None))
    }

    fn with_budget(tree: &'e Tree, environment: Environment<'e>, budget: Budget<'e>) -> Evaluator<'e> {
        Evaluator {
            tree,
            frame: Frame::new(environment),
            budget,
            report: Report::new(tree.source()),
            calls: Calls::default(),
            attempt: Attempt::default(),
            requested_types: None,
            last_unification: None,
            text: String::new(),
            fast: None,
        }
    }

    /// Returns this evaluator, for an expression on the console.
    pub(crate) fn for_console(self) -> Evaluator<'e> {
        Evaluator { requested_types: Some(RequestedTypes::default()), ..self }
    }

    /// Returns the value of an expression, from the fast path if that has one.
    #[inline]
    pub(crate) fn eval(&mut self, id: ExprId) -> Value {
        self.eval_or(id, |this| this.rule(id, Stage::Begun))
    }

    /// Returns the value of an expression: from compiled code if there is any, otherwise from `by_rule`.
    #[inline]
    pub(crate) fn eval_or(&mut self, id: ExprId, by_rule: impl FnOnce(&mut Self) -> Value) -> Value {
        match self.fast {
            None => by_rule(self),
            Some(_) => self.eval_in_code(id, by_rule),
        }
    }

    /// Returns the value of an expression by the rule of its form, or an earlier value that may be used again.
    #[inline(never)]
    pub(crate) fn rule(&mut self, id: ExprId, stage: Stage) -> Value {
        if stage == Stage::Begun {
            if self.budget.is_stopped() || !self.step(id) {
                return Value::error();
            }
            if self.fast.is_none()
                && let Some(cache) = self.reuse(id)
            {
                return self.eval_once_per_block(id, cache);
            }
        }
        let (id, expr) = self.tree.inside_parentheses(id);
        self.budget.depth += 1;
        let value = match expr {
            Expr::Missing => return self.leaf(id, Value::error()),
            Expr::Literal(written) => return self.leaf(id, literal_value(self.tree, id, written)),
            Expr::Item => return self.leaf(id, self.item()),
            Expr::Traversal { root_end, steps } => {
                // The keys of its indexes are no deeper than the name.
                self.budget.depth -= 1;
                return self.traversal(id, root_end, steps);
            }
            Expr::Template { parts, .. } => self.template(id, parts),
            Expr::Relative { source, steps } => self.relative(source, steps),
            Expr::Splat { source, each, .. } => self.splat(id, source, each),
            Expr::Call(call) => self.call(id, call),
            Expr::Conditional { condition, yes, no } => self.conditional(id, condition, yes, no),
            Expr::Binary { .. } => self.binary(id),
            Expr::Unary { op, operand } => self.unary(id, op, operand),
            Expr::Tuple(elements) => self.tuple(self.tree.list(elements)),
            Expr::Object(items) => self.object(id, self.tree.list(items)),
            Expr::For(for_id) => self.for_expr(id, for_id),
            Expr::Parens(inner) => self.eval(inner),
        };
        self.budget.depth -= 1;
        self.accepted(id, value)
    }

    /// Returns the value of an expression without operands, which is no deeper than the expression around it.
    #[inline]
    fn leaf(&mut self, id: ExprId, value: Value) -> Value {
        self.budget.depth -= 1;
        self.counted(id, value)
    }

    /// Returns the element of the innermost splat.
    fn item(&self) -> Value {
        self.frame.items.last().map_or_else(Value::error, |item| item.value().clone())
    }

    fn tuple(&mut self, elements: &[ExprId]) -> Value {
        let elements: Vec<Value> = elements.iter().map(|element| self.eval(*element)).collect();
        Value::tuple(elements)
    }

    /// Returns the value of an expression, or an error if it exceeds a limit on values. The
    /// reference has no such limits.
    #[inline]
    fn accepted(&mut self, id: ExprId, value: Value) -> Value {
        if let Some(refusal) = value.refused() {
            return self.refused(id, &value, refusal);
        }
        self.counted(id, value)
    }

    /// Counts the memory of a value and returns it. If that exceeds the limit, returns an error value.
    #[inline]
    pub(crate) fn counted(&mut self, id: ExprId, value: Value) -> Value {
        let bytes = value.outer_bytes();
        if bytes == 0 || self.budget.take_memory(bytes) { value } else { self.out_of_memory(id) }
    }

    #[cold]
    fn refused(&mut self, id: ExprId, value: &Value, refusal: Refusal) -> Value {
        let diagnostic = match refusal {
            Refusal::TooDeep => ids::TOO_DEEP,
            Refusal::TooLarge | Refusal::TooLong => ids::LIMIT_EXCEEDED,
        };
        let detail = format!("This expression has no value, because {refusal}.");
        self.report.error(diagnostic, self.tree.span(id), detail);
        Value::error().with_marks(value.marks())
    }

    /// Counts a step. Returns false if a limit is exceeded, which is reported at `id`.
    #[inline]
    pub(crate) fn step(&mut self, id: ExprId) -> bool {
        self.budget.step() || self.check_limits(self.tree.span(id))
    }

    /// Counts work that is about to be done. Returns false if a limit is exceeded, which is reported at `span`.
    pub(super) fn work(&mut self, work: u64, span: Span) -> bool {
        self.budget.work(work);
        !self.budget.is_stopped() && (!self.budget.needs_check() || self.check_limits(span))
    }

    #[cold]
    fn check_limits(&mut self, span: Span) -> bool {
        if let Some(exceeded) = self.budget.exceeded() {
            self.stop(exceeded, span);
        }
        !self.budget.is_stopped()
    }

    /// Counts an element that a `for` makes.
    #[inline]
    pub(crate) fn count_element(&mut self, span: Span) {
        if !self.budget.element() {
            self.check_elements(span);
        }
    }

    #[cold]
    fn check_elements(&mut self, span: Span) {
        if self.budget.needs_check() {
            self.check_limits(span);
        }
        if let Some(exceeded) = self.budget.exceeded_elements() {
            self.stop(exceeded, span);
        }
    }

    /// Reports that the values take more memory than the limit.
    #[cold]
    pub(crate) fn out_of_memory(&mut self, id: ExprId) -> Value {
        self.stop(Exceeded::memory(self.budget.limits), self.tree.span(id));
        Value::error()
    }

    /// Reports an exceeded limit and makes every further evaluation an error.
    pub(crate) fn stop(&mut self, exceeded: Exceeded, span: Span) {
        if self.budget.stop(exceeded.ends_run) {
            self.report.limit(exceeded.diagnostic(self.tree.source(), span));
        }
    }

    /// Ends the evaluation of the whole expression `id`: releases all memory except the memory of its value, and
    /// returns the diagnostics. They contain an error if a limit was exceeded after the last check.
    pub(crate) fn finish(&mut self, id: ExprId, value: &Value) -> Vec<Diagnostic> {
        self.budget.release_except(value);
        self.budget.work_of_reading();
        if let Some(exceeded) = self.budget.exceeded_at_end() {
            self.stop(exceeded, self.tree.span(id));
        }
        self.budget.settle();
        self.report.finish()
    }
}
