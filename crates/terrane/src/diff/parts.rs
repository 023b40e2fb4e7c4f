//! The parts in which two values differ.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use terrane_value::display::quote;
use terrane_value::{Known, Marks, SmolStr, Value, ValueKind};

use super::model::ChangedPart;
use crate::explain::brief::is_name;
use crate::secrets::{has_secret, is_secret};

/// The smallest parts in which two values differ. Origins of unknown values do not count.
pub(super) fn changed(before: &Value, after: &Value) -> Vec<ChangedPart> {
    let mut found = Vec::new();
    let mut left = vec![Pair { path: String::new(), before: Some(before), after: Some(after) }];
    while let Some(pair) = left.pop() {
        let (Some(before), Some(after)) = (pair.before, pair.after) else {
            found.push(pair.part());
            continue;
        };
        if before.same(after) {
            continue;
        }
        // The content of a secret is compared and not shown, not even by the paths of its parts.
        let mut inner = match is_secret(before.marks()) || is_secret(after.marks()) {
            true => None,
            false => pair.inside(before.unmarked(), after.unmarked()),
        };
        match &mut inner {
            Some(inner) => left.extend(inner.drain(..).rev()),
            None => found.push(pair.part()),
        }
    }
    found
}

/// The arguments of an object as parts that were not there, or are no longer.
pub(super) fn arguments(value: &Value, is_added: bool) -> Vec<ChangedPart> {
    let part = |path: String, value: &Value| {
        let value = Some(value.clone());
        match is_added {
            true => ChangedPart { path, before: None, after: value },
            false => ChangedPart { path, before: value, after: None },
        }
    };
    match value.known_attributes().filter(|_| !is_secret(value.marks())) {
        Some(all) => {
            let set = all.iter().filter(|(_, value)| !value.is_null());
            set.map(|(name, value)| part(step(name), value)).collect()
        }
        None => vec![part(String::new(), value)],
    }
}

/// Two values at the same path.
struct Pair<'v> {
    path: String,
    before: Option<&'v Value>,
    after: Option<&'v Value>,
}

impl<'v> Pair<'v> {
    /// A secret on one side hides the other side: they may be equal.
    fn part(self) -> ChangedPart {
        let is_hidden = [self.before, self.after].into_iter().flatten().any(has_secret);
        let hidden = |value: &Value| match is_hidden {
            true => value.clone().with_marks(&Marks::sensitive()),
            false => value.clone(),
        };
        ChangedPart { path: self.path, before: self.before.map(hidden), after: self.after.map(hidden) }
    }

    /// The pairs of parts; none if the values have no parts to compare.
    fn inside(&self, before: &'v Value, after: &'v Value) -> Option<Vec<Pair<'v>>> {
        if let (Some(one), Some(other)) = (before.known_attributes(), after.known_attributes()) {
            let names: BTreeSet<&SmolStr> = one.iter().chain(other).map(|(name, _)| name).collect();
            let pair = |name: &SmolStr| Pair {
                path: format!("{}{}", self.path, step(name)),
                before: one.get(name),
                after: other.get(name),
            };
            let pairs: Vec<Pair<'v>> = names.into_iter().map(pair).collect();
            let differs = |pair: &Pair<'_>| match (pair.before, pair.after) {
                (Some(before), Some(after)) => !before.same(after),
                _ => true,
            };
            // Values of other kinds with the same entries.
            return pairs.iter().any(differs).then_some(pairs);
        }
        if let (ValueKind::Set(one), ValueKind::Set(other)) = (before.kind(), after.kind()) {
            let lacks = |all: &[Value], element: &Value| !all.iter().any(|found| found.same(element));
            let removed = one.iter().filter(|element| lacks(other, element));
            let added = other.iter().filter(|element| lacks(one, element));
            let removed =
                removed.map(|element| Pair { path: self.path.clone(), before: Some(element), after: None });
            let added =
                added.map(|element| Pair { path: self.path.clone(), before: None, after: Some(element) });
            return Some(removed.chain(added).collect());
        }
        let (one, other) = (sequence(before)?, sequence(after)?);
        let pair = |position: usize| {
            let mut path = self.path.clone();
            // Writing to a string cannot fail.
            _ = write!(path, "[{position}]");
            Pair { path, before: one.get(position), after: other.get(position) }
        };
        let pairs: Vec<Pair<'v>> = (0..one.len().max(other.len())).map(pair).collect();
        Some(pairs).filter(|pairs| !pairs.is_empty())
    }
}

/// The elements of a sequence that is no set, also of one of unknown kind.
fn sequence(value: &Value) -> Option<&[Value]> {
    match value.kind() {
        ValueKind::List(elements) | ValueKind::Tuple(elements) => Some(elements),
        ValueKind::Unknown(unknown) => match &unknown.known {
            Known::Sequence(elements) => Some(elements),
            Known::Nothing | Known::Object(_) => None,
        },
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Set(_)
        | ValueKind::Map(_)
        | ValueKind::Object(_)
        | ValueKind::Null(_)
        | ValueKind::Marked(..) => None,
    }
}

/// A step to an attribute or element, as it is written.
fn step(name: &str) -> String {
    if is_name(name) { format!(".{name}") } else { format!("[{}]", quote(name)) }
}

#[cfg(test)]
mod tests {
    use terrane_value::{ObjectBuilder, Type};

    use super::*;

    fn paths(before: &Value, after: &Value) -> Vec<(String, bool, bool)> {
        let parts = changed(before, after).into_iter();
        parts.map(|part| (part.path, part.before.is_some(), part.after.is_some())).collect()
    }

    #[test]
    fn only_the_smallest_parts_differ() {
        let object = |size: i64, names: &[&str]| {
            let names = Value::tuple(names.iter().map(|name| Value::from(*name)));
            ObjectBuilder::new().with("size", size).with("a b", names).build()
        };
        assert_eq!(paths(&object(1, &["a"]), &object(1, &["a"])), []);
        assert_eq!(paths(&object(1, &["a"]), &object(2, &["a"])), [(".size".to_owned(), true, true)]);
        assert_eq!(
            paths(&object(1, &["a", "b"]), &object(1, &["c"])),
            [("[\"a b\"][0]".to_owned(), true, true), ("[\"a b\"][1]".to_owned(), true, false)]
        );
        let set = |names: &[&str]| Value::set(Type::String, names.iter().map(|name| Value::from(*name)));
        let changes = paths(&set(&["a", "b"]), &set(&["b", "c"]));
        assert_eq!(changes, [(String::new(), true, false), (String::new(), false, true)]);
    }

    #[test]
    fn a_secret_hides_both_sides_and_the_paths_inside() {
        let secret = ObjectBuilder::new().with("k", "x").build().with_marks(&Marks::sensitive());
        let open = ObjectBuilder::new().with("k", "x").build();
        let parts = changed(&open, &secret);
        assert_eq!(parts.len(), 1);
        assert!(parts[0].path.is_empty());
        assert!(
            [&parts[0].before, &parts[0].after].into_iter().flatten().all(|value| is_secret(value.marks()))
        );
    }
}
