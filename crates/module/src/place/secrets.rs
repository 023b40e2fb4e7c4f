//! Tells whether the schema makes an argument of a block secret.

use terrane_body::Schema;
use terrane_value::SmolStr;

/// Whether the argument at a path, or a part of it on the path, is declared sensitive or write-only. The path has
/// the names of nested blocks and of the argument, and the keys in its value; names that the schema lacks, such as
/// keys of maps, are skipped.
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
