//! The parts in which two values differ.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Write as _;

use foldhash::fast::RandomState;
use terrane_module::sameness::{Extra, MAX_UNORDERED};
use terrane_value::{Entries, Known, Marks, SmolStr, Value, ValueKind};

use super::model::ChangedPart;
use crate::address::Step;
use crate::explain::brief::shortened;
use crate::secrets::has_secret;

/// The rules by which values of two sides are compared.
pub(super) trait Rules {
    /// Whether the values count as the same.
    fn is_same(&self, before: &Value, after: &Value, extra: Extra) -> bool;

    /// Whether an attribute that only one side has is a difference. An element of a collection always is one.
    fn counts(&self, value: &Value, side: OneSide) -> bool;

    /// Returns the meaning of attributes that an element of a collection has only before.
    fn extra_of_element(&self, after: &Value) -> Extra;

    /// Whether the part may be unchanged, because nothing is known about its value after.
    fn is_uncertain(&self, after: &Value) -> bool;

    /// Whether a list differs from a set or tuple with equal elements, and a map from an object with equal attributes.
    fn has_kinds(&self) -> bool;

    /// Whether the elements of a sequence are compared by their positions.
    fn is_list(&self, after: &Value) -> bool;

    /// Whether both sides know which values are sensitive, so that a change of sensitivity is noted.
    fn knows_sensitivity(&self) -> bool {
        false
    }

    /// Returns the value to compare in place of the value before.
    fn before<'v>(&self, before: &'v Value, after: &Value) -> &'v Value;

    /// Whether there is time left to compare elements in any order, which takes longer than in their own order.
    fn has_time(&self) -> bool {
        true
    }
}

/// The only side that has an attribute.
#[derive(Clone, Copy)]
pub(super) enum OneSide {
    Before(Extra),
    After,
}

/// The rules for two configurations: everything counts.
pub(super) struct Configurations;

impl Rules for Configurations {
    fn is_same(&self, before: &Value, after: &Value, _: Extra) -> bool {
        before.same(after)
    }

    fn counts(&self, _: &Value, _: OneSide) -> bool {
        true
    }

    fn extra_of_element(&self, _: &Value) -> Extra {
        Extra::Changed
    }

    fn is_uncertain(&self, _: &Value) -> bool {
        false
    }

    fn has_kinds(&self) -> bool {
        true
    }

    fn knows_sensitivity(&self) -> bool {
        true
    }

    fn is_list(&self, after: &Value) -> bool {
        // Without a schema, a sequence may be a list or a set.
        !matches!(after.kind(), ValueKind::Set(_) | ValueKind::Unknown(_))
    }

    fn before<'v>(&self, before: &'v Value, _: &Value) -> &'v Value {
        before
    }
}

/// The longest type in a note.
const MAX_OF_TYPE: usize = 60;

/// Limit on the comparisons of elements that find the smallest differing parts of all objects.
const MAX_COMPARISONS: usize = 1 << 25;

/// The work of storing and printing a part that differs.
const WORK_OF_PART: usize = 32;

/// The work that is left for finding the smallest parts that differ. Without work left, the parts are larger.
#[derive(Debug)]
pub(super) struct Work(Cell<usize>);

impl Default for Work {
    fn default() -> Work {
        Work(Cell::new(MAX_COMPARISONS))
    }
}

impl Work {
    /// Returns the number of parts for which work is left.
    fn parts(&self) -> usize {
        self.0.get() / WORK_OF_PART
    }

    /// Subtracts work. Returns false if none is left.
    fn take(&self, work: usize) -> bool {
        self.0.set(self.0.get().saturating_sub(work));
        self.0.get() > 0
    }
}

/// Returns the smallest parts in which two values differ. Origins of unknown values are ignored.
pub(super) fn changed(before: &Value, after: &Value, rules: &dyn Rules, work: &Work) -> Vec<ChangedPart> {
    let mut found = Vec::new();
    let whole = ValuePair {
        path: String::new(),
        before: Some(before),
        after: Some(after),
        extra: Extra::Computed,
        kind: PairKind::Value,
    };
    let mut left = vec![whole];
    while let Some(pair) = left.pop() {
        let (Some(before), Some(after)) = (pair.before, pair.after) else {
            if pair.counts(rules) {
                work.take(WORK_OF_PART);
                found.push(pair.part(rules));
            }
            continue;
        };
        let before = rules.before(before, after);
        if rules.is_same(before, after, pair.extra) {
            continue;
        }
        // Each level compares everything inside it again.
        let has_work = work.take(before.size().min(after.size()).max(WORK_OF_PART));
        // The content of a secret is compared but not shown, not even by the paths of its parts.
        let mut inner = match !has_work || before.marks().is_secret() || after.marks().is_secret() {
            true => None,
            false => pair.inside(before.unmarked(), after.unmarked(), Comparing { rules, work }),
        };
        match &mut inner {
            Some(inner) => left.extend(inner.drain(..).rev()),
            None => found.push(ValuePair { before: Some(before), ..pair }.part(rules)),
        }
    }
    found
}

/// Returns a part that only one side has: an added or a removed one.
pub(super) fn on_one_side(path: String, value: &Value, is_added: bool) -> ChangedPart {
    let value = Some(value.clone());
    match is_added {
        true => ChangedPart { after: value, ..ChangedPart::at(path) },
        false => ChangedPart { before: value, ..ChangedPart::at(path) },
    }
}

/// Returns the arguments of an added or removed object as parts of one side. Without work left, the object is one part.
pub(super) fn arguments(value: &Value, is_added: bool, rules: &dyn Rules, work: &Work) -> Vec<ChangedPart> {
    let part = |path: String, value: &Value| on_one_side(path, value, is_added);
    let side = if is_added { OneSide::After } else { OneSide::Before(Extra::Changed) };
    let attributes = value.known_attributes().filter(|_| !value.marks().is_secret());
    match attributes.filter(|all| work.take(WORK_OF_PART.saturating_mul(all.len()))) {
        Some(all) => {
            let set = all.iter().filter(|(_, value)| !value.is_null() && rules.counts(value, side));
            set.map(|(name, value)| part(Step(name).to_string(), value)).collect()
        }
        None => vec![part(String::new(), value)],
    }
}

/// The values of two sides at the same path.
struct ValuePair<'v> {
    path: String,
    before: Option<&'v Value>,
    after: Option<&'v Value>,
    /// Why only the value before has an attribute: an attribute inside of this value, or this value itself.
    extra: Extra,
    kind: PairKind,
}

/// The kinds of values at a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PairKind {
    /// An attribute, or the whole value.
    Value,
    /// An element of a list, tuple or map.
    Element,
    /// An element of a set, which has the path of the set.
    ElementOfSet,
}

impl<'v> ValuePair<'v> {
    /// Returns the values of an element before and after.
    fn of_element(
        path: String,
        before: Option<&'v Value>,
        after: Option<&'v Value>,
        rules: &dyn Rules,
        kind: PairKind,
    ) -> ValuePair<'v> {
        let extra = after.map_or(Extra::Changed, |after| rules.extra_of_element(after));
        ValuePair { path, before, after, extra, kind }
    }

    fn counts(&self, rules: &dyn Rules) -> bool {
        match (self.before, self.after) {
            (Some(_), None) | (None, Some(_)) if self.kind != PairKind::Value => true,
            (Some(before), None) => rules.counts(before, OneSide::Before(self.extra)),
            (None, Some(after)) => rules.counts(after, OneSide::After),
            (Some(_), Some(_)) | (None, None) => true,
        }
    }

    /// Returns the difference. A secret on one side hides the other side too, because both may be equal.
    fn part(self, rules: &dyn Rules) -> ChangedPart {
        let note = self.note(rules);
        let is_hidden = [self.before, self.after].into_iter().flatten().any(has_secret);
        let hidden = |value: &Value| match is_hidden {
            true => value.clone().with_marks(&Marks::sensitive()),
            false => value.clone(),
        };
        ChangedPart {
            path: self.path,
            is_element_of_set: self.kind == PairKind::ElementOfSet,
            before: self.before.map(hidden),
            after: self.after.map(hidden),
            // An added part has no value before that it could equal.
            is_uncertain: self.before.is_some() && self.after.is_some_and(|after| rules.is_uncertain(after)),
            note,
        }
    }

    /// Returns a note on a difference that the printed values do not show: only one of the values is a secret; unknown values,
    /// nulls or collections have other types; unknown values have other limits.
    fn note(&self, rules: &dyn Rules) -> Option<String> {
        let (before, after) = (self.before?, self.after?);
        match (has_secret(before), has_secret(after)) {
            (false, true) => rules.knows_sensitivity().then(|| "now sensitive".to_owned()),
            (true, false) => rules.knows_sensitivity().then(|| "no longer sensitive".to_owned()),
            (true, true) => None,
            (false, false) => {
                let ty = |value: &Value| shortened(&value.ty().to_string(), MAX_OF_TYPE);
                let has_entries =
                    |value: &Value| value.as_entries().is_some() || value.as_sequence().is_some();
                let is_unknown = !before.is_known() && !after.is_known();
                let looks_equal = is_unknown
                    || before.is_null() && after.is_null()
                    || has_entries(before) && has_entries(after);
                match before.ty() == after.ty() {
                    false => looks_equal.then(|| format!("type {} -> {}", ty(before), ty(after))),
                    true => is_unknown.then(|| "known to be within other limits".to_owned()),
                }
            }
        }
    }

    /// Returns the pairs of parts inside. `None` if the values have no parts to compare.
    fn inside(
        &self,
        before: &'v Value,
        after: &'v Value,
        comparing: Comparing<'_>,
    ) -> Option<Vec<ValuePair<'v>>> {
        let rules = comparing.rules;
        if let (Some(one), Some(other)) = (before.known_attributes(), after.known_attributes()) {
            return self.attributes(one, other, rules);
        }
        if let ValueKind::Set(added) = after.kind() {
            let is_set = matches!(before.kind(), ValueKind::Set(_));
            let removed = before.as_sequence().filter(|_| is_set || !rules.has_kinds())?;
            let (removed, added) = unmatched(removed, added, comparing);
            let pair = |before, after| {
                ValuePair::of_element(self.path.clone(), before, after, rules, PairKind::ElementOfSet)
            };
            // An element that may equal a removed one is paired with it.
            let (uncertain, added): (Elements<'v>, Elements<'v>) =
                added.into_iter().partition(|(_, element)| rules.is_uncertain(element));
            let (mut removed, mut uncertain) = (removed.into_iter(), uncertain.into_iter());
            let element = |(_, element): (usize, &'v Value)| element;
            let mut pairs = Vec::with_capacity(removed.len().max(uncertain.len()) + added.len());
            while removed.len().max(uncertain.len()) > 0 {
                pairs.push(pair(removed.next().map(element), uncertain.next().map(element)));
            }
            pairs.extend(added.into_iter().map(|(_, element)| pair(None, Some(element))));
            return Some(pairs);
        }
        let (one, other) = (sequence(before)?, sequence(after)?);
        let pairs = self.elements(one, other, rules.is_list(after), comparing)?;
        // Values of different kinds with the same elements differ as a whole.
        Some(pairs).filter(|pairs| !(pairs.is_empty() && rules.has_kinds()))
    }

    /// Returns the pairs of elements that differ. `None` if there are too many to list.
    fn elements(
        &self,
        one: &'v [Value],
        other: &'v [Value],
        is_list: bool,
        comparing: Comparing<'_>,
    ) -> Option<Vec<ValuePair<'v>>> {
        let pair = |position: usize, before, after| {
            let mut path = self.path.clone();
            // Writing to a string cannot fail.
            _ = write!(path, "[{position}]");
            ValuePair::of_element(path, before, after, comparing.rules, PairKind::Element)
        };
        let by_position = || {
            let differing = |position: usize| match (one.get(position), other.get(position)) {
                (Some(before), Some(after)) if is_same_element(before, after, comparing.rules) => None,
                (before, after) => Some(pair(position, before, after)),
            };
            let most = comparing.work.parts();
            let pairs: Vec<ValuePair<'v>> =
                (0..one.len().max(other.len())).filter_map(differing).take(most + 1).collect();
            Some(pairs).filter(|pairs| pairs.len() <= most)
        };
        if is_list || one.len().max(other.len()) > MAX_UNORDERED {
            return by_position();
        }
        // Without a schema it is unknown whether the order of the elements matters.
        let (removed, added) = unmatched(one, other, comparing);
        if comparing.rules.has_kinds() && !is_same_order(one, &removed, other, &added, comparing) {
            return by_position();
        }
        let (mut removed, mut added) = (removed.into_iter(), added.into_iter());
        let next = || match (removed.next(), added.next()) {
            (None, None) => None,
            (Some((position, before)), None) => Some(pair(position, Some(before), None)),
            (before, Some((position, after))) => {
                Some(pair(position, before.map(|(_, before)| before), Some(after)))
            }
        };
        Some(std::iter::from_fn(next).collect())
    }

    /// Returns the pairs of attributes. `None` if only the kinds of the two values differ.
    fn attributes(
        &self,
        one: &'v Entries,
        other: &'v Entries,
        rules: &dyn Rules,
    ) -> Option<Vec<ValuePair<'v>>> {
        let names: BTreeSet<&SmolStr> = one.iter().chain(other).map(|(name, _)| name).collect();
        let pair = |name: &SmolStr| {
            let (before, after) = (one.get(name), other.get(name));
            // `self.extra` applies to an attribute that only the value before has. Such an attribute inside of one that both
            // sides have was removed from the configuration.
            let extra = if after.is_none() { self.extra } else { Extra::Changed };
            let path = format!("{}{}", self.path, Step(name));
            ValuePair { path, before, after, extra, kind: PairKind::Value }
        };
        let pairs: Vec<ValuePair<'v>> = names.into_iter().map(pair).collect();
        let differs = |pair: &ValuePair<'_>| match (pair.before, pair.after) {
            (Some(before), Some(after)) => !rules.is_same(before, after, pair.extra),
            _ => true,
        };
        // Values of different kinds with the same entries differ as a whole.
        (!rules.has_kinds() || pairs.iter().any(differs)).then_some(pairs)
    }
}

/// Elements with their positions.
type Elements<'v> = Vec<(usize, &'v Value)>;

/// The rules of the comparison, and the work that is left for it.
#[derive(Clone, Copy)]
struct Comparing<'c> {
    rules: &'c dyn Rules,
    work: &'c Work,
}

impl Comparing<'_> {
    fn has_time(&self) -> bool {
        self.rules.has_time() && self.work.take(0)
    }

    fn is_same_element(&self, before: &Value, after: &Value) -> bool {
        self.work.take(1 + before.size().min(after.size()));
        is_same_element(before, after, self.rules)
    }
}

/// Returns the elements before and after that have no equal element on the other side. If comparing them in any order takes too
/// long, they are compared in their own order.
fn unmatched<'v>(
    before: &'v [Value],
    after: &'v [Value],
    comparing: Comparing<'_>,
) -> (Elements<'v>, Elements<'v>) {
    // A map pairs equal texts. A text without a pair can only equal an element that is not a text.
    let mut texts: HashMap<&str, VecDeque<usize>, RandomState> = HashMap::default();
    for (position, element) in before.iter().enumerate() {
        element.as_str().into_iter().for_each(|text| texts.entry(text).or_default().push_back(position));
    }
    let mut equal: HashSet<usize> = HashSet::new();
    let (mut added, mut left): (Elements<'v>, Elements<'v>) = (Vec::new(), Vec::new());
    for (position, element) in after.iter().enumerate() {
        let found = element.as_str().and_then(|text| texts.get_mut(text)?.pop_front());
        match found {
            Some(found) => drop(equal.insert(found)),
            None => left.push((position, element)),
        }
    }
    let rest = before.iter().enumerate().filter(|(position, _)| !equal.contains(position));
    let (mut removed, mut structured): (Elements<'v>, Elements<'v>) =
        rest.partition(|(_, element)| element.as_str().is_some());
    for (position, element) in left {
        let take = |from: &mut Elements<'v>| {
            let is_same = |(_, other): &(usize, &Value)| {
                comparing.has_time() && comparing.is_same_element(other, element)
            };
            let found = from.iter().position(is_same)?;
            Some(from.remove(found))
        };
        let is_text = element.as_str().is_some();
        let found = take(&mut structured).or_else(|| if is_text { None } else { take(&mut removed) });
        match found {
            Some(_) => {}
            None if comparing.has_time() => added.push((position, element)),
            None => return unmatched_in_order(before, after, comparing.rules),
        }
    }
    removed.extend(structured);
    removed.sort_unstable_by_key(|(position, _)| *position);
    (removed, added)
}

/// Whether the elements that both sides have are in the same order on both sides. Only one side has the elements `removed` or `added`.
fn is_same_order(
    before: &[Value],
    removed: &Elements<'_>,
    after: &[Value],
    added: &Elements<'_>,
    comparing: Comparing<'_>,
) -> bool {
    let common = |all: &'_ [Value], own: &Elements<'_>| -> Vec<usize> {
        let own: HashSet<usize> = own.iter().map(|(position, _)| *position).collect();
        (0..all.len()).filter(|position| !own.contains(position)).collect()
    };
    let (before_common, after_common) = (common(before, removed), common(after, added));
    let mut pairs = before_common.iter().zip(&after_common);
    pairs.all(|(one, other)| {
        let pair = before.get(*one).zip(after.get(*other));
        pair.is_some_and(|(one, other)| comparing.is_same_element(one, other))
    })
}

/// Returns the elements before and after that differ from the element at the same position.
fn unmatched_in_order<'v>(
    before: &'v [Value],
    after: &'v [Value],
    rules: &dyn Rules,
) -> (Elements<'v>, Elements<'v>) {
    let differs = |position: usize| match (before.get(position), after.get(position)) {
        (Some(before), Some(after)) => !is_same_element(before, after, rules),
        _ => true,
    };
    let differing = (0..before.len().max(after.len())).filter(|position| differs(*position));
    let differing: Vec<usize> = differing.collect();
    let of = |all: &'v [Value]| {
        differing.iter().filter_map(|position| Some((*position, all.get(*position)?))).collect()
    };
    (of(before), of(after))
}

fn is_same_element(before: &Value, after: &Value, rules: &dyn Rules) -> bool {
    rules.is_same(rules.before(before, after), after, rules.extra_of_element(after))
}

/// Returns the elements of a list, a tuple, or a sequence of unknown kind. `None` for a set and for other values.
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

#[cfg(test)]
mod tests {
    use terrane_value::{ObjectBuilder, Type};

    use super::*;

    fn paths(before: &Value, after: &Value) -> Vec<(String, bool, bool)> {
        let parts = changed(before, after, &Configurations, &Work::default()).into_iter();
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

    /// Would take minutes if the work grew with the square of the number of elements.
    #[test]
    fn texts_of_long_sets_are_found_in_the_other_set() {
        let set = |from: usize| {
            Value::set(Type::String, (from..from + 50_000).map(|at| Value::from(format!("{at:06}"))))
        };
        let changes = paths(&set(0), &set(2));
        assert_eq!(changes.len(), 4);
        assert_eq!(paths(&set(0), &set(60_000)).len(), 100_000);
    }

    #[test]
    fn the_levels_of_deep_values_count() {
        let long = |last: &str| {
            let elements = std::iter::repeat_n(Value::from("a"), 100_000).chain([Value::from(last)]);
            (0..490).fold(Value::list(Type::String, elements), |inner, _| Value::tuple([inner]))
        };
        let changes = paths(&long("b"), &long("c"));
        let depth = changes.first().map(|(path, ..)| path.len() / "[0]".len());
        assert!(depth.is_some_and(|depth| (300..350).contains(&depth)), "{depth:?}");
    }

    #[test]
    fn a_secret_hides_both_sides_and_the_paths_inside() {
        let secret = ObjectBuilder::new().with("k", "x").build().with_marks(&Marks::sensitive());
        let open = ObjectBuilder::new().with("k", "x").build();
        let parts = changed(&open, &secret, &Configurations, &Work::default());
        assert_eq!(parts.len(), 1);
        assert!(parts[0].path.is_empty());
        assert!(
            [&parts[0].before, &parts[0].after].into_iter().flatten().all(|value| value.marks().is_secret())
        );
    }
}
