//! Several expressions over one scope, evaluated one after another within one budget: the parts of a body.

use std::sync::Arc;

use terrane_source::{Diagnostic, SourceFile, Span};
use terrane_syntax::{ExprId, Expression};
use terrane_value::Value;

use crate::functions::table::FunctionTable;
use crate::names::scope::{Names, Scope};
use crate::rules::evaluator::{Evaluator, Stage};
use crate::state::binding::Binding;
use crate::state::budget::{STEPS_OF_RULE, Usage};
use crate::state::frame::Environment;

/// The steps of reading a body and making a value of it.
const STEPS_OF_BODY: u64 = 100;

/// The steps of an argument of a body besides its expression.
const STEPS_OF_ARGUMENT: u64 = 40;

/// Evaluates expressions over one scope. All of them together stay within the limits of the scope.
pub struct Batch<'s> {
    scope: &'s Scope<'s>,
    /// The part of the limits that is used up.
    usage: Usage,
    /// Whether neither names nor functions of the scope may be used.
    constant: bool,
    /// Whether diagnostics about missing names suggest others.
    has_suggestions: bool,
}

impl<'s> Batch<'s> {
    /// A batch over `scope`, which goes on from the meter of the scope.
    pub fn new(scope: &'s Scope<'s>) -> Batch<'s> {
        Batch { scope, usage: Usage::of_run(scope.env.meter), constant: false, has_suggestions: true }
    }

    /// This batch for constants: only names that are bound for an expression may be used.
    pub fn constant(self) -> Batch<'s> {
        Batch { constant: true, ..self }
    }

    /// From now on, diagnostics about missing names suggest no others, which take long to find.
    pub fn omit_suggestions(&mut self) {
        self.has_suggestions = false;
    }

    /// Whether the expressions must be constants.
    pub fn is_constant(&self) -> bool {
        self.constant
    }

    /// The scope of the expressions.
    pub fn scope(&self) -> &'s Scope<'s> {
        self.scope
    }

    /// Whether a limit is met. Nothing more is computed then.
    pub fn is_stopped(&self) -> bool {
        self.usage.stopped
    }

    /// The value of the expression at `id` of the tree of `expression`. `bindings` are names and their values, outermost
    /// first, which hide those of the scope.
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

    /// The value of an expression over other names and functions.
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
        let diagnostics = evaluator.finish(&value);
        self.usage = evaluator.budget.usage();
        (value, diagnostics)
    }

    /// Counts a block that is made of an element. Returns a diagnostic at `span` of `source` where there are more than the
    /// limit.
    pub fn count_block(&mut self, source: &Arc<SourceFile>, span: Span) -> Option<Diagnostic> {
        self.usage.elements += 1;
        self.exceeded(source, span)
    }

    /// Counts the steps of reading a body. Returns a diagnostic at `span` of `source` where the body exceeds a limit, with the
    /// memory that was taken for it.
    pub fn count_body(&mut self, source: &Arc<SourceFile>, span: Span) -> Option<Diagnostic> {
        self.usage.steps = self.usage.steps.saturating_add(STEPS_OF_BODY);
        self.settle();
        self.exceeded(source, span)
    }

    /// Counts the bytes of a value that was made beside expressions, or of a part of one.
    pub fn take_memory(&mut self, bytes: usize) {
        self.usage.memory = self.usage.memory.saturating_add(bytes as u64);
    }

    /// Releases bytes of values that no longer exist.
    pub fn release_memory(&mut self, bytes: usize) {
        self.usage.memory = self.usage.memory.saturating_sub(bytes as u64);
    }

    /// The bytes in use.
    pub fn memory(&self) -> u64 {
        self.usage.memory
    }

    /// Counts `value`, which was made of `old`. The `old` value ends now: of it, only parts that `value` shares stay counted, and no
    /// more is released than was taken since `before`.
    pub fn replace(&mut self, old: &Value, value: &Value, before: u64) {
        // A string stays the same one.
        if old.as_str().is_some() && value.as_str().is_some() {
            return;
        }
        let taken = usize::try_from(self.usage.memory.saturating_sub(before)).unwrap_or(usize::MAX);
        self.take_memory(value.own_bytes());
        self.release_memory(old.own_bytes().min(taken));
    }

    /// Counts `work` units beside expressions, each about as long as a rule. Returns a diagnostic at `span` of `source` where
    /// that exceeds a limit.
    pub fn count_work(&mut self, work: usize, source: &Arc<SourceFile>, span: Span) -> Option<Diagnostic> {
        self.usage.steps = self.usage.steps.saturating_add(STEPS_OF_RULE.saturating_mul(work as u64));
        self.settle();
        self.exceeded(source, span)
    }

    /// Counts the bytes of objects beside values. Returns a diagnostic at `span` of `source` where that exceeds a limit.
    pub fn count_bytes(&mut self, bytes: usize, source: &Arc<SourceFile>, span: Span) -> Option<Diagnostic> {
        self.usage.memory = self.usage.memory.saturating_add(bytes as u64);
        self.settle();
        self.exceeded(source, span)
    }

    /// Passes the usage to the run.
    fn settle(&self) {
        if let Some(meter) = self.scope.env.meter {
            self.usage.settle(meter);
        }
    }

    /// The diagnostic about the limit that the batch exceeds now. From then on, nothing more is computed.
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
