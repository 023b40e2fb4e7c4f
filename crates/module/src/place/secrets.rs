//! Tells which arguments of a block its schema makes secret.

use terrane_body::{Schema, SchemaAttribute};
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
        let nested = attribute.nested_attributes().filter(|_| !is_own_secret(attribute));
        if let Some(inner) = nested.and_then(|nested| nested.attributes.get(name)) {
            attribute = inner;
        }
    }
    has_secret(attribute)
}

fn is_own_secret(attribute: &SchemaAttribute) -> bool {
    attribute.sensitive || attribute.write_only
}

/// Whether an attribute or one nested in it is a secret.
fn has_secret(attribute: &SchemaAttribute) -> bool {
    let mut left = vec![attribute];
    while let Some(attribute) = left.pop() {
        if is_own_secret(attribute) {
            return true;
        }
        left.extend(attribute.nested_attributes().into_iter().flat_map(|nested| nested.attributes.values()));
    }
    false
}
