//! Errors of operations on values.
//!
//! Operations return a [`ValueError`]: a kind, a text and a path into the value. The evaluator adds the diagnostic id and
//! the span.

use std::fmt;

use crate::{Path, PathStep, Value};

/// The operand of an operator that an error is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// The operand before a binary operator.
    Left,
    /// The operand after a binary operator.
    Right,
    /// The operand of a unary operator.
    Only,
}

/// The kind of an error, from which the evaluator chooses the diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueErrorKind {
    /// This operand has a wrong type.
    InvalidOperand(Operand),
    /// The operation has no result for these operands, or one of them is null.
    OperationFailed,
    /// A value cannot be converted to the wanted type.
    NotConvertible,
    /// The object has no such attribute.
    UnsupportedAttribute,
    /// The map has no such element (by attribute syntax).
    MissingMapElement,
    /// The collection has no such element, or the key is of a wrong type.
    InvalidIndex,
    /// The indexed value is null.
    IndexOfNull,
    /// The value whose attribute is read is null.
    AttributeOfNull,
}

/// The reason why an operation on values failed, and the part of the value that caused it.
#[derive(Clone, Debug)]
pub struct ValueError {
    /// The kind of mistake.
    pub kind: ValueErrorKind,
    /// Full sentences, or for [`ValueErrorKind::NotConvertible`] a phrase such as "a number is required".
    pub message: String,
    /// The part of the value at fault.
    pub path: Path,
    /// Suggestions, a sentence each. Suggestions about a missing name are only added by
    /// [`ValueError::with_suggestions`].
    pub hints: Vec<String>,
    /// The probably misspelt name in the expression, set by [`ValueError::with_suggestions`].
    pub misspelt: Option<Box<Misspelt>>,
    /// The name that the value lacks.
    pub(crate) missing: Option<Box<MissingName>>,
}

/// A name that is probably misspelt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misspelt {
    /// The name as it is written.
    pub given: String,
    /// The name that is probably meant.
    pub meant: String,
}

/// A name that a map or object lacks.
#[derive(Clone, Debug)]
pub(crate) struct MissingName {
    /// The name; none if a position was given.
    pub(crate) name: Option<String>,
    /// The map or object.
    pub(crate) value: Value,
}

impl ValueError {
    /// Returns an error about the value itself.
    pub fn new(kind: ValueErrorKind, message: impl Into<String>) -> ValueError {
        let (message, path) = (message.into(), Path::ROOT);
        ValueError { kind, message, path, hints: Vec::new(), misspelt: None, missing: None }
    }

    /// Returns this error, seen from one level further out.
    #[must_use]
    pub fn inside(mut self, step: PathStep) -> ValueError {
        self.path = self.path.behind(step);
        self
    }

    /// Returns this error with one more suggestion.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> ValueError {
        self.hints.push(hint.into());
        self
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_root() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

impl std::error::Error for ValueError {}
