//! The names that a loop on the fast path binds, as references to the current element.

use terrane_value::Value;

/// The names and the element of the innermost loop, and of the loops around it.
#[derive(Clone, Copy)]
pub(crate) struct Bound<'s> {
    /// The index of the first name among all bindings.
    pub(super) first_name: usize,
    /// The values of the names. In a loop that binds one name, both are its value.
    pub(super) names: [&'s Value; 2],
    /// The element of the loop, if it is a splat.
    pub(super) item: Option<&'s Value>,
    pub(super) outer: Innermost<'s>,
}

/// The innermost loop on the fast path; `None` outside loops.
pub(crate) type Innermost<'s> = Option<&'s Bound<'s>>;

/// The [`Bound::first_name`] of a splat, which binds no name. No index is close to it.
pub(super) const NO_NAME: usize = usize::MAX / 2;

impl<'s> Bound<'s> {
    /// Returns the value of the binding at `index`, if a loop on the fast path binds it.
    #[inline(always)]
    pub(super) fn find(innermost: Innermost<'s>, index: usize) -> Option<&'s Value> {
        let mut next = innermost;
        while let Some(bound) = next {
            if let Some(value) = bound.names.get(index.wrapping_sub(bound.first_name)) {
                return Some(value);
            }
            next = bound.outer;
        }
        None
    }

    /// Returns the element of the innermost splat, if the splat is on the fast path.
    #[inline(always)]
    pub(super) fn item(innermost: Innermost<'s>) -> Option<&'s Value> {
        let mut next = innermost;
        while let Some(bound) = next {
            if bound.item.is_some() {
                return bound.item;
            }
            next = bound.outer;
        }
        None
    }
}
