//! Writes the page: the picture, a filter, and the values of the chosen object.

use std::borrow::Cow;
use std::collections::BTreeMap;

use quick_xml::escape::escape;
use serde::Serialize;
use terrane::render::{visible, visible_name};
use terrane::source::Subject;
use terrane::value::display;
use terrane::{Address, Document, Entry, Secrets};

/// The most characters of the text of a value. The rest is left out.
const LONGEST_VALUE: usize = 20_000;

/// An object, as the script of the page reads it.
#[derive(Serialize)]
struct ObjectData {
    address: String,
    kind: &'static str,
    /// Whether the page opens at the object.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    focused: bool,
    /// The place of the declaration.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// The value of each instance.
    values: Vec<ValueData>,
}

#[derive(Serialize)]
struct ValueData {
    address: String,
    text: String,
}

/// Returns the page around a picture of the graph.
pub(crate) fn page(document: &Document, picture: &str) -> String {
    let mut entries: BTreeMap<Address, Vec<Cow<'_, Entry>>> = BTreeMap::new();
    for entry in document.values.iter() {
        entries.entry(entry.address.without_keys()).or_default().push(entry);
    }
    let focus = document.graph.focus();
    let objects = document.graph.objects().enumerate().map(|(id, object)| ObjectData {
        address: visible_name(&object.address.to_string()),
        focused: focus == Some(id),
        kind: object.kind(),
        source: object.declaration.as_ref().map(place),
        values: entries
            .get(&object.address)
            .into_iter()
            .flatten()
            .map(|entry| ValueData {
                address: visible_name(&entry.address.to_string()),
                text: value_text(entry, document.secrets()),
            })
            .collect(),
    });
    let objects: Vec<ObjectData> = objects.collect();
    // Texts always have a JSON form. The escaped text cannot end the element around it.
    let data = serde_json::to_string(&objects).unwrap_or_default().replace('<', "\\u003c");
    // `##` is a command to some services that run the program and read its output.
    let data = data.replace("##", "#\\u0023");
    let title = format!("Graph of {}", document.root.directory.display());
    let note = if document.is_partial() {
        "<p class=\"note\">Objects in text that could not be read are missing.</p>"
    } else {
        ""
    };
    format!(
        include_str!("page.html"),
        title = escape(visible_name(&title).as_str()),
        style = include_str!("page.css"),
        picture = picture,
        note = note,
        data = data,
        script = include_str!("page.js"),
    )
}

fn place(subject: &Subject) -> String {
    visible_name(&subject.position())
}

/// Returns the value as `terrane eval` prints it.
fn value_text(entry: &Entry, secrets: Secrets) -> String {
    let text = if secrets == Secrets::Shown {
        display::annotated(&entry.value.unmark_deep().0)
    } else {
        display::annotated(&entry.value)
    };
    let text = visible(&text);
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => format!("{} …", text.get(..end).unwrap_or_default()),
        None => text.into_owned(),
    }
}
