use std::sync::Arc;

use terrane_source::Span;
use terrane_syntax::json::{Property, Tree, Value, ValueId};
use terrane_value::SmolStr;

use super::errors::Mistakes;
use super::{Attribute, Block, Content, Label};
use crate::body::{Body, Taken};
use crate::body_schema::BodySchema;

/// The name of properties that are comments, in bodies.
const COMMENT: &str = "//";

/// The place to point at where something is missing: the end of an object.
pub(crate) fn missing_item_span(tree: &Tree, value: ValueId) -> Span {
    let span = tree.span(value);
    match tree.value(value) {
        Value::Object(_) => Span::new(span.end.saturating_sub(1), span.end),
        Value::Missing
        | Value::Null
        | Value::Bool(_)
        | Value::Number
        | Value::String(_)
        | Value::Array(_) => tree.start_span(value),
    }
}

/// Adds what the schema names.
pub(crate) fn read(
    tree: &Arc<Tree>,
    value: ValueId,
    taken: Option<&Taken>,
    schema: &BodySchema,
    content: &mut Content,
    mistakes: &mut Mistakes<'_>,
) {
    for property in properties(tree, value, mistakes) {
        let name = tree.name(property);
        if Taken::property(taken, name) {
            continue;
        }
        if let Some(name) = schema.find_attribute(name) {
            add_attribute(tree, property, name.clone(), "Duplicate argument", content, mistakes);
        } else if let Some((block_type, names)) = schema.find_block(name) {
            let mut blocks = Blocks { tree, block_type, type_span: property.name_span, content, mistakes };
            blocks.add(property.value, names, &mut Vec::new());
        }
    }
}

/// Adds all properties as attributes.
pub(crate) fn just_attributes(
    tree: &Arc<Tree>,
    value: ValueId,
    taken: Option<&Taken>,
    content: &mut Content,
    mistakes: &mut Mistakes<'_>,
) {
    let Value::Object(properties) = tree.value(value) else {
        let detail = "The arguments of this block must be a JSON object in braces.";
        return mistakes.json_type(tree.start_span(value), detail);
    };
    for property in tree.properties(properties) {
        let name = tree.name(property);
        if name != COMMENT && !Taken::property(taken, name) {
            let name = SmolStr::from(name);
            add_attribute(tree, property, name, "Duplicate attribute definition", content, mistakes);
        }
    }
}

/// Adds all properties as attributes, and those of `dynamic` as `dynamic` blocks.
pub(crate) fn open_content(
    tree: &Arc<Tree>,
    value: ValueId,
    taken: Option<&Taken>,
    content: &mut Content,
    mistakes: &mut Mistakes<'_>,
) {
    let dynamic: SmolStr = SmolStr::from("dynamic");
    for property in properties(tree, value, mistakes) {
        let name = tree.name(property);
        if name == COMMENT || Taken::property(taken, name) {
            continue;
        }
        if name == &*dynamic {
            let type_span = property.name_span;
            let mut blocks = Blocks { tree, block_type: &dynamic, type_span, content, mistakes };
            blocks.add(property.value, &["type".to_owned()], &mut Vec::new());
        } else {
            add_attribute(tree, property, SmolStr::from(name), "Duplicate argument", content, mistakes);
        }
    }
}

/// Reports what the schema does not name.
pub(crate) fn report_others(
    tree: &Tree,
    value: ValueId,
    taken: Option<&Taken>,
    schema: &BodySchema,
    content: &Content,
    mistakes: &mut Mistakes<'_>,
) {
    for property in silent_properties(tree, value) {
        let name = tree.name(property);
        let is_known = schema.find_attribute(name).is_some() || schema.find_block(name).is_some();
        if name != COMMENT && !is_known && !Taken::property(taken, name) {
            let spans = (property.name_span, tree.property_span(property));
            mistakes.extraneous_property(name, spans, schema, content);
        }
    }
}

fn add_attribute(
    tree: &Arc<Tree>,
    property: &Property,
    name: SmolStr,
    title: &str,
    content: &mut Content,
    mistakes: &mut Mistakes<'_>,
) {
    if let Some(earlier) = content.attributes.get(&name) {
        let spans = (property.name_span, tree.property_span(property));
        return mistakes.duplicate(title, &name, earlier.name_span, spans);
    }
    content.attributes.insert(name.clone(), Attribute::json(tree, name, property));
}

/// The properties of the objects that a body is: one, or an array of them.
fn properties<'t>(tree: &'t Tree, value: ValueId, mistakes: &mut Mistakes<'_>) -> Vec<&'t Property> {
    match tree.value(value) {
        Value::Array(elements) => {
            for element in tree.elements(elements) {
                if !matches!(tree.value(*element), Value::Object(_) | Value::Missing) {
                    let detail = "Arguments and nested blocks are the properties of a JSON object in braces.";
                    mistakes.json_type(tree.start_span(*element), detail);
                }
            }
        }
        // What could not be parsed was reported.
        Value::Object(_) | Value::Null | Value::Missing => {}
        Value::Bool(_) | Value::Number | Value::String(_) => {
            let detail = "Arguments and nested blocks are the properties of a JSON object in braces, or of an array \
                          of such objects.";
            mistakes.json_type(tree.start_span(value), detail);
        }
    }
    silent_properties(tree, value)
}

fn silent_properties(tree: &Tree, value: ValueId) -> Vec<&Property> {
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

/// The blocks of one type that a property stands for.
struct Blocks<'b, 'd> {
    tree: &'b Arc<Tree>,
    block_type: &'b SmolStr,
    type_span: Span,
    content: &'b mut Content,
    mistakes: &'b mut Mistakes<'d>,
}

impl Blocks<'_, '_> {
    /// Adds the blocks below the labels found so far; `names` are those of the labels that are still missing.
    fn add(&mut self, value: ValueId, names: &[String], labels: &mut Vec<Label>) {
        let tree = self.tree;
        let Some((name, rest)) = names.split_first() else { return self.add_bodies(value, labels) };
        self.check_labels(value, name);
        let properties = silent_properties(tree, value);
        if properties.is_empty() {
            return self.mistakes.missing_json_label(self.block_type, name, tree.start_span(value));
        }
        for property in properties {
            labels.push(Label { text: SmolStr::from(tree.name(property)), span: property.name_span });
            self.add(property.value, rest, labels);
            labels.pop();
        }
    }

    /// Reports what cannot have the properties whose names are labels.
    fn check_labels(&mut self, value: ValueId, label: &str) {
        let tree = self.tree;
        let mut wrong = |value: ValueId| {
            let detail = format!(
                "The {label} of a `{}` block is the name of a property of a JSON object in braces.",
                self.block_type
            );
            self.mistakes.json_type(tree.start_span(value), detail);
        };
        match tree.value(value) {
            Value::Array(elements) => {
                let elements = tree.elements(elements).iter().copied();
                elements.filter(|element| !matches!(tree.value(*element), Value::Object(_))).for_each(wrong);
            }
            Value::Object(_) | Value::Null | Value::Missing => {}
            Value::Bool(_) | Value::Number | Value::String(_) => wrong(value),
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
                    "`{}` is a block: a JSON object in braces, or an array of such objects for several blocks.",
                    self.block_type
                );
                self.mistakes.json_type(header_span, detail);
            }
        }
    }

    /// An element of an array that is no object is reported once its content is read.
    fn push(&mut self, value: ValueId, header_span: Span, labels: &[Label]) {
        self.content.blocks.push(Block {
            block_type: self.block_type.clone(),
            type_span: self.type_span,
            labels: labels.to_vec(),
            header_span,
            body: Body::of_json_block(self.tree, value, self.block_type),
        });
    }
}
