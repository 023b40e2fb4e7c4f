//! A parameter of a function: the type and the policy for unusual arguments.

use std::borrow::Cow;

use terrane_value::{Agreement, Type};

/// A parameter of a function: its type, and which unusual arguments the body wants to see itself.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name, for messages.
    pub name: Cow<'static, str>,
    /// The type to which arguments are converted.
    pub ty: Type,
    /// Whether null is passed on; otherwise it is an error.
    pub allow_null: bool,
    /// Whether an unknown argument is passed on; otherwise the result is unknown without a call.
    pub allow_unknown: bool,
    /// Whether an argument of dynamic type is passed on when the result type is computed; otherwise the
    /// result is unknown and of dynamic type.
    pub allow_dynamic: bool,
    /// Whether marks are passed on; otherwise all marks in the argument are taken off (deeply) and put on
    /// the result.
    pub allow_marked: bool,
    /// Where set, the result is the same for a list, a set and a tuple that agree in this, so that an open sequence
    /// whose kind makes no difference is passed on as a tuple.
    pub any_kind: Option<Agreement>,
    /// Whether open objects and sequences are passed on, though they are not known in full: the result has parts of them.
    pub allow_open: bool,
    /// Whether Packer says of an error about this argument only that the call has failed, as its own functions of files
    /// and keys do. The other products name the argument.
    pub packer_blames_call: bool,
}

impl Parameter {
    /// A parameter with the strict policy: no null, unknown, dynamic or marked argument reaches the body.
    pub fn new(name: impl Into<Cow<'static, str>>, ty: Type) -> Parameter {
        Parameter {
            name: name.into(),
            ty,
            allow_null: false,
            allow_unknown: false,
            allow_dynamic: false,
            allow_marked: false,
            any_kind: None,
            allow_open: false,
            packer_blames_call: false,
        }
    }

    /// The same parameter, null passed on.
    #[must_use]
    pub fn null(self) -> Parameter {
        Parameter { allow_null: true, ..self }
    }

    /// The same parameter, unknown values passed on.
    #[must_use]
    pub fn unknown(self) -> Parameter {
        Parameter { allow_unknown: true, ..self }
    }

    /// The same parameter, values of dynamic type passed on.
    #[must_use]
    pub fn dynamic(self) -> Parameter {
        Parameter { allow_dynamic: true, ..self }
    }

    /// The same parameter, marks passed on.
    #[must_use]
    pub fn marked(self) -> Parameter {
        Parameter { allow_marked: true, ..self }
    }

    /// The same parameter, an error about which is one of the whole call in Packer.
    #[must_use]
    pub fn packer_blames_call(self) -> Parameter {
        Parameter { packer_blames_call: true, ..self }
    }

    /// The same parameter, open objects and sequences passed on.
    #[must_use]
    pub fn open(self) -> Parameter {
        Parameter { allow_open: true, ..self }
    }

    /// The same parameter, of a function for which lists, sets and tuples that agree in this are the same.
    #[must_use]
    pub fn any_kind(self, agreement: Agreement) -> Parameter {
        Parameter { any_kind: Some(agreement), ..self }
    }
}
