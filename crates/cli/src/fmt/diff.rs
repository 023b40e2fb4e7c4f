//! Writes unified diffs, as `diff -u` prints them.

use std::collections::HashMap;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput, NoSliderHeuristic, Token};

/// The lines of a piece of a long text.
const LINES_OF_PIECE: usize = 1024;

/// The most lines that are compared at once, if the texts have different numbers of lines.
const MAX_LINES: usize = 4096;

/// The number of unchanged lines around a change.
const CONTEXT: u32 = 3;

/// Returns the lines that differ, as `diff -u` prints them. Empty for equal texts.
pub(super) fn unified(name: &str, old: &str, new: &str) -> String {
    let input = InternedInput::new(old, new);
    let hunks = changes(&input);
    if hunks.is_empty() {
        return String::new();
    }
    let mut text = format!("--- old/{name}\n+++ new/{name}\n");
    for group in hunks.chunk_by(|hunk, next| next.before.start - hunk.before.end <= 2 * CONTEXT) {
        write_group(group, &input, &mut text);
    }
    text
}

/// Returns the changes. The time of a comparison can grow with the square of the number of lines, so long texts are compared in
/// pieces: formatting keeps the number of lines, so the pieces of both texts have the same lines.
fn changes(input: &InternedInput<&str>) -> Vec<Hunk> {
    let (before, after) = (&*input.before, &*input.after);
    if before.len() != after.len() {
        return if before.len().max(after.len()) <= MAX_LINES {
            compared(before, after, 0)
        } else {
            vec![between_common_lines(before, after)]
        };
    }
    let mut changes: Vec<Hunk> = Vec::new();
    let mut start = 0;
    while start < before.len() {
        let end = end_of_piece(before, after, start);
        let (Some(old), Some(new)) = (before.get(start..end), after.get(start..end)) else { break };
        for hunk in compared(old, new, start) {
            match changes.last_mut() {
                Some(last) if last.before.end == hunk.before.start && last.after.end == hunk.after.start => {
                    (last.before.end, last.after.end) = (hunk.before.end, hunk.after.end);
                }
                Some(_) | None => changes.push(hunk),
            }
        }
        start = end;
    }
    changes
}

/// Returns the end of the piece from the line `start` on: before a line that is the same in both texts, if one is near.
fn end_of_piece(before: &[Token], after: &[Token], start: usize) -> usize {
    let most = start.saturating_add(LINES_OF_PIECE);
    let is_same = |line: &usize| before.get(*line) == after.get(*line);
    let end = (most..most.saturating_add(LINES_OF_PIECE)).find(is_same).unwrap_or(most);
    end.min(before.len())
}

/// Returns the changes between two pieces that start at the line `start`.
fn compared(before: &[Token], after: &[Token], start: usize) -> Vec<Hunk> {
    // The comparison needs memory for all tokens up to the highest number.
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let mut renumbered = |side: &[Token]| -> Vec<Token> {
        let number = |token: &Token| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            Token(*numbers.entry(token.0).or_insert(next))
        };
        side.iter().map(number).collect()
    };
    let (before, after) = (renumbered(before), renumbered(after));
    let mut diff = Diff::default();
    diff.compute_with(Algorithm::Myers, &before, &after, u32::try_from(numbers.len()).unwrap_or(u32::MAX));
    diff.postprocess_with(&before, &after, NoSliderHeuristic);
    let start = u32::try_from(start).unwrap_or(u32::MAX);
    let moved = |lines: Range<u32>| lines.start.saturating_add(start)..lines.end.saturating_add(start);
    diff.hunks().map(|hunk| Hunk { before: moved(hunk.before), after: moved(hunk.after) }).collect()
}

/// Returns one change from the first to the last line that differs.
fn between_common_lines(before: &[Token], after: &[Token]) -> Hunk {
    let is_same = |(one, other): &(&Token, &Token)| one == other;
    let first = before.iter().zip(after).take_while(is_same).count();
    let most = before.len().min(after.len()) - first;
    let last = before.iter().rev().zip(after.iter().rev()).take(most).take_while(is_same).count();
    let lines = |side: &[Token]| {
        let line = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
        line(first)..line(side.len() - last)
    };
    Hunk { before: lines(before), after: lines(after) }
}

/// Writes the changes of a group. Changes form a group if their contexts touch.
fn write_group(group: &[Hunk], input: &InternedInput<&str>, text: &mut String) {
    let ([first, ..], [.., last]) = (group, group) else { return };
    let lines_before = u32::try_from(input.before.len()).unwrap_or(u32::MAX);
    let lead = first.before.start.min(CONTEXT);
    let tail = (lines_before - last.before.end).min(CONTEXT);
    let before = first.before.start - lead..last.before.end + tail;
    let after = first.after.start - lead..last.after.end + tail;
    text.push_str(&format!("@@ -{} +{} @@\n", position(&before), position(&after)));
    let mut next = before.start;
    for hunk in group {
        write_lines(' ', &input.before, next..hunk.before.start, input, text);
        write_lines('-', &input.before, hunk.before.clone(), input, text);
        write_lines('+', &input.after, hunk.after.clone(), input, text);
        next = hunk.before.end;
    }
    write_lines(' ', &input.before, next..before.end, input, text);
}

/// Returns the first line and the number of lines.
fn position(lines: &Range<u32>) -> String {
    match lines.end - lines.start {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

fn write_lines(
    sign: char,
    side: &[Token],
    lines: Range<u32>,
    input: &InternedInput<&str>,
    text: &mut String,
) {
    for token in side.get(lines.start as usize..lines.end as usize).unwrap_or_default() {
        let line = input.interner[*token];
        text.push(sign);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(unified("a", "x\n", "x\n"), "");
    }

    #[test]
    fn long_texts_are_compared_in_pieces() {
        let text = |name: &str| -> String { (0..30_000).map(|i| format!("{name}{i}\nx\nE\n")).collect() };
        let (old, new) = (text("b"), text("c"));
        let diff = unified("a", &old, &new);
        assert!(
            diff.starts_with("--- old/a\n+++ new/a\n@@ -1,90000 +1,90000 @@\n-b0\n+c0\n x\n E\n-b1\n+c1\n")
        );
        assert_eq!(diff.lines().count(), 3 + 4 * 30_000);
        let all: String = (0..5_000).map(|i| format!("{i}\n")).collect();
        let others = all.replace('7', "8");
        let piece = unified("a", &all, &others);
        assert!(piece.contains("\n-7\n+8\n") && !piece.contains("\n-8\n"), "{piece}");
        let longer = unified("a", &all, &format!("{others}end\n"));
        assert!(longer.contains("\n-7\n-8\n-9\n"), "{longer}");
    }

    #[test]
    fn changes_that_are_near_share_their_context() {
        let old: String =
            ('a'..='t').map(|letter| format!("line {letter}\n")).chain(["end".into()]).collect();
        let new = old.replace("line b\n", "two\n").replace("line i\n", "nine\n").replace("end", "end\n");
        let lines = |from, to| (from..=to).map(|letter| format!(" line {letter}\n")).collect::<String>();
        let expected = [
            "--- old/m/a.tf\n+++ new/m/a.tf\n@@ -1,12 +1,12 @@\n line a\n-line b\n+two\n",
            &lines('c', 'h'),
            "-line i\n+nine\n",
            &lines('j', 'l'),
            "@@ -18,4 +18,4 @@\n",
            &lines('r', 't'),
            "-end\n\\ No newline at end of file\n+end\n",
        ];
        assert_eq!(unified("m/a.tf", &old, &new), expected.concat());
    }

    #[test]
    fn single_line_and_missing_positions() {
        assert_eq!(unified("a", "x\n", "y\n"), "--- old/a\n+++ new/a\n@@ -1 +1 @@\n-x\n+y\n");
        assert_eq!(unified("a", "x\n", ""), "--- old/a\n+++ new/a\n@@ -1 +0,0 @@\n-x\n");
    }
}
