//! Compares two evaluations instance by instance: the query behind `terrane diff`.

pub(crate) mod json;
mod markdown;
mod model;
mod moves;
mod parts;
#[cfg(test)]
mod tests;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use terrane_config::Address;

pub use self::model::{Change, ChangedObject, ChangedPart, Differences};
use self::moves::Moves;
use crate::report::{Entry, EntryKind, Number, Report};
use crate::secrets::Secrets;

impl Report {
    /// The differences from this evaluation to another one: resource instances and data sources of all modules, and outputs of
    /// the root module. `moved` blocks of the other configuration relate addresses.
    ///
    /// ```
    /// use terrane::{Change, MemoryFiles, Project, Secrets};
    ///
    /// let report = |text: &str| Project::new(".").evaluate(&MemoryFiles::from_iter([("main.tf", text)]));
    /// let before = report("resource \"a_b\" \"c\" {\n  size = 1\n}\n");
    /// let after = report("resource \"a_b\" \"d\" {\n  size = 2\n}\nmoved {\n  from = a_b.c\n  to = a_b.d\n}\n");
    /// let difference = before.diff(&after, Secrets::Hidden);
    /// let object = &difference.resources[0];
    /// assert_eq!((object.change, object.address.to_string()), (Change::Moved, "a_b.d".to_owned()));
    /// assert_eq!(object.parts[0].path, ".size");
    /// ```
    pub fn diff(&self, after: &Report, secrets: Secrets) -> Differences {
        let (old, new) = (self.entries(), after.entries());
        let moves = Moves::of(&after.evaluation().config);
        let (old_resources, new_resources) = (by_address(&old, is_resource), by_address(&new, is_resource));
        let (old_outputs, new_outputs) = (by_address(&old, is_output), by_address(&new, is_output));
        Differences {
            resources: compared(&old_resources, &new_resources, &moves),
            outputs: compared(&old_outputs, &new_outputs, &moves),
            secrets,
        }
    }
}

type Entries<'e> = BTreeMap<&'e Address, &'e Entry>;

fn by_address(entries: &[Entry], is_kind: fn(&Entry) -> bool) -> Entries<'_> {
    let entries = entries.iter().filter(|entry| is_kind(entry) && !matches!(entry.number, Number::None(_)));
    entries.map(|entry| (&entry.address, entry)).collect()
}

fn is_resource(entry: &Entry) -> bool {
    matches!(entry.kind, EntryKind::Resource | EntryKind::Action)
}

fn is_output(entry: &Entry) -> bool {
    entry.kind == EntryKind::Output && entry.address.module.is_root()
}

/// The objects that differ, by address.
fn compared(old: &Entries<'_>, new: &Entries<'_>, moves: &Moves<'_>) -> Vec<ChangedObject> {
    let mut previous: BTreeMap<&Address, &Address> = BTreeMap::new();
    let mut taken: BTreeSet<&Address> = BTreeSet::new();
    for address in old.keys().filter(|address| !new.contains_key(**address)) {
        let targets = moves.target(address).into_iter().chain(moves::by_count(address));
        let is_free = |target: &Address| !old.contains_key(target) && !previous.contains_key(target);
        let target = targets.into_iter().filter(is_free).find_map(|target| new.get_key_value(&target));
        if let Some((target, _)) = target {
            previous.insert(target, address);
            taken.insert(address);
        }
    }
    let mut found = Vec::new();
    for (address, entry) in new {
        let from = previous.get(address).copied();
        let before = old.get(from.unwrap_or(address));
        let (change, parts) = match before {
            None => (Change::Added, parts::arguments(&entry.value, true)),
            Some(before) => {
                let parts = parts::changed(&before.value, &entry.value);
                if parts.is_empty() && from.is_none() {
                    continue;
                }
                (if from.is_some() { Change::Moved } else { Change::Changed }, parts)
            }
        };
        found.push(object(entry, change, parts, from));
    }
    for (address, entry) in old {
        if !new.contains_key(address) && !taken.contains(address) {
            found.push(object(entry, Change::Removed, parts::arguments(&entry.value, false), None));
        }
    }
    found.sort_by(|one, other| one.address.cmp(&other.address));
    found
}

fn object(entry: &Entry, change: Change, parts: Vec<ChangedPart>, from: Option<&Address>) -> ChangedObject {
    ChangedObject {
        address: entry.address.clone(),
        previous: from.cloned(),
        change,
        parts,
        place: entry.declaration.clone(),
    }
}
