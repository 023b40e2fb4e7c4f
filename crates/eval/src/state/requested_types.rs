//! Types as results of `type(value)` on the console.
//!
//! A type is not a value of the language, so a placeholder string stands for it: it can be passed on, and is rejected
//! where it becomes part of another value.

use terrane_source::Span;
use terrane_value::Value;

/// The result of an expression on the console.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A value.
    Value(Value),
    /// The value whose type is the answer: the expression is a call of `type`.
    Type(Value),
}

/// The values for which `type` was called. The placeholder of each value has the mark [`OfType`](terrane_value::Mark::OfType), a
/// prefix that no other string has, and its index.
#[derive(Default)]
pub(crate) struct RequestedTypes {
    values: Vec<Value>,
    /// The last call of `type`.
    pub(crate) last_call: Span,
}

const PREFIX: &str = "\u{0}type ";

fn placeholder(index: usize) -> String {
    format!("{PREFIX}{index}")
}

impl RequestedTypes {
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Adds the value whose type a call requests. Returns the placeholder of the type.
    pub(crate) fn add(&mut self, value: Value, call: Span) -> String {
        self.last_call = call;
        self.values.push(value);
        placeholder(self.values.len() - 1)
    }

    /// Returns the value for whose type a placeholder stands.
    pub(crate) fn get(&self, value: &Value) -> Option<&Value> {
        let text = value.as_str()?;
        let index: usize = text.strip_prefix(PREFIX)?.parse().ok()?;
        // A placeholder with further digits appended would name another index.
        self.values.get(index).filter(|_| text == placeholder(index))
    }
}
