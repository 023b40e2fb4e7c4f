//! Finds the parts of values that differ between environments.

use std::collections::BTreeSet;

use terrane_source::Diagnostic;
use terrane_value::display::{self, annotated_line, unknown_text};
use terrane_value::{Entries, Origins, Path, PathStep, SmolStr, Type, Value};

use super::rows::{Cell, MatrixRow, rows};
use crate::address::Step;
use crate::document::listing::{object_notes, sources_of_part};
use crate::document::{Document, Selected};
use crate::entry::Entry;
use crate::print_limit::{MAX_BYTES, limit_exceeded};
use crate::secrets::Secrets;

/// The bytes of a cell of a table besides its texts.
const BYTES_OF_CELL: usize = 24;

/// An object, or a part of its value, that differs between environments.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The address: `local.tags.Environment`.
    pub address: String,
    /// The value in each environment on one line. `None` if the environment does not have it. If environments lack an instance,
    /// its value in the other ones is the object of its known parts.
    pub values: Vec<Option<String>>,
    /// The sources of each value outside of the configuration, in words: `given`, `reads state`.
    pub sources: Vec<Option<String>>,
}

/// Returns the differences between the documents of the environments.
///
/// # Errors
///
/// `Limit exceeded` if their texts would be too long.
pub(super) fn of(documents: &[Document]) -> Result<Vec<Difference>, Box<Diagnostic>> {
    let secrets = documents.first().map_or(Secrets::Hidden, Document::secrets);
    let unknown = Value::unknown_from(Type::Dynamic, Origins::NONE);
    let mut differences = Vec::new();
    let mut left = Some(MAX_BYTES);
    for row in rows(documents) {
        let values: Vec<Option<&Value>> = row.cells.iter().filter_map(Cell::value).map(Some).collect();
        let mut found = RowComparison {
            secrets,
            row: &row,
            unknown: &unknown,
            differences: &mut differences,
            left: &mut left,
        };
        if values.len() < row.cells.len() && found.can_be_written(&values) {
            let objects = values.iter().map(|value| value.map(|value| found.object(value))).collect();
            found.add(ComparedPart::of(&row), objects, &object_sources);
        }
        if values.len() > 1 && !row.is_call {
            found.value(ComparedPart::of(&row), &values);
        }
        if left.is_none() {
            return Err(Box::new(limit_exceeded()));
        }
    }
    Ok(differences)
}

impl Cell<'_> {
    fn value(&self) -> Option<&Value> {
        match self {
            Cell::Entry(entry) => Some(&entry.value),
            Cell::Absent | Cell::MayBeAbsent | Cell::Number(_) => None,
        }
    }
}

/// The differences found so far, and the object that is compared. Values are those of the environments that have the object.
struct RowComparison<'f> {
    secrets: Secrets,
    row: &'f MatrixRow<'f>,
    /// Stands for the value of an attribute that an open object does not name.
    unknown: &'f Value,
    differences: &'f mut Vec<Difference>,
    /// The bytes that are left for texts. `None` if they are exceeded.
    left: &'f mut Option<usize>,
}

impl<'f> RowComparison<'f> {
    /// Compares the values at an address. If all of them have parts, compares part by part.
    fn value(&mut self, part: ComparedPart, values: &[Option<&'f Value>]) {
        let present: Vec<&'f Value> = values.iter().copied().flatten().collect();
        // Reasons of unknown values are ignored.
        let is_same = |pair: &[&Value]| matches!(pair, [one, other] if one.same(other));
        if self.left.is_none() || (present.len() == values.len() && present.windows(2).all(is_same)) {
            return;
        }
        let hides = |value: &&Value| value.is_marked() && self.secrets == Secrets::Hidden;
        let attributes: Vec<(&Entries, bool)> = present.iter().filter_map(attributes).collect();
        let sequences: Vec<&[Value]> = present.iter().filter_map(|value| value.known_elements()).collect();
        let lengths: BTreeSet<usize> = sequences.iter().map(|sequence| sequence.len()).collect();
        if present.len() < values.len() || present.iter().any(hides) {
            self.leaf(part, values);
        } else if attributes.len() == values.len() {
            let names: BTreeSet<&SmolStr> =
                attributes.iter().flat_map(|(all, _)| all.iter().map(|(name, _)| name)).collect();
            for name in names {
                let unnamed = |is_open: &bool| is_open.then_some(self.unknown);
                let member = |(all, is_open): &(&'f Entries, bool)| {
                    all.get(name.as_str()).or_else(|| unnamed(is_open))
                };
                let parts: Vec<Option<&Value>> = attributes.iter().map(member).collect();
                self.value(part.attribute(name), &parts);
            }
        } else if sequences.len() == values.len() && lengths.len() == 1 {
            for index in 0..lengths.first().copied().unwrap_or_default() {
                let parts: Vec<Option<&Value>> = sequences.iter().map(|all| all.get(index)).collect();
                self.value(part.element(index), &parts);
            }
        } else {
            self.leaf(part, values);
        }
    }

    fn leaf(&mut self, part: ComparedPart, values: &[Option<&Value>]) {
        if !self.can_be_written(values) {
            return;
        }
        let texts = texts(values, self.secrets);
        let path = part.path.clone();
        self.add(part, texts, &|entry| part_sources(entry, &path));
    }

    /// Whether there is room for the texts of values that may be shown.
    fn can_be_written(&mut self, values: &[Option<&Value>]) -> bool {
        let is_shown = |value: &&&Value| self.secrets == Secrets::Shown || !value.is_marked();
        let shown = values.iter().flatten().filter(is_shown).copied();
        *self.left = self.left.filter(|left| display::can_be_written(shown, *left));
        self.left.is_some()
    }

    /// Adds a difference with the texts of the compared values. Different secrets have the same text, but are a difference.
    fn add(
        &mut self,
        part: ComparedPart,
        texts: Vec<Option<String>>,
        sources: &dyn Fn(&Entry) -> Option<String>,
    ) {
        let mut texts = texts.into_iter();
        let cell = |cell: &Cell<'_>| match cell {
            Cell::Entry(entry) => {
                let text = texts.next().flatten();
                let sources = text.as_ref().and_then(|_| sources(entry));
                (text, sources)
            }
            Cell::Absent => (None, None),
            Cell::MayBeAbsent => (Some("(unknown)".to_owned()), None),
            Cell::Number(number) => (Some(number.clone()), None),
        };
        let (values, sources): (Vec<Option<String>>, Vec<Option<String>>) =
            self.row.cells.iter().map(cell).unzip();
        let bytes: usize = values.iter().chain(&sources).flatten().map(String::len).sum();
        let bytes = bytes.saturating_add(values.len() * BYTES_OF_CELL).saturating_add(part.address.len());
        *self.left = self.left.and_then(|left| left.checked_sub(bytes));
        self.differences.push(Difference { address: part.address, values, sources });
    }

    fn text(&self, value: &Value) -> String {
        text(value, self.secrets)
    }

    /// Returns the known parts of an object that other environments lack.
    fn object(&self, value: &Value) -> String {
        known_part(&shown(value, self.secrets))
            .map_or_else(|| "(present)".to_owned(), |known| self.text(&known))
    }
}

/// Returns values that differ, each on one line. If all have the same text although none is secret, the text says how they differ.
pub(super) fn texts(values: &[Option<&Value>], secrets: Secrets) -> Vec<Option<String>> {
    let plain: Vec<Option<String>> =
        values.iter().map(|value| value.map(|value| text(value, secrets))).collect();
    let is_hidden = |value: &&Value| value.contains_marked() && secrets == Secrets::Hidden;
    let is_alike = plain.windows(2).all(|pair| matches!(pair, [one, other] if one == other));
    if !is_alike || values.iter().flatten().any(is_hidden) {
        return plain;
    }
    let types: Vec<String> = values.iter().flatten().map(|value| value.ty().to_string()).collect();
    let is_same_type = types.windows(2).all(|pair| matches!(pair, [one, other] if one == other));
    let notes: Vec<String> = match is_same_type {
        true => values.iter().map(|_| "within other limits".to_owned()).collect(),
        false => types.iter().map(|ty| format!("of type {ty}")).collect(),
    };
    let noted = |(text, note): (Option<String>, String)| text.map(|text| format!("{text} {note}"));
    plain.into_iter().zip(notes).map(noted).collect()
}

/// Returns a value on one line.
pub(super) fn text(value: &Value, secrets: Secrets) -> String {
    let value = shown(value, secrets);
    if value.is_marked() {
        "(sensitive value)".to_owned()
    } else if value.has_known_parts() {
        annotated_line(&named_parts(&value))
    } else if value.is_wholly_unknown() {
        // Other reasons are ignored.
        let is_error = unknown_text(value.origins()) == unknown_text(&Origins::error());
        if is_error { "(error)".to_owned() } else { "(unknown)".to_owned() }
    } else {
        "(partly unknown)".to_owned()
    }
}

fn shown(value: &Value, secrets: Secrets) -> Value {
    match secrets {
        Secrets::Shown => value.unmark_deep().0,
        Secrets::Hidden => value.clone(),
    }
}

/// A part of the compared object.
struct ComparedPart {
    address: String,
    /// The path of the part in the value of the object.
    path: Path,
}

impl ComparedPart {
    /// The whole object.
    fn of(row: &MatrixRow<'_>) -> ComparedPart {
        ComparedPart { address: row.address.to_string(), path: Path::ROOT }
    }

    fn attribute(&self, name: &SmolStr) -> ComparedPart {
        let step = PathStep::Attribute(name.as_str().into());
        ComparedPart {
            address: format!("{}{}", self.address, Step(name)),
            path: self.path.clone().with(step),
        }
    }

    fn element(&self, index: usize) -> ComparedPart {
        let step = PathStep::element(index);
        ComparedPart { address: format!("{}[{index}]", self.address), path: self.path.clone().with(step) }
    }
}

/// Returns the sources of a part of a value.
fn part_sources(entry: &Entry, path: &Path) -> Option<String> {
    let part = Selected::new(String::new(), Value::NULL).with_sources_of(entry, path);
    sources_of_part(&part)
}

/// Returns the sources of an object and of its number of instances.
pub(super) fn object_sources(entry: &Entry) -> Option<String> {
    let notes = object_notes(entry);
    let words: Vec<&str> = notes.iter().map(|note| note.trim_start_matches("# ")).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// Returns the known attributes of a value, and whether it may have further attributes.
fn attributes<'v>(value: &&'v Value) -> Option<(&'v Entries, bool)> {
    value.known_attributes().map(|attributes| (attributes, !value.is_known()))
}

/// Returns a value without its unknown parts and the attributes that are not set. `None` if nothing is left.
fn known_part(value: &Value) -> Option<Value> {
    if value.is_marked() {
        return Some(value.clone());
    }
    if let Some(attributes) = value.known_attributes() {
        let parts = attributes.iter().filter_map(|(name, part)| Some((name.clone(), known_part(part)?)));
        let parts: Vec<(SmolStr, Value)> = parts.collect();
        return (!parts.is_empty()).then(|| Value::object(parts));
    }
    (value.has_known_parts() && !value.is_null()).then(|| named_parts(value))
}

/// Returns a value without the attributes and elements that its open parts do not name. The maximum depth of values bounds the
/// recursion.
fn named_parts(value: &Value) -> Value {
    if value.is_marked() || value.is_wholly_known() {
        return value.clone();
    }
    if let Some(attributes) = value.known_attributes() {
        let named = attributes.iter().map(|(name, part)| (name.clone(), named_parts(part)));
        return Value::object(named.collect::<Vec<_>>());
    }
    match value.known_elements() {
        Some(elements) => Value::tuple(elements.iter().map(named_parts)),
        None => value.clone(),
    }
}
