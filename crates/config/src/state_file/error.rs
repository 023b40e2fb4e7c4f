//! [`StateError`]: why a text is not a state.

use std::fmt;

use serde_json::error::Category;

/// The error of a text that is not a state. It never has the value of an attribute or output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateError {
    message: String,
}

impl StateError {
    pub(super) fn new(message: impl Into<String>) -> StateError {
        StateError { message: message.into() }
    }

    /// The error of the JSON parser. Its own text about a wrong type can have a value, which may be a secret.
    pub(super) fn json(error: &serde_json::Error) -> StateError {
        StateError::of_document("a state", error)
    }

    /// The same where another document was expected.
    pub(super) fn of_document(expected: &str, error: &serde_json::Error) -> StateError {
        let place = format!("line {}, column {}", error.line(), error.column());
        StateError::new(match error.classify() {
            Category::Eof => format!("the file is cut off: its JSON text ends at {place}"),
            Category::Data => {
                format!("it is not {expected}: a value is missing or has the wrong type at {place}")
            }
            Category::Syntax | Category::Io => format!("it is not {expected}: {error}"),
        })
    }

    /// The same error in the object at `address`.
    pub(super) fn within(self, address: &str) -> StateError {
        StateError::new(format!("{address}: {}", self.message))
    }
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for StateError {}
