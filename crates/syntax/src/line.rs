//! Reads lines of text that the parser could not read: words, quotes, brackets and comments.
//!
//! The lines need not be valid, so these functions guess from a few characters, and never fail.

use crate::block_types::is_part_of_name;

/// Returns the marker of the heredoc that a line opens.
pub fn opened_heredoc(line: &str) -> Option<&str> {
    let (_, marker) = line.trim_end().rsplit_once("<<")?;
    let marker = marker.strip_prefix('-').unwrap_or(marker);
    (!marker.is_empty() && marker.chars().all(is_part_of_name)).then_some(marker)
}

/// Whether a line begins with a name and an equals sign.
pub fn starts_argument(line: &str) -> bool {
    let (name, behind) = first_word(line);
    let value = behind.trim_start_matches([' ', '\t']).strip_prefix('=');
    !name.is_empty() && value.is_some_and(|value| !value.starts_with(['=', '>']))
}

/// Whether a line is one that a merge has left to mark a conflict.
pub fn is_conflict_marker(line: &str) -> bool {
    ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].iter().any(|marker| line.starts_with(marker))
}

/// Returns the words of a text: the longest parts of which a name may consist.
pub fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|found| !is_part_of_name(found)).filter(|word| !word.is_empty())
}

/// Returns the word with which a text begins, and the text behind it. The word is empty if the text begins with another character.
pub fn first_word(text: &str) -> (&str, &str) {
    text.split_at(text.len() - text.trim_start_matches(is_part_of_name).len())
}

/// Returns the number of blanks and tabs with which a line begins.
pub fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Whether a line has a quote that nothing closes: an odd number of quotes. Broken headers and labels have no escapes, so a quote behind a
/// backslash counts.
pub fn has_open_quote(line: &str) -> bool {
    line.matches('"').count() % 2 == 1
}

/// Whether a text with values has a string that nothing closes: like [`has_open_quote`], but a quote behind a backslash is a character of
/// its string.
pub fn has_open_string(text: &str) -> bool {
    let is_escaped = |at: usize| text.get(..at).is_some_and(|before| before.ends_with('\\'));
    text.match_indices('"').filter(|(at, _)| !is_escaped(*at)).count() % 2 == 1
}

/// Returns the number of open brackets behind a character, given the number before it.
pub fn bracket_depth(depth: usize, found: char) -> usize {
    match found {
        '{' | '[' | '(' => depth + 1,
        '}' | ']' | ')' => depth.saturating_sub(1),
        _ => depth,
    }
}

/// Returns the parts of a line outside of quotes.
pub fn outside_quotes(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').step_by(2)
}

/// Whether a text begins with a comment.
pub fn starts_comment(text: &str) -> bool {
    text.starts_with('#') || text.starts_with("//") || text.starts_with("/*")
}

/// Returns a line up to a comment of one line, or up to characters in a string that look like one. Block comments do not count: `/*` is
/// frequent in strings, as in `conf/*.json`.
pub fn without_comment(line: &str) -> &str {
    let end = line.find('#').into_iter().chain(line.find("//")).min().unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_arguments_begin_a_line() {
        assert_eq!(opened_heredoc("a = <<-EOT\r\n"), Some("EOT"));
        assert_eq!((opened_heredoc("a << b"), opened_heredoc("a <<")), (None, None));
        assert!(starts_argument("b_c-2=[") && starts_argument("a = = 1"));
        for line in ["a == 1", "a => 1", " = 1", "a {", "a", ""] {
            assert!(!starts_argument(line), "{line}");
        }
        assert_eq!(
            (first_word("é-1 b"), first_word(" b"), first_word("")),
            (("é-1", " b"), ("", " b"), ("", ""))
        );
        assert_eq!((indentation(" \ta "), indentation("a")), (2, 0));
    }

    #[test]
    fn quotes_and_brackets_are_counted() {
        assert!(has_open_quote("\"a") && !has_open_quote("\"a\"") && has_open_quote("\"\\\"\""));
        assert!(has_open_string("\"a") && !has_open_string("\"\\\"\""));
        assert_eq!("a[(})".chars().fold(1, bracket_depth), 1);
        assert_eq!("})".chars().fold(0, bracket_depth), 0);
        assert_eq!(outside_quotes("a \"b\" c\"d").collect::<Vec<_>>(), ["a ", " c"]);
    }

    #[test]
    fn comments_end_a_line() {
        assert_eq!(
            (without_comment("a # b"), without_comment("a // #"), without_comment("a /* b")),
            ("a ", "a ", "a /* b")
        );
        assert!(["#", "//", "/*"].into_iter().all(starts_comment) && !starts_comment("/"));
    }
}
