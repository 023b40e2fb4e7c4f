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
    /// The work of a call with these arguments.
    #[inline]
    pub fn of(self, arguments: &[Value]) -> usize {
        self.of_each(arguments.iter())
    }

    #[inline]
    pub(crate) fn of_each<'v>(self, arguments: impl Iterator<Item = &'v Value>) -> usize {
        let work = |sum: usize, value: &Value| {
            let (elements, text) = value.extent();
            sum.saturating_add(text).saturating_add(elements.saturating_mul(Limits::WORK_OF_ELEMENT))
        };
        if self == Cost::Constant {
            return 0;
        }
        let linear = arguments.fold(0, work);
        if self == Cost::Light { linear / 8 } else { linear }
    }
}
