//! Limit on the size of printed values.
//!
//! A value stores a repeated part once, so a small value can print as a text that fills the memory. Everything that
//! prints values checks this limit first.

use std::borrow::Borrow;

use terrane_eval::Answer;
use terrane_function::RAISE_MEMORY;
use terrane_source::{Diagnostic, ids};
use terrane_value::{Value, display};

use crate::report::Report;

/// Approximate limit on the bytes that are printed at once.
pub(crate) const MAX_BYTES: usize = 96 << 20;

/// Limit on the comparisons of elements of sequences and lines of texts in one output. Beyond it, lists are compared by
/// position, and texts as a whole.
pub(crate) const MAX_COMPARISONS: usize = 1 << 27;

/// Checks that these values can be printed together.
///
/// A value stores a repeated part once, so a small value can print as a text that fills the memory; printing a long number
/// takes time that grows with its length.
///
/// ```
/// use terrane::{Value, check_printable};
///
/// let long = Value::from("x".repeat(1 << 20));
/// assert!(check_printable([&long]).is_ok());
/// let error = check_printable(std::iter::repeat_n(&long, 1000)).unwrap_err();
/// assert_eq!(error.title(), "Limit exceeded");
/// ```
///
/// # Errors
///
/// `Limit exceeded` if the text would be longer than 96 MiB, or would take as long to produce as a text of that size.
pub fn check_printable(values: impl IntoIterator<Item = impl Borrow<Value>>) -> Result<(), Box<Diagnostic>> {
    if display::can_be_written(values, MAX_BYTES) { Ok(()) } else { Err(Box::new(limit_exceeded())) }
}

impl Report {
    /// Like [`check_printable`], for values that are written piece by piece. The limit is three eighths of the limit on memory,
    /// at least 96 MiB.
    ///
    /// # Errors
    ///
    /// `Limit exceeded` if the text would be longer, or would take as long to produce as a text of that size.
    pub fn check_printable(
        &self,
        values: impl IntoIterator<Item = impl Borrow<Value>>,
    ) -> Result<(), Box<Diagnostic>> {
        self.check_printable_with(0, values)
    }

    /// Like [`Report::check_printable`], with this number of bytes in addition to the values.
    pub(crate) fn check_printable_with(
        &self,
        bytes: usize,
        values: impl IntoIterator<Item = impl Borrow<Value>>,
    ) -> Result<(), Box<Diagnostic>> {
        let memory = self.evaluation().config.request.limits.memory;
        let most = usize::try_from(memory / 8 * 3).unwrap_or(usize::MAX).max(MAX_BYTES);
        let left = most.checked_sub(bytes);
        match left.is_some_and(|left| display::can_be_written(values, left)) {
            true => Ok(()),
            false => Err(Box::new(longer_than(most).hint(RAISE_MEMORY))),
        }
    }
}

/// Like [`check_printable`], with this number of bytes in addition to the values.
pub(crate) fn check_printable_with<'v>(
    bytes: usize,
    values: impl IntoIterator<Item = &'v Value>,
) -> Result<(), Box<Diagnostic>> {
    let left = MAX_BYTES.checked_sub(bytes);
    let fits = left.is_some_and(|left| display::can_be_written(values, left));
    if fits { Ok(()) } else { Err(Box::new(limit_exceeded())) }
}

/// Like [`check_printable`], for an answer of the console.
pub(crate) fn check_answer(answer: &Answer) -> Result<(), Box<Diagnostic>> {
    let fits = match answer {
        Answer::Value(value) => display::can_be_written([value], MAX_BYTES),
        Answer::Type(value) => display::type_can_be_written(&value.ty(), MAX_BYTES),
        Answer::TypeOfType => true,
    };
    if fits { Ok(()) } else { Err(Box::new(limit_exceeded())) }
}

/// Returns the error for a text that is too long.
pub(crate) fn limit_exceeded() -> Diagnostic {
    longer_than(MAX_BYTES)
}

fn longer_than(bytes: usize) -> Diagnostic {
    let detail = format!(
        "The result is too large to be printed: its text would be longer than {} MiB, or take as long to produce. Ask for a \
         part of it.",
        bytes >> 20
    );
    Diagnostic::error(ids::LIMIT_EXCEEDED, detail)
}
