//! Names of functions as they are written in a call.

use std::borrow::Cow;

/// Returns the name of a function without the white space that may surround `::`.
pub(crate) fn function_name(written: &str) -> Cow<'_, str> {
    if written.contains(char::is_whitespace) {
        Cow::Owned(written.split_whitespace().collect())
    } else {
        Cow::Borrowed(written)
    }
}
