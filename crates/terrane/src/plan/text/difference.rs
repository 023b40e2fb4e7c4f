//! The difference between two values or objects, part by part, as the text of a plan shows it.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use terrane_value::{Entries, Known, SmolStr, Type, Value, json};

use super::super::changes::is_same;
use super::budget::Budget;
use crate::secrets::{Secrets, is_hidden};

/// Limit on the comparisons of two sequences. Longer ones are compared position by position.
const MOST_COMPARISONS: usize = 1_000_000;

/// The change of a value or of a part of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    Keep,
    Create,
    Update,
    Delete,
}

impl Action {
    /// The action of a whole with these parts, which is `self` without them.
    fn of_parts<'d>(self, parts: impl IntoIterator<Item = &'d Difference>) -> Action {
        parts.into_iter().fold(self, |all, part| match part.action {
            Action::Keep => all,
            action if action == all => all,
            Action::Create | Action::Update | Action::Delete => Action::Update,
        })
    }

    /// The action of a value that is there before or after.
    fn of_presence(before: bool, after: bool) -> Action {
        match (before, after) {
            (false, true) => Action::Create,
            (true, false) => Action::Delete,
            (true, true) | (false, false) => Action::Keep,
        }
    }
}

/// The difference between two values.
#[derive(Debug)]
pub(super) struct Difference {
    pub(super) kind: Kind,
    pub(super) action: Action,
    /// Whether it is an argument whose change replaces the object.
    pub(super) replaces: bool,
}

/// The change of the sensitivity of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SensitivityChange {
    Gained,
    Lost,
}

/// The forms of a difference.
#[derive(Debug)]
pub(super) enum Kind {
    /// A bool, a number, a string or null, before and after.
    Primitive(Option<Value>, Option<Value>),
    /// A value that is known after the apply, with the removal of the value before.
    Unknown(Option<Box<Difference>>),
    /// A secret, with its difference, and whether it becomes or no longer is one.
    Sensitive(Box<Difference>, Option<SensitivityChange>),
    /// Attributes of an object.
    Object(Vec<(SmolStr, Difference)>),
    /// Elements of a map.
    Map(Vec<(SmolStr, Difference)>),
    /// Elements in an order.
    List(Vec<Difference>),
    /// Elements of a set.
    Set(Vec<Difference>),
    /// A value of another kind: the removal of the old one, and the creation of the new one.
    Replaced(Box<Difference>, Box<Difference>),
    /// The attributes and blocks of a body.
    Body(Vec<(SmolStr, Difference)>, Vec<NestedBlock>),
}

/// A block in a body.
#[derive(Debug)]
pub(super) struct NestedBlock {
    /// The type, with the label if it has one.
    pub(super) header: String,
    pub(super) difference: Difference,
}

/// A value before or after.
#[derive(Clone, Copy)]
pub(super) struct Side<'v> {
    value: Option<&'v Value>,
    /// Whether null is written there, which is more than nothing.
    is_explicit: bool,
}

impl<'v> Side<'v> {
    pub(super) const NONE: Side<'static> = Side { value: None, is_explicit: false };

    /// A value in which null means nothing.
    pub(super) fn implicit(value: Option<&'v Value>) -> Side<'v> {
        Side { value: value.filter(|value| !value.unmarked().is_null()), is_explicit: false }
    }

    /// A part of a value in which null is shown.
    fn explicit(value: Option<&'v Value>) -> Side<'v> {
        Side { is_explicit: value.is_some(), ..Side::implicit(value) }
    }

    fn is_there(self) -> bool {
        self.value.is_some() || self.is_explicit
    }

    fn unmarked(self) -> Side<'v> {
        Side { value: self.value.map(Value::unmarked), ..self }
    }

    /// The elements of a sequence, whether it is wholly known or not.
    fn elements(self) -> Option<&'v [Value]> {
        let value = self.value?.unmarked();
        match value.as_unknown().map(|unknown| &unknown.known) {
            Some(Known::Sequence(elements)) => Some(elements),
            Some(Known::Nothing | Known::Object(_)) => None,
            None => value.as_sequence(),
        }
    }

    /// The attributes of an object or the elements of a map.
    fn entries(self) -> Option<&'v Entries> {
        let value = self.value?.unmarked();
        value.known_attributes().or_else(|| value.as_entries())
    }

    fn kind(self) -> SideKind {
        let Some(value) = self.value.map(Value::unmarked) else { return SideKind::Null };
        if self.elements().is_some() {
            SideKind::Sequence
        } else if self.entries().is_some() {
            SideKind::Entries
        } else if value.as_bool().is_some() {
            SideKind::Bool
        } else if value.as_number().is_some() {
            SideKind::Number
        } else if value.as_str().is_some() {
            SideKind::String
        } else {
            SideKind::Null
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SideKind {
    Null,
    Bool,
    Number,
    String,
    Sequence,
    Entries,
}

/// Compares values.
#[derive(Clone, Copy)]
pub(super) struct Comparer<'b> {
    pub(super) secrets: Secrets,
    pub(super) budget: &'b Budget<'b>,
}

impl Comparer<'_> {
    /// The difference between two values. Without a type, or of a dynamic one, both are compared as JSON values, in which null is
    /// shown. The depth is bounded by that of values.
    pub(super) fn values(self, before: Side<'_>, after: Side<'_>, ty: Option<&Type>) -> Difference {
        if !self.budget.take_part() {
            return Difference::new(Kind::Primitive(None, None), Action::Keep);
        }
        let secret = |side: Side<'_>| side.value.is_some_and(|value| is_hidden(value.marks(), self.secrets));
        if secret(before) || secret(after) {
            let open = Comparer { secrets: Secrets::Shown, ..self };
            let inner = open.values(before.unmarked(), after.unmarked(), ty);
            return hidden(inner, secret(before), secret(after), before.is_there() && after.is_there());
        }
        let (before, after) = (before.unmarked(), after.unmarked());
        if after.value.is_some_and(Value::is_wholly_unknown) {
            return self.unknown(before, ty);
        }
        match ty {
            None | Some(Type::Dynamic) => self.dynamic(before, after),
            Some(Type::Bool | Type::Number | Type::String) => primitive(before, after),
            Some(Type::Object(object)) => self.object(before, after, |name| {
                object.attributes().iter().find(|(own, _)| own == name).map(|(_, ty)| ty.clone())
            }),
            Some(Type::Map(element)) => {
                let (entries, action) = self.entries(before, after, Some(element));
                Difference::new(Kind::Map(entries), action)
            }
            Some(Type::List(element)) => {
                let is_object = matches!(**element, Type::Object(_));
                self.list(before, after, Some(element), &|_| is_object)
            }
            Some(Type::Tuple(_)) => self.list(before, after, None, &|value| is_entries(value)),
            Some(Type::Set(element)) => self.set(before, after, Some(element)),
        }
    }

    fn unknown(self, before: Side<'_>, ty: Option<&Type>) -> Difference {
        match before.is_there() {
            false => Difference::new(Kind::Unknown(None), Action::Create),
            true => {
                let removed = self.values(before, Side::NONE, ty);
                Difference::new(Kind::Unknown(Some(Box::new(removed))), Action::Update)
            }
        }
    }

    /// The difference between JSON values.
    fn dynamic(self, before: Side<'_>, after: Side<'_>) -> Difference {
        let (old, new) = (before.kind(), after.kind());
        let is_new = old == SideKind::Null && !before.is_explicit;
        let is_gone = new == SideKind::Null && !after.is_explicit;
        if old != new && !is_new && !is_gone {
            let removed = self.of_kind(before, Side::NONE, old);
            let added = self.of_kind(Side::NONE, after, new);
            return Difference::new(Kind::Replaced(Box::new(removed), Box::new(added)), Action::Update);
        }
        self.of_kind(before, after, if old == SideKind::Null { new } else { old })
    }

    fn of_kind(self, before: Side<'_>, after: Side<'_>, kind: SideKind) -> Difference {
        match kind {
            SideKind::Null | SideKind::Bool | SideKind::Number | SideKind::String => primitive(before, after),
            SideKind::Sequence => self.list(before, after, None, &|value| is_entries(value)),
            SideKind::Entries => {
                let (entries, action) = self.entries(before, after, None);
                Difference::new(Kind::Object(entries), action)
            }
        }
    }

    /// The elements of maps, or the attributes of JSON objects.
    fn entries(
        self,
        before: Side<'_>,
        after: Side<'_>,
        ty: Option<&Type>,
    ) -> (Vec<(SmolStr, Difference)>, Action) {
        let (old, new) = (before.entries(), after.entries());
        let names: BTreeSet<&SmolStr> = old.into_iter().chain(new).flat_map(Entries::keys).collect();
        let entry = |name: &SmolStr| {
            let (before, after) = (entry(old, name), entry(new, name));
            let difference = self.values(Side::explicit(before), Side::explicit(after), ty);
            (name.clone(), difference)
        };
        let entries: Vec<_> = names.into_iter().map(entry).collect();
        let presence = Action::of_presence(old.is_some(), new.is_some());
        let action = presence.of_parts(entries.iter().map(|(_, difference)| difference));
        (entries, action)
    }

    /// The attributes of objects with these types. Those that are null before and after are left out.
    fn object(self, before: Side<'_>, after: Side<'_>, ty: impl Fn(&SmolStr) -> Option<Type>) -> Difference {
        let (old, new) = (before.entries(), after.entries());
        let presence = Action::of_presence(old.is_some(), new.is_some());
        let names: BTreeSet<&SmolStr> = old.into_iter().chain(new).flat_map(Entries::keys).collect();
        let mut attributes = Vec::new();
        for name in names {
            let (before, after) = (Side::implicit(entry(old, name)), Side::implicit(entry(new, name)));
            if before.is_there() || after.is_there() {
                attributes.push((name.clone(), self.values(before, after, ty(name).as_ref())));
            }
        }
        let action = presence.of_parts(attributes.iter().map(|(_, difference)| difference));
        Difference::new(Kind::Object(attributes), action)
    }

    fn list(
        self,
        before: Side<'_>,
        after: Side<'_>,
        ty: Option<&Type>,
        is_object: &dyn Fn(&Value) -> bool,
    ) -> Difference {
        let (old, new) = (before.elements(), after.elements());
        let presence = Action::of_presence(old.is_some(), new.is_some());
        let pairs = pairs(old.unwrap_or_default(), new.unwrap_or_default(), is_object, self.budget);
        let (elements, action) = self.elements(presence, pairs, ty);
        Difference::new(Kind::List(elements), action)
    }

    fn set(self, before: Side<'_>, after: Side<'_>, ty: Option<&Type>) -> Difference {
        let (old, new) = (before.elements(), after.elements());
        let presence = Action::of_presence(old.is_some(), new.is_some());
        let pairs = set_pairs(old.unwrap_or_default(), new.unwrap_or_default());
        let (elements, action) = self.elements(presence, pairs, ty);
        Difference::new(Kind::Set(elements), action)
    }

    /// The differences of these elements of two sequences, and the action of the whole, which is `presence` without them.
    fn elements(
        self,
        presence: Action,
        pairs: Vec<Pair<'_>>,
        ty: Option<&Type>,
    ) -> (Vec<Difference>, Action) {
        let element = |(before, after)| self.values(Side::explicit(before), Side::explicit(after), ty);
        let elements: Vec<Difference> = pairs.into_iter().map(element).collect();
        let action = presence.of_parts(&elements);
        (elements, action)
    }
}

impl Difference {
    pub(super) fn new(kind: Kind, action: Action) -> Difference {
        Difference { kind, action, replaces: false }
    }

    /// Whether a JSON value takes several lines.
    pub(super) fn has_lines(&self) -> bool {
        match &self.kind {
            Kind::Object(attributes) => !attributes.is_empty(),
            Kind::List(elements) => !elements.is_empty(),
            Kind::Replaced(before, after) => before.has_lines() || after.has_lines(),
            Kind::Primitive(..)
            | Kind::Unknown(_)
            | Kind::Sensitive(..)
            | Kind::Map(_)
            | Kind::Set(_)
            | Kind::Body(..) => false,
        }
    }

    /// A body with these attributes and blocks that is there before and after.
    pub(super) fn body(
        was: bool,
        becomes: bool,
        attributes: Vec<(SmolStr, Difference)>,
        blocks: Vec<NestedBlock>,
    ) -> Difference {
        let parts = attributes.iter().map(|(_, attribute)| attribute);
        let parts = parts.chain(blocks.iter().map(|block| &block.difference));
        let action = Action::of_presence(was, becomes).of_parts(parts);
        Difference::new(Kind::Body(attributes, blocks), action)
    }
}

/// A difference that is not shown. A change of its sensitivity is an update.
pub(super) fn hidden(inner: Difference, was: bool, becomes: bool, is_there: bool) -> Difference {
    let is_update = inner.action == Action::Keep && was != becomes && is_there;
    let action = if is_update { Action::Update } else { inner.action };
    Difference::new(Kind::Sensitive(Box::new(inner), None), action)
}

fn primitive(before: Side<'_>, after: Side<'_>) -> Difference {
    let action = match (before.is_there(), after.is_there()) {
        (true, true) => match (before.value, after.value) {
            (Some(old), Some(new)) if is_same(old, new) => Action::Keep,
            (None, None) => Action::Keep,
            (_, _) => Action::Update,
        },
        (before, after) => Action::of_presence(before, after),
    };
    Difference::new(Kind::Primitive(before.value.cloned(), after.value.cloned()), action)
}

fn entry<'v>(entries: Option<&'v Entries>, name: &SmolStr) -> Option<&'v Value> {
    entries.and_then(|entries| entries.get(name))
}

fn is_entries(value: &Value) -> bool {
    Side::implicit(Some(value)).kind() == SideKind::Entries
}

type Pair<'v> = (Option<&'v Value>, Option<&'v Value>);

/// The elements of two sequences that are shown together: equal ones, and between these an object with another one. Sequences of one
/// length are compared by positions if an old element is gone.
pub(super) fn pairs<'v>(
    old: &'v [Value],
    new: &'v [Value],
    is_object: &dyn Fn(&Value) -> bool,
    budget: &Budget<'_>,
) -> Vec<Pair<'v>> {
    let by_position = || (0..old.len().max(new.len())).map(|at| (old.get(at), new.get(at))).collect();
    if old.is_empty() || new.is_empty() {
        return by_position();
    }
    let (left, right) = numbers(old, new);
    let is_moved = || {
        let new: HashSet<&usize> = right.iter().collect();
        left.iter().all(|number| new.contains(number))
    };
    if left == right || (old.len() == new.len() && !is_moved()) || !may_compare(old.len(), new.len(), budget)
    {
        return by_position();
    }
    let mut pairs: Vec<Pair<'v>> = Vec::new();
    let mut from = (0, 0);
    for (left, right) in common(&left, &right).into_iter().chain([(old.len(), new.len())]) {
        let gone = old.get(from.0..left).unwrap_or_default();
        let mut added = new.get(from.1..right).unwrap_or_default().iter().peekable();
        for value in gone {
            let other = added.next_if(|other| is_object(value) && is_object(other));
            pairs.push((Some(value), other));
        }
        pairs.extend(added.map(|value| (None, Some(value))));
        pairs.extend(old.get(left).filter(|_| right < new.len()).map(|value| (Some(value), new.get(right))));
        from = (left + 1, right + 1);
    }
    pairs
}

/// Whether two sequences of these lengths are compared element by element.
fn may_compare(old: usize, new: usize, budget: &Budget<'_>) -> bool {
    let comparisons = old.saturating_mul(new);
    comparisons <= MOST_COMPARISONS && budget.take_comparisons(comparisons)
}

/// A number for each element, the same for equal ones. One without a text has a number of its own.
fn numbers<T: Comparable>(old: &[T], new: &[T]) -> (Vec<usize>, Vec<usize>) {
    let mut known = HashMap::new();
    let mut next = 0..;
    let mut number = |value: &T| {
        let own = next.next().unwrap_or_default();
        value.text().map_or(own, |text| *known.entry(text).or_insert(own))
    };
    (old.iter().map(&mut number).collect(), new.iter().map(&mut number).collect())
}

/// The positions of the longest common subsequence. Of several ones, it is that of the reference, with the first elements that are
/// equal to those in it.
fn common(old: &[usize], new: &[usize]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    let mut lengths = vec![0_u32; (old.len() + 1) * width];
    let at = |lengths: &[u32], one: usize, other: usize| {
        lengths.get(one * width + other).copied().unwrap_or_default()
    };
    for (one, left) in old.iter().enumerate() {
        for (other, right) in new.iter().enumerate() {
            let length = match left == right {
                true => at(&lengths, one, other) + 1,
                false => at(&lengths, one, other + 1).max(at(&lengths, one + 1, other)),
            };
            if let Some(place) = lengths.get_mut((one + 1) * width + other + 1) {
                *place = length;
            }
        }
    }
    let mut found = Vec::new();
    let (mut one, mut other) = (old.len(), new.len());
    while let (Some(left), Some(right)) = (before(old, one), before(new, other)) {
        if left == right {
            found.push(left);
            (one, other) = (one - 1, other - 1);
        } else if at(&lengths, one - 1, other) > at(&lengths, one, other - 1) {
            one -= 1;
        } else {
            other -= 1;
        }
    }
    let (mut lefts, mut rights) = (old.iter(), new.iter());
    let mut from = (0, 0);
    let positions = found.into_iter().rev().filter_map(|number| {
        let left = from.0 + lefts.position(|own| *own == number)?;
        let right = from.1 + rights.position(|own| *own == number)?;
        from = (left + 1, right + 1);
        Some((left, right))
    });
    positions.collect()
}

/// The number before a position.
fn before(numbers: &[usize], position: usize) -> Option<usize> {
    position.checked_sub(1).and_then(|last| numbers.get(last)).copied()
}

/// A value or a line of text, compared by its text. One without a text is equal to none.
trait Comparable {
    fn text(&self) -> Option<String>;
}

impl Comparable for Value {
    fn text(&self) -> Option<String> {
        if self.is_wholly_known() { json::encode(&self.unmark_deep().0).ok() } else { None }
    }
}

impl Comparable for &str {
    fn text(&self) -> Option<String> {
        Some((*self).to_owned())
    }
}

/// The lines of two texts that are shown together, each kept, removed or added.
pub(super) fn lines<'t>(old: &'t str, new: &'t str, budget: &Budget<'_>) -> Vec<(Action, &'t str)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    let common = match may_compare(old.len(), new.len(), budget) {
        true => {
            let (left, right) = numbers(&old, &new);
            common(&left, &right)
        }
        false => Vec::new(),
    };
    let mut lines = Vec::new();
    let mut from = (0, 0);
    for (left, right) in common.into_iter().chain([(old.len(), new.len())]) {
        lines.extend(old.get(from.0..left).unwrap_or_default().iter().map(|line| (Action::Delete, *line)));
        lines.extend(new.get(from.1..right).unwrap_or_default().iter().map(|line| (Action::Create, *line)));
        lines.extend(old.get(left).map(|line| (Action::Keep, *line)));
        from = (left + 1, right + 1);
    }
    lines
}

/// The elements of two sets: equal ones together.
pub(super) fn set_pairs<'v>(old: &'v [Value], new: &'v [Value]) -> Vec<Pair<'v>> {
    let (left, right) = numbers(old, new);
    let mut others: HashMap<usize, VecDeque<&Value>> = HashMap::new();
    for (number, value) in right.iter().zip(new) {
        others.entry(*number).or_default().push_back(value);
    }
    let mut other = |number: &usize| others.get_mut(number).and_then(VecDeque::pop_front);
    let mut pairs: Vec<Pair<'v>> =
        left.iter().zip(old).map(|(number, value)| (Some(value), other(number))).collect();
    // The first elements with a number are taken, so those that are left are the last ones.
    let mut rest: Vec<&Value> = Vec::new();
    for (number, value) in right.iter().zip(new).rev() {
        if others.get_mut(number).and_then(VecDeque::pop_back).is_some() {
            rest.push(value);
        }
    }
    pairs.extend(rest.into_iter().rev().map(|value| (None, Some(value))));
    pairs
}
