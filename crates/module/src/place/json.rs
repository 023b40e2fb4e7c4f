//! Finds the syntax of a place in a file in JSON syntax.

use std::sync::Arc;

use terrane_source::{SourceFile, Span};
use terrane_syntax::json::{self, Property, Strings, Value, ValueId, lower};
use terrane_value::SmolStr;

use crate::place::syntax::{BoundLoop, Header, LoopNames, Syntax, contains, innermost};

/// The syntax at `span` of a file.
pub(super) fn find(source: &Arc<SourceFile>, span: Span) -> Syntax {
    let document = json::parse_json(source);
    let mut way = Way { tree: &document.tree, span, syntax: Syntax::default() };
    way.body(document.root, None);
    way.syntax
}

/// The way from the document to the place.
struct Way<'w> {
    tree: &'w Arc<json::Tree>,
    span: Span,
    syntax: Syntax,
}

/// The number of labels of a block in a file, or in a block of the file.
fn label_count(block_type: &str, outer: Option<&str>) -> Option<usize> {
    match (outer, block_type) {
        (None, "resource" | "data" | "ephemeral" | "action") | (Some("check"), "data") => Some(2),
        (None, "module" | "provider" | "variable" | "output" | "check") => Some(1),
        (None, "locals" | "terraform" | "import" | "moved" | "removed") => Some(0),
        (None, _) => None,
        (Some(_), "dynamic" | "provisioner") => Some(1),
        (Some("resource" | "data" | "ephemeral"), "lifecycle" | "connection") => Some(0),
        (Some("lifecycle"), "precondition" | "postcondition") => Some(0),
        (Some("variable"), "validation") | (Some("check"), "assert") | (Some("output"), "precondition") => {
            Some(0)
        }
        (Some("dynamic"), "content") => Some(0),
        (Some(_), _) => None,
    }
}

impl Way<'_> {
    /// Goes on in a body, which is an object or an array of objects, of a block of the type `outer`.
    fn body(&mut self, value: ValueId, outer: Option<&str>) {
        let Some((property, name)) = self.property(value) else { return };
        match label_count(&name, outer) {
            Some(labels) => self.block(&name, labels, &property),
            None => {
                self.syntax.argument = Some(SmolStr::from(name));
                let (value, _) = lower(self.tree, property.value, Strings::Templates);
                if contains(value.span(), self.span) {
                    self.syntax.expression = Some(innermost(&value, self.span, &mut self.syntax));
                }
            }
        }
    }

    fn block(&mut self, block_type: &str, labels: usize, property: &Property) {
        let (mut value, mut names) = (property.value, Vec::new());
        for _ in 0..labels {
            let Some((label, name)) = self.property(value) else { return };
            names.push(SmolStr::from(name));
            value = label.value;
        }
        if block_type == "dynamic" {
            let iterator = self.iterator(value, names.first());
            self.syntax.loops.extend(iterator);
        }
        self.syntax.blocks.push(Header {
            block_type: SmolStr::from(block_type),
            labels: names,
            file: Arc::clone(self.tree.source()),
            span: self.tree.property_span(property),
        });
        self.body(value, Some(block_type));
    }

    /// The property of an object, or of an object in an array, that contains the place.
    fn property(&self, value: ValueId) -> Option<(Property, String)> {
        let tree = self.tree;
        match tree.value(value) {
            Value::Object(properties) => {
                let is_there = |property: &&Property| contains(tree.property_span(property), self.span);
                let found = tree.properties(properties).iter().find(is_there)?;
                Some((*found, tree.name(found).to_owned()))
            }
            Value::Array(elements) => {
                let is_there = |element: &&ValueId| contains(tree.span(**element), self.span);
                self.property(*tree.elements(elements).iter().find(is_there)?)
            }
            Value::Missing | Value::Null | Value::Bool(_) | Value::Number | Value::String(_) => None,
        }
    }

    /// The loop of a `dynamic` block, whose iterator is bound in its labels and content.
    fn iterator(&self, value: ValueId, label: Option<&SmolStr>) -> Option<BoundLoop> {
        let tree = self.tree;
        let (_, within) = self.property(value)?;
        let block = match tree.value(value) {
            Value::Object(properties) => tree.properties(properties),
            Value::Array(elements) => {
                let is_there = |element: &&ValueId| contains(tree.span(**element), self.span);
                match tree.value(*tree.elements(elements).iter().find(is_there)?) {
                    Value::Object(properties) => tree.properties(properties),
                    Value::Missing
                    | Value::Null
                    | Value::Bool(_)
                    | Value::Number
                    | Value::String(_)
                    | Value::Array(_) => return None,
                }
            }
            Value::Missing | Value::Null | Value::Bool(_) | Value::Number | Value::String(_) => return None,
        };
        let named = |name: &str| block.iter().find(|property| tree.name(property) == name);
        let name = match named("iterator").map(|iterator| tree.value(iterator.value)) {
            Some(Value::String(text)) => SmolStr::from(tree.text(text)),
            _ => label?.clone(),
        };
        let (collection, _) = lower(tree, named("for_each")?.value, Strings::Templates);
        let is_bound = matches!(within.as_str(), "content" | "labels");
        is_bound.then_some(BoundLoop { names: LoopNames::Iterator(name), collection })
    }
}
