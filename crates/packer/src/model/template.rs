//! Declarations of a template, before anything is evaluated.

use std::path::PathBuf;
use std::sync::Arc;

use indexmap::IndexMap;
use terrane_body::{Block, Body};
use terrane_config::ids::Declarations;
use terrane_config::version::VersionConstraint;
use terrane_source::{Diagnostics, FileId, SourceFile, Span, Subject};
use terrane_syntax::{Expression, SecretDeclarations};
use terrane_value::{SmolStr, TypeConstraint, Value};

use super::doubt::Doubt;
use super::ids::{DataId, LocalId, SourceId, VariableId};
use crate::rules::Rules;

/// The declarations of a template.
#[derive(Debug, Default)]
pub struct Template {
    /// The directory of the template, as the user gives it: `path.root`.
    pub directory: PathBuf,
    /// The differences between the edition of the template and other editions.
    pub(crate) rules: Rules,
    /// The parts that syntax errors put in doubt.
    pub(crate) doubt: Doubt,
    /// The variables and local values that a block of any file makes sensitive, also a block that could not be read.
    pub(crate) secrets: SecretDeclarations,
    /// The files that were read.
    pub files: Vec<FileId>,
    /// `required_version` of the `packer` blocks.
    pub required_versions: Vec<(VersionConstraint, Subject)>,
    /// The plugins of `required_plugins` by their local name, with which the types of their components begin.
    pub plugins: IndexMap<SmolStr, Subject>,
    /// The variables of `variable` and `variables` blocks.
    pub variables: Declarations<VariableId, Variable>,
    /// The local values of `local` and `locals` blocks.
    pub locals: Declarations<LocalId, Local>,
    /// `data` blocks by type and name.
    pub data: Declarations<DataId, ComponentBlock, ComponentKey>,
    /// `source` blocks by type and name.
    pub sources: Declarations<SourceId, ComponentBlock, ComponentKey>,
    /// `build` blocks.
    pub builds: Vec<Block>,
    /// `hcp_packer_registry` blocks outside builds.
    pub registries: Vec<Block>,
}

impl Template {
    /// Returns diagnostics without those that may follow from syntax errors.
    pub(crate) fn without_followers(&self, diagnostics: Diagnostics) -> Diagnostics {
        diagnostics.into_iter().filter(|found| !self.doubt.silences(found)).collect()
    }

    /// Whether any variable is sensitive, also one that could not be read.
    pub(crate) fn has_secret_variables(&self) -> bool {
        self.has_unread_secret() || self.variables.values().any(|variable| variable.sensitive)
    }

    /// Whether a sensitive variable could not be read.
    pub fn has_unread_secret(&self) -> bool {
        self.secrets.has_unread_variable(|name| self.variables.contains_key(name))
    }
}

/// Names a `data` or `source` block in its template.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ComponentKey {
    /// The type of the component: the first label.
    pub component_type: SmolStr,
    /// The name: the second label.
    pub name: SmolStr,
}

/// An input variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The place of the declaration.
    pub declaration: Subject,
    /// The type constraint. Without `type`, it is the type of the default.
    pub constraint: TypeConstraint,
    /// Whether the `type` has an error, which has been reported. Then the value is unknown, whatever gives it.
    pub has_type_error: bool,
    /// The default.
    pub default: Option<AssignedValue>,
    /// Whether output hides its value.
    pub sensitive: bool,
    /// The `validation` blocks.
    pub validations: Vec<Validation>,
}

/// A value of a variable with its origin.
#[derive(Clone, Debug)]
pub struct AssignedValue {
    /// The value.
    pub value: Value,
    /// The origin of the value.
    pub source: ValueSource,
    /// The position of the value, if a file sets it.
    pub position: Option<(Arc<SourceFile>, Span)>,
}

/// The origin of the value of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueSource {
    /// The declaration.
    Default,
    /// The environment.
    Environment,
    /// A variable file.
    File,
    /// The option `-var`.
    Option,
    /// The calling program, with the source in words.
    Caller(SmolStr),
}

impl ValueSource {
    /// Returns the word for the origin in titles.
    pub const fn name(&self) -> &'static str {
        match self {
            ValueSource::Default => "default",
            ValueSource::Environment => "env",
            ValueSource::File => "varfile",
            ValueSource::Option => "cmd",
            ValueSource::Caller(_) => "caller",
        }
    }
}

/// A `validation` block.
#[derive(Clone, Debug)]
pub struct Validation {
    /// The place of the block.
    pub declaration: Subject,
    /// The expression that must be true.
    pub condition: Expression,
    /// The message about a value that breaks the rule.
    pub message: String,
}

/// A local value.
#[derive(Clone, Debug)]
pub struct Local {
    /// The place of the declaration.
    pub declaration: Subject,
    /// Its value.
    pub expression: Expression,
    /// Whether output hides its value.
    pub sensitive: bool,
}

/// A `source` or `data` block.
#[derive(Clone, Debug)]
pub struct ComponentBlock {
    /// The place of the declaration.
    pub declaration: Subject,
    /// Its content.
    pub body: Body,
}
