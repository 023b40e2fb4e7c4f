//! The memory of the fast path: values of loop-invariant expressions, a text buffer, and the use of the limits
//! that is not yet counted.

use std::cell::{Cell, OnceCell};
use std::ops::Index;

use terrane_value::Value;

use crate::fast::compiled::{Compiled, Slot};
use crate::state::budget::Use;

/// State that is kept between runs of compiled code.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) invariants: Invariants,
    /// A buffer for the texts of templates.
    pub(crate) text: Cell<String>,
    /// The use of the limits that has not been counted yet.
    pub(crate) usage: Cell<Use>,
    /// Bytes of the values of invariants, which exist until the code ends.
    kept: Cell<u64>,
    /// The loops without a value. They are not tried again, so no element is computed more than twice.
    pub(super) given_up: GivenUp,
}

/// Loops without a value, one bit per node id modulo 64. A loop that shares its bit with one of
/// them is not tried either.
#[derive(Default)]
pub(super) struct GivenUp(Cell<u64>);

/// The values of loop-invariant expressions by their slots.
#[derive(Default)]
pub(crate) struct Invariants(Box<[OnceCell<Invariant>]>);

/// The memory in use at a certain time.
#[derive(Clone, Copy)]
pub(super) struct LoopMemoryMark {
    bytes: u64,
    kept: u64,
}

pub(crate) enum Invariant {
    Value(Value),
    /// The expression has an error, which is reported in each iteration.
    Refused,
}

impl Memory {
    /// Memory with room for the values of `code`.
    #[inline]
    pub(crate) fn for_code(code: &Compiled) -> Memory {
        // A small expression takes less time than a loop over no slots.
        let invariants = match code.slots {
            0 => Invariants::default(),
            count => Invariants((0..count).map(|_| OnceCell::new()).collect()),
        };
        Memory { invariants, ..Memory::default() }
    }

    /// Counts work, in steps.
    #[inline]
    pub(crate) fn count_steps(&self, steps: usize) {
        let usage = self.usage.get();
        self.usage.set(Use { steps: usage.steps.saturating_add(steps as u64), ..usage });
    }

    /// Counts the bytes of new values.
    #[inline]
    pub(crate) fn count_bytes(&self, bytes: usize) {
        let usage = self.usage.get();
        self.usage.set(Use { bytes: usage.bytes.saturating_add(bytes as u64), ..usage });
    }

    /// Returns the memory in use now.
    #[inline]
    pub(super) fn mark(&self) -> LoopMemoryMark {
        LoopMemoryMark { bytes: self.usage.get().bytes, kept: self.kept.get() }
    }

    /// Whether values were made since `mark`.
    #[inline]
    pub(super) fn has_grown(&self, mark: LoopMemoryMark) -> bool {
        self.usage.get().bytes > mark.bytes
    }

    /// Keeps all values that were made since `mark` until the code ends.
    pub(super) fn keep_since(&self, mark: LoopMemoryMark) {
        let made = self.usage.get().bytes.saturating_sub(mark.bytes);
        self.kept.set(mark.kept.saturating_add(made));
    }

    /// Releases the bytes taken since `mark`, except those of `value` and of invariants.
    pub(super) fn release_except(&self, value: &Value, mark: LoopMemoryMark) {
        let usage = self.usage.get();
        let kept = self.kept.get().saturating_sub(mark.kept).saturating_add(value.own_bytes() as u64);
        self.usage.set(Use { bytes: usage.bytes.min(mark.bytes.saturating_add(kept)), ..usage });
    }

    /// Releases `bytes` bytes of values that were made since `mark` and no longer exist.
    pub(super) fn release(&self, bytes: usize, mark: LoopMemoryMark) {
        let usage = self.usage.get();
        let least = mark.bytes.saturating_add(self.kept.get().saturating_sub(mark.kept));
        let left = usage.bytes.saturating_sub(bytes as u64);
        self.usage.set(Use { bytes: left.max(least.min(usage.bytes)), ..usage });
    }
}

impl LoopMemoryMark {
    /// Returns the bytes that were taken between an earlier mark and this one.
    pub(super) fn since(self, earlier: LoopMemoryMark) -> usize {
        usize::try_from(self.bytes.saturating_sub(earlier.bytes)).unwrap_or(usize::MAX)
    }
}

impl GivenUp {
    #[inline]
    pub(super) fn has(&self, node: u32) -> bool {
        self.0.get() & GivenUp::bit(node) != 0
    }

    pub(super) fn add(&self, node: u32) {
        self.0.set(self.0.get() | GivenUp::bit(node));
    }

    fn bit(node: u32) -> u64 {
        1 << (node % u64::BITS)
    }
}

impl Invariants {
    /// Returns the value in `slot`, if it was evaluated.
    #[inline]
    pub(crate) fn get(&self, slot: Slot) -> Option<&Value> {
        match self[slot].get() {
            Some(Invariant::Value(value)) => Some(value),
            Some(Invariant::Refused) | None => None,
        }
    }

    /// Whether `slot` must stay without a value.
    pub(crate) fn is_refused(&self, slot: Slot) -> bool {
        matches!(self[slot].get(), Some(Invariant::Refused))
    }

    /// Sets the value in `slot`. With `None`, the slot stays without a value.
    pub(crate) fn set(&self, slot: Slot, value: Option<&Value>) {
        let invariant = || value.map_or(Invariant::Refused, |value| Invariant::Value(value.clone()));
        self[slot].get_or_init(invariant);
    }
}

#[expect(clippy::indexing_slicing, reason = "`Memory::for_code` makes room for each slot of the code")]
impl Index<Slot> for Invariants {
    type Output = OnceCell<Invariant>;

    #[inline]
    fn index(&self, slot: Slot) -> &OnceCell<Invariant> {
        &self.0[slot.index()]
    }
}
