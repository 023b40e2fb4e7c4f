//! Several expressions over one scope, evaluated one after another within one budget: the parts of a body.

use terrane_source::Diagnostic;
use terrane_syntax::{ExprId, Expression};
use terrane_value::Value;

use crate::functions::table::FunctionTable;
use crate::names::scope::{Names, Scope};
use crate::rules::evaluator::{Evaluator, Turn};
use crate::state::binding::Binding;
use crate::state::budget::Usage;
use crate::state::frame::Environment;

/// Evaluates expressions over one scope. All of them together stay within the limits of the scope.
pub struct Batch<'s> {
    scope: &'s Scope<'s>,
    /// The part of the limits that is used up.
    usage: Usage,
    /// Whether neither names nor functions of the scope may be used.
    constant: bool,
}

impl<'s> Batch<'s> {
    /// A batch over `scope`, which goes on from the meter of the scope.
    pub fn new(scope: &'s Scope<'s>) -> Batch<'s> {
        Batch { scope, usage: Usage::of_run(scope.env.meter), constant: false }
    }

    /// The same batch for constants: only names that are bound for an expression may be used.
    pub fn constant(self) -> Batch<'s> {
        Batch { constant: true, ..self }
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
        evaluator.budget.start_from(self.usage);
        let value = evaluator.rule(id, Turn::New);
        let diagnostics = evaluator.finish(&value);
        self.usage = evaluator.budget.usage();
        (value, diagnostics)
    }

    /// Counts a block that is made of an element; false where there are more than the limit of elements.
    pub fn count_block(&mut self) -> bool {
        self.usage.elements += 1;
        self.usage.stopped |= self.usage.elements > self.scope.env.limits.elements;
        !self.usage.stopped
    }
}
