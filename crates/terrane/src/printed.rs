//! What is too long to be printed.

use terrane_eval::Answer;
use terrane_source::{Diagnostic, ids};
use terrane_value::{Value, display};

/// How much may be printed at once, in bytes, about.
const MOST: usize = 1 << 28;

/// Whether these values can be printed together: a small value may stand for a text that would fill the memory, since what is
/// in it many times is stored once, and to write a long number takes its time.
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
/// They would be longer than 256 MiB, or take as long.
pub fn check_printable<'v>(values: impl IntoIterator<Item = &'v Value>) -> Result<(), Box<Diagnostic>> {
    if display::can_be_written(values, MOST) { Ok(()) } else { Err(Box::new(too_long())) }
}

/// As [`check_printable`], of the answer of a console.
pub(crate) fn check_answer(answer: &Answer) -> Result<(), Box<Diagnostic>> {
    let fits = match answer {
        Answer::Value(value) => display::can_be_written([value], MOST),
        Answer::Type(ty, _) => display::type_can_be_written(ty, MOST),
    };
    if fits { Ok(()) } else { Err(Box::new(too_long())) }
}

fn too_long() -> Diagnostic {
    let detail = format!(
        "What is asked for is too large to be printed: it would be longer than {} MiB, or take as long as that. Ask for a \
         part of it.",
        MOST >> 20
    );
    Diagnostic::error(ids::LIMIT_EXCEEDED, detail)
}
