//! [`DecodeError`]: the reason why JSON text is not a value, with the byte offset.

use std::fmt;

/// The error of JSON text without a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecodeError {
    /// The byte offset of the mistake in the text.
    pub offset: usize,
    /// The error, in a full sentence.
    pub message: String,
    /// Whether the text is nested more deeply than a value may be.
    pub is_too_deep: bool,
}

impl DecodeError {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> DecodeError {
        DecodeError { offset, message: message.into(), is_too_deep: false }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.offset)
    }
}

impl std::error::Error for DecodeError {}
