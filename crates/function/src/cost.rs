//! The work that a call counts for, from the size of its arguments.

use terrane_value::Value;

use crate::env::Limits;

/// How much of [`Limits::work`] a call takes up.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Effort {
    /// One for each byte of text and 8 for each element, about 60 nanoseconds for each at the most.
    #[default]
    Usual,
    /// An eighth of that: bytes are only copied or hashed, elements only passed on.
    Light,
    /// Nothing: it makes no difference how large the arguments are.
    Fixed,
}

impl Effort {
    /// What a call with these arguments takes up.
    #[inline]
    pub fn of(self, arguments: &[Value]) -> usize {
        let work = |sum: usize, value: &Value| {
            let (elements, text) = value.extent();
            sum.saturating_add(text).saturating_add(elements.saturating_mul(Limits::WORK_OF_ELEMENT))
        };
        match self {
            Effort::Usual => arguments.iter().fold(0, work),
            Effort::Light => arguments.iter().fold(0, work) / 8,
            Effort::Fixed => 0,
        }
    }
}
