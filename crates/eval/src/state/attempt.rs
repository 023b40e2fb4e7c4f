//! The state of an evaluation inside `try` and `can`, which turn errors into values.

use terrane_value::Origins;

/// The calls of `try` and `can` around the current expression.
#[derive(Default)]
pub(crate) struct Attempt {
    /// The number of such calls.
    pub(crate) depth: usize,
    /// Reasons why an instance that the innermost call reads may not exist, so that the call may still fail although its argument has a
    /// value here.
    pub(crate) unknown_instances: Origins,
}

impl Attempt {
    /// Whether the current expression is an argument of `try` or `can`.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.depth > 0
    }

    /// Adds reasons why an instance that the innermost call reads may not exist.
    pub(crate) fn add_unknown_instances(&mut self, origins: &Origins) {
        self.unknown_instances = self.unknown_instances.union(origins);
    }

    /// Enters a call. Returns the reasons that were found for the call around it.
    pub(crate) fn enter(&mut self) -> Origins {
        self.depth += 1;
        std::mem::take(&mut self.unknown_instances)
    }

    /// Leaves a call, given the reasons of the call around it. Returns its own reasons.
    pub(crate) fn leave(&mut self, outer: Origins) -> Origins {
        self.depth -= 1;
        std::mem::replace(&mut self.unknown_instances, outer)
    }
}
