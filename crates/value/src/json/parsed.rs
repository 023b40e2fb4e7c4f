//! JSON text as a tree in which numbers are as written.

use std::borrow::Cow;

use super::error::DecodeError;
use super::read::{self, Content, Node};

/// A JSON value.
#[derive(Clone, PartialEq, Debug)]
pub enum Json<'t> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it is written.
    Number(&'t str),
    /// A string.
    String(Cow<'t, str>),
    /// The elements of an array.
    Array(Vec<Json<'t>>),
    /// The members of an object in the order of the text, with repetitions.
    Object(Vec<(Cow<'t, str>, Json<'t>)>),
}

/// Reads a text with at most `most` values, including nested ones.
///
/// ```
/// use terrane_value::json::{self, Json};
///
/// assert_eq!(json::parse("[1.50]", 2)?, Json::Array(vec![Json::Number("1.50")]));
/// # Ok::<(), json::DecodeError>(())
/// ```
///
/// # Errors
///
/// If the text is not a JSON value, or has more values.
pub fn parse(text: &str, most: usize) -> Result<Json<'_>, DecodeError> {
    read::read(text, most).map(tree)
}

/// The depth is bounded by the parser.
fn tree(node: Node<'_>) -> Json<'_> {
    match node.content {
        Content::Null => Json::Null,
        Content::Bool(value) => Json::Bool(value),
        Content::Number(text) => Json::Number(text),
        Content::String(text) => Json::String(text),
        Content::Array(elements) => Json::Array(elements.into_iter().map(tree).collect()),
        Content::Object(properties) => {
            let members = properties.into_iter().map(|property| (property.name, tree(property.value)));
            Json::Object(members.collect())
        }
    }
}
