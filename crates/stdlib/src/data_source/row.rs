//! The row of a data source that can be computed.

use terrane_value::Value;

/// Computed attributes with their names.
pub type Attributes = Vec<(&'static str, Value)>;

/// A data source that can be computed.
#[derive(Debug)]
#[non_exhaustive]
pub struct DataSource {
    /// The type: `aws_iam_policy_document`.
    pub name: &'static str,
    /// The name of the provider, in the namespace `hashicorp`.
    pub provider: &'static str,
    /// The first version of the provider that computes as the row does.
    pub since: [u64; 3],
    /// The arguments and blocks; with any other one the data source is not computed.
    pub arguments: &'static [&'static str],
    /// The attributes that are computed.
    pub attributes: &'static [&'static str],
    /// The computed attributes for an object of the arguments: an argument that is not set is absent or null, and the blocks of
    /// a type are a sequence of such objects.
    pub compute: fn(&Value) -> Option<Attributes>,
    /// Bodies of blocks, each with an attribute and its value as text.
    pub examples: &'static [DataSourceExample],
}

/// An example of a data source, which is its first test.
#[derive(Debug)]
pub struct DataSourceExample {
    /// The body of the block.
    pub body: &'static str,
    /// The attribute, as a reference below the data source: `outputs.a`.
    pub attribute: &'static str,
    /// Its value, a text.
    pub value: &'static str,
}

/// The attribute of an object, unless it is absent or null.
pub(super) fn argument<'v>(arguments: &'v Value, name: &str) -> Option<&'v Value> {
    arguments.as_entries()?.get(name).filter(|value| !value.is_null())
}
