//! Shows how strings differ: the lines of long texts, and the part of a long line that changes.

use std::cell::Cell;

use imara_diff::{Algorithm, Diff, InternedInput, Token};
use terrane_value::Value;
use terrane_value::display::quote;

use crate::explain::brief::brief;
use crate::print_limit::MAX_COMPARISONS;
use crate::secrets::{Secrets, is_hidden};

/// The most lines of a difference between two texts.
const MAX_LINES: usize = 40;
/// The number of equal characters shown before the first difference.
const CHARACTERS_BEFORE: usize = 20;
/// Limit on the bytes of each of two texts that are compared line by line.
const MAX_BYTES: usize = 1 << 20;

/// A value before and after.
pub(super) enum Changed {
    /// Both values, each in one line.
    Values(String, String),
    /// The lines that only one of two texts has, with their signs.
    Lines(Vec<(char, String)>),
}

/// Shows the parts of strings that differ. The work of comparing lines has one limit for all texts; beyond it, texts are shown
/// as a whole.
pub(super) struct Strings {
    secrets: Secrets,
    /// The number of comparisons that are left.
    left: Cell<usize>,
    /// About the most characters of a line.
    most: usize,
}

impl Strings {
    pub(super) fn new(secrets: Secrets, most: usize) -> Strings {
        Strings { secrets, left: Cell::new(MAX_COMPARISONS), most }
    }

    /// Returns a value in one line.
    pub(super) fn value(&self, value: &Value) -> String {
        brief(value, self.secrets, self.most)
    }

    /// Returns both values as a report shows them.
    pub(super) fn changed(&self, before: &Value, after: &Value) -> Changed {
        let (secrets, most) = (self.secrets, self.most);
        let is_shown = !is_hidden(before, secrets) && !is_hidden(after, secrets);
        match (before.unmarked().as_str(), after.unmarked().as_str()) {
            (Some(old), Some(new)) if is_shown && self.may_compare(old, new) => {
                Changed::Lines(lines(old, new, most))
            }
            // Many parts may have the same long text, so the search for the first difference is counted as work.
            (Some(old), Some(new)) if is_shown && self.take(old.len().min(new.len())) => {
                match first_difference(old, new, most) {
                    Some(at) => Changed::Values(end_of(old, at, most), end_of(new, at, most)),
                    None => Changed::Values(self.value(before), self.value(after)),
                }
            }
            (_, _) => Changed::Values(self.value(before), self.value(after)),
        }
    }

    /// Whether the lines of two texts are compared. For texts with few distinct lines, that work grows with the square of the
    /// number of lines.
    fn may_compare(&self, old: &str, new: &str) -> bool {
        if !has_lines(old) || !has_lines(new) || !self.take(old.len() + new.len()) {
            return false;
        }
        let most = old.lines().count().max(new.lines().count());
        self.take(most.saturating_mul(most))
    }

    /// Subtracts comparisons. Returns false if fewer are left.
    fn take(&self, comparisons: usize) -> bool {
        let left = self.left.get().checked_sub(comparisons);
        left.inspect(|left| self.left.set(*left)).is_some()
    }
}

/// Whether a text has several lines and is short enough to compare them.
fn has_lines(text: &str) -> bool {
    text.trim_end().contains('\n') && text.len() <= MAX_BYTES
}

/// Returns the lines that only one of the texts has.
fn lines(old: &str, new: &str, most: usize) -> Vec<(char, String)> {
    let input = InternedInput::new(old, new);
    let is_end_new = old.ends_with('\n') != new.ends_with('\n');
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let mut lines = Vec::new();
    for hunk in diff.hunks() {
        let sides = [('-', &input.before, hunk.before), ('+', &input.after, hunk.after)];
        for (sign, tokens, range) in sides {
            let tokens: &[Token] = tokens.get(range.start as usize..range.end as usize).unwrap_or_default();
            let line = |token: &Token| {
                let line = input.interner[*token];
                let end = if is_end_new && !line.ends_with('\n') { " (no newline at the end)" } else { "" };
                (sign, cut(line, most) + end)
            };
            lines.extend(tokens.iter().map(line));
        }
    }
    let left = lines.len().saturating_sub(MAX_LINES);
    if left > 0 {
        lines.truncate(MAX_LINES);
        lines.push(('~', format!("({left} more lines)")));
    }
    lines
}

/// Returns a line without its end, cut behind `most` characters. Control characters except tabs become escapes, because lines
/// that differ only in them look equal.
fn cut(line: &str, most: usize) -> String {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let (shown, end) = match line.char_indices().nth(most) {
        Some((end, _)) => (line.get(..end).unwrap_or_default(), "..."),
        None => (line, ""),
    };
    let is_control = |character: char| character.is_control() && character != '\t';
    let mut escaped = String::with_capacity(shown.len() + end.len());
    for piece in shown.split_inclusive(is_control) {
        let text = piece.trim_end_matches(is_control);
        escaped.push_str(text);
        let control = quote(piece.get(text.len()..).unwrap_or_default());
        escaped.push_str(control.trim_matches('"'));
    }
    escaped + end
}

/// Returns the byte from which two texts are shown, if showing them from the start would cut off the first difference.
fn first_difference(old: &str, new: &str, most: usize) -> Option<usize> {
    let same = old.chars().zip(new.chars()).take_while(|(one, other)| one == other).count();
    // Quotes and escapes take more room.
    let first = same.checked_sub(CHARACTERS_BEFORE).filter(|_| same > most / 2)?;
    old.char_indices().nth(first).map(|(at, _)| at)
}

/// Returns the text from a byte on, in quotes.
fn end_of(text: &str, at: usize, most: usize) -> String {
    let end = Value::from(text.get(at..).unwrap_or_default());
    format!("...{}", brief(&end, Secrets::Shown, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would take minutes if the work grew with the square of the number of lines.
    #[test]
    fn texts_of_many_equal_lines_are_shown_as_a_whole() {
        let text = |step: usize, length: usize| -> Value {
            let line = |at: usize| if (at * step / 7).is_multiple_of(3) { "a\n" } else { "b\n" };
            Value::from((0..length).map(line).collect::<String>())
        };
        let strings = Strings::new(Secrets::Hidden, 100);
        assert!(matches!(strings.changed(&text(3, 300_000), &text(5, 300_000)), Changed::Values(..)));
        assert!(matches!(strings.changed(&text(3, 300), &text(5, 300)), Changed::Lines(_)));
    }
}
