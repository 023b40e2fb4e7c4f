//! The row of a data source that can be computed.

use std::cell::Cell;

use terrane_function::CallEnv;
use terrane_value::{Entries, OriginKind, Origins, Type, Value};

/// Computed attributes with their names. An attribute whose value is not certain is unknown, and its origin is the reason.
pub type Attributes = Vec<(&'static str, Value)>;

/// A data source that can be computed, or a resource whose plan can be computed.
#[derive(Debug)]
#[non_exhaustive]
pub struct DataSource {
    /// The type, such as `aws_iam_policy_document`.
    pub name: &'static str,
    /// Whether it is a managed resource whose attributes the provider plans, not a data source.
    pub is_resource: bool,
    /// The name of the provider, in the namespace `hashicorp`.
    pub provider: &'static str,
    /// The first version of the provider that computes the attributes as the row does.
    pub since: [u64; 3],
    /// The arguments and blocks that the row understands. A data source with any other argument is not computed.
    pub arguments: &'static [&'static str],
    /// The arguments of the provider configuration that the result depends on, as [`Surroundings::provider_argument`] takes them.
    pub provider_arguments: &'static [&'static str],
    /// The arguments and attributes that the provider's schema declares sensitive.
    pub sensitive: &'static [&'static str],
    /// The attributes that the row computes, with their types.
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
    /// A Boolean.
    Boolean,
    /// A map of strings.
    Texts,
    /// A list of objects with these attributes.
    Objects(&'static [(&'static str, AttributeType)]),
}

impl AttributeType {
    /// Returns the type in the language.
    pub fn ty(self) -> Type {
        match self {
            AttributeType::Text => Type::String,
            AttributeType::Number => Type::Number,
            AttributeType::Boolean => Type::Bool,
            AttributeType::Texts => Type::map(Type::String),
            AttributeType::Objects(attributes) => {
                let attribute = |(name, ty): &(&str, AttributeType)| ((*name).into(), ty.ty());
                Type::list(Type::object(attributes.iter().map(attribute)))
            }
        }
    }
}

/// The inputs of a computation.
#[non_exhaustive]
pub struct Computation<'c> {
    /// An object of known arguments: an argument that is not set is missing or null, and the blocks of a type are a sequence of
    /// such objects.
    pub arguments: &'c Value,
    /// The files and limits.
    pub env: &'c CallEnv<'c>,
    /// The configuration around the data source.
    pub surroundings: &'c dyn Surroundings,
    work: Cell<usize>,
}

impl<'c> Computation<'c> {
    /// A computation with these arguments.
    pub fn new(
        arguments: &'c Value,
        env: &'c CallEnv<'c>,
        surroundings: &'c dyn Surroundings,
    ) -> Computation<'c> {
        Computation { arguments, env, surroundings, work: Cell::new(0) }
    }

    /// Counts work, as [`Call::spend`](terrane_function::Call::spend) does for a function: one unit for about 60 nanoseconds.
    ///
    /// # Errors
    ///
    /// The reason, if the computation exceeds [`Limits::work`](terrane_function::Limits::work).
    pub fn spend(&self, work: usize) -> Result<(), NotComputed> {
        self.work.set(self.work.get().saturating_add(work));
        match self.work.get() > self.env.limits.work {
            true => Err("it would take more work than the limit that `--max-steps` raises".into()),
            false => Ok(()),
        }
    }

    /// The work that was counted.
    pub fn work(&self) -> usize {
        self.work.get()
    }
}

/// The configuration around a data source.
pub trait Surroundings {
    /// Returns the text of a template with these variables, which may call the functions `functions`.
    ///
    /// # Errors
    ///
    /// The reason, if the template is not valid, or its result is no text.
    fn render(&self, template: &str, variables: &Entries, functions: &[&str]) -> Result<String, NotComputed>;

    /// Returns the value of an argument in the block of the provider configuration, which may be unknown; `None` if there is no
    /// block, or the block does not set the argument. `assume_role.role_arn` is the argument of the last block `assume_role`,
    /// and null if that block does not set it.
    fn provider_argument(&self, path: &str) -> Option<Value>;
}

/// The reason why attributes are not computed, in words such as "the provider orders blocks by hash", or the origins of an
/// unknown value.
#[derive(Clone, Debug)]
pub struct NotComputed(Origins);

impl NotComputed {
    /// Returns the reason as the cause of another origin.
    pub fn into_origins(self) -> Origins {
        self.0
    }
}

impl From<String> for NotComputed {
    fn from(reason: String) -> NotComputed {
        NotComputed(Origins::one(OriginKind::NotComputed, reason))
    }
}

impl From<&str> for NotComputed {
    fn from(reason: &str) -> NotComputed {
        NotComputed(Origins::one(OriginKind::NotComputed, reason))
    }
}

impl From<Origins> for NotComputed {
    fn from(origins: Origins) -> NotComputed {
        NotComputed(origins)
    }
}

/// Returns an unknown value for an attribute that is not computed although other attributes are, with the reason in words.
pub(super) fn not_computed(ty: AttributeType, reason: &str) -> Value {
    Value::unknown_from(ty.ty(), Origins::one(OriginKind::NotComputed, reason))
}

/// An example of a data source, which is its first test.
#[derive(Debug)]
pub struct DataSourceExample {
    /// The body of the block.
    pub body: &'static str,
    /// The attribute, as a reference below the data source: `outputs.a`.
    pub attribute: &'static str,
    /// The value of the attribute, a text or a number.
    pub value: &'static str,
}
