//! Writes JSON documents member by member.
//!
//! Values and other parts are given as JSON text, so a document of any size is built without a tree in memory.

use terrane_source::{SourceFile, Span};
use terrane_value::json;

/// A JSON object under construction.
pub(crate) struct Object {
    text: String,
}

impl Object {
    pub(crate) fn new() -> Object {
        Object { text: String::from("{") }
    }

    /// Adds a member whose value is JSON text.
    pub(crate) fn field(&mut self, name: &str, value: &str) {
        self.text.push_str(if self.text.len() > 1 { "," } else { "" });
        json::write_string(&mut self.text, name);
        self.text.push(':');
        self.text.push_str(value);
    }

    /// Adds a member whose value is a string.
    pub(crate) fn text(&mut self, name: &str, value: &str) {
        self.field(name, &string(value));
    }

    /// Adds a member whose value is a list, unless the list is empty.
    pub(crate) fn items(&mut self, name: &str, items: impl IntoIterator<Item = String>) {
        let mut items = items.into_iter().peekable();
        if items.peek().is_some() {
            self.field(name, &list(items));
        }
    }

    pub(crate) fn end(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

/// An object of members whose values are JSON text.
pub(crate) fn object<N: AsRef<str>>(fields: impl IntoIterator<Item = (N, String)>) -> String {
    let mut object = Object::new();
    for (name, value) in fields {
        object.field(name.as_ref(), &value);
    }
    object.end()
}

/// A list of items that are JSON text.
pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("[{}]", items.join(","))
}

pub(crate) fn string(text: &str) -> String {
    let mut out = String::new();
    json::write_string(&mut out, text);
    out
}

/// A source range as in `terraform validate -json`: lines and columns from 1, bytes from 0, the end exclusive.
pub(crate) fn range(file: &SourceFile, span: Span) -> String {
    let position = |offset: u32| {
        let at = file.lines().line_column(file.text(), offset);
        object([
            ("line", at.line.to_string()),
            ("column", at.column.to_string()),
            ("byte", offset.to_string()),
        ])
    };
    object([
        ("filename", string(&file.id().to_string())),
        ("start", position(span.start)),
        ("end", position(span.end)),
    ])
}
