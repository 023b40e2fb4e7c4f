//! The values of addresses in several environments: the query behind `terrane eval --matrix PATTERN ADDRESS...`.

use std::collections::HashMap;
use std::io;

use foldhash::fast::RandomState;
use terrane_value::Value;

use super::differences::{Difference, object_sources, text, texts};
use super::json::{self, AddressedDifferences};
use super::{Matrix, text as table};
use crate::document::json::document::SelectedJson;
use crate::document::listing::sources_of_part;
use crate::document::{Document, Selected};
use crate::entry::{EntryKind, InstanceNumber};
use crate::json::text::write_text;
use crate::secrets::Secrets;

impl Matrix {
    /// Returns a table of selected values with a column for each environment, whether they differ or not. `selected` has the values
    /// of each environment, in the order of [`Matrix::environments`]; an environment may lack some of the addresses.
    pub fn selected_to_text(&self, selected: &[Vec<Selected<'_>>], secrets: Secrets) -> String {
        let names: Vec<&str> = self.environments().map(|(environment, _)| &*environment.name).collect();
        let rows: Vec<Difference> = rows(selected, secrets).iter().map(|row| row.line(secrets)).collect();
        self.partial_notes() + &table::table(&names, &rows)
    }

    /// Writes the selected values of each environment as JSON: the document of `terrane eval --json ADDRESS...`, the addresses that
    /// the environment lacks, and the addresses of the values that differ.
    pub fn write_selected_json(
        &self,
        selected: &[Vec<Selected<'_>>],
        secrets: Secrets,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        let documents: Vec<Document> =
            self.environments().map(|(_, report)| report.document_of_values(secrets)).collect();
        let documents: Vec<SelectedJson<'_>> = documents
            .iter()
            .zip(selected)
            .map(|(document, selected)| SelectedJson::of(document, selected))
            .collect();
        let rows = rows(selected, secrets);
        let differing = rows.iter().filter(|row| row.differs());
        let differences = AddressedDifferences {
            differing: differing.map(|row| &*row.name).collect(),
            lacked: (0..documents.len())
                .map(|column| rows.iter().filter(|row| row.lacks(column)).map(|row| &*row.name).collect())
                .collect(),
        };
        write_text(&json::document(&self.environments, documents.iter(), differences), out)
    }
}

/// A selected value in each environment.
struct SelectedRow<'s, 'e> {
    name: String,
    /// `None` for an environment that lacks the address.
    columns: Vec<Option<&'s Selected<'e>>>,
}

/// Returns the distinct addresses with their values. An address that the first environments lack follows the one before it in
/// its own environment, so that instances of a block stand together.
fn rows<'s, 'e>(selected: &'s [Vec<Selected<'e>>], secrets: Secrets) -> Vec<SelectedRow<'s, 'e>> {
    let mut positions: HashMap<&str, usize, RandomState> = HashMap::default();
    let mut found: Vec<FoundAddress<'s, 'e>> = Vec::new();
    let mut first = None;
    for (column, values) in selected.iter().enumerate() {
        let mut previous: Option<usize> = None;
        for one in values {
            let position = *positions.entry(&one.address).or_insert_with(|| {
                let position = found.len();
                let next = match previous.and_then(|previous| found.get_mut(previous)) {
                    Some(previous) => previous.next.replace(position),
                    None => first.replace(position),
                };
                found.push(FoundAddress { columns: vec![None; selected.len()], next });
                position
            });
            if let Some(cell) = found.get_mut(position).and_then(|found| found.columns.get_mut(column)) {
                *cell = Some(one);
            }
            previous = Some(position);
        }
    }
    let follow = |position: &usize| found.get(*position).and_then(|found| found.next);
    let ordered: Vec<Vec<Option<&Selected<'e>>>> = std::iter::successors(first, follow)
        .filter_map(|position| found.get(position).map(|found| found.columns.clone()))
        .collect();
    let firsts: Vec<Selected<'e>> =
        ordered.iter().filter_map(|columns| columns.iter().flatten().next().copied().cloned()).collect();
    let names = Selected::names(&firsts, secrets).into_iter().map(|(_, name)| name.into_owned());
    names.zip(ordered).map(|(name, columns)| SelectedRow { name, columns }).collect()
}

/// An address while the rows are put in order.
struct FoundAddress<'s, 'e> {
    columns: Vec<Option<&'s Selected<'e>>>,
    /// The position of the address in the next row.
    next: Option<usize>,
}

impl SelectedRow<'_, '_> {
    fn lacks(&self, column: usize) -> bool {
        matches!(self.columns.get(column), Some(None))
    }

    /// Whether environments lack the address or have different values. Reasons of unknown values are ignored.
    fn differs(&self) -> bool {
        let numbers = |one: &Selected<'_>| (one.unknown_instances.is_some(), has_no_instances(one));
        self.columns.windows(2).any(|pair| match pair {
            [Some(one), Some(other)] => !one.value.same(&other.value) || numbers(one) != numbers(other),
            [one, other] => one.is_some() != other.is_some(),
            _ => false,
        })
    }

    /// Returns the row of the table.
    fn line(&self, secrets: Secrets) -> Difference {
        let has_value = |one: &&Selected<'_>| one.unknown_instances.is_none() && !has_no_instances(one);
        let values: Option<Vec<Option<&Value>>> =
            self.columns.iter().map(|one| one.filter(has_value).map(|one| Some(&one.value))).collect();
        let texts: Vec<Option<String>> = match values.filter(|_| self.differs()) {
            Some(values) => texts(&values, secrets),
            None => self.columns.iter().map(|one| one.map(|one| cell(one, secrets))).collect(),
        };
        let sources = self.columns.iter().map(|one| one.and_then(sources));
        Difference { address: self.name.clone(), values: texts, sources: sources.collect() }
    }
}

fn has_no_instances(one: &Selected<'_>) -> bool {
    one.entry.is_some_and(|entry| matches!(entry.number, InstanceNumber::None(_)))
}

fn cell(one: &Selected<'_>, secrets: Secrets) -> String {
    if one.unknown_instances.is_some() {
        "(unknown number of instances)".to_owned()
    } else if has_no_instances(one) {
        "(no instances)".to_owned()
    } else {
        let value: &Value = &one.value;
        text(value, secrets)
    }
}

/// Returns the sources of a value outside of the configuration, in words.
fn sources(one: &Selected<'_>) -> Option<String> {
    let object = one.entry.filter(|entry| !matches!(entry.kind, EntryKind::Output | EntryKind::Local));
    object.and_then(object_sources).or_else(|| sources_of_part(one))
}
