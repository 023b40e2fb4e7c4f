//! Compares two evaluations instance by instance: the query behind `terrane diff`.

pub(crate) mod json;
mod markdown;
mod model;
mod moves;
mod pairs;
mod parts;
#[cfg(test)]
mod tests;
mod text;

pub use self::model::{Change, ChangedObject, ChangedPart, Comparison, UnknownNumber};
use self::moves::Moves;
use self::pairs::{Counted, Pair, Pairs, counted};
use crate::report::{Entry, EntryKind, Report};
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
    pub fn diff(&self, after: &Report, secrets: Secrets) -> Comparison {
        let (old, new) = (self.entries(), after.entries());
        let moves = Moves::of(&after.evaluation().config);
        let pairs = |is_kind| Pairs::of(counted(&old, is_kind), counted(&new, is_kind), &moves);
        Comparison { resources: compared(pairs(is_resource)), outputs: compared(pairs(is_output)), secrets }
    }
}

fn is_resource(entry: &Entry) -> bool {
    matches!(entry.kind, EntryKind::Resource | EntryKind::Action)
}

fn is_output(entry: &Entry) -> bool {
    entry.kind == EntryKind::Output && entry.address.module.is_root()
}

/// The objects that differ, by address.
fn compared(pairs: Pairs<'_>) -> Vec<ChangedObject> {
    let mut found: Vec<ChangedObject> = pairs.pairs.iter().filter_map(paired).collect();
    found.extend(pairs.added.into_iter().map(|after| one_sided(after, Change::Added)));
    found.extend(pairs.removed.into_iter().map(|before| one_sided(before, Change::Removed)));
    found.sort_by(|one, other| one.address.cmp(&other.address));
    found
}

/// The difference of an object that both sides have; none if it is the same.
fn paired(pair: &Pair<'_>) -> Option<ChangedObject> {
    let Pair { before, after } = *pair;
    let parts = parts::changed(&before.entry.value, &after.entry.value);
    let is_moved = before.entry.address != after.entry.address;
    let (shown, change) = match (before.is_unknown, after.is_unknown) {
        (false, true) => (before, Change::Uncertain),
        (true, false) => (after, Change::Uncertain),
        (false, false) | (true, true) if is_moved => (after, Change::Moved),
        (false, false) | (true, true) if parts.is_empty() => return None,
        (false, false) | (true, true) => (after, Change::Changed),
    };
    Some(ChangedObject {
        address: shown.entry.address.clone(),
        previous: (change == Change::Moved).then(|| before.entry.address.clone()),
        change,
        unknown_number: UnknownNumber::of(before.is_unknown, after.is_unknown),
        parts,
        place: after.entry.declaration.clone(),
    })
}

/// An object that only one side has.
fn one_sided(side: Counted<'_>, change: Change) -> ChangedObject {
    let is_added = change == Change::Added;
    ChangedObject {
        address: side.entry.address.clone(),
        previous: None,
        change,
        unknown_number: UnknownNumber::of(side.is_unknown && !is_added, side.is_unknown && is_added),
        parts: parts::arguments(&side.entry.value, is_added),
        place: side.entry.declaration.clone(),
    }
}
