//! The names that a body writes, which no schema is needed for. Error messages suggest other ones.

use terrane_syntax::json::{Property, Tree, Value, ValueId};

use crate::body::{Body, Form};

impl Body {
    /// Returns the types of the blocks that the body writes, also of blocks that no schema allows. In JSON, these are the names of all
    /// properties, because only a schema tells blocks from arguments. A merged body has none.
    pub fn written_block_types(&self) -> Vec<&str> {
        match &self.form {
            Form::Native(native) => {
                native.tree.blocks(native.id).map(|block| native.tree.block_type(block)).collect()
            }
            Form::Json(json) => {
                let properties = object_properties(&json.tree, json.value);
                properties.into_iter().map(|property| json.tree.name(property)).collect()
            }
            Form::Merged(_) => Vec::new(),
        }
    }

    /// Whether the body has an attribute or a property of this name. `false` for a merged body, whose parts are asked.
    pub(crate) fn writes(&self, name: &str) -> bool {
        match &self.form {
            Form::Native(native) => {
                let mut attributes = native.tree.attributes(native.id);
                attributes.any(|attribute| native.tree.name(attribute) == name)
            }
            Form::Json(json) => {
                let properties = object_properties(&json.tree, json.value);
                properties.into_iter().any(|property| json.tree.name(property) == name)
            }
            Form::Merged(_) => false,
        }
    }
}

/// Returns the properties of an object, or of the objects in an array. Other values have none.
pub(super) fn object_properties(tree: &Tree, value: ValueId) -> Vec<&Property> {
    let of_object = |value: ValueId| match tree.value(value) {
        Value::Object(properties) => tree.properties(properties),
        Value::Missing
        | Value::Null
        | Value::Bool(_)
        | Value::Number
        | Value::String(_)
        | Value::Array(_) => &[],
    };
    match tree.value(value) {
        Value::Array(elements) => {
            tree.elements(elements).iter().flat_map(|element| of_object(*element)).collect()
        }
        Value::Missing
        | Value::Null
        | Value::Bool(_)
        | Value::Number
        | Value::String(_)
        | Value::Object(_) => of_object(value).iter().collect(),
    }
}
