use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use terrane_function::{Limits, Meter};
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, SourceFile, Span, ids};
use terrane_syntax::tree::{CallId, Literal};
use terrane_syntax::{Expr, ExprId, Expression, Tree};
use terrane_value::{Marks, Number, Origins, Refusal, Type, Value};

use crate::fast::compiler::{Kept, Node, NodeId, Plan, Planned, State};
use crate::fast::run::{Place, Quick};
use crate::functions::table::ResolvedCalls;
use crate::rules::operators::Link;
use crate::rules::type_call::AskedTypes;
use crate::state::binding::Bound;
use crate::{Callee, FunctionTable, Names, Scope};

/// The value of `expression`. Mistakes are added to `diagnostics`; what depends on them is unknown.
pub fn evaluate(expression: &Expression, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Value {
    let mut evaluator = Evaluator::new(&expression.tree, scope);
    let value = evaluator.eval(expression.id);
    evaluator.keep(&value);
    diagnostics.extend(evaluator.finish());
    value
}

/// An expression that was looked through before it is evaluated any number of times, from any number of threads: its
/// constants are made, the names that its loops bind and the functions that it calls are found.
///
/// Whoever evaluates an expression once does better with [`evaluate()`].
#[derive(Debug)]
pub struct Program {
    expression: Expression,
    plan: Plan,
    calls: ResolvedCalls,
    /// The number of the table of functions that the plan and the calls were found with.
    functions: u64,
}

impl Program {
    /// Looks through an expression. With these functions it is evaluated quickly; with others as if it were not a program.
    /// What is made of nothing but constants is computed now, within the default limits.
    pub fn new(expression: Expression, functions: &FunctionTable) -> Program {
        let (plan, calls) = Plan::of_expr(&expression.tree, expression.id, functions);
        let calls = functions.resolve(&expression.tree, &calls);
        Program { expression, plan, calls, functions: functions.number() }
    }

    /// The expression.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// The value, as [`evaluate()`] gives it.
    pub fn evaluate(&self, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Value {
        if scope.functions.number() != self.functions {
            return evaluate(&self.expression, scope, diagnostics);
        }
        let at_once = self.computed(Place::Scope(scope), scope.env.limits);
        at_once.unwrap_or_else(|| self.evaluate_step_by_step(scope, diagnostics))
    }

    /// As [`Program::evaluate`], for those for whom [`Program::at_once`] has not found a value with the same names, functions
    /// and limits: that way is not tried again.
    pub fn evaluate_step_by_step(&self, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Value {
        if scope.functions.number() != self.functions {
            return evaluate(&self.expression, scope, diagnostics);
        }
        let mut evaluator = Evaluator::new(&self.expression.tree, scope);
        evaluator.plan = Planned::Before(&self.plan);
        evaluator.resolved = Some(&self.calls);
        let value = evaluator.eval(self.expression.id);
        evaluator.keep(&value);
        diagnostics.extend(evaluator.finish());
        value
    }

    /// The value where all that the expression is made of is plain, no function looks at the world and no limit is met,
    /// without what else an evaluation needs; otherwise nothing, and [`Program::evaluate`] has the answer. For those who
    /// evaluate small expressions very often.
    #[inline]
    pub fn at_once(&self, names: &dyn Names, functions: &FunctionTable, limits: &Limits) -> Option<Value> {
        if functions.number() != self.functions {
            return None;
        }
        self.computed(Place::Bare(names, functions), limits)
    }

    /// The value where it can be computed the quick way.
    fn computed(&self, place: Place<'_>, limits: &Limits) -> Option<Value> {
        let node = self.plan.ready(self.expression.id)?;
        let meter = place.env().and_then(|env| env.meter);
        if limits.is_cancelled() || meter.is_some_and(Meter::is_stopped) {
            return None;
        }
        if let Node::Constant(value) = self.plan.node(node)?
            && meter.is_none()
            && limits.steps > 0
        {
            return Some(value.clone());
        }
        let work = Cell::new(1);
        let quick = Quick {
            tree: &self.expression.tree,
            plan: &self.plan,
            place,
            limits,
            locals: &[],
            items: &[],
            kept: &Kept::default(),
            is_attempt: false,
            text: &Cell::default(),
            work: &work,
        };
        // It is looked at where it is, and moved once.
        let value = quick.value(node);
        let (steps, memory) = (work.get(), value.as_ref()?.own_bytes() as u64);
        let (held_steps, held_memory) = meter.map_or((0, 0), |meter| (meter.steps(), meter.memory()));
        let (steps, memory) = (steps.saturating_add(held_steps), memory.saturating_add(held_memory));
        if steps > limits.steps || memory > limits.memory {
            return None;
        }
        if let Some(meter) = meter {
            meter.count_to(steps);
            meter.hold(memory);
        }
        value
    }
}

/// The value of an expression that may use neither names nor functions.
pub fn constant(expression: &Expression, diagnostics: &mut Diagnostics) -> Value {
    let limits = Limits::default();
    let mut evaluator = Evaluator::closed(&expression.tree, &limits);
    let value = evaluator.eval(expression.id);
    diagnostics.extend(evaluator.finish());
    value
}

/// What the console shows for an expression.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A value.
    Value(Value),
    /// A type: the expression is a call of `type`. The marks are those of the value that has this type.
    Type(Type, Marks),
}

/// As [`evaluate`], for the console, where an expression may be `type(value)`.
pub fn evaluate_in_console(
    expression: &Expression,
    scope: &Scope<'_>,
    diagnostics: &mut Diagnostics,
) -> Answer {
    let mut evaluator = Evaluator::new(&expression.tree, scope);
    evaluator.types = Some(AskedTypes::default());
    let value = evaluator.eval(expression.id);
    evaluator.keep(&value);
    let answer = evaluator.answer(value);
    diagnostics.extend(evaluator.finish());
    answer
}

/// Evaluates the expressions of one tree.
pub(crate) struct Evaluator<'e> {
    pub(crate) tree: &'e Tree,
    /// None where neither variables nor functions may be used.
    pub(crate) scope: Option<&'e Scope<'e>>,
    pub(crate) limits: &'e Limits,
    /// Names bound by `for` and by `dynamic` blocks, innermost last.
    pub(crate) locals: Vec<(&'e str, Bound)>,
    /// The elements of the enclosing splats, innermost last.
    pub(crate) items: Vec<Bound>,
    /// What was found so far, in the reference's order: an error of an operator may come before the errors of
    /// its operands.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Nesting of evaluations, those of the templates and bodies around this one included.
    pub(crate) depth: usize,
    /// The calls of a program.
    pub(crate) resolved: Option<&'e ResolvedCalls>,
    /// Functions by call, as far as they were looked up.
    pub(crate) callees: Vec<(CallId, Callee<'e>)>,
    /// Operators whose left operands are being evaluated.
    pub(crate) links: Vec<Link>,
    /// What was found out before the evaluation.
    pub(crate) plan: Planned<'e>,
    /// What stays the same from one turn to the next, in a loop.
    pub(crate) kept: Kept,
    /// Arguments of the calls that are being made.
    pub(crate) arguments: Vec<Value>,
    /// Room for the text of a template.
    pub(crate) text: Cell<String>,
    /// The templates of `templatefile` and `templatestring` that are being rendered, this one last.
    pub(crate) templates: Vec<Arc<SourceFile>>,
    /// The types that `type` was asked for, in the console.
    pub(crate) types: Option<AskedTypes>,
    /// Calls of `try` and `can` around what is evaluated.
    pub(crate) attempts: usize,
    /// Why what is evaluated in them may fail, although it has a value here.
    pub(crate) doubt: Origins,
    /// The limit that was met. It is said even where the mistakes of the expression that met it are not.
    pub(crate) stopped_by: Option<Diagnostic>,
    /// What calls had to do that were made the quick way, as far as it is not counted yet.
    quick_work: Cell<u64>,
    /// The limits are looked at when there are that many steps.
    next_check: u64,
    spent: Spent,
    /// The memory that was taken up before.
    held: u64,
    /// Bytes of all values that loops have kept from one turn to the next.
    in_loops: u64,
}

/// How much memory is taken up at some time.
#[derive(Clone, Copy)]
pub(crate) struct Held {
    memory: u64,
    in_loops: u64,
}

/// How many steps there are from one look at the limits to the next.
const STEPS_BETWEEN_CHECKS: u64 = 1024;

/// How much of the limits is used.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Spent {
    pub(crate) steps: u64,
    /// How many there were before the expression.
    pub(crate) steps_before: u64,
    /// Bytes of the values that were made and may still be there.
    pub(crate) memory: u64,
    /// Elements made by `for` and blocks made by `dynamic` so far.
    pub(crate) elements: usize,
    /// Set once a limit is met: everything that is not at hand is an error from then on.
    pub(crate) stopped: bool,
}

impl Spent {
    /// What the evaluators before this one have used.
    pub(crate) fn in_run(meter: Option<&Meter>) -> Spent {
        meter.map_or_else(Spent::default, |meter| Spent {
            steps: meter.steps(),
            steps_before: meter.steps(),
            memory: meter.memory(),
            elements: 0,
            stopped: meter.is_stopped(),
        })
    }

    /// The steps of this expression alone.
    fn of_expression(&self) -> u64 {
        self.steps.saturating_sub(self.steps_before)
    }
}

impl<'e> Evaluator<'e> {
    pub(crate) fn new(tree: &'e Tree, scope: &'e Scope<'e>) -> Evaluator<'e> {
        let spent = Spent::in_run(scope.env.meter);
        Evaluator {
            scope: Some(scope),
            spent,
            held: spent.memory,
            ..Evaluator::closed(tree, scope.env.limits)
        }
    }

    /// An evaluator for expressions that may use neither variables nor functions.
    pub(crate) fn closed(tree: &'e Tree, limits: &'e Limits) -> Evaluator<'e> {
        Evaluator {
            tree,
            scope: None,
            limits,
            locals: Vec::new(),
            items: Vec::new(),
            diagnostics: Vec::new(),
            depth: 0,
            resolved: None,
            callees: Vec::new(),
            links: Vec::new(),
            plan: Planned::Here(Plan::default()),
            kept: Kept::default(),
            arguments: Vec::new(),
            text: Cell::default(),
            templates: Vec::new(),
            types: None,
            attempts: 0,
            doubt: Origins::NONE,
            stopped_by: None,
            spent: Spent::default(),
            held: 0,
            in_loops: 0,
            quick_work: Cell::new(0),
            next_check: STEPS_BETWEEN_CHECKS
                .min(limits.steps.min(limits.steps_of_expression).saturating_add(1)),
        }
    }

    #[inline]
    pub(crate) fn eval(&mut self, id: ExprId) -> Value {
        match self.plan.state(id) {
            State::Ready(node) => self.eval_ready(id, node),
            State::Same(place) => self.kept.get(place).cloned().unwrap_or_else(|| self.eval_anew(id)),
            State::Varies | State::LocalSteps(_) => self.eval_anew(id),
        }
    }

    /// The value of an expression that is ready. It takes no step of its own but for its calls: it is no longer than its
    /// text, and loops count their turns.
    #[inline]
    fn eval_ready(&mut self, id: ExprId, node: NodeId) -> Value {
        let quick = self.quick();
        // What is there already is shared, and so takes up nothing.
        let Some(at) = quick.plan.node(node) else { return self.eval_anew(id) };
        if let Some(value) = quick.there(at) {
            let value = value.clone();
            // A choice may depend on calls.
            self.count_quick_work();
            return value;
        }
        let value = quick.computed(node, at);
        self.count_quick_work();
        // A value is looked at where it is, and moved once.
        let bytes = value.as_ref().map_or(0, Value::own_bytes);
        if bytes > 0 && !self.may_take_up(bytes) {
            return self.out_of_memory(id);
        }
        match value {
            Some(value) => value,
            None => self.eval_anew(id),
        }
    }

    /// Counts what calls had to do the quick way.
    #[inline]
    fn count_quick_work(&mut self) {
        self.spent.steps = self.spent.steps.saturating_add(self.quick_work.take());
    }

    /// Whether the value of an expression is true, where it is plainly true or false.
    #[inline]
    pub(crate) fn plain_truth(&mut self, id: ExprId) -> Option<bool> {
        let truth = self.quick().truth(self.plan.plan().ready(id)?);
        self.count_quick_work();
        truth
    }

    /// The value of an expression where it is known without evaluating anything.
    #[inline]
    pub(crate) fn at_hand(&self, id: ExprId) -> Option<&Value> {
        match self.plan.state(id) {
            State::Ready(node) => self.quick().there(self.plan.plan().node(node)?),
            State::Same(place) => self.kept.get(place),
            State::Varies | State::LocalSteps(_) => None,
        }
    }

    /// The quick way at this point of the evaluation.
    #[inline]
    pub(crate) fn quick(&self) -> Quick<'_> {
        Quick {
            tree: self.tree,
            plan: self.plan.plan(),
            place: self.scope.map_or(Place::Nowhere, Place::Scope),
            limits: self.limits,
            locals: &self.locals,
            items: &self.items,
            kept: &self.kept,
            is_attempt: self.attempts > 0,
            text: &self.text,
            work: &self.quick_work,
        }
    }

    /// The value of an expression that is neither plain nor at hand.
    #[inline(never)]
    fn eval_anew(&mut self, id: ExprId) -> Value {
        if self.spent.stopped || !self.may_go_on(id) {
            return Value::error();
        }
        match self.plan.state(id) {
            State::Ready(_) => self.eval_unready(id),
            State::Same(place) if !self.kept.is_never(place) => self.eval_once(id, place),
            State::LocalSteps(slot) => self.bound_traversal(slot, id),
            State::Varies if self.shared(id).is_some() => self.eval_shared(id),
            State::Varies | State::Same(_) => self.eval_expr(id),
        }
    }

    /// The value of an expression that turned out not to be plain.
    fn eval_unready(&mut self, id: ExprId) -> Value {
        match self.plan.node(id) {
            Some(Node::LocalAttribute(slot, _)) => self.bound_traversal(*slot, id),
            Some(_) | None => self.eval_expr(id),
        }
    }

    /// Evaluates what gives the same in every turn of the loops around it.
    #[cold]
    fn eval_once(&mut self, id: ExprId, place: usize) -> Value {
        let mark = self.diagnostics.len();
        let value = self.eval_expr(id);
        // In another turn the doubt would not be noted.
        let is_sound = self.diagnostics.len() == mark && !self.spent.stopped && self.doubt.is_empty();
        self.in_loops = self.in_loops.saturating_add(value.bytes() as u64);
        self.kept.set(place, is_sound.then_some(&value));
        value
    }

    /// The value of an expression by the rules.
    pub(crate) fn eval_expr(&mut self, id: ExprId) -> Value {
        let (id, expr) = self.tree.inside_parentheses(id);
        self.depth += 1;
        let value = match expr {
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
            Expr::Missing | Expr::Literal(_) | Expr::Traversal { .. } | Expr::Item => {
                self.depth -= 1;
                let value = self.simple(id, expr);
                return self.taking_up(id, value.outer_bytes(), value);
            }
        };
        self.depth -= 1;
        self.accepted(id, value)
    }

    /// An expression that is not made of others; its value is accepted as it is.
    fn simple(&mut self, id: ExprId, expr: Expr) -> Value {
        match expr {
            Expr::Literal(written) => literal(self.tree, id, written),
            Expr::Traversal { root_end, steps } => self.traversal(id, root_end, steps),
            Expr::Item => self.items.last().map_or_else(Value::error, |item| item.value().clone()),
            Expr::Missing
            | Expr::Template { .. }
            | Expr::Relative { .. }
            | Expr::Splat { .. }
            | Expr::Call(_)
            | Expr::Conditional { .. }
            | Expr::Binary { .. }
            | Expr::Unary { .. }
            | Expr::Tuple(_)
            | Expr::Object(_)
            | Expr::For(_)
            | Expr::Parens(_) => Value::error(),
        }
    }

    /// Ends what was planned for the outermost loop.
    pub(crate) fn forget_plan(&mut self) {
        self.plan = Planned::Here(Plan::default());
        self.kept.clear();
    }

    /// Counts a step; false where a limit is met, which is reported at `id`.
    #[inline]
    pub(crate) fn may_go_on(&mut self, id: ExprId) -> bool {
        self.spent.steps += 1;
        if self.depth < self.limits.depth && self.spent.steps < self.next_check {
            return true;
        }
        self.check_limits(self.tree.span(id));
        !self.spent.stopped
    }

    #[cold]
    fn check_limits(&mut self, span: Span) {
        let next = self.spent.steps.saturating_add(STEPS_BETWEEN_CHECKS);
        let most =
            self.spent.steps_before.saturating_add(self.limits.steps_of_expression).min(self.limits.steps);
        self.next_check = next.min(most.saturating_add(1));
        if self.depth >= self.limits.depth {
            let detail = format!(
                "The expression is nested more than {} levels deep. Name a part of it and refer to that.",
                self.limits.depth
            );
            self.stop(ids::TOO_DEEP, span, detail);
        } else if self.spent.steps > self.limits.steps {
            let detail = format!(
                "The evaluation takes more than {} steps, in which the work of functions counts. Compute what is the same \
                 each time once, in a local value, or leave out what is not needed.",
                self.limits.steps
            );
            self.stop_run(ids::LIMIT_EXCEEDED, span, &detail);
        } else if self.spent.of_expression() > self.limits.steps_of_expression {
            let detail = format!(
                "The expression takes more than {} steps, in which the work of functions counts. Compute parts of it on their \
                 own, each in a local value, or leave out what is not needed.",
                self.limits.steps_of_expression
            );
            self.stop_run(ids::LIMIT_EXCEEDED, span, &detail);
        } else if self.limits.is_cancelled() {
            self.stop_run(ids::INTERRUPTED, span, "The evaluation was stopped from outside.");
        }
    }

    /// Counts the memory that a value takes up. Where it is more than the limit, the value is not one.
    #[inline]
    fn taking_up(&mut self, id: ExprId, bytes: usize, value: Value) -> Value {
        if bytes == 0 || self.may_take_up(bytes) { value } else { self.out_of_memory(id) }
    }

    /// Counts that many bytes; false where there are more than the limit.
    #[inline]
    fn may_take_up(&mut self, bytes: usize) -> bool {
        self.spent.memory = self.spent.memory.saturating_add(bytes as u64);
        self.spent.memory <= self.limits.memory
    }

    #[cold]
    fn out_of_memory(&mut self, id: ExprId) -> Value {
        let most = self.limits.memory;
        let detail = format!("The values of the evaluation take up more than {most} bytes of memory.");
        self.stop_run(ids::LIMIT_EXCEEDED, self.tree.span(id), &detail);
        Value::error()
    }

    /// The memory that is taken up by now.
    pub(crate) fn held(&self) -> Held {
        Held { memory: self.spent.memory, in_loops: self.in_loops }
    }

    /// Of all that was made since then only this value is still there, and what loops keep.
    pub(crate) fn keep_since(&mut self, before: Held, value: &Value) {
        let made = self.spent.memory.saturating_sub(before.memory);
        let kept = self.in_loops.saturating_sub(before.in_loops).saturating_add(value.bytes() as u64);
        self.spent.memory = before.memory.saturating_add(made.min(kept));
    }

    /// Of all that was made for the value of an expression only that is still there.
    pub(crate) fn keep(&mut self, value: &Value) {
        self.keep_since(Held { memory: self.held, in_loops: self.in_loops }, value);
        if let Some(meter) = self.meter() {
            meter.hold(self.spent.memory);
        }
    }

    /// Counts the memory that the parts of a value take up.
    pub(crate) fn count_inside(&mut self, value: &Value) {
        let bytes = value.own_bytes().saturating_sub(value.outer_bytes());
        self.spent.memory = self.spent.memory.saturating_add(bytes as u64);
    }

    /// Counts what a function does with its arguments.
    pub(crate) fn count_work(&mut self, work: usize) {
        self.spent.steps = self.spent.steps.saturating_add(work as u64);
    }

    /// Counts what it takes to write the long numbers in a value as text.
    #[inline]
    pub(crate) fn count_numbers(&mut self, value: &Value) {
        self.count_work(value.work_to_write_numbers());
    }

    /// Ends not only this expression but the run that it belongs to.
    fn stop_run(&mut self, id: DiagnosticId, span: Span, detail: &str) {
        if let Some(meter) = self.meter() {
            meter.stop();
        }
        self.stop(id, span, detail);
    }

    /// Reports that a limit is met and makes every further evaluation an error.
    pub(crate) fn stop(&mut self, id: DiagnosticId, span: Span, detail: impl Into<String>) {
        if !self.spent.stopped {
            self.spent.stopped = true;
            let diagnostic = self.diagnostic(id, span, detail);
            self.stopped_by = Some(diagnostic.clone());
            self.diagnostics.push(diagnostic);
        }
    }

    /// All that was found.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        self.settle();
        let mut found = self.diagnostics;
        if let Some(limit) = self.stopped_by
            && !found.iter().any(|diagnostic| diagnostic.id == limit.id)
        {
            found.push(limit);
        }
        found
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.spent.stopped
    }

    /// How much of the limits is used, to go on from there with another evaluator, be it the next of the run.
    pub(crate) fn spent(&self) -> Spent {
        self.settle();
        self.spent
    }

    /// Begins where another evaluator has ended.
    pub(crate) fn start_from(&mut self, spent: Spent) {
        self.go_on_from(spent);
        self.held = self.spent.memory;
    }

    /// Counts what another evaluator used.
    pub(crate) fn go_on_from(&mut self, spent: Spent) {
        let steps = self.spent.steps.max(spent.steps);
        self.spent = Spent { steps, stopped: self.spent.stopped || spent.stopped, ..spent };
    }

    fn meter(&self) -> Option<&'e Meter> {
        self.scope.and_then(|scope| scope.env.meter)
    }

    /// Leaves what was used to the evaluators that come next.
    fn settle(&self) {
        if let Some(meter) = self.meter() {
            meter.count_to(self.spent.steps);
            meter.hold(self.spent.memory);
        }
    }

    /// Counts an element that a `for` makes: nested ones could otherwise fill the memory.
    #[inline]
    pub(crate) fn count_element(&mut self, span: Span) {
        self.spent.elements += 1;
        // A body that is only a name is no step by itself.
        self.spent.steps += 1;
        if self.spent.steps >= self.next_check || self.spent.elements > self.limits.elements {
            self.check_elements(span);
        }
    }

    #[cold]
    fn check_elements(&mut self, span: Span) {
        if self.spent.steps >= self.next_check {
            self.check_limits(span);
        }
        if self.spent.elements > self.limits.elements {
            let detail = format!("The `for` expressions make more than {} elements.", self.limits.elements);
            self.stop(ids::LIMIT_EXCEEDED, span, detail);
        }
    }

    /// Of the diagnostics from `mark` on, drops those that repeat an earlier one for another element.
    pub(crate) fn drop_repeated(&mut self, mark: usize) {
        if self.diagnostics.len() <= mark + 1 {
            return;
        }
        let mut seen = BTreeSet::new();
        let found = self.diagnostics.split_off(mark);
        let is_new = |diagnostic: &Diagnostic| {
            let span = diagnostic.subject.as_ref().map(|subject| subject.span);
            seen.insert((diagnostic.id.as_str(), span))
        };
        self.diagnostics.extend(found.into_iter().filter(is_new));
    }

    /// An error at `span`.
    pub(crate) fn diagnostic(&self, id: DiagnosticId, span: Span, detail: impl Into<String>) -> Diagnostic {
        Diagnostic::error(id, detail).at(self.tree.source(), span)
    }

    pub(crate) fn report(&mut self, id: DiagnosticId, span: Span, detail: impl Into<String>) {
        let diagnostic = self.diagnostic(id, span, detail);
        self.diagnostics.push(diagnostic);
    }

    /// Whether an error was found since there were `mark` diagnostics.
    #[inline]
    pub(crate) fn has_errors_since(&self, mark: usize) -> bool {
        self.diagnostics.iter().skip(mark).any(Diagnostic::is_error)
    }

    fn tuple(&mut self, elements: &[ExprId]) -> Value {
        let elements: Vec<Value> = elements.iter().map(|element| self.eval(*element)).collect();
        Value::tuple(elements)
    }

    /// The value of an expression, unless it is beyond the limits of values. The reference has no such limits.
    #[inline]
    fn accepted(&mut self, id: ExprId, value: Value) -> Value {
        if let Some(refusal) = value.refused() {
            return self.refused(id, &value, refusal);
        }
        self.taking_up(id, value.outer_bytes(), value)
    }

    #[cold]
    fn refused(&mut self, id: ExprId, value: &Value, refusal: Refusal) -> Value {
        let diagnostic = match refusal {
            Refusal::TooDeep => ids::TOO_DEEP,
            Refusal::TooLarge | Refusal::TooLong => ids::LIMIT_EXCEEDED,
        };
        let detail = format!("This expression has no value, because {refusal}.");
        self.report(diagnostic, self.tree.span(id), detail);
        Value::error().with_marks(value.marks())
    }
}

/// The value of a literal.
pub(crate) fn literal(tree: &Tree, id: ExprId, literal: Literal) -> Value {
    match literal {
        Literal::Null => Value::NULL,
        Literal::Bool(value) => Value::from(value),
        Literal::Number => number(tree.expr_text(id)),
        Literal::String(text) => Value::string(tree.text(text)),
    }
}

/// The value of a number literal. Most are small integers.
fn number(text: &str) -> Value {
    match text.parse::<i64>() {
        Ok(integer) => Value::number(Number::literal(integer)),
        Err(_) => Number::parse(text).map_or_else(Value::error, Value::number),
    }
}
