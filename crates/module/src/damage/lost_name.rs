//! The names of items, such as local values, that lack their equals signs.

use terrane_syntax::is_part_of_name;
use terrane_syntax::line::{
    bracket_depth, first_word, has_open_quote, indentation, opened_heredoc, outside_quotes, starts_argument,
    without_comment,
};

/// The names that are values.
pub(super) const LITERALS: [&str; 3] = ["true", "false", "null"];

/// The name that an item had before an edit deleted its equals sign with the end of the name, or with the whole name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LostName<'t> {
    /// The name begins with this word.
    BeginningWith(&'t str),
    Any,
}

impl<'t> LostName<'t> {
    /// Returns the name of an item that lacks its equals sign. `column` is the indentation of the item in bytes. `None` if the item
    /// has an equals sign, if it ends with a comma as an element of a list does, or if it is not a name and a value without the sign.
    pub(super) fn of(item: &'t str, column: usize) -> Option<LostName<'t>> {
        let first = item.lines().next().unwrap_or_default();
        let (word, behind) = first_word(first);
        let rest = without_comment(behind).trim();
        if rest.is_empty() {
            // A number or a keyword at the end may be the value.
            let start = word.trim_end_matches(|found: char| found.is_ascii_digit());
            return match (start.is_empty() || LITERALS.contains(&word), word.is_empty()) {
                (_, true) => None,
                (true, false) => Some(LostName::Any),
                (false, false) => Some(LostName::BeginningWith(start)),
            };
        }
        // A quote has broken the name before an equals sign in two.
        let is_broken_name = !word.is_empty()
            && has_open_quote(behind)
            && behind.strip_prefix('"').is_some_and(starts_argument);
        // A sequence without a quote behind it is not the rest of a string.
        let opens_sequence = behind.starts_with("${") || behind.starts_with("%{");
        if rest.ends_with(',')
            || is_broken_name
            || word.is_empty() && opens_sequence && !has_open_quote(behind)
            || word.is_empty() && behind.starts_with(['=', '}', ']', ')', '#', '/'])
            || !is_value(item, behind, column)
        {
            return None;
        }
        // A value behind a blank is apart from the name; otherwise the word may be the beginning of the value.
        let is_apart = behind.starts_with([' ', '\t'])
            && rest.starts_with(|found: char| is_part_of_name(found) || "\"{[(-!".contains(found))
            && !has_open_quote(behind)
            || rest.starts_with("<<");
        Some(if is_apart && !word.is_empty() { LostName::BeginningWith(word) } else { LostName::Any })
    }
}

/// Whether the text behind the first word of an item may be a value or the end of one: it has no equals sign outside of quotes and brackets,
/// and brackets that it opens close in their line or in the column of the item.
fn is_value(item: &str, behind: &str, column: usize) -> bool {
    if behind.trim_start().starts_with("<<") {
        return opened_heredoc(behind).is_some();
    }
    let outside: String = outside_quotes(behind).collect();
    let outside = without_comment(&outside);
    let (mut depth, mut before) = (0_usize, ' ');
    let mut characters = outside.chars().peekable();
    while let Some(found) = characters.next() {
        depth = bracket_depth(depth, found);
        let is_operator = "=!<>".contains(before) || matches!(characters.peek(), Some('=' | '>'));
        if found == '=' && depth == 0 && !is_operator {
            return false;
        }
        before = found;
    }
    depth == 0 || closes_in_column(item, column)
}

/// Whether an item ends with a line that begins with a closing bracket in its column.
fn closes_in_column(item: &str, column: usize) -> bool {
    let last = item.trim_end().rsplit_once('\n').map(|(_, last)| last);
    last.is_some_and(|last| {
        // The edit may have left a blank before the item.
        let own = indentation(last);
        let is_closed = last.trim_start_matches([' ', '\t']).starts_with(['}', ']', ')']);
        own > 0 && column.abs_diff(own) <= 1 && is_closed
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_alone_has_lost_its_name() {
        for item in [
            "<<-EOT\n    a = 1\n  EOT",
            "\"x = ${y(\"z\")}\"",
            "12 # x = 1",
            "1.5",
            "[\n    1,\n  ]",
            "{ b = 1 }",
            "{\n    b = 1\n  }",
            "var.x == 1",
            "pper(\"x\")",
            "true",
            "!var.x",
            "a[0] ? b : c",
            "+ 1",
            "ptext ${1}\"",
            "p, 2]",
        ] {
            assert_eq!(LostName::of(item, 2), Some(LostName::Any), "{item}");
        }
        for item in [
            "{a = 1\n  b = 2\n}",
            "\"a\" = 1",
            "1a = 1",
            "a.b = 1",
            "d\"ynamic = {\n    a = 1\n  }",
            "%{ a = b([\n    1\n  ])",
            "}",
            "= 1",
            "<<",
            "",
            "a(b = 1",
            "[\n    1,",
            "policy = 1",
            "local.a, # b",
            "2,",
            "# a",
        ] {
            assert_eq!(LostName::of(item, 2), None, "{item}");
        }
    }

    #[test]
    fn a_word_may_be_the_beginning_of_a_name() {
        for item in [
            "policy\n    a = 1\n  }",
            "policy # x",
            "policy \"x\"",
            "policy12",
            "policy {}",
            "policy -1 + 2",
            "policy <<EOT\nEOT",
        ] {
            assert_eq!(LostName::of(item, 2), Some(LostName::BeginningWith("policy")), "{item}");
        }
    }
}
