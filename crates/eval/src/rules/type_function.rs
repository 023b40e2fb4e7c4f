//! `type(value)`: the function of the console that returns a type.

use terrane_source::ids;
use terrane_value::{Mark, Marks, Value};

use crate::rules::evaluator::Evaluator;
use crate::state::invocation::Invocation;
use crate::state::requested_types::{Answer, Requested};

impl Evaluator<'_> {
    /// Returns the placeholder for the type of the argument.
    pub(crate) fn call_type(&mut self, invocation: &Invocation<'_>) -> Value {
        let Some(argument) = invocation.arguments.get(0) else { return Value::error() };
        let value = self.argument_value(argument);
        let Some(types) = &mut self.requested_types else { return Value::error() };
        if value.contains_marked() {
            self.budget.work(value.size() as u64);
        }
        let (plain, marks) = value.unmark_deep();
        let argument = match marks.contains(&Mark::OfType) {
            true if types.get(&plain).is_some() => Requested::Type,
            true => {
                let detail = "A type cannot be part of another value, so the value has no type.";
                self.report.error(ids::INVALID_TYPE_CALL, invocation.span, detail);
                return Value::error();
            }
            false => Requested::Value(value),
        };
        let placeholder = types.add(argument, invocation.span);
        Value::from(placeholder).with_marks(&Marks::one(Mark::OfType))
    }

    /// Returns the answer of the console for a value: the type for which a placeholder stands, or the value itself.
    pub(crate) fn answer(&mut self, value: &Value) -> Answer {
        let Some(types) = self.requested_types.take().filter(|types| !types.is_empty()) else {
            return Answer::Value(value.clone());
        };
        let (plain, marks) = value.unmark_deep();
        if !marks.contains(&Mark::OfType) {
            return Answer::Value(value.clone());
        }
        match types.get(&plain) {
            Some(Requested::Value(typed)) => {
                return Answer::Type(typed.clone().with_marks(&marks.without(&Mark::OfType)));
            }
            Some(Requested::Type) => return Answer::TypeOfType,
            None => {}
        }
        if !self.report.has_errors_since(0) {
            let detail = "A type cannot be part of another value. Enter `type(…)` alone.";
            self.report.error(ids::INVALID_TYPE_CALL, types.last_call, detail);
        }
        Answer::Value(Value::error())
    }
}
