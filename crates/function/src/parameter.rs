//! A parameter of a function: its type and its policy for unusual arguments.

use std::borrow::Cow;

use terrane_value::{Agreement, Type};

/// A parameter of a function. By default the body gets no null, unknown, dynamic or marked argument. Each policy admits one
/// kind of these.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name, for documentation and diagnostics.
    pub name: Cow<'static, str>,
    /// The type that arguments are converted to.
    pub ty: Type,
    /// Whether the body checks the type; otherwise arguments are converted before the call.
    pub is_unconverted: bool,
    /// Whether the body accepts null; otherwise null is an error.
    pub allow_null: bool,
    /// Whether the body accepts an unknown argument; otherwise the result is unknown and the body is not called.
    pub allow_unknown: bool,
    /// Whether the result type is computed for an argument of dynamic type; otherwise the result is unknown and of dynamic
    /// type.
    pub allow_dynamic: bool,
    /// Whether the body accepts marks; otherwise all marks in the argument are removed (deeply) and put on the result.
    pub allow_marked: bool,
    /// If set, the result is the same for a list, a set and a tuple that agree in this respect, so the body receives an open
    /// sequence as a tuple.
    pub any_kind: Option<Agreement>,
    /// Whether the body accepts open objects and open sequences, whose known parts it can read.
    pub allow_open: bool,
    /// Whether Packer reports an error about this argument as an error of the whole call, as its own functions for files
    /// and keys do. The other products name the argument.
    pub packer_blames_call: bool,
}

impl Parameter {
    /// Returns a parameter that admits no unusual argument.
    pub fn new(name: impl Into<Cow<'static, str>>, ty: Type) -> Parameter {
        Parameter {
            name: name.into(),
            ty,
            is_unconverted: false,
            allow_null: false,
            allow_unknown: false,
            allow_dynamic: false,
            allow_marked: false,
            any_kind: None,
            allow_open: false,
            packer_blames_call: false,
        }
    }

    /// Leaves the type of arguments to the body, which gets them as they are.
    #[must_use]
    pub fn unconverted(self) -> Parameter {
        Parameter { is_unconverted: true, ..self }
    }

    /// Admits null.
    #[must_use]
    pub fn null(self) -> Parameter {
        Parameter { allow_null: true, ..self }
    }

    /// Admits unknown values.
    #[must_use]
    pub fn unknown(self) -> Parameter {
        Parameter { allow_unknown: true, ..self }
    }

    /// Admits values of dynamic type.
    #[must_use]
    pub fn dynamic(self) -> Parameter {
        Parameter { allow_dynamic: true, ..self }
    }

    /// Admits marked values.
    #[must_use]
    pub fn marked(self) -> Parameter {
        Parameter { allow_marked: true, ..self }
    }

    /// Reports an error about this argument as an error of the whole call in Packer.
    #[must_use]
    pub fn packer_blames_call(self) -> Parameter {
        Parameter { packer_blames_call: true, ..self }
    }

    /// Admits open objects and open sequences.
    #[must_use]
    pub fn open(self) -> Parameter {
        Parameter { allow_open: true, ..self }
    }

    /// Treats lists, sets and tuples alike that agree in `agreement`.
    #[must_use]
    pub fn any_kind(self, agreement: Agreement) -> Parameter {
        Parameter { any_kind: Some(agreement), ..self }
    }
}
