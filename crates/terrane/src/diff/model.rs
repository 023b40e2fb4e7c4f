//! The differences between two evaluations, or between a state and its configuration, as data.

use terrane_config::Address;
use terrane_source::{Severity, Subject};
use terrane_value::Value;

use crate::report::Report;
use crate::secrets::Secrets;

/// The differences between two evaluations, or between a state and its configuration: the result of
/// [`Report::diff`](crate::Report::diff) and [`Report::diff_with_state`](crate::Report::diff_with_state).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// The resource instances and data sources that differ, by address.
    pub resources: Vec<ChangedObject>,
    /// The outputs of the root module that differ, by name.
    pub outputs: Vec<ChangedObject>,
    /// The errors of the two configurations. With errors, differences may be missing or wrong.
    pub incomplete: Incomplete,
    /// Whether writers show secrets.
    pub(super) secrets: Secrets,
}

/// Why a comparison is incomplete: the errors of each configuration in words, such as `1 syntax error in main.tf`. `None` for a
/// configuration without errors.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct Incomplete {
    /// The errors of the configuration before.
    pub before: Option<String>,
    /// The errors of the configuration after.
    pub after: Option<String>,
}

impl Incomplete {
    /// Returns the errors of the evaluations on the two sides. A state has none.
    pub(super) fn of(before: Option<&Report>, after: &Report) -> Incomplete {
        Incomplete { before: before.and_then(errors), after: errors(after) }
    }

    /// Returns the errors of both sides in a sentence for people. `None` if there are no errors.
    pub fn note(&self) -> Option<String> {
        let side = |name: &str, errors: &Option<String>| Some(format!("{name}: {}", errors.as_ref()?));
        let sides: Vec<String> =
            [side("before", &self.before), side("after", &self.after)].into_iter().flatten().collect();
        let note = || format!("incomplete: {}; differences may be missing or wrong", sides.join("; "));
        (!sides.is_empty()).then(note)
    }
}

/// The errors of an evaluation in words.
fn errors(report: &Report) -> Option<String> {
    let errors =
        report.diagnostics().as_slice().iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    report.missing().or_else(|| match errors.count() {
        0 => None,
        1 => Some("1 error".to_owned()),
        count => Some(format!("{count} errors")),
    })
}

/// An object that differs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChangedObject {
    /// The address after; for a removed object, the address before.
    pub address: Address,
    /// The address before, if a `moved` block or a change of `count` moves the object, also an object of a state that is removed.
    pub previous: Option<Address>,
    /// The kind of difference.
    pub change: Change,
    /// The sides on which the number of instances of the block, or of a module around it, is unknown. The address then stands
    /// for all instances, or names the instance of the other side.
    pub unknown_number: Option<UnknownNumber>,
    /// The parts that differ; for an added or removed object, its arguments.
    pub parts: Vec<ChangedPart>,
    /// The place of the declaration after; for a removed object, the declaration before.
    pub place: Option<Subject>,
}

/// The kinds of difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Change {
    /// Only the side after has the object.
    Added,
    /// Only the side before has the object.
    Removed,
    /// The object has other values.
    Changed,
    /// The object has another address; it may have other values, too.
    Moved,
    /// The object may be unchanged. Either the number of instances is unknown on one side only: the object may also be added or
    /// removed, and its parts are compared with the values that all instances share. Or, beside a state, nothing is known about
    /// the parts that differ.
    Uncertain,
}

/// The sides of a comparison on which the number of instances is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UnknownNumber {
    /// The side before.
    Before,
    /// The side after.
    After,
    /// Both sides.
    Both,
}

impl UnknownNumber {
    pub(super) const fn of(is_before: bool, is_after: bool) -> Option<UnknownNumber> {
        match (is_before, is_after) {
            (false, false) => None,
            (true, false) => Some(UnknownNumber::Before),
            (false, true) => Some(UnknownNumber::After),
            (true, true) => Some(UnknownNumber::Both),
        }
    }

    /// The name in documents: `before`, `after` or `both`.
    pub const fn name(self) -> &'static str {
        match self {
            UnknownNumber::Before => "before",
            UnknownNumber::After => "after",
            UnknownNumber::Both => "both",
        }
    }
}

impl Change {
    /// The name in documents: `added`, `removed`, `changed`, `moved` or `uncertain`.
    pub const fn name(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Changed => "changed",
            Change::Moved => "moved",
            Change::Uncertain => "uncertain",
        }
    }
}

/// A part of a value that differs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChangedPart {
    /// The path in the value, such as `.tags["Name"]`; empty for the whole value. An element of a set has the path of the set.
    pub path: String,
    /// Whether the part is an element of the set at the path.
    pub is_element_of_set: bool,
    /// The value before. `None` if the part did not exist.
    pub before: Option<Value>,
    /// The value after. `None` if the part does not exist.
    pub after: Option<Value>,
    /// Whether the part may be unchanged: beside a state, an unknown value may turn out to be the recorded value.
    pub is_uncertain: bool,
    /// A difference that the texts of the values do not show: `now sensitive`, `no longer sensitive`, or the types of two unknown values,
    /// nulls or collections, as in `type number -> string`.
    pub note: Option<String>,
}

impl ChangedPart {
    /// Returns a part at a path without values.
    pub(super) fn at(path: String) -> ChangedPart {
        let (before, after, note) = (None, None, None);
        ChangedPart { path, is_element_of_set: false, before, after, is_uncertain: false, note }
    }
}

impl ChangedObject {
    /// Returns the notes behind the address: the previous address, and whether the number of instances is unknown.
    pub(super) fn notes(&self) -> String {
        let moved = self.previous.as_ref().map(|from| format!(" (moved from {from})")).unwrap_or_default();
        let number = match (self.unknown_number, self.change) {
            (None, _) => "",
            (Some(UnknownNumber::Before), Change::Uncertain) => " (unknown number of instances before)",
            (Some(UnknownNumber::After), Change::Uncertain) => " (unknown number of instances after)",
            (Some(_), _) => " (unknown number of instances)",
        };
        moved + number
    }
}

impl Comparison {
    /// Whether the comparison has no differences.
    pub fn is_empty(&self) -> bool {
        self.resources.is_empty() && self.outputs.is_empty()
    }

    /// Returns the numbers of differences in a sentence: `resources: 1 added, 2 changed; outputs: 1 changed`. The sentence
    /// begins with `incomplete` if a configuration has errors.
    pub fn summary(&self) -> String {
        match self.incomplete.note() {
            None => self.numbers(),
            Some(_) if self.is_empty() => "incomplete, no differences found".to_owned(),
            Some(_) => format!("incomplete, {}", self.numbers()),
        }
    }

    fn numbers(&self) -> String {
        let (resources, outputs) = (counts(&self.resources), counts(&self.outputs));
        match (resources.is_empty(), outputs.is_empty()) {
            (true, true) => "no differences".to_owned(),
            (false, true) => format!("resources: {resources}"),
            (true, false) => format!("outputs: {outputs}"),
            (false, false) => format!("resources: {resources}; outputs: {outputs}"),
        }
    }
}

fn counts(objects: &[ChangedObject]) -> String {
    let changes = [Change::Added, Change::Removed, Change::Changed, Change::Moved, Change::Uncertain];
    let count = |change: &Change| {
        let count = objects.iter().filter(|object| object.change == *change).count();
        (count > 0).then(|| format!("{count} {}", change.name()))
    };
    changes.iter().filter_map(count).collect::<Vec<_>>().join(", ")
}
