//! Finds the parts of values that differ between environments.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use terrane_value::display::annotated;
use terrane_value::{Entries, SmolStr, Value};

use crate::address::Step;
use crate::document::Document;
use crate::report::{Entry, EntryKind, Number};
use crate::secrets::Secrets;

/// A part of a value that differs between environments.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The address of the part: `local.tags.Environment`.
    pub address: String,
    /// The value in each environment on one line, none where it does not exist.
    pub values: Vec<Option<String>>,
}

/// The differences between the documents of the environments.
pub(super) fn of(documents: &[Document]) -> Vec<Difference> {
    let mut positions: BTreeMap<String, usize> = BTreeMap::new();
    let mut rows: Vec<(String, Vec<Option<Cow<'_, Entry>>>)> = Vec::new();
    for (column, document) in documents.iter().enumerate() {
        for entry in document.listed().filter(|entry| entry.kind != EntryKind::ModuleCall) {
            let address = entry.address.to_string();
            let position = *positions.entry(address.clone()).or_insert_with(|| {
                rows.push((address, vec![None; documents.len()]));
                rows.len() - 1
            });
            if let Some(cell) = rows.get_mut(position).and_then(|(_, cells)| cells.get_mut(column)) {
                *cell = Some(entry);
            }
        }
    }
    let secrets = documents.first().map_or(Secrets::Hidden, Document::secrets);
    let mut found = Found { secrets, differences: Vec::new() };
    for (address, entries) in rows {
        let entries: Vec<Option<&Entry>> = entries.iter().map(Option::as_deref).collect();
        let numbers: Vec<Option<&'static str>> = entries.iter().map(|entry| number(*entry)).collect();
        let is_alike = entries.iter().all(Option::is_some)
            && numbers.windows(2).all(|pair| matches!(pair, [one, other] if one == other));
        if is_alike && entries.iter().flatten().all(|entry| matches!(entry.number, Number::None(_))) {
            continue;
        }
        // Of blocks that all have an unknown number of instances, the values are compared that these share.
        if !is_alike && numbers.iter().any(Option::is_some) {
            let text = |(entry, number): (&Option<&Entry>, &Option<&'static str>)| match (entry, number) {
                (Some(_), Some(number)) => Some((*number).to_owned()),
                (Some(entry), None) => Some(found.text(&entry.value)),
                (None, _) => None,
            };
            let values = entries.iter().zip(&numbers).map(text).collect();
            found.add(address, values);
        } else {
            found.value(
                address,
                &entries.iter().map(|entry| entry.map(|entry| &entry.value)).collect::<Vec<_>>(),
            );
        }
    }
    found.differences
}

/// The note on an entry that does not stand for one object.
fn number(entry: Option<&Entry>) -> Option<&'static str> {
    match &entry?.number {
        Number::One => None,
        Number::None(_) => Some("(no instances)"),
        Number::Unknown(_) => Some("(unknown number of instances)"),
    }
}

struct Found {
    secrets: Secrets,
    differences: Vec<Difference>,
}

impl Found {
    /// Compares the values at an address, part by part where all of them have parts.
    fn value(&mut self, address: String, values: &[Option<&Value>]) {
        let present: Vec<&Value> = values.iter().copied().flatten().collect();
        // Reasons of unknown values do not count.
        let is_same = |pair: &[&Value]| matches!(pair, [one, other] if one.same(other));
        if present.len() == values.len() && present.windows(2).all(is_same) {
            return;
        }
        let hides = |value: &&Value| value.is_marked() && self.secrets == Secrets::Hidden;
        let attributes: Vec<&Entries> = present.iter().filter_map(|value| value.known_attributes()).collect();
        let sequences: Vec<&[Value]> = present.iter().filter_map(|value| value.as_sequence()).collect();
        let lengths: BTreeSet<usize> = sequences.iter().map(|sequence| sequence.len()).collect();
        if present.len() < values.len() || present.iter().any(hides) {
            self.leaf(address, values);
        } else if attributes.len() == values.len() {
            let names: BTreeSet<&SmolStr> =
                attributes.iter().flat_map(|all| all.iter().map(|(name, _)| name)).collect();
            for name in names {
                let parts: Vec<Option<&Value>> =
                    attributes.iter().map(|all| all.get(name.as_str())).collect();
                self.value(format!("{address}{}", Step(name)), &parts);
            }
        } else if sequences.len() == values.len() && lengths.len() == 1 {
            for index in 0..lengths.first().copied().unwrap_or_default() {
                let parts: Vec<Option<&Value>> = sequences.iter().map(|all| all.get(index)).collect();
                self.value(format!("{address}[{index}]"), &parts);
            }
        } else {
            self.leaf(address, values);
        }
    }

    fn leaf(&mut self, address: String, values: &[Option<&Value>]) {
        let values = values.iter().map(|value| value.map(|value| self.text(value))).collect();
        self.add(address, values);
    }

    fn add(&mut self, address: String, values: Vec<Option<String>>) {
        // Secrets that differ look the same, but differ.
        self.differences.push(Difference { address, values });
    }

    /// A value on one line.
    fn text(&self, value: &Value) -> String {
        let value = match self.secrets {
            Secrets::Shown => value.unmark_deep().0,
            Secrets::Hidden => value.clone(),
        };
        let is_open = !value.is_known() && value.known_attributes().is_some();
        match (value.is_marked(), value.is_known(), value.is_wholly_known()) {
            (true, ..) => "(sensitive value)".to_owned(),
            (_, _, true) => annotated(&value).lines().map(str::trim).collect::<Vec<_>>().join(" "),
            (_, true, false) => "(partly unknown)".to_owned(),
            (_, false, false) if is_open => "(partly unknown)".to_owned(),
            (_, false, false) => "(unknown)".to_owned(),
        }
    }
}
