//! Evaluates several expressions over one scope, one after another within one budget, such as the parts of a body.

use std::sync::Arc;

use terrane_function::conversion;
use terrane_source::{Diagnostic, Diagnostics, SourceFile, Span, ids};
use terrane_syntax::{ExprId, Expression};
use terrane_value::{ClosestNames, Type, Value, work_to_read_numbers};

use crate::functions::table::FunctionTable;
use crate::names::scope::{Names, Scope};
use crate::rules::evaluator::{Evaluator, Stage};
use crate::state::binding::Binding;
use crate::state::budget::{STEPS_OF_RULE, Usage};
use crate::state::frame::Environment;

/// The steps of reading a body and making its value.
const STEPS_OF_BODY: u64 = 100;

/// The steps of a message about a body. One that is only counted takes a step.
const STEPS_OF_MESSAGE: u64 = 128;

/// The steps of an argument of a body besides its expression.
const STEPS_OF_ARGUMENT: u64 = 40;

/// The bytes of a text that takes no work to read as a number.
const SHORT_TEXT: usize = 64;

/// Evaluates expressions over one scope. All together stay within the limits of the scope.
pub struct Batch<'s> {
    scope: &'s Scope<'s>,
    /// The share of the limits that is used up.
    usage: Usage,
    /// Whether neither names nor functions of the scope may be used.
    constant: bool,
    /// Whether diagnostics about missing names suggest similar names.
    has_suggestions: bool,
}

impl<'s> Batch<'s> {
    /// Returns a batch over `scope`, which continues from the meter of the scope.
    pub fn new(scope: &'s Scope<'s>) -> Batch<'s> {
        Batch { scope, usage: Usage::of_run(scope.env.meter), constant: false, has_suggestions: true }
    }

    /// Makes this a batch for constants: an expression may use only names that are bound for it.
    pub fn constant(self) -> Batch<'s> {
        Batch { constant: true, ..self }
    }

    /// From now on, diagnostics about missing names have no suggestions, because finding similar names takes long.
    pub fn omit_suggestions(&mut self) {
        self.has_suggestions = false;
    }

    /// Whether the expressions must be constants.
    pub fn is_constant(&self) -> bool {
        self.constant
    }

    /// Returns the scope of the expressions.
    pub fn scope(&self) -> &'s Scope<'s> {
        self.scope
    }

    /// Whether a limit is exceeded. Nothing more is computed then.
    pub fn is_stopped(&self) -> bool {
        self.usage.stopped
    }

    /// Returns the value of the expression at `id` in the tree of `expression`, and its diagnostics. `bindings` are
    /// names and their values, outermost first, which hide names of the scope.
    pub fn evaluate(
        &mut self,
        expression: &Expression,
        id: ExprId,
        bindings: &[(&str, &Value)],
    ) -> (Value, Vec<Diagnostic>) {
        let mut evaluator = Evaluator::new(&expression.tree, self.scope);
        if self.constant && bindings.is_empty() {
            evaluator.frame.environment = Environment::Empty;
        }
        let bound = bindings.iter().map(|(name, value)| (*name, Binding::Value((*value).clone())));
        evaluator.frame.bindings.extend(bound);
        self.finish(evaluator, id)
    }

    /// Returns the value of an expression over other names and functions, and its diagnostics.
    pub fn evaluate_over(
        &mut self,
        expression: &Expression,
        names: &dyn Names,
        functions: &FunctionTable,
    ) -> (Value, Vec<Diagnostic>) {
        let scope = Scope { names, functions, ..*self.scope };
        self.finish(Evaluator::new(&expression.tree, &scope), expression.id)
    }

    fn finish(&mut self, mut evaluator: Evaluator<'_>, id: ExprId) -> (Value, Vec<Diagnostic>) {
        self.usage.steps = self.usage.steps.saturating_add(STEPS_OF_ARGUMENT);
        evaluator.budget.start_from(self.usage);
        evaluator.report.has_suggestions = self.has_suggestions;
        let value = evaluator.rule(id, Stage::Begun);
        let diagnostics = evaluator.finish(id, &value);
        self.usage = evaluator.budget.usage();
        (value, diagnostics)
    }

    /// Counts a block that is made from an element. Returns a diagnostic at `span` of `source` if there are
    /// more blocks than the limit.
    pub fn count_block(&mut self, source: &Arc<SourceFile>, span: Span) -> Option<Diagnostic> {
        self.usage.elements += 1;
        self.exceeded(source, span)
    }

    /// Counts the steps of reading a body. Returns a diagnostic at `span` of `source` if the body exceeds a limit, also
    /// a limit on the memory taken for it.
    pub fn count_body(&mut self, source: &Arc<SourceFile>, span: Span) -> Option<Diagnostic> {
        self.usage.steps = self.usage.steps.saturating_add(STEPS_OF_BODY);
        self.settle();
        self.exceeded(source, span)
    }

    /// Counts the steps of making messages about a body with a schema of this number of names, with which each listed message
    /// about a wrong one compares it.
    pub fn count_messages(&mut self, messages: &Diagnostics, names: usize) {
        let listed = messages.as_slice().len() as u64;
        let is_search = |message: &&Diagnostic| message.id != ids::MISSING_ARGUMENT;
        let searches = messages.as_slice().iter().filter(is_search).count() as u64;
        let steps = STEPS_OF_MESSAGE.saturating_mul(listed);
        let steps = steps.saturating_add(ClosestNames::steps_of(names).saturating_mul(searches));
        let counted = (messages.len() as u64).saturating_sub(listed);
        self.usage.steps = self.usage.steps.saturating_add(steps).saturating_add(counted);
    }

    /// Counts the steps of making one message about a body, with the steps of the searches for similar names.
    pub fn count_message(&mut self, searches: u64) {
        self.usage.steps = self.usage.steps.saturating_add(STEPS_OF_MESSAGE).saturating_add(searches);
    }

    /// Counts the bytes of a value, or a part of one, that was not made by an expression.
    pub fn take_memory(&mut self, bytes: usize) {
        self.usage.memory = self.usage.memory.saturating_add(bytes as u64);
    }

    /// Releases bytes of values that no longer exist.
    pub fn release_memory(&mut self, bytes: usize) {
        self.usage.memory = self.usage.memory.saturating_sub(bytes as u64);
    }

    /// Returns the bytes in use.
    pub fn memory(&self) -> u64 {
        self.usage.memory
    }

    /// Counts `value`, which was made of `old`. The value `old` is dropped now: only parts that `value` shares stay
    /// counted, and no more bytes are released than were taken since `before`.
    pub fn replace(&mut self, old: &Value, value: &Value, before: u64) {
        // A string is not copied.
        if old.as_str().is_some() && value.as_str().is_some() {
            return;
        }
        let taken = usize::try_from(self.usage.memory.saturating_sub(before)).unwrap_or(usize::MAX);
        self.take_memory(value.own_bytes());
        self.release_memory(old.own_bytes().min(taken));
    }

    /// Counts a conversion of `value` to `ty`, unless the value has the type already. Returns a diagnostic at `span` of `source` if
    /// that exceeds a limit; the conversion must not be made then. The texts that it reads as numbers count while it reads them.
    pub fn count_conversion(
        &mut self,
        value: &Value,
        ty: &Type,
        source: &Arc<SourceFile>,
        span: Span,
    ) -> Option<Diagnostic> {
        let most = self.scope.env.limits.steps;
        let (elements, text) = value.extent();
        if elements == 0 && text <= SHORT_TEXT {
            return None;
        }
        if elements > 0 && *ty != Type::Dynamic && value.ty() != *ty {
            self.usage.steps = self.usage.steps.saturating_add(conversion::steps_of_type(value, ty, most));
        }
        let left = most.saturating_sub(self.usage.steps);
        let work = work_to_read_numbers(value, ty, left);
        if work > left {
            self.usage.steps = self.usage.steps.saturating_add(work);
        }
        if self.usage.steps <= most {
            return None;
        }
        self.settle();
        self.exceeded(source, span)
    }

    /// Counts `work` units outside expressions, each about as long as a rule. Returns a diagnostic at `span` of
    /// `source` if that exceeds a limit.
    pub fn count_work(&mut self, work: usize, source: &Arc<SourceFile>, span: Span) -> Option<Diagnostic> {
        self.usage.steps = self.usage.steps.saturating_add(STEPS_OF_RULE.saturating_mul(work as u64));
        self.settle();
        self.exceeded(source, span)
    }

    /// Counts steps outside expressions. Returns a diagnostic at `span` of `source` if that exceeds a limit.
    pub fn count_steps(&mut self, steps: u64, source: &Arc<SourceFile>, span: Span) -> Option<Diagnostic> {
        self.usage.steps = self.usage.steps.saturating_add(steps);
        self.settle();
        self.exceeded(source, span)
    }

    /// Counts the bytes of objects that are not values. Returns a diagnostic at `span` of `source`
    /// if that exceeds a limit.
    pub fn count_bytes(&mut self, bytes: usize, source: &Arc<SourceFile>, span: Span) -> Option<Diagnostic> {
        self.usage.memory = self.usage.memory.saturating_add(bytes as u64);
        self.settle();
        self.exceeded(source, span)
    }

    /// Adds the usage to the meter of the run.
    fn settle(&self) {
        if let Some(meter) = self.scope.env.meter {
            self.usage.settle(meter);
        }
    }

    /// Returns the diagnostic about the limit that the batch exceeds now. From then on, nothing more is computed.
    fn exceeded(&mut self, source: &Arc<SourceFile>, span: Span) -> Option<Diagnostic> {
        let Scope { env, .. } = self.scope;
        let exceeded = if self.usage.stopped { None } else { self.usage.exceeded(env.limits) }?;
        self.usage.stopped = true;
        if let (true, Some(meter)) = (exceeded.ends_run, env.meter) {
            meter.stop();
        }
        Some(exceeded.diagnostic(source, span))
    }
}
