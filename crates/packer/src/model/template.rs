//! What the files of a template declare, before anything is evaluated.

use std::path::PathBuf;
use std::sync::Arc;

use indexmap::IndexMap;
use terrane_body::{Block, Body};
use terrane_config::Declaration;
use terrane_config::version::VersionConstraint;
use terrane_source::{FileId, SourceFile, Span};
use terrane_syntax::Expression;
use terrane_value::{SmolStr, TypeConstraint, Value};

/// The declarations of a template.
#[derive(Debug, Default)]
pub struct Template {
    /// The directory of the template, as the user names it: `path.root`.
    pub directory: PathBuf,
    /// The files that were read.
    pub files: Vec<FileId>,
    /// `required_version` of the `packer` blocks.
    pub required_versions: Vec<(VersionConstraint, Declaration)>,
    /// The plugins of `required_plugins` by their local name, which begins the types of their components.
    pub plugins: IndexMap<SmolStr, Declaration>,
    /// `variable` blocks, and what `variables` blocks declare.
    pub variables: IndexMap<SmolStr, Variable>,
    /// What `local` and `locals` blocks declare.
    pub locals: IndexMap<SmolStr, Local>,
    /// `data` blocks by type and name.
    pub data: IndexMap<(SmolStr, SmolStr), Declared>,
    /// `source` blocks by type and name.
    pub sources: IndexMap<(SmolStr, SmolStr), Declared>,
    /// `build` blocks.
    pub builds: Vec<Block>,
    /// `hcp_packer_registry` blocks outside of builds.
    pub registries: Vec<Block>,
}

/// An input variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Where it is declared.
    pub declaration: Declaration,
    /// The type constraint. Without `type`, it is the type of the default.
    pub constraint: TypeConstraint,
    /// The default.
    pub default: Option<Given>,
    /// Whether its value is not to be shown.
    pub sensitive: bool,
    /// The `validation` blocks.
    pub validations: Vec<Validation>,
}

/// A value for a variable.
#[derive(Clone, Debug)]
pub struct Given {
    /// The value.
    pub value: Value,
    /// Where it comes from.
    pub from: From,
    /// The place in a file, where it comes from one.
    pub place: Option<(Arc<SourceFile>, Span)>,
}

/// The sources of values for variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    /// The declaration.
    Default,
    /// The environment.
    Environment,
    /// A variable file.
    File,
    /// The option `-var`.
    Option,
}

impl From {
    /// The word for it in titles.
    pub const fn name(self) -> &'static str {
        match self {
            From::Default => "default",
            From::Environment => "env",
            From::File => "varfile",
            From::Option => "cmd",
        }
    }
}

/// A `validation` block.
#[derive(Clone, Debug)]
pub struct Validation {
    /// Where it is.
    pub declaration: Declaration,
    /// What must hold.
    pub condition: Expression,
    /// What to say where it does not.
    pub message: String,
}

/// A local value.
#[derive(Clone, Debug)]
pub struct Local {
    /// Where it is declared.
    pub declaration: Declaration,
    /// Its value.
    pub expression: Expression,
    /// Whether its value is not to be shown.
    pub sensitive: bool,
}

/// A `source` or `data` block.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Where it is declared.
    pub declaration: Declaration,
    /// Its content.
    pub body: Body,
}
