//! The path from the root of a JSON document to a place in its text.

use std::cmp::Ordering;

use terrane_source::Span;

use super::tree::{Property, Tree, Value, ValueId};

/// A step to a container: the container of a property or of an element.
#[derive(Clone, Copy, Debug)]
pub enum ContainerStep {
    /// The value of a property is the next container.
    Property(Property),
    /// The element with this index is the next container.
    Element(usize),
}

impl Tree {
    /// Returns the steps from a value to the innermost object or array around an offset.
    ///
    /// ```
    /// use terrane_source::{FileId, SourceFile};
    /// use terrane_syntax::json::{ContainerStep, parse_json};
    ///
    /// let text = r#"{"resource": {"a": {"b": [{"c": "d"}]}}}"#;
    /// let document = parse_json(&SourceFile::new(FileId::new("main.tf.json"), text));
    /// let offset = u32::try_from(text.find("d").unwrap()).unwrap();
    /// let name = |step: &ContainerStep| match step {
    ///     ContainerStep::Property(property) => format!(".{}", document.tree.name(property)),
    ///     ContainerStep::Element(index) => format!("[{index}]"),
    /// };
    /// let steps = document.tree.path_at(document.root, offset);
    /// assert_eq!(steps.iter().map(name).collect::<String>(), ".resource.a.b[0]");
    /// ```
    pub fn path_at(&self, value: ValueId, offset: u32) -> Vec<ContainerStep> {
        let (mut steps, mut value) = (Vec::new(), value);
        while let Some((step, container)) = self.container_at(value, offset) {
            steps.push(step);
            value = container;
        }
        steps
    }

    /// Returns the object or array directly in a value that contains an offset.
    fn container_at(&self, value: ValueId, offset: u32) -> Option<(ContainerStep, ValueId)> {
        let around = |id: ValueId| compare(self.span(id), offset);
        let (step, id) = match self.value(value) {
            Value::Object(properties) => {
                let properties = self.properties(properties);
                let index = properties.binary_search_by(|property| around(property.value)).ok()?;
                let property = properties.get(index)?;
                (ContainerStep::Property(*property), property.value)
            }
            Value::Array(elements) => {
                let elements = self.elements(elements);
                let index = elements.binary_search_by(|element| around(*element)).ok()?;
                (ContainerStep::Element(index), *elements.get(index)?)
            }
            Value::Missing | Value::Null | Value::Bool(_) | Value::Number | Value::String(_) => return None,
        };
        matches!(self.value(id), Value::Object(_) | Value::Array(_)).then_some((step, id))
    }
}

/// Returns how a span stands to an offset: before it, around it or behind it.
fn compare(span: Span, offset: u32) -> Ordering {
    if span.contains(offset) {
        Ordering::Equal
    } else if span.end <= offset {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}
