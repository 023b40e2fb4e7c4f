//! The one writer of JSON documents, and what must not be in them.

use terrane_source::{SourceFile, Span};
use terrane_value::{Mark, Marks, json};

use crate::Secrets;

/// Whether a value with these marks is not shown.
pub(crate) fn is_hidden(marks: &Marks, secrets: Secrets) -> bool {
    secrets == Secrets::Hidden && is_secret(marks)
}

/// Whether these marks are of a secret: what is ephemeral must not be kept, so it is not printed either.
pub(crate) fn is_secret(marks: &Marks) -> bool {
    marks.contains(&Mark::Sensitive) || marks.contains(&Mark::Ephemeral)
}

/// A JSON object that is being written.
pub(crate) struct Object {
    text: String,
}

impl Object {
    pub(crate) fn new() -> Object {
        Object { text: String::from("{") }
    }

    /// Adds a field whose value is JSON already.
    pub(crate) fn field(&mut self, name: &str, value: &str) {
        self.text.push_str(if self.text.len() > 1 { "," } else { "" });
        json::write_string(&mut self.text, name);
        self.text.push(':');
        self.text.push_str(value);
    }

    /// Adds a field whose value is a text.
    pub(crate) fn text(&mut self, name: &str, value: &str) {
        self.field(name, &string(value));
    }

    /// Adds a field whose value is a list; nothing where it would be empty.
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

/// An object with these fields, whose values are JSON already.
pub(crate) fn object<N: AsRef<str>>(fields: impl IntoIterator<Item = (N, String)>) -> String {
    let mut object = Object::new();
    for (name, value) in fields {
        object.field(name.as_ref(), &value);
    }
    object.end()
}

/// A list of items that are JSON already.
pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("[{}]", items.join(","))
}

pub(crate) fn string(text: &str) -> String {
    let mut out = String::new();
    json::write_string(&mut out, text);
    out
}

/// A place in a file, in the shape of the messages of `terraform validate -json`: lines and columns from 1, bytes from 0, the
/// end exclusive.
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

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;
    use terrane_value::{Mark, Marks, ObjectBuilder};

    use crate::{Engine, RequestOptions, Session, Variables, value_json};

    #[test]
    fn what_is_ephemeral_is_no_more_shown_than_what_is_sensitive() {
        for mark in [Mark::Sensitive, Mark::Ephemeral] {
            let secret =
                ObjectBuilder::new().with("password", "hunter2").build().with_marks(&Marks::one(mark));
            let text = value_json(&secret);
            assert!(!text.contains("hunter2") && !text.contains("password"), "{text}");
            let session = Session::of_variables(Engine::new(), Variables::new().with("secret", secret));
            let request = r#"{"expr": "[secret]"}"#;
            let answer = session.request(request, &MemoryFiles::new(), RequestOptions::default());
            assert!(answer.contains("\"ok\":true") && !answer.contains("hunter2"), "{answer}");
        }
    }
}
