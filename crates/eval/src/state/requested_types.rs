//! Types as results of `type(value)` on the console.
//!
//! A type is not a value of the language, so a placeholder string stands for it: it can be passed on, and is rejected
//! where it becomes part of another value.

use terrane_source::Span;
use terrane_value::{Marks, Type, Value};

/// The result of an expression on the console.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A value.
    Value(Value),
    /// A type: the expression is a call of `type`. The marks are the marks of the value with this type.
    Type(Type, Marks),
}

/// The types for which `type` was called. The placeholder of each has the mark [`OfType`](terrane_value::Mark::OfType),
/// a prefix that no other string has, and its index.
#[derive(Default)]
pub(crate) struct RequestedTypes {
    types: Vec<Type>,
    /// The last call of `type`.
    pub(crate) last_call: Span,
}

const PREFIX: &str = "\u{0}type ";

fn placeholder(index: usize) -> String {
    format!("{PREFIX}{index}")
}

impl RequestedTypes {
    pub(crate) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Adds the type that a call requests. Returns its placeholder.
    pub(crate) fn add(&mut self, ty: Type, call: Span) -> String {
        self.last_call = call;
        self.types.push(ty);
        placeholder(self.types.len() - 1)
    }

    /// Returns the type for which a placeholder stands.
    pub(crate) fn get(&self, value: &Value) -> Option<&Type> {
        let text = value.as_str()?;
        let index: usize = text.strip_prefix(PREFIX)?.parse().ok()?;
        // A placeholder with further digits appended would name another index.
        self.types.get(index).filter(|_| text == placeholder(index))
    }
}
