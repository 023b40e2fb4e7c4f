//! Tells which arguments of a block its schema makes secret.

use terrane_body::Schema;
use terrane_value::SmolStr;

/// Whether the argument at a path is declared sensitive or write-only, or a part of it is. The path has the names of nested blocks, of
/// the argument, and of keys in its value; names that the schema lacks, such as keys of maps, are passed over.
pub(super) fn is_secret(schema: &Schema, path: &[SmolStr]) -> bool {
    let mut schema = schema;
    let mut names = path.iter();
    let attribute = names.by_ref().find_map(|name| match schema.blocks().get(name) {
        Some(block) => {
            schema = &block.schema;
            None
        }
        None => schema.attributes().get(name),
    });
    let Some(mut attribute) = attribute else { return false };
    for name in names {
        let nested = attribute.nested_attributes().filter(|_| !attribute.sensitive && !attribute.write_only);
        if let Some(inner) = nested.and_then(|nested| nested.attributes.get(name)) {
            attribute = inner;
        }
    }
    attribute.is_secret()
}
