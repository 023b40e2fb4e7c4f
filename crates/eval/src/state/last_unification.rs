//! The common type of the last large conditional: the next turn of a loop often has results of the same types.

use terrane_value::{Type, Unification};

/// The types of the results of a conditional, and their common type.
pub(crate) struct LastUnification {
    types: [Type; 2],
    unification: Unification,
}

impl LastUnification {
    /// The work from which on a unification is kept.
    pub(crate) const LEAST_WORK: u64 = 512;

    /// Keeps the common type of two types.
    pub(crate) fn new(types: [Type; 2], unification: Unification) -> LastUnification {
        LastUnification { types, unification }
    }

    /// Returns the common type, if it is the one of these types. Takes time in proportion to the types, unless they are shared.
    pub(crate) fn of(&self, types: &[Type; 2]) -> Option<&Unification> {
        (self.types == *types).then_some(&self.unification)
    }
}
