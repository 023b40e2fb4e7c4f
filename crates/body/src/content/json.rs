//! Reads bodies in JSON: properties are attributes or blocks, and the names of nested properties are labels.

use std::sync::Arc;

use terrane_source::{Span, Title, titles};
use terrane_syntax::json::{Property, Tree, Value, ValueId};
use terrane_value::SmolStr;

use super::errors::{AllowedNames, BodyErrors, ErrorSpans};
use super::items::{Attribute, Block, Label};
use super::reader::ContentReader;
use super::written::object_properties;
use crate::body::{Body, JsonBody};
use crate::body_schema::{BodySchema, DYNAMIC};

/// The name of properties that are comments in bodies.
const COMMENT: &str = "//";

/// Reads the attributes and blocks that the schema names.
pub(crate) fn read(json: &JsonBody, schema: &BodySchema, reader: &mut ContentReader<'_>) {
    let tree = &json.tree;
    for property in properties(tree, json.value, &mut reader.errors) {
        let name = tree.name(property);
        if reader.body.has_consumed_property(name) {
            continue;
        }
        if let Some(name) = schema.find_attribute(name) {
            add_attribute(tree, property, name.clone(), titles::DUPLICATE_ARGUMENT, reader);
        } else if let Some((block_type, labels)) = schema.find_block(name) {
            let mut blocks = PropertyBlocks { tree, block_type, type_span: property.name_span, reader };
            blocks.add(property.value, labels, &mut Vec::new());
        }
    }
}

/// Reads all properties as attributes.
pub(crate) fn read_attributes(json: &JsonBody, reader: &mut ContentReader<'_>) {
    let tree = &json.tree;
    let Value::Object(properties) = tree.value(json.value) else {
        let detail = "The arguments of this block must be a JSON object in braces.";
        return reader.errors.json_type(tree.start_span(json.value), detail);
    };
    for property in tree.properties(properties) {
        let name = tree.name(property);
        if name != COMMENT && !reader.body.has_consumed_property(name) {
            add_attribute(
                tree,
                property,
                SmolStr::from(name),
                titles::DUPLICATE_ATTRIBUTE_DEFINITION,
                reader,
            );
        }
    }
}

/// Reads all properties as attributes. `dynamic` blocks, and properties that contain such blocks, become blocks.
pub(crate) fn read_all(json: &JsonBody, reader: &mut ContentReader<'_>) {
    let tree = &json.tree;
    for property in properties(tree, json.value, &mut reader.errors) {
        let name = tree.name(property);
        if name == COMMENT || reader.body.has_consumed_property(name) {
            continue;
        }
        let name = SmolStr::from(name);
        if &*name == DYNAMIC {
            let mut blocks =
                PropertyBlocks { tree, block_type: &name, type_span: property.name_span, reader };
            blocks.add(property.value, &["type".to_owned()], &mut Vec::new());
        } else if has_dynamic(tree, property.value) {
            let mut blocks =
                PropertyBlocks { tree, block_type: &name, type_span: property.name_span, reader };
            blocks.add(property.value, &[], &mut Vec::new());
        } else {
            add_attribute(tree, property, name, titles::DUPLICATE_ARGUMENT, reader);
        }
    }
}

/// Whether a value contains a `dynamic` block at any depth: a property of this name with the arguments of such a block.
fn has_dynamic(tree: &Tree, value: ValueId) -> bool {
    let is_generator = |body: &Property| {
        let parts = object_properties(tree, body.value);
        ["for_each", "content"].iter().all(|name| parts.iter().any(|part| tree.name(part) == *name))
    };
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        for property in object_properties(tree, value) {
            if tree.name(property) == DYNAMIC
                && object_properties(tree, property.value).into_iter().any(is_generator)
            {
                return true;
            }
            left.push(property.value);
        }
    }
    false
}

/// Reports properties that are not allowed.
pub(crate) fn report_unsupported(json: &JsonBody, allowed: &AllowedNames<'_>, errors: &mut BodyErrors<'_>) {
    let tree = &json.tree;
    for property in object_properties(tree, json.value) {
        let name = tree.name(property);
        if name != COMMENT && !allowed.has_attribute(name) && !allowed.has_block(name) {
            errors.extraneous_property(name, spans(tree, property), allowed);
        }
    }
}

fn add_attribute(
    tree: &Arc<Tree>,
    property: &Property,
    name: SmolStr,
    title_of_duplicate: Title,
    reader: &mut ContentReader<'_>,
) {
    let attributes = &mut reader.content.attributes;
    if let Some(earlier) = attributes.get(&name) {
        let spans = spans(tree, property);
        return reader.errors.duplicate(title_of_duplicate, &name, earlier.name_span, spans);
    }
    attributes.insert(name.clone(), Attribute::json(tree, name, property));
}

fn spans(tree: &Tree, property: &Property) -> ErrorSpans {
    ErrorSpans { subject: property.name_span, context: tree.property_span(property) }
}

/// Returns the properties of a body, which is an object or an array of objects. Reports other values.
fn properties<'t>(tree: &'t Tree, value: ValueId, errors: &mut BodyErrors<'_>) -> Vec<&'t Property> {
    match tree.value(value) {
        Value::Array(elements) => {
            for element in tree.elements(elements) {
                if !matches!(tree.value(*element), Value::Object(_) | Value::Missing) {
                    let detail =
                        "Arguments and nested blocks must be the properties of a JSON object in braces.";
                    errors.json_type(tree.start_span(*element), detail);
                }
            }
        }
        // The parser reports missing values.
        Value::Object(_) | Value::Null | Value::Missing => {}
        Value::Bool(_) | Value::Number | Value::String(_) => {
            let detail = "Arguments and nested blocks must be the properties of a JSON object in braces, or of an array \
                          of such objects.";
            errors.json_type(tree.start_span(value), detail);
        }
    }
    object_properties(tree, value)
}

/// Reads the blocks of one property.
struct PropertyBlocks<'p, 'b> {
    tree: &'p Arc<Tree>,
    block_type: &'p SmolStr,
    type_span: Span,
    reader: &'p mut ContentReader<'b>,
}

impl PropertyBlocks<'_, '_> {
    /// Adds the blocks below `labels`. `names` are the names of the remaining labels.
    fn add(&mut self, value: ValueId, names: &[String], labels: &mut Vec<Label>) {
        let tree = self.tree;
        let Some((name, rest)) = names.split_first() else { return self.add_bodies(value, labels) };
        self.check_label(value, name);
        let properties = object_properties(tree, value);
        if properties.is_empty() {
            return self.reader.errors.missing_json_label(self.block_type, name, tree.start_span(value));
        }
        for property in properties {
            labels.push(Label { text: SmolStr::from(tree.name(property)), span: property.name_span });
            self.add(property.value, rest, labels);
            labels.pop();
        }
    }

    /// Reports a value that is not an object, whose property names would be labels.
    fn check_label(&mut self, value: ValueId, label: &str) {
        let tree = self.tree;
        let mut report = |value: ValueId| {
            let detail = format!(
                "The {label} of a `{}` block must be the name of a property of a JSON object in braces.",
                self.block_type
            );
            self.reader.errors.json_type(tree.start_span(value), detail);
        };
        match tree.value(value) {
            Value::Array(elements) => {
                let elements = tree.elements(elements).iter().copied();
                elements.filter(|element| !matches!(tree.value(*element), Value::Object(_))).for_each(report);
            }
            Value::Object(_) | Value::Null | Value::Missing => {}
            Value::Bool(_) | Value::Number | Value::String(_) => report(value),
        }
    }

    fn add_bodies(&mut self, value: ValueId, labels: &[Label]) {
        let tree = self.tree;
        let header_span = tree.start_span(value);
        match tree.value(value) {
            Value::Null | Value::Missing => {}
            Value::Object(_) => self.push(value, header_span, labels),
            Value::Array(elements) => {
                for element in tree.elements(elements) {
                    self.push(*element, header_span, labels);
                }
            }
            Value::Bool(_) | Value::Number | Value::String(_) => {
                let detail = format!(
                    "A block of type `{}` must be a JSON object in braces; several blocks are an array of such objects.",
                    self.block_type
                );
                self.reader.errors.json_type(header_span, detail);
            }
        }
    }

    /// Adds a block. A value that is not an object is reported when its body is read.
    fn push(&mut self, value: ValueId, header_span: Span, labels: &[Label]) {
        self.reader.content.blocks.push(Block {
            block_type: self.block_type.clone(),
            type_span: self.type_span,
            labels: labels.to_vec(),
            header_span,
            body: Body::of_json_block(self.tree, value, self.block_type.clone()),
        });
    }
}
