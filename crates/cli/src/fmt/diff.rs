//! Writes unified diffs, as `diff -u` prints them.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};

/// The number of unchanged lines around a change.
const CONTEXT: u32 = 3;

/// Returns the lines that differ, as `diff -u` prints them. Empty for equal texts.
pub(super) fn unified(name: &str, old: &str, new: &str) -> String {
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_no_heuristic(&input);
    let hunks: Vec<Hunk> = diff.hunks().collect();
    if hunks.is_empty() {
        return String::new();
    }
    let mut text = format!("--- old/{name}\n+++ new/{name}\n");
    for group in hunks.chunk_by(|hunk, next| next.before.start - hunk.before.end <= 2 * CONTEXT) {
        write_group(group, &input, &mut text);
    }
    text
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
    side: &[imara_diff::Token],
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
