//! The rows of the table of components that are part of Packer, and the types of their arguments.

use terrane_value::Type;

use crate::model::component_kind::ComponentKind;

/// A component of Packer itself.
pub(crate) struct BuiltinComponent {
    pub(crate) kind: ComponentKind,
    pub(crate) name: &'static str,
    /// The arguments, by type.
    pub(crate) arguments: &'static [(ArgumentType, &'static [&'static str])],
    /// The attributes that a data source returns, by type.
    pub(crate) results: &'static [(ArgumentType, &'static [&'static str])],
}

/// The types of arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ArgumentType {
    Text,
    Duration,
    /// A whole number.
    Number,
    Bool,
    Texts,
    Numbers,
    TextMap,
}

impl ArgumentType {
    pub(crate) fn ty(self) -> Type {
        match self {
            ArgumentType::Text | ArgumentType::Duration => Type::String,
            ArgumentType::Number => Type::Number,
            ArgumentType::Bool => Type::Bool,
            ArgumentType::Texts => Type::list(Type::String),
            ArgumentType::Numbers => Type::list(Type::Number),
            ArgumentType::TextMap => Type::map(Type::String),
        }
    }
}
