//! Copies values. Texts, numbers and objects, which most values are, are copied without a match over all kinds.

use super::{Repr, Value};

impl Clone for Value {
    #[inline(always)]
    fn clone(&self) -> Value {
        // Most values are short texts, which are copied directly.
        if let Repr::String(text) = &self.0 { Value(Repr::String(text.clone())) } else { self.cloned() }
    }
}

impl Value {
    /// Appends a copy to `values`, without moving it in between.
    #[doc(hidden)]
    #[inline(always)]
    pub fn copy_to(&self, values: &mut Vec<Value>) {
        match self.plain_text() {
            Some(text) => values.push(Value(Repr::String(text.clone()))),
            None => values.push(self.cloned()),
        }
    }

    /// Appends copies of `values`.
    pub(super) fn copy_all(values: &[Value], copies: &mut Vec<Value>) {
        for value in values {
            // Objects are copied without a call for each.
            match value.plain_object() {
                Some(entries) => copies.push(Value(Repr::Object(entries.clone()))),
                None => value.copy_to(copies),
            }
        }
    }

    /// Returns a copy of a value other than a string.
    #[inline(never)]
    fn cloned(&self) -> Value {
        if let Repr::Object(entries) = &self.0 {
            return Value(Repr::Object(entries.clone()));
        }
        match self.as_small() {
            Some(small) => Value::number(small),
            None => self.cloned_other(),
        }
    }

    #[inline(never)]
    fn cloned_other(&self) -> Value {
        if let Repr::Bool(value) = self.0 { Value::from(value) } else { self.cloned_shared() }
    }

    #[inline(never)]
    fn cloned_shared(&self) -> Value {
        Value(self.0.clone())
    }
}
