//! Compares two evaluations, or a state with its configuration, instance by instance: the query behind `terrane diff`.

pub(crate) mod json;
mod markdown;
mod model;
mod moves;
mod pairs;
mod parts;
mod state;
mod strings;
#[cfg(test)]
mod tests;
mod text;

use std::collections::HashSet;

use terrane_config::Address;
use terrane_config::address::ModulePath;

pub use self::model::{Change, ChangedObject, ChangedPart, Comparison, Incomplete, UnknownNumber};
use self::moves::Moves;
use self::pairs::{Counted, ObjectPair, Pairs, counted, is_in, unknown_call};
use self::parts::{Configurations, Rules, Work};
use crate::entry::{Entry, EntryKind};
use crate::named_values::NamedValues;
use crate::report::Report;
use crate::secrets::Secrets;

impl Report {
    /// Returns the differences between this evaluation and a later one: resource instances and data sources of all modules, and
    /// outputs of the root module. `moved` blocks of the later configuration relate addresses.
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
        let both = [self.named_values(), after.named_values()];
        let unknown: HashSet<ModulePath> =
            both.iter().flat_map(|side| side.single()).filter_map(unknown_call).collect();
        // Beside an unknown number of modules, an object may differ although its value is the same.
        let may_omit = |entry: &Entry| !is_in(&entry.address.module, &unknown);
        let [old, new] = NamedValues::without_same(both, is_compared, &may_omit);
        let moves = Moves::of(&after.evaluation().config);
        let pairs = |is_kind| Pairs::of(counted(&old, is_kind), counted(&new, is_kind), &moves);
        let compared = |is_kind| compared(pairs(is_kind), &Configurations);
        let incomplete = Incomplete::of(Some(self), after);
        Comparison { resources: compared(is_resource), outputs: compared(is_output), incomplete, secrets }
    }
}

/// The two sides of a comparison: two evaluations, or a state and its configuration.
trait Sides {
    /// Returns the rules for comparing the values of an object.
    fn rules<'e>(&'e self, entry: &'e Entry) -> Box<dyn Rules + 'e>;

    /// Returns the previous address of a moved object. `None` if the address is the same. A removed object is in `before` only.
    fn previous(&self, before: &Entry, after: Option<&Entry>) -> Option<Address>;

    /// Whether the other side may have the object in a module that is not on disk, so that its absence is no difference.
    fn is_out_of_sight(&self, entry: &Entry) -> bool;
}

impl Sides for Configurations {
    fn rules<'e>(&'e self, _: &'e Entry) -> Box<dyn Rules + 'e> {
        Box::new(Configurations)
    }

    fn previous(&self, before: &Entry, after: Option<&Entry>) -> Option<Address> {
        (before.address != after?.address).then(|| before.address.clone())
    }

    fn is_out_of_sight(&self, _: &Entry) -> bool {
        false
    }
}

/// Whether the comparison looks at an entry.
fn is_compared(entry: &Entry) -> bool {
    is_resource(entry) || is_output(entry) || entry.kind == EntryKind::ModuleCall
}

fn is_resource(entry: &Entry) -> bool {
    matches!(entry.kind, EntryKind::Resource | EntryKind::Action)
}

fn is_output(entry: &Entry) -> bool {
    entry.kind == EntryKind::Output && entry.address.module.is_root()
}

/// Returns the objects that differ, by address.
fn compared(pairs: Pairs<'_>, sides: &dyn Sides) -> Vec<ChangedObject> {
    let work = Work::default();
    let paired = pairs.pairs.iter().filter_map(|pair| paired(pair, sides, &work));
    let mut found: Vec<ChangedObject> = paired.collect();
    found.extend(pairs.added.into_iter().map(|after| one_sided(after, Change::Added, sides, &work)));
    found.extend(pairs.removed.into_iter().map(|before| one_sided(before, Change::Removed, sides, &work)));
    found.sort_by(|one, other| one.address.cmp(&other.address));
    found
}

/// Returns the difference of an object that both sides have. `None` if nothing differs.
fn paired(pair: &ObjectPair<'_>, sides: &dyn Sides, work: &Work) -> Option<ChangedObject> {
    let ObjectPair { before, after } = *pair;
    let parts = parts::changed(&before.entry.value, &after.entry.value, &*sides.rules(after.entry), work);
    let previous = sides.previous(before.entry, Some(after.entry));
    let (shown, change) = match (before.is_unknown, after.is_unknown) {
        (false, true) => (before, Change::Uncertain),
        (true, false) => (after, Change::Uncertain),
        (false, false) | (true, true) if previous.is_some() => (after, Change::Moved),
        (false, false) | (true, true) if parts.is_empty() => return None,
        (false, false) | (true, true) if parts.iter().all(|part| part.is_uncertain) => {
            (after, Change::Uncertain)
        }
        (false, false) | (true, true) => (after, Change::Changed),
    };
    Some(ChangedObject {
        address: shown.entry.address.clone(),
        previous: previous.filter(|_| change == Change::Moved),
        change,
        unknown_number: UnknownNumber::of(before.is_unknown, after.is_unknown),
        parts,
        place: after.entry.declaration.clone(),
    })
}

/// Returns the difference for an object that only one side has.
fn one_sided(side: Counted<'_>, change: Change, sides: &dyn Sides, work: &Work) -> ChangedObject {
    let is_added = change == Change::Added;
    let is_uncertain = sides.is_out_of_sight(side.entry);
    let arguments = || {
        let value = &side.entry.value;
        let found = parts::arguments(value, is_added, &*sides.rules(side.entry), work);
        match found.is_empty() && is_output(side.entry) {
            // An empty object has no attributes to list, so the object itself is the part.
            true => vec![parts::on_one_side(String::new(), value, is_added)],
            false => found,
        }
    };
    ChangedObject {
        address: side.entry.address.clone(),
        previous: if is_added { None } else { sides.previous(side.entry, None) },
        change: if is_uncertain { Change::Uncertain } else { change },
        unknown_number: match is_uncertain {
            true => UnknownNumber::of(is_added, !is_added),
            false => UnknownNumber::of(side.is_unknown && !is_added, side.is_unknown && is_added),
        },
        parts: if is_uncertain { Vec::new() } else { arguments() },
        place: side.entry.declaration.clone(),
    }
}
