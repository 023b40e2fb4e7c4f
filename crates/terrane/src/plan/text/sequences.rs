//! Pairs the elements of two sequences, and the lines of two texts.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use terrane_value::Value;

use super::super::value::After;
use super::budget::TextBudget;
use super::difference::Action;
use crate::json::text::to_text;
use crate::secrets::Secrets;

/// Limit on the comparisons of two sequences. Longer sequences are compared position by position.
const MAX_COMPARISONS: usize = 1_000_000;

/// The positions of two elements that are shown together. One of them may be missing.
#[derive(Clone, Copy)]
pub(super) struct ElementPair {
    pub(super) old: Option<usize>,
    pub(super) new: Option<usize>,
}

/// An element of a sequence, compared by its text. An element without a text is equal to no other.
pub(super) trait Comparable {
    fn text(&self) -> Option<Cow<'_, str>>;
}

/// As in the reference, elements are compared as the document writes them: an unknown element is null there, and an unknown
/// attribute is missing.
impl Comparable for Value {
    fn text(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Owned(to_text(&After::of(self, Secrets::Shown))))
    }
}

impl Comparable for &str {
    fn text(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(self))
    }
}

/// Whether sequences of these lengths are compared position by position.
fn are_long(old: usize, new: usize) -> bool {
    old.saturating_mul(new) > MAX_COMPARISONS
}

/// Returns the pairs of elements at the same positions.
pub(super) fn by_position(old: usize, new: usize) -> Vec<ElementPair> {
    let at = |at: usize, length: usize| (at < length).then_some(at);
    (0..old.max(new)).map(|position| ElementPair { old: at(position, old), new: at(position, new) }).collect()
}

/// Returns the elements of two sequences that are shown together: equal elements, and between these an old object with a new
/// object. Sequences of the same length are compared by position if an old element is missing in the new sequence.
pub(super) fn pairs<T: Comparable>(
    old: &[T],
    new: &[T],
    is_object: &dyn Fn(&T) -> bool,
    budget: &TextBudget<'_>,
) -> Vec<ElementPair> {
    // Long sequences are compared by position, so their elements need no numbers.
    if old.is_empty() || new.is_empty() || are_long(old.len(), new.len()) {
        return by_position(old.len(), new.len());
    }
    let (left, right) = numbers(old, new);
    let is_moved = || {
        let new: HashSet<&usize> = right.iter().collect();
        left.iter().all(|number| new.contains(number))
    };
    let is_by_position = left == right || (old.len() == new.len() && !is_moved());
    if is_by_position || !budget.take_comparisons(old.len().saturating_mul(new.len())) {
        return by_position(old.len(), new.len());
    }
    let is_object = |all: &[T], at: usize| all.get(at).is_some_and(is_object);
    let mut pairs: Vec<ElementPair> = Vec::new();
    let mut from = (0, 0);
    for (left, right) in common(&left, &right).into_iter().chain([(old.len(), new.len())]) {
        let mut added = (from.1..right).peekable();
        for gone in from.0..left {
            let other = added.next_if(|other| is_object(old, gone) && is_object(new, *other));
            pairs.push(ElementPair { old: Some(gone), new: other });
        }
        pairs.extend(added.map(|added| ElementPair { old: None, new: Some(added) }));
        if left < old.len() && right < new.len() {
            pairs.push(ElementPair { old: Some(left), new: Some(right) });
        }
        from = (left + 1, right + 1);
    }
    pairs
}

/// Returns a number for each element. Equal elements have the same number; an element without a text has a number of its own.
fn numbers<'t, T: Comparable>(old: &'t [T], new: &'t [T]) -> (Vec<usize>, Vec<usize>) {
    let mut numbers = HashMap::new();
    let mut next = 0..;
    let mut number = |text: Option<Cow<'t, str>>| {
        let own = next.next().unwrap_or_default();
        text.map_or(own, |text| *numbers.entry(text).or_insert(own))
    };
    let left = old.iter().map(|value| number(value.text())).collect();
    (left, new.iter().map(|value| number(value.text())).collect())
}

/// Returns the positions of the longest common subsequence. If there are several, the result is the subsequence that the
/// reference chooses, with the first of equal elements.
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

/// Returns the number before a position.
fn before(numbers: &[usize], position: usize) -> Option<usize> {
    position.checked_sub(1).and_then(|last| numbers.get(last)).copied()
}

/// Returns the lines of two texts as they are shown, one after the other: each kept, removed or added.
pub(super) fn lines<'t>(
    old: &'t str,
    new: &'t str,
    budget: &TextBudget<'_>,
) -> Box<dyn Iterator<Item = (Action, &'t str)> + 't> {
    let (mut left, mut right) = (old.split('\n'), new.split('\n'));
    if are_long(left.clone().count(), right.clone().count()) {
        let by_position = std::iter::from_fn(move || match (left.next(), right.next()) {
            (None, None) => None,
            (before, after) => Some(shown(before, after)),
        });
        return Box::new(by_position.flatten());
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (left.collect(), right.collect());
    let pairs = pairs(&old, &new, &|_| false, budget);
    let line = |all: &[&'t str], at: Option<usize>| at.and_then(|at| all.get(at)).copied();
    let shown = move |pair: ElementPair| shown(line(&old, pair.old), line(&new, pair.new));
    Box::new(pairs.into_iter().flat_map(shown))
}

/// Returns the printed lines for a line before and a line after: one kept line, or a deleted line, a created line, or both.
fn shown<'t>(before: Option<&'t str>, after: Option<&'t str>) -> impl Iterator<Item = (Action, &'t str)> {
    let lines = match (before, after) {
        (Some(before), Some(after)) if before == after => [Some((Action::Keep, before)), None],
        (before, after) => {
            [before.map(|line| (Action::Delete, line)), after.map(|line| (Action::Create, line))]
        }
    };
    lines.into_iter().flatten()
}

/// Returns the elements of two sets as pairs. Equal elements are together.
pub(super) fn set_pairs<T: Comparable>(old: &[T], new: &[T]) -> Vec<ElementPair> {
    let (left, right) = numbers(old, new);
    let mut unpaired: HashMap<usize, VecDeque<usize>> = HashMap::new();
    for (at, number) in right.iter().enumerate() {
        unpaired.entry(*number).or_default().push_back(at);
    }
    let mut other = |number: &usize| unpaired.get_mut(number).and_then(VecDeque::pop_front);
    let mut pairs: Vec<ElementPair> = left
        .iter()
        .enumerate()
        .map(|(at, number)| ElementPair { old: Some(at), new: other(number) })
        .collect();
    let taken: HashSet<usize> = pairs.iter().filter_map(|pair| pair.new).collect();
    pairs.extend(
        (0..new.len()).filter(|at| !taken.contains(at)).map(|at| ElementPair { old: None, new: Some(at) }),
    );
    pairs
}
