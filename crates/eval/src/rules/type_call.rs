//! `type(value)`, the function of the console: a type is no value of the language, so that what stands for one may be
//! passed on but not be used.

use terrane_source::{Span, ids};
use terrane_value::{Mark, Marks, Type, Value};

use crate::Answer;
use crate::rules::call::Making;
use crate::rules::evaluator::Evaluator;

/// The types that were asked for. A string with [`Mark::OfType`] stands for each: the beginning that no other string has
/// any reason for, and the position.
#[derive(Default)]
pub(crate) struct AskedTypes {
    types: Vec<Type>,
    /// Where `type` was called last.
    last: Span,
}

const BEGINNING: &str = "\u{0}type ";

fn placeholder(place: usize) -> String {
    format!("{BEGINNING}{place}")
}

impl AskedTypes {
    /// The type that a value stands for.
    fn get(&self, value: &Value) -> Option<&Type> {
        let text = value.as_str()?;
        let place: usize = text.strip_prefix(BEGINNING)?.parse().ok()?;
        // Not what other digits were added to.
        self.types.get(place).filter(|_| text == placeholder(place))
    }
}

impl Evaluator<'_> {
    /// What stands for the type of the argument.
    pub(crate) fn call_type(&mut self, making: &Making<'_>) -> Value {
        let Some(argument) = making.arguments.get(0) else { return Value::error() };
        let value = self.argument_value(argument);
        let marks = value.unmark_deep().1;
        if marks.contains(&Mark::OfType) {
            self.report(ids::INVALID_TYPE_CALL, making.span, "A type has no type of its own.");
            return Value::error();
        }
        let Some(asked) = &mut self.types else { return Value::error() };
        asked.last = making.span;
        asked.types.push(value.ty());
        Value::from(placeholder(asked.types.len() - 1)).with_marks(&marks.union(&Marks::one(Mark::OfType)))
    }

    /// What the console shows for a value.
    pub(crate) fn answer(&mut self, value: Value) -> Answer {
        let Some(asked) = self.types.take().filter(|asked| !asked.types.is_empty()) else {
            return Answer::Value(value);
        };
        let (plain, marks) = value.unmark_deep();
        if !marks.contains(&Mark::OfType) {
            return Answer::Value(value);
        }
        if let Some(ty) = asked.get(&plain) {
            return Answer::Type(ty.clone(), marks.without(&Mark::OfType));
        }
        if !self.has_errors_since(0) {
            let detail = "A type can be shown, but nothing can be made of it: ask for `type(…)` alone.";
            self.report(ids::INVALID_TYPE_CALL, asked.last, detail);
        }
        Answer::Value(Value::error())
    }
}
