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
    /// The type of types: the expression is a call of `type` about a type, such as `type(type(1))`.
    TypeOfType,
}

/// The argument of a call of `type`.
#[derive(Clone, Debug)]
pub(crate) enum Requested {
    Value(Value),
    Type,
}

/// The arguments with which `type` was called. The placeholder of each type has the mark [`OfType`](terrane_value::Mark::OfType), a
/// prefix that no other string has, and its index.
#[derive(Default)]
pub(crate) struct RequestedTypes {
    requested: Vec<Requested>,
    /// The last call of `type`.
    pub(crate) last_call: Span,
}

const PREFIX: &str = "\u{0}type ";

fn placeholder(index: usize) -> String {
    format!("{PREFIX}{index}")
}

impl RequestedTypes {
    pub(crate) fn is_empty(&self) -> bool {
        self.requested.is_empty()
    }

    /// Adds the argument whose type a call requests. Returns the placeholder of the type.
    pub(crate) fn add(&mut self, argument: Requested, call: Span) -> String {
        self.last_call = call;
        self.requested.push(argument);
        placeholder(self.requested.len() - 1)
    }

    /// Returns the argument for whose type a placeholder stands.
    pub(crate) fn get(&self, value: &Value) -> Option<&Requested> {
        let text = value.as_str()?;
        let index: usize = text.strip_prefix(PREFIX)?.parse().ok()?;
        // A placeholder with further digits appended would name another index.
        self.requested.get(index).filter(|_| text == placeholder(index))
    }
}
