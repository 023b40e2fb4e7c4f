//! The row of a data source that can be computed.

use std::borrow::Cow;

use terrane_function::CallEnv;
use terrane_value::{Entries, Type, Value};

/// Computed attributes with their names.
pub type Attributes = Vec<(&'static str, Value)>;

/// A data source that can be computed, or a resource whose plan can.
#[derive(Debug)]
#[non_exhaustive]
pub struct DataSource {
    /// The type: `aws_iam_policy_document`.
    pub name: &'static str,
    /// Whether it is a managed resource whose attributes the provider plans, not a data source.
    pub is_resource: bool,
    /// The name of the provider, in the namespace `hashicorp`.
    pub provider: &'static str,
    /// The first version of the provider that computes as the row does.
    pub since: [u64; 3],
    /// The arguments and blocks; with any other one the data source is not computed.
    pub arguments: &'static [&'static str],
    /// The attributes that are computed, with their types.
    pub attributes: &'static [(&'static str, AttributeType)],
    /// Computes the attributes.
    pub compute: fn(&Computation<'_>) -> Result<Attributes, NotComputed>,
    /// Bodies of blocks, each with an attribute and its value as text.
    pub examples: &'static [DataSourceExample],
}

/// The type of a computed attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AttributeType {
    /// A string.
    Text,
    /// A number.
    Number,
    /// A map of strings.
    Texts,
}

impl AttributeType {
    /// The type in the language.
    pub fn ty(self) -> Type {
        match self {
            AttributeType::Text => Type::String,
            AttributeType::Number => Type::Number,
            AttributeType::Texts => Type::map(Type::String),
        }
    }
}

/// The inputs of a computation.
#[non_exhaustive]
pub struct Computation<'c> {
    /// An object of known arguments: an argument that is not set is absent or null, and the blocks of a type are a sequence of
    /// such objects.
    pub arguments: &'c Value,
    /// The files and limits.
    pub env: &'c CallEnv<'c>,
    /// Renders a template.
    pub templates: &'c dyn Templates,
}

impl<'c> Computation<'c> {
    /// A computation with these arguments.
    pub fn new(arguments: &'c Value, env: &'c CallEnv<'c>, templates: &'c dyn Templates) -> Computation<'c> {
        Computation { arguments, env, templates }
    }
}

/// Renders templates, which the evaluator does.
pub trait Templates {
    /// The text of a template with these variables, which may call the functions `functions`.
    ///
    /// # Errors
    ///
    /// The reason, if the template is not valid, or its result is no text.
    fn render(&self, template: &str, variables: &Entries, functions: &[&str]) -> Result<String, NotComputed>;
}

/// Why the attributes are not computed, as a clause: "the provider orders blocks by hash".
pub type NotComputed = Cow<'static, str>;

/// An example of a data source, which is its first test.
#[derive(Debug)]
pub struct DataSourceExample {
    /// The body of the block.
    pub body: &'static str,
    /// The attribute, as a reference below the data source: `outputs.a`.
    pub attribute: &'static str,
    /// Its value, a text or a number.
    pub value: &'static str,
}
