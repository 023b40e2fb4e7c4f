//! What one module directory declares, before anything is evaluated.

use std::path::PathBuf;
use std::sync::Arc;

use indexmap::IndexMap;
use terrane_source::{SourceFile, Span};
use terrane_syntax::Expression;
use terrane_syntax::Tree;
use terrane_syntax::tree::BodyId;
use terrane_value::TypeConstraint;
use terrane_value::Value;

use crate::address::ResourceMode;
use crate::reference::Target;

/// The declarations of one directory. Shared by all calls of it.
#[derive(Debug, Default)]
pub struct Module {
    /// The directory, as found from the working directory.
    pub directory: PathBuf,
    /// `variable` blocks by name, in source order.
    pub variables: IndexMap<Arc<str>, Variable>,
    /// Attributes of `locals` blocks by name, in source order.
    pub locals: IndexMap<Arc<str>, Local>,
    /// `output` blocks by name, in source order.
    pub outputs: IndexMap<Arc<str>, Output>,
    /// `module` blocks by name, in source order.
    pub calls: IndexMap<Arc<str>, ModuleCall>,
    /// `resource`, `data` and `ephemeral` blocks, in source order.
    pub resources: IndexMap<(ResourceMode, Arc<str>, Arc<str>), Resource>,
    /// The `assert` blocks of `check` blocks by the name of the block, in source order.
    pub checks: IndexMap<Arc<str>, Vec<Check>>,
}

/// Where something is declared.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The file.
    pub file: Arc<SourceFile>,
    /// The header of the block or the name of the attribute.
    pub span: Span,
}

/// An expression with the objects that it refers to.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The expression.
    pub expression: Expression,
    /// What it refers to, without duplicates.
    pub targets: Vec<Target>,
}

/// A `variable` block.
#[derive(Debug)]
pub struct Variable {
    /// Where it is declared.
    pub declaration: Declaration,
    /// The type constraint with the defaults of optional attributes; any type without `type`.
    pub constraint: TypeConstraint,
    /// Whether a value given as text (on the command line, in the environment) is that text, not an expression.
    pub literal_text: bool,
    /// The default, converted.
    pub default: Option<Value>,
    /// Whether its value is hidden.
    pub sensitive: bool,
    /// Whether its value must not be stored.
    pub ephemeral: bool,
    /// Whether null is a value; otherwise the default takes its place.
    pub nullable: bool,
    /// What to do instead of setting it, where it should no longer be set.
    pub deprecated: Option<String>,
    /// Whether its value is needed before anything is evaluated; nothing where the declaration does not say.
    pub constant: Option<bool>,
    /// The `description`.
    pub description: Option<String>,
    /// The `validation` blocks.
    pub validations: Vec<Check>,
}

/// A `validation`, `precondition` or `postcondition` block.
#[derive(Debug)]
pub struct Check {
    /// Where it is declared.
    pub declaration: Declaration,
    /// What must be true.
    pub condition: Resolved,
    /// What to say otherwise.
    pub error_message: Resolved,
}

/// An attribute of a `locals` block.
#[derive(Debug)]
pub struct Local {
    /// Where it is declared.
    pub declaration: Declaration,
    /// Its value.
    pub value: Resolved,
}

/// An `output` block.
#[derive(Debug)]
pub struct Output {
    /// Where it is declared.
    pub declaration: Declaration,
    /// Its value; nothing where the argument is missing, which has been reported.
    pub value: Option<Resolved>,
    /// Whether its value is hidden.
    pub sensitive: bool,
    /// Whether its value must not be stored.
    pub ephemeral: bool,
    /// What to do instead of reading it, where it should no longer be read.
    pub deprecated: Option<String>,
    /// The `description`.
    pub description: Option<String>,
    /// The `precondition` blocks.
    pub preconditions: Vec<Check>,
    /// What `depends_on` names.
    pub depends_on: Vec<Target>,
    /// The `depends_on` argument as written.
    pub depends_on_expression: Option<Expression>,
}

/// How many instances a block has.
#[derive(Debug)]
pub enum Repetition {
    /// One, without key.
    Once,
    /// `count`.
    Count(Resolved),
    /// `for_each`.
    ForEach(Resolved),
    /// `enabled` in `lifecycle`: one without key, or none.
    Enabled(Resolved),
}

impl Repetition {
    /// What the expression refers to.
    pub fn targets(&self) -> &[Target] {
        match self {
            Repetition::Once => &[],
            Repetition::Count(resolved) | Repetition::ForEach(resolved) | Repetition::Enabled(resolved) => {
                &resolved.targets
            }
        }
    }
}

/// A `module` block.
#[derive(Debug)]
pub struct ModuleCall {
    /// Where it is declared.
    pub declaration: Declaration,
    /// The `source` argument; nothing where it is missing, which has been reported.
    pub source: Option<Expression>,
    /// The `version` argument.
    pub version: Option<Expression>,
    /// How many instances it has.
    pub repetition: Repetition,
    /// The values for the variables of the called module, by name, in source order.
    pub arguments: IndexMap<Arc<str>, (Span, Resolved)>,
    /// What `depends_on` names.
    pub depends_on: Vec<Target>,
    /// The `depends_on` argument as written.
    pub depends_on_expression: Option<Expression>,
}

/// A `resource`, `data` or `ephemeral` block.
#[derive(Debug)]
pub struct Resource {
    /// Where it is declared.
    pub declaration: Declaration,
    /// How many instances it has.
    pub repetition: Repetition,
    /// The tree in which `body` lives.
    pub tree: Arc<Tree>,
    /// The content, of which the meta-arguments are read here and the rest belongs to the provider.
    pub body: BodyId,
    /// What the provider's part refers to.
    pub targets: Vec<Target>,
    /// What `depends_on` names.
    pub depends_on: Vec<Target>,
    /// The `precondition` blocks of `lifecycle`.
    pub preconditions: Vec<Check>,
    /// The `postcondition` blocks of `lifecycle`.
    pub postconditions: Vec<Check>,
}
