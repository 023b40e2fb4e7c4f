//! Reads files in JSON syntax.

use std::sync::Arc;

use terrane_source::{SourceFile, Span};
use terrane_syntax::Expression;
use terrane_syntax::json::{self, Property, Strings, Value, ValueId, lower};
use terrane_value::SmolStr;

use crate::decode::schema::label_count;
use crate::place::items::{Content, Item, SyntaxReader};

/// A file in JSON syntax.
pub(super) struct Json {
    tree: Arc<json::Tree>,
    root: ValueId,
}

impl Json {
    pub(super) fn read(source: &Arc<SourceFile>) -> Json {
        let document = json::parse_json(source);
        Json { root: document.root, tree: document.tree }
    }

    /// Returns the objects in a value: the value itself, or the elements of an array. The span of the first
    /// begins where `whole` begins.
    fn objects(&self, value: ValueId, whole: Span) -> Vec<(ValueId, Span)> {
        let tree = &self.tree;
        match tree.value(value) {
            Value::Object(_) => vec![(value, whole)],
            Value::Array(elements) => {
                let elements = tree.elements(elements).iter();
                let objects = elements.filter(|element| matches!(tree.value(**element), Value::Object(_)));
                let span = |(index, element): (usize, &ValueId)| match index {
                    0 => (*element, Span::new(whole.start, tree.span(*element).end)),
                    _ => (*element, tree.span(*element)),
                };
                objects.enumerate().map(span).collect()
            }
            Value::Missing | Value::Null | Value::Bool(_) | Value::Number | Value::String(_) => Vec::new(),
        }
    }

    /// Returns the properties of a body, which is an object or an array of objects.
    fn properties(&self, body: ValueId) -> Vec<Property> {
        let properties = |(object, _)| match self.tree.value(object) {
            Value::Object(properties) => self.tree.properties(properties).to_vec(),
            Value::Missing
            | Value::Null
            | Value::Bool(_)
            | Value::Number
            | Value::String(_)
            | Value::Array(_) => Vec::new(),
        };
        self.objects(body, self.tree.span(body)).into_iter().flat_map(properties).collect()
    }

    /// Returns the blocks of a property. The outer levels of its value have the labels as names.
    fn blocks(&self, property: &Property, label_count: usize) -> Vec<Item<ValueId, ValueId>> {
        let tree = &self.tree;
        let mut labelled = vec![(*property, Vec::new())];
        for _ in 0..label_count {
            let inner = |(property, labels): (Property, Vec<SmolStr>)| {
                let of_label = move |inner: Property| {
                    let mut labels = labels.clone();
                    labels.push(SmolStr::from(tree.name(&inner)));
                    (inner, labels)
                };
                self.properties(property.value).into_iter().map(of_label)
            };
            labelled = labelled.into_iter().flat_map(inner).collect();
        }
        let name = SmolStr::from(tree.name(property));
        let bodies = labelled.into_iter().flat_map(|(property, labels)| {
            let objects = self.objects(property.value, tree.property_span(&property));
            objects.into_iter().map(move |(body, span)| (body, span, labels.clone()))
        });
        let block =
            |(body, span, labels)| Item { name: name.clone(), labels, span, content: Content::Block(body) };
        bodies.map(block).collect()
    }
}

impl SyntaxReader for Json {
    type Body = ValueId;
    type Value = ValueId;

    fn root(&self) -> ValueId {
        self.root
    }

    fn items(&self, body: ValueId, outer: Option<&str>) -> Vec<Item<ValueId, ValueId>> {
        let tree = &self.tree;
        let items = |property: Property| match label_count(tree.name(&property), outer) {
            Some(labels) => self.blocks(&property, labels),
            None => vec![Item {
                name: SmolStr::from(tree.name(&property)),
                labels: Vec::new(),
                span: tree.property_span(&property),
                content: Content::Argument(property.value),
            }],
        };
        self.properties(body).into_iter().flat_map(items).collect()
    }

    fn expression(&self, value: ValueId) -> Expression {
        lower(&self.tree, value, Strings::Templates).0
    }

    fn references(&self, value: ValueId) -> Expression {
        lower(&self.tree, value, Strings::Expressions).0
    }

    fn plain_name(&self, value: ValueId) -> Option<SmolStr> {
        match self.tree.value(value) {
            Value::String(text) => Some(SmolStr::from(self.tree.text(text))),
            Value::Missing
            | Value::Null
            | Value::Bool(_)
            | Value::Number
            | Value::Array(_)
            | Value::Object(_) => None,
        }
    }
}
