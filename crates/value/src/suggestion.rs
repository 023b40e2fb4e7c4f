//! Finds the closest name for "Did you mean" hints, and words hints about elements.
//!
//! Diagnostics in every crate above use it.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Returns the name in a table of the program that was probably meant by `given`: at most one letter in three differs (in a
/// name of two letters, one), and never more than two letters, or the names differ only in capital letters.
/// `None` if there is no such name.
///
/// Names of an input may be any number, and searched for any number of times. [`ClosestNames`] searches them.
pub fn closest_name(given: &str, names: impl IntoIterator<Item = &'static str>) -> Option<&'static str> {
    ClosestNames::default().of(given, names)
}

/// Returns the names that are as close to `given` as [`closest_name`]. `most` limits the work, as in [`ClosestNames`].
pub(crate) fn closest_names<N: AsRef<str>>(
    given: &str,
    names: impl IntoIterator<Item = N>,
    most: usize,
) -> Vec<N> {
    let near: Vec<Candidate<N>> = near(given, names, Work { done: &AtomicUsize::new(0), most }).collect();
    let least = near.iter().map(|candidate| candidate.distance).min();
    near.into_iter().filter(|near| Some(near.distance) == least).map(|candidate| candidate.name).collect()
}

/// The work of comparing names: 1 for each name, and 1 for each 64 pairs of letters of names that are compared letter by letter.
#[derive(Clone, Copy)]
struct Work<'w> {
    done: &'w AtomicUsize,
    most: usize,
}

impl Work<'_> {
    const LETTERS: usize = 64;

    fn is_left(self) -> bool {
        self.done.load(Relaxed) < self.most
    }

    fn add(self, work: usize) {
        self.done.fetch_add(work, Relaxed);
    }
}

/// A name that may be meant.
struct Candidate<N> {
    name: N,
    /// The number of letters that differ.
    distance: usize,
}

/// Returns the names that may be meant by `given`, as long as work is left.
fn near<N: AsRef<str>>(
    given: &str,
    names: impl IntoIterator<Item = N>,
    work: Work<'_>,
) -> impl Iterator<Item = Candidate<N>> {
    /// Longer names are not compared: the time for a comparison grows with the square of the length.
    const LONGEST: usize = 100;
    let length = given.chars().count();
    // A name of a single letter would be replaced completely.
    let limit = (length / 3).clamp(1, 2).min(length.saturating_sub(1));
    let letters = letters(given);
    let mut names = names.into_iter().take(if given.len() > LONGEST { 0 } else { usize::MAX });
    let names = std::iter::from_fn(move || if work.is_left() { names.next() } else { None });
    names.filter_map(move |name| {
        work.add(1);
        let text = name.as_ref();
        // A name that differs only in capitals is as close as one with another letter.
        if text.eq_ignore_ascii_case(given) {
            return Some(Candidate { name, distance: 1 });
        }
        // Each difference changes the length by at most one letter, and the set of letters by at most two.
        let is_short = text.len() <= LONGEST && text.len().abs_diff(given.len()) <= 4 * limit;
        if !is_short || (self::letters(text) ^ letters).count_ones() as usize > 2 * limit {
            return None;
        }
        work.add(given.len() * text.len() / Work::LETTERS);
        let distance = strsim::osa_distance(given, text);
        (distance <= limit).then_some(Candidate { name, distance })
    })
}

/// Finds close names for many misspelt ones. A configuration may have thousands of both, so the work of all searches together is
/// limited.
#[derive(Debug)]
pub struct ClosestNames {
    done: AtomicUsize,
    most: usize,
}

impl Default for ClosestNames {
    fn default() -> ClosestNames {
        ClosestNames { done: AtomicUsize::new(0), most: ClosestNames::MOST }
    }
}

impl ClosestNames {
    /// Limit on the work. A unit takes up to 200 nanoseconds.
    const MOST: usize = 500_000;
    /// Limit on the work of a search that a run counts.
    const MAX_OF_COUNTED: usize = 2000;
    /// The steps of a run for a unit of work.
    const STEPS: u64 = 8;

    /// Returns searches of which a run counts the steps. They stop much earlier.
    pub fn counted() -> ClosestNames {
        ClosestNames { done: AtomicUsize::new(0), most: ClosestNames::MAX_OF_COUNTED }
    }

    /// Returns searches that find nothing, for messages that nobody reads.
    pub fn none() -> ClosestNames {
        ClosestNames { done: AtomicUsize::new(0), most: 0 }
    }

    /// Returns the steps of all searches so far.
    pub fn steps(&self) -> u64 {
        ClosestNames::steps_of(self.done.load(Relaxed))
    }

    /// Returns the steps of a counted search among this number of names.
    pub fn steps_of(names: usize) -> u64 {
        (names.min(ClosestNames::MAX_OF_COUNTED) as u64).saturating_mul(ClosestNames::STEPS)
    }

    /// Counts a search among `names` names that is made elsewhere. Returns whether work was left for it.
    pub fn count(&self, names: usize) -> bool {
        self.done.fetch_add(names, Relaxed) < self.most
    }

    /// Returns the same as [`closest_name`], as long as work is left.
    pub fn of<N: AsRef<str>>(&self, given: &str, names: impl IntoIterator<Item = N>) -> Option<N> {
        let work = Work { done: &self.done, most: self.most };
        near(given, names, work).min_by_key(|candidate| candidate.distance).map(|candidate| candidate.name)
    }
}

/// Returns the number of bytes of the characters with which both texts begin.
pub fn common_start(one: &str, other: &str) -> usize {
    let both = one.chars().zip(other.chars());
    both.take_while(|(one, other)| one == other).map(|(found, _)| found.len_utf8()).sum()
}

/// Returns the number of bytes of the characters with which both texts end.
pub fn common_end(one: &str, other: &str) -> usize {
    let both = one.chars().rev().zip(other.chars().rev());
    both.take_while(|(one, other)| one == other).map(|(found, _)| found.len_utf8()).sum()
}

/// Whether two texts are equal, or differ in one character that is missing, added or changed.
pub fn is_one_edit(one: &str, other: &str) -> bool {
    let start = common_start(one, other);
    let rests = [one, other].map(|text| text.get(start..).unwrap_or_default());
    let end = common_end(rests[0], rests[1]);
    rests.iter().all(|rest| rest.get(..rest.len() - end).unwrap_or_default().chars().nth(1).is_none())
}

/// Returns the hint for an attribute that the elements of a value have: how to read it from one of them, and from all.
pub(crate) fn one_or_all(one: &str, all: &str) -> String {
    format!("One element's attribute is `{one}`, that of all elements `{all}`.")
}

/// Returns the set of the letters in a text, in which different letters may share a bit.
fn letters(text: &str) -> u64 {
    text.chars().fold(0, |set, letter| set | 1 << (u32::from(letter) % 64))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn close_names_are_found() {
        let cases = [
            ("vra", "var", true),
            ("regio", "region", true),
            ("lenght", "length", true),
            ("abcdef", "xycdef", true),
            ("jsonencod_", "jsonencode", true),
            ("straße", "strasse", true),
            ("VAR", "var", true),
            ("A", "a", true),
            ("nope", "one", false),
            ("abc", "xyz", false),
            ("abc", "axy", false),
            ("ab", "ac", true),
            ("a", "b", false),
            ("", "b", false),
        ];
        for (given, name, is_close) in cases {
            assert_eq!(closest_name(given, ["something", name]).is_some(), is_close, "{given} {name}");
        }
        assert_eq!(closest_name("cat", ["car", "cats", "Cat"]), Some("car"));
    }

    #[test]
    fn one_edit_leaves_both_ends() {
        assert_eq!((common_start("aéb", "aéc"), common_end("béa", "céa"), common_start("é", "è")), (3, 3, 0));
        for (one, other) in
            [("", ""), ("", "a"), ("aa", "a"), ("aba", "aba"), ("abc", "ac"), ("aéc", "aèc"), ("ab", "b")]
        {
            assert!(is_one_edit(one, other) && is_one_edit(other, one), "{one} {other}");
        }
        for (one, other) in [("", "ab"), ("aaa", "a"), ("ab", "ba"), ("abcd", "ad")] {
            assert!(!is_one_edit(one, other) && !is_one_edit(other, one), "{one} {other}");
        }
    }

    #[test]
    fn the_comparisons_of_all_searches_are_limited() {
        for closest in [ClosestNames::default(), ClosestNames::counted()] {
            let (most, looked_at) = (closest.most, Cell::new(0));
            let names = || (0..most / 2).map(|_| "region").inspect(|_| looked_at.set(looked_at.get() + 1));
            let found: Vec<_> = (0..4).map(|_| closest.of("regio", names())).collect();
            assert_eq!(found, [Some("region"), Some("region"), None, None]);
            assert_eq!(looked_at.get(), most);
            assert!(!closest.count(1));
        }
    }
}
