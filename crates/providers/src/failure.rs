//! The error type: why a provider cannot be asked.

use std::fmt;

/// An error about a provider, and the advice below it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Failure {
    /// The error: a part of a sentence, or a sentence without its full stop.
    pub text: String,
    /// The advice.
    pub help: Option<String>,
}

impl Failure {
    /// Returns an error without advice.
    pub fn new(text: impl Into<String>) -> Failure {
        Failure { text: text.into(), help: None }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Failure {
        Failure { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Failure {}
