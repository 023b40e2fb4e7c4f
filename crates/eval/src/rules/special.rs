//! `try`, `can` and `convert`, and the dispatch to all functions that need unevaluated arguments or the evaluator.

use std::rc::Rc;

use terrane_function::conversion::{ConversionError, ExceededLimit, convert};
use terrane_function::{Cost, FunctionError};
use terrane_source::Diagnostic;
use terrane_syntax::ExprId;
use terrane_value::{Type, TypeConstraint, Value};

use crate::functions::table::Special;
use crate::rules::evaluator::Evaluator;
use crate::state::budget::Exceeded;
use crate::state::failures::summary;
use crate::state::invocation::{Argument, Invocation, Sensitive};

/// The work of reporting an error that `try` or `can` takes back, in steps.
const WORK_OF_ERROR: u64 = 128;

/// The steps for each byte of a type that `convert` reads.
const STEPS_OF_TYPE_BYTE: u64 = 4;

impl Evaluator<'_> {
    /// Calls a function that needs unevaluated arguments or the evaluator.
    pub(crate) fn call_special(&mut self, special: Special, invocation: &Invocation<'_>) -> Value {
        match special {
            Special::Try => self.call_try(invocation),
            Special::Can => self.call_can(invocation),
            Special::Convert => self.call_convert(invocation),
            Special::TemplateFile => self.call_template_file(invocation),
            Special::TemplateString => self.call_template_string(invocation),
            Special::Type => self.call_type(invocation),
            Special::EncodeTfvars => self.call_encode_tfvars(invocation),
            Special::DecodeTfvars => self.call_decode_tfvars(invocation),
            Special::EncodeExpr => self.call_encode_expr(invocation),
        }
    }

    /// Evaluates `try(expressions...)`: the first result without an error. The result is unknown if any part of it is,
    /// because that may still turn out to be an error.
    fn call_try(&mut self, invocation: &Invocation<'_>) -> Value {
        let mut failures = Vec::new();
        for argument in invocation.arguments.iter() {
            let (value, errors) = self.attempted(argument);
            if self.budget.is_stopped() {
                return Value::error();
            }
            if !errors.iter().any(Diagnostic::is_error) {
                self.budget.work(work_of_origins(&value));
                let result = match value.is_wholly_known() {
                    true => value.clone(),
                    false => Value::unknown_from(Type::Dynamic, value.origins_deep()),
                };
                self.budget.replace([value], &result, invocation.before);
                return result;
            }
            failures.extend(errors);
        }
        let error = if failures.is_empty() {
            FunctionError::new("at least one argument is needed")
        } else {
            FunctionError::new(format!("all arguments have errors:{}", summary(&failures)))
        };
        self.failed_call(invocation, &error, Sensitive::NONE)
    }

    /// Evaluates `can(expression)`.
    fn call_can(&mut self, invocation: &Invocation<'_>) -> Value {
        let Some(argument) = invocation.arguments.get(0) else { return Value::error() };
        let (value, errors) = self.attempted(argument);
        self.budget.work(work_of_origins(&value));
        if self.budget.is_stopped() {
            Value::error()
        } else if errors.iter().any(Diagnostic::is_error) {
            Value::FALSE
        } else if value.is_wholly_known() {
            Value::TRUE
        } else {
            Value::unknown_from(Type::Bool, value.origins_deep())
        }
    }

    /// Returns the value of an argument and its diagnostics. The value is unknown if it may turn out to be an error.
    fn attempted(&mut self, argument: Argument) -> (Value, Vec<Diagnostic>) {
        let mark = self.report.mark();
        let outer = self.attempt.enter();
        let value = self.argument_value(argument);
        let unknown_instances = self.attempt.leave(outer);
        let errors = self.report.take_diagnostics_since(mark);
        self.budget.work(WORK_OF_ERROR.saturating_mul(errors.len() as u64));
        if unknown_instances.is_empty() {
            return (value, errors);
        }
        self.budget.work(work_of_origins(&value));
        (Value::unknown_from(Type::Dynamic, unknown_instances.union(&value.origins_deep())), errors)
    }

    /// Evaluates `convert(value, type)`.
    fn call_convert(&mut self, invocation: &Invocation<'_>) -> Value {
        let (Some(value), Some(Argument::Expr(ty))) =
            (invocation.arguments.get(0), invocation.arguments.get(1))
        else {
            return self.failed_call(
                invocation,
                &FunctionError::argument(1, "the second argument must be a type"),
                Sensitive::NONE,
            );
        };
        let value = self.argument_value(value);
        let work = Cost::Linear.of(std::slice::from_ref(&value));
        self.budget.work(work as u64);
        if work > self.budget.limits.work {
            let error = FunctionError::argument(
                0,
                "the value is too large to be converted within the limit that `--max-steps` raises",
            );
            return self.failed_call(invocation, &error, Sensitive::NONE);
        }
        let fills_attributes = invocation.scope.functions.semantics().convert_fills_attributes;
        let Some(constraint) = self.type_argument(ty, fills_attributes) else { return Value::error() };
        let (limits, meter) = (self.budget.limits, self.budget.fork());
        let before = meter.steps();
        let converted = convert(&constraint, &value, limits, &meter).and_then(|converted| {
            if fills_attributes {
                return Ok(converted);
            }
            // Only the type of that result counts, in which no attribute is optional.
            convert(&TypeConstraint::new(converted.ty()), &value, limits, &meter)
        });
        self.budget.work(meter.steps().saturating_sub(before));
        match converted {
            Ok(converted) => {
                self.budget.replace([value], &converted, invocation.before);
                converted
            }
            Err(ConversionError::Mismatch(error)) => {
                self.failed_call(invocation, &FunctionError::of_argument(0, error), Sensitive::NONE)
            }
            Err(ConversionError::Limit(ExceededLimit::Steps(_))) => {
                self.stop(Exceeded::steps(limits), invocation.span);
                Value::error()
            }
            Err(ConversionError::Limit(ExceededLimit::Memory(_))) => {
                self.stop(Exceeded::memory(limits), invocation.span);
                Value::error()
            }
            Err(ConversionError::Limit(ExceededLimit::Elements(most) | ExceededLimit::Added(most))) => {
                let error = FunctionError::argument(
                    0,
                    format!(
                        "with the optional attributes of the type, the value has more than {most} elements, the limit that \
                         `--max-memory` raises"
                    ),
                );
                self.failed_call(invocation, &error, Sensitive::NONE)
            }
        }
    }

    /// Returns the type that an argument means; `None` if it has an error. A loop reads it once.
    fn type_argument(&mut self, id: ExprId, fills_attributes: bool) -> Option<Rc<TypeConstraint>> {
        if let Some(constraint) = self.calls.constraint(id) {
            return Some(constraint);
        }
        let mark = self.report.mark();
        self.budget.work(STEPS_OF_TYPE_BYTE.saturating_mul(u64::from(self.tree.span(id).len())));
        let constraint = Rc::new(self.constraint(id, fills_attributes));
        if self.report.has_errors_since(mark) {
            return None;
        }
        if self.frame.is_in_loop() {
            self.calls.remember_constraint(id, &constraint);
        }
        Some(constraint)
    }
}

/// Returns the steps of finding the causes of the unknown parts of a value.
fn work_of_origins(value: &Value) -> u64 {
    if value.is_wholly_known() { 0 } else { value.size() as u64 }
}
