//! The words of a line of unreadable text, and the names that they may be parts of.

use terrane_syntax::is_part_of_name;
use terrane_syntax::line::words;
use terrane_value::{SmolStr, common_end, common_start};

/// Whether a word ends with at least half of a name.
pub(super) fn has_half_at_end(word: &str, name: &str) -> bool {
    let kept = name.get(name.len() - common_end(word, name)..).unwrap_or_default();
    kept.chars().count() * 2 >= name.chars().count()
}

/// Whether a line has a word that begins as the name, followed by a word that ends as its rest; both may be one word.
/// An edit keeps both parts, with other text between, before or after them. A single character between the words may stand in place of a
/// letter.
pub(super) fn holds(line: &str, name: &str) -> bool {
    // The bytes of the name with which a word before begins.
    let mut begun = 0;
    // The end of the word before, and the bytes of the name in it, if the name begins with all of it.
    let mut before: Option<(usize, usize)> = None;
    words_at(line).any(|(at, word)| {
        let (start, end) = (common_start(word, name), common_end(word, name));
        let own = if word.len() >= name.len() { start } else { 0 };
        let is_one = |text: Option<&str>| text.is_some_and(|text| text.chars().count() == 1);
        let is_replaced = before.take().is_some_and(|(last, begun)| {
            end == word.len()
                && is_one(line.get(last..at))
                && is_one(name.len().checked_sub(end).and_then(|rest| name.get(begun..rest)))
        });
        let is_found = is_replaced || begun.max(own) + end >= name.len();
        begun = begun.max(start);
        before = (start == word.len()).then_some((at + word.len(), start));
        is_found
    })
}

/// Returns the words that may lack their ends in a line with an open quote: the last one, and each between a quote and another character.
pub(super) fn unfinished(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split_inclusive('"').skip(1).filter_map(|behind| {
        let end = behind.find(|found| !is_part_of_name(found)).unwrap_or(behind.len());
        let (word, rest) = behind.split_at(end);
        (!word.is_empty() && !rest.is_empty() && !rest.starts_with('"')).then_some(word)
    });
    quoted.chain(words(line).last())
}

/// Returns the parts of each word of a line before its first and behind its last byte that is not UTF-8, unless both are empty.
pub(super) fn garbled(line: &str) -> impl Iterator<Item = (SmolStr, SmolStr)> {
    let is_part = |found: char| is_part_of_name(found) || found == char::REPLACEMENT_CHARACTER;
    line.split(move |found| !is_part(found)).filter_map(|word| {
        let (start, behind) = word.split_once(char::REPLACEMENT_CHARACTER)?;
        let end = behind.rsplit(char::REPLACEMENT_CHARACTER).next().unwrap_or_default();
        (!start.is_empty() || !end.is_empty()).then(|| (start.into(), end.into()))
    })
}

/// Returns the words of a text with their places.
fn words_at(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split(is_no_part)
        .map(move |word| {
            let start = at;
            let separator = text.get(at + word.len()..).and_then(|behind| behind.chars().next());
            at += word.len() + separator.map_or(0, char::len_utf8);
            (start, word)
        })
        .filter(|(_, word)| !word.is_empty())
}

pub(super) fn is_no_part(found: char) -> bool {
    !is_part_of_name(found)
}

pub(super) fn reversed(word: &str) -> SmolStr {
    word.chars().rev().collect()
}
