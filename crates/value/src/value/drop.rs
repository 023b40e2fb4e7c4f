//! Drops deep values without recursion.
//!
//! A list of remaining values replaces nested calls, so depth takes no stack.

use std::mem;
use std::sync::Arc;

use super::{Repr, Sequence, Value};
use crate::{Entries, Known};

/// Up to this depth, nested calls are faster than the list.
const SHALLOW: u16 = 16;

impl Drop for Sequence {
    fn drop(&mut self) {
        if self.summary.depth > SHALLOW {
            // The parts still share their types at this point, so dropping `ty` does not take apart a deep type.
            drop(self.ty.take());
            take_apart(mem::take(&mut self.elements));
        } else if !self.has_memory {
            // Nothing inside has to be freed, so the elements need not be visited.
            mem::take(&mut self.elements).into_iter().for_each(mem::forget);
        } else if self.elements.first().is_some_and(|first| first.plain_object().is_some()) {
            // The general code that drops a value takes longer than a direct drop of objects.
            for element in mem::take(&mut self.elements) {
                if let Repr::Object(entries) = element.0 {
                    drop(entries);
                }
            }
        }
    }
}

impl Drop for Entries {
    #[inline]
    fn drop(&mut self) {
        if self.summary().depth > SHALLOW {
            self.drop_deep();
        }
    }
}

impl Entries {
    // Kept out of the general code that drops a value, so that it stays short.
    #[cold]
    #[inline(never)]
    fn drop_deep(&mut self) {
        take_apart(self.take().collect());
    }
}

fn take_apart(mut left: Vec<Value>) {
    while let Some(value) = left.pop() {
        // Values that are still shared stay as they are.
        match value.0 {
            Repr::List(sequence) | Repr::Set(sequence) | Repr::Tuple(sequence) => {
                let elements =
                    Arc::into_inner(sequence).map(|mut sequence| mem::take(&mut sequence.elements));
                left.extend(elements.into_iter().flatten());
            }
            Repr::Map(mut entries) | Repr::Object(mut entries) => left.extend(entries.take()),
            Repr::Marked(marked) => left.extend(Arc::into_inner(marked).map(|marked| marked.value)),
            Repr::Unknown(unknown) => match Arc::into_inner(unknown).map(|unknown| unknown.known) {
                Some(Known::Object(mut entries)) => left.extend(entries.take()),
                Some(Known::Sequence(elements)) => left.extend(elements.take().into_iter().flatten()),
                Some(Known::Nothing) | None => {}
            },
            Repr::Bool(_) | Repr::Number(_) | Repr::String(_) | Repr::Null(_) => {}
        }
    }
}
