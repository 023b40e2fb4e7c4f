//! The meanings of names, and their places.

use std::fmt;
use std::sync::Arc;

use terrane_config::address::{Address, Object};
use terrane_source::{FileId, SourceFile, Span, Subject};
use terrane_value::SmolStr;

use crate::model::references::{BindingKind, BuiltIn, Via};

/// The meaning of a name. Equal symbols mean the same thing.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// A declared object, by its address without instance keys.
    Object(Address),
    /// A `run` block of a test file.
    Run {
        /// The test file.
        file: FileId,
        /// The label.
        name: SmolStr,
    },
    /// A built-in name, such as `path.module`.
    BuiltIn {
        /// The name.
        name: BuiltIn,
        /// The expression or block that defines the value: `for_each` for `each.key`, the resource for `self`.
        origin: Option<Site>,
    },
    /// A name that a `for` or a `dynamic` block binds.
    Bound {
        /// The name.
        name: SmolStr,
        /// The construct that binds it.
        kind: BindingKind,
        /// The place where the name is bound.
        binding: Site,
    },
    /// A library or provider function: `provider::time::rfc3339_parse`.
    Function(SmolStr),
}

impl Symbol {
    /// Whether all occurrences can be renamed together. Labels of `dynamic` blocks are block types, and names of
    /// providers belong to `required_providers`, so they cannot.
    pub fn is_renamable(&self) -> bool {
        match self {
            Symbol::Object(address) => !matches!(address.object, Object::Provider(_) | Object::Import(_)),
            Symbol::Run { .. } => true,
            Symbol::Bound { kind, .. } => *kind != BindingKind::DynamicLabel,
            Symbol::BuiltIn { .. } | Symbol::Function(_) => false,
        }
    }
}

/// Writes the name as an expression does; for an object, its address.
impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Symbol::Object(address) => address.fmt(f),
            Symbol::Run { name, .. } => write!(f, "run.{name}"),
            Symbol::BuiltIn { name, .. } => f.write_str(name.name()),
            Symbol::Bound { name, .. } | Symbol::Function(name) => f.write_str(name),
        }
    }
}

/// A span of a file.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site {
    /// The file.
    pub file: FileId,
    /// The bytes.
    pub span: Span,
}

impl Site {
    pub(crate) fn of(file: &SourceFile, span: Span) -> Site {
        Site { file: file.id().clone(), span }
    }
}

/// The object, and its part, that contain a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Owner {
    /// The object, without instance keys. For an argument of a module call, it is the variable that the argument sets.
    pub object: Arc<Address>,
    /// The part.
    pub via: Via,
}

/// An occurrence of a name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Occurrence {
    /// The meaning of the name.
    pub symbol: Symbol,
    /// The role of the name at this place.
    pub role: Role,
    /// The place of the name alone: `region` of `var.region`; for a built-in name, all of `each.key`.
    pub subject: Subject,
    /// The object of the configuration that contains the reference. `None` outside of expressions, in test files, in text that an
    /// override file replaces, and for functions and names that a `for` binds.
    pub owner: Option<Owner>,
}

impl Occurrence {
    /// Returns an occurrence outside of the expressions of an object.
    pub(crate) fn new(symbol: Symbol, role: Role, subject: Subject) -> Occurrence {
        Occurrence { symbol, role, subject, owner: None }
    }
}

/// The role of a name at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// The block, attribute or `for` that declares or binds the name. Blocks in override files declare an object again.
    Declaration,
    /// A reference in an expression, or a call of a function.
    Reference,
    /// An argument of a module call, which names a variable of the called module.
    Argument,
    /// A name in a variable file.
    VariableFile,
    /// A name in a `variables` block of a test file.
    TestVariable,
    /// The address in a `moved`, `removed` or `import` block, in an override or in the options of a run of a test file.
    Address,
    /// The configuration in a `provider` or `providers` argument, or mocked by a test file.
    Provider,
}
