//! The secrets that the schema of a resource declares.

use std::collections::BTreeSet;

use terrane_body::{Schema, SchemaAttribute, SchemaPart};
use terrane_value::SmolStr;

use super::path::Key;

/// The secret attributes in the schema of a resource.
pub(super) struct DeclaredSecrets<'r> {
    schema: Option<&'r Schema>,
    /// The names of the sensitive attributes at any depth, for objects that do not fit the schema.
    pub(super) sensitive: BTreeSet<&'r str>,
}

impl<'r> DeclaredSecrets<'r> {
    pub(super) fn new(schema: Option<&'r Schema>) -> DeclaredSecrets<'r> {
        let sensitive = schema.map(Schema::sensitive_names).unwrap_or_default();
        DeclaredSecrets { schema, sensitive: sensitive.into_iter().map(SmolStr::as_str).collect() }
    }

    /// Whether an expression that sets the part of the resource at a path may have a secret: the part, or a part inside of it,
    /// is sensitive or write-only. The collection of a `dynamic` block may have the secrets of its blocks.
    pub(super) fn is_secret(&self, path: &[Key]) -> bool {
        let is_secret = match self.schema.and_then(|schema| schema.part_at(names(path))) {
            Some(SchemaPart::Attribute(attribute)) => SchemaAttribute::is_secret(attribute),
            Some(SchemaPart::Block(schema)) => schema.has_secret_attributes(),
            None => false,
        };
        is_secret || names(path).any(|name| self.sensitive.contains(name))
    }
}

/// Returns the names of attributes in a path.
pub(super) fn names(path: &[Key]) -> impl Iterator<Item = &str> {
    path.iter().filter_map(|key| match key {
        Key::Name(name) => Some(name.as_str()),
        Key::Position(_) | Key::Member(_) => None,
    })
}
