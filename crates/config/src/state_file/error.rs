//! [`StateError`]: the reason why a text is not a state.

use std::fmt;

use serde_json::error::Category;
use terrane_value::MAX_DEPTH;
use terrane_value::json::DecodeError;

use crate::address::MAX_MODULE_DEPTH;

/// The limit of the JSON parser on brackets that are open at once.
const MAX_BRACKETS: usize = 127;

/// Limit on the characters of an address in an error.
const MAX_OF_ADDRESS: usize = 200;

/// The error about a text that is not a state. It never contains the value of an attribute or output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateError {
    message: String,
    /// Whether the text is a JSON document of a known version, but has a wrong value.
    is_invalid: bool,
}

impl StateError {
    pub(super) fn new(message: impl Into<String>) -> StateError {
        StateError { message: message.into(), is_invalid: false }
    }

    /// Whether the text is a JSON document of a known version, but has a wrong value.
    pub fn is_invalid(&self) -> bool {
        self.is_invalid
    }

    /// Returns the error of the JSON parser. The parser's own text about a wrong type may contain a
    /// value, which may be a secret.
    pub(super) fn json(error: &serde_json::Error) -> StateError {
        StateError::of_document("a state", error)
    }

    /// Returns the error about a value that `subject` names, without the value. `otherwise` is the problem if the value
    /// is not nested too deeply.
    pub(super) fn of_value(subject: &str, error: &DecodeError, otherwise: &str) -> StateError {
        StateError::new(match error.is_too_deep {
            true => format!("{subject} is nested more than {MAX_DEPTH} levels deep"),
            false => format!("{subject} {otherwise}"),
        })
    }

    /// Returns the error about a text that is not an address of `object`, or has too many module
    /// calls. A long text is cut.
    pub(super) fn of_address(address: &str, object: &str) -> StateError {
        let shown: String = address.chars().take(MAX_OF_ADDRESS).collect();
        let dots = if shown.len() < address.len() { "..." } else { "" };
        let is_deep = address.matches("module.").nth(MAX_MODULE_DEPTH).is_some();
        let limit = match is_deep {
            true => format!(" of at most {MAX_MODULE_DEPTH} module calls"),
            false => String::new(),
        };
        StateError::new(format!("{shown:?}{dots} is not the address of {object}{limit}"))
    }

    /// Does the same as [`StateError::json`], for a document other than a state.
    pub(super) fn of_document(expected: &str, error: &serde_json::Error) -> StateError {
        let place = format!("line {}, column {}", error.line(), error.column());
        // The parser has no code for this error.
        if error.to_string().starts_with("recursion limit exceeded") {
            return StateError::new(format!(
                "it is nested too deeply: more than {MAX_BRACKETS} brackets are open at {place}"
            ));
        }
        let is_invalid = error.classify() == Category::Data;
        let message = match error.classify() {
            Category::Eof => format!("the file is cut off: its JSON text ends at {place}"),
            Category::Data => {
                let problem = json_problem(&error.to_string());
                let problem =
                    problem.unwrap_or_else(|| "a value is missing or has the wrong type".to_owned());
                format!("it is not {expected}: {problem} at {place}")
            }
            Category::Syntax | Category::Io => format!("it is not {expected}: {error}"),
        };
        StateError { message, is_invalid }
    }

    /// Returns this error in the object at `address`.
    pub(super) fn within(self, address: &str) -> StateError {
        StateError { message: format!("{address}: {}", self.message), ..self }
    }
}

/// Returns the problem in a message of the JSON parser, without the value, as a clause. `None` if the
/// message has another form.
pub fn json_problem(message: &str) -> Option<String> {
    for (kind, clause) in [("missing field `", "is missing"), ("duplicate field `", "is there twice")] {
        if let Some((name, _)) = message.strip_prefix(kind).and_then(|rest| rest.split_once('`')) {
            return Some(format!("`{name}` {clause}"));
        }
    }
    // The value may contain the same words; the expectation follows the last occurrence.
    let (found, rest) = message.rsplit_once(", expected ")?;
    let expected = rest.split(" at line ").next().unwrap_or(rest);
    let expected = match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number that is not negative",
        "i64" | "i32" => "a whole number",
        "a map" => "an object",
        "a sequence" => "a list",
        "a boolean" => "a bool",
        _ if expected.starts_with("struct ") => "an object",
        _ => expected,
    };
    let kinds = [
        ("null", "null"),
        ("boolean", "a bool"),
        ("integer", "a number"),
        ("floating point", "a number"),
        ("string", "a string"),
        ("sequence", "a list"),
        ("map", "an object"),
    ];
    let found = found
        .strip_prefix("invalid type: ")
        .or_else(|| found.strip_prefix("invalid length").map(|_| "sequence"));
    let kind = found.and_then(|found| kinds.into_iter().find(|(name, _)| found.starts_with(name)));
    Some(match kind {
        Some((_, kind)) => format!("{expected} is expected, not {kind},"),
        None => format!("the value is not {expected}"),
    })
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for StateError {}
