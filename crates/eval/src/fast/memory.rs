//! The memory of the fast path: values of loop-invariant expressions, a text buffer, and work to be counted.

use std::cell::Cell;

use terrane_value::Value;

/// State that runs of compiled code keep from one to the next.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) invariants: Invariants,
    /// A buffer for the texts of templates.
    pub(crate) text: Cell<String>,
    /// The work of calls, in steps, that is not counted yet.
    pub(crate) work: Cell<u64>,
}

/// The values of loop-invariant expressions by their slots.
#[derive(Default)]
pub(crate) struct Invariants(Vec<Invariant>);

#[derive(Clone)]
enum Invariant {
    NotEvaluated,
    Value(Value),
    /// It has an error, which is reported in each iteration.
    Refused,
}

impl Invariants {
    /// The value in `slot`, if it was evaluated.
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> Option<&Value> {
        match self.0.get(slot) {
            Some(Invariant::Value(value)) => Some(value),
            Some(Invariant::NotEvaluated | Invariant::Refused) | None => None,
        }
    }

    /// Whether `slot` must stay without a value.
    pub(crate) fn is_refused(&self, slot: usize) -> bool {
        matches!(self.0.get(slot), Some(Invariant::Refused))
    }

    /// Sets the value in `slot`; with none, the slot stays without a value.
    pub(crate) fn set(&mut self, slot: usize, value: Option<&Value>) {
        if self.0.len() <= slot {
            self.0.resize(slot + 1, Invariant::NotEvaluated);
        }
        if let Some(invariant) = self.0.get_mut(slot) {
            *invariant = value.map_or(Invariant::Refused, |value| Invariant::Value(value.clone()));
        }
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
