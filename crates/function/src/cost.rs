//! The work that one call counts for, computed from the size of its arguments.

use terrane_value::Value;

use crate::limits::Limits;

/// How the work of a call grows with its arguments. [`Limits::work`] bounds it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Cost {
    /// One unit for each byte of text and 8 for each element; a unit takes at most about 60 nanoseconds.
    #[default]
    Linear,
    /// An eighth of [`Cost::Linear`], for functions that only copy or hash bytes, or only pass elements on.
    Light,
    /// No work, for functions whose time does not depend on the size of the arguments, or that count their own work with
    /// [`Call::spend`](crate::Call::spend).
    Constant,
}

impl Cost {
    /// Returns the work of a call with these arguments.
    #[inline]
    pub fn of(self, arguments: &[Value]) -> usize {
        if self == Cost::Constant {
            return 0;
        }
        let (mut elements, mut text) = (0_usize, 0_usize);
        for argument in arguments {
            let extent = argument.extent();
            elements = elements.saturating_add(extent.0);
            text = text.saturating_add(extent.1);
        }
        self.of_extent(elements, text)
    }

    /// Returns the work of a call whose arguments have this number of elements and bytes of text.
    #[inline]
    pub(crate) fn of_extent(self, elements: usize, text: usize) -> usize {
        let linear = text.saturating_add(elements.saturating_mul(Limits::WORK_OF_ELEMENT));
        match self {
            Cost::Constant => 0,
            Cost::Linear => linear,
            Cost::Light => linear / 8,
        }
    }
}
