//! Finds the ends of names and headers whose beginnings are lost, together with the line break or the text before them.

use terrane_syntax::is_part_of_name;
use terrane_syntax::line::{bracket_depth, first_word, has_open_quote, words};
use terrane_value::is_one_edit;

use crate::decode::block_type::{BLOCK_TYPES, BlockType};
use crate::decode::damaged_header::is_bare_brace;
use crate::model::hidden::Hidden;
use crate::model::hidden::header_line::header_of;

/// Returns the declarations whose headers may end in the lines of a text, behind other items: `a = 1nes" {`, with the end of a label, a
/// quote and the brace of a body.
pub(super) fn joined_headers(text: &str) -> impl Iterator<Item = Hidden> {
    let mut above = "";
    let lines = text.lines().filter(move |line| {
        // A line break has cut off the end of the header above.
        let is_cut_off = is_bare_brace(line) && has_open_quote(above) && begins_header(above).is_some();
        above = line;
        !is_cut_off
    });
    lines.filter_map(joined_header)
}

fn joined_header(line: &str) -> Option<Hidden> {
    let before_brace = line.trim_end().strip_suffix('{')?;
    let header = before_brace.trim_end().strip_suffix('"')?;
    let labels = header.rsplit('=').next()?;
    let has_end = header.ends_with(is_part_of_name);
    // A quote before the brace alone is too many, and does not end another header.
    let is_value_only = before_brace.ends_with('"') && labels.trim().is_empty();
    if is_value_only || is_own_header(line, has_end) {
        return None;
    }
    let quotes = labels.matches('"').count();
    let (is_open, is_value) = (quotes.is_multiple_of(2), labels.len() < header.len());
    // A value is before the labels, or the end of a block type.
    let has_two = is_value && (quotes > 1 || labels.split('"').next().is_some_and(ends_as_type));
    let kinds = BLOCK_TYPES.iter().filter(|block_type| !block_type.labels.is_empty());
    let hidden = Hidden::of(kinds.filter_map(BlockType::kinds).flatten().copied());
    (is_open || has_two).then(|| if has_end { hidden.joined_in(labels) } else { hidden })
}

/// Whether a line begins with the type of blocks with labels and a quote, and no other header ends in it: either it does not end with a
/// label, or it is a whole header with another character.
fn is_own_header(line: &str, ends_with_label: bool) -> bool {
    let Some((block_type, behind)) = begins_header(line) else { return false };
    let labels: Vec<&str> = words(behind).collect();
    let is_whole = || {
        labels.len() == block_type.labels.len()
            && is_one_edit(line.trim_end(), &header_of(block_type.name, &labels))
    };
    !ends_with_label || is_whole()
}

/// Returns the type of blocks with labels, and the text behind it, if a line begins with it and a quote.
fn begins_header(line: &str) -> Option<(&'static BlockType, &str)> {
    let (word, behind) = first_word(line);
    let block_type = BlockType::named(word).filter(|block_type| !block_type.labels.is_empty())?;
    behind.trim_start_matches([' ', '\t']).starts_with('"').then_some((block_type, behind))
}

/// Whether a text ends with at least three letters of the end of a block type.
fn ends_as_type(text: &str) -> bool {
    const LETTERS: usize = 3;
    let ends = BLOCK_TYPES.iter().filter_map(|block_type| {
        block_type.name.len().checked_sub(LETTERS).and_then(|start| block_type.name.get(start..))
    });
    ends.into_iter().any(|end| text.trim_end().ends_with(end))
}

/// Returns the words before equals signs in a text of local values that may be the ends of names: they follow other text of their line,
/// outside of brackets that open in the line, or start a line below the first one without indentation.
pub(super) fn ends_of_names(text: &str) -> impl Iterator<Item = &str> {
    text.lines().enumerate().flat_map(|(index, line)| EndsInLine {
        line,
        at: 0,
        depth: 0,
        is_first: index == 0,
    })
}

/// The ends of names in a line.
struct EndsInLine<'t> {
    line: &'t str,
    /// The place behind the last equals sign.
    at: usize,
    /// The number of open brackets there.
    depth: usize,
    is_first: bool,
}

impl<'t> Iterator for EndsInLine<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        loop {
            let rest = self.line.get(self.at..)?;
            let equals = rest.find('=')?;
            let (before, behind) = rest.split_at_checked(equals)?;
            let start = self.at;
            self.at += equals + 1;
            // Brackets in strings count, because an edit may have taken a quote.
            self.depth = before.chars().fold(self.depth, bracket_depth);
            let name = before.trim_end();
            let head = name.trim_end_matches(is_part_of_name);
            let word = name.get(head.len()..)?.trim_start_matches(|found: char| found.is_ascii_digit());
            let is_at_start = start == 0 && head.trim().is_empty();
            let may_be_end = if is_at_start { head.is_empty() && !self.is_first } else { self.depth == 0 };
            let is_argument = !behind.starts_with("==") && !behind.starts_with("=>");
            if may_be_end && is_argument && !word.is_empty() {
                return Some(word);
            }
            if behind.starts_with("==") {
                self.at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::declaration_kind::DeclarationKind;
    use crate::model::hidden::HiddenDeclarations;

    #[test]
    fn headers_may_be_joined_with_the_text_before() {
        let holds = |text: &str, kind, names: &[&'static str]| {
            let mut hidden = HiddenDeclarations::default();
            joined_headers(text).for_each(|found| hidden.add(found));
            hidden.holds_named(kind, names.iter().copied())
        };
        let data = DeclarationKind::Resource(terrane_config::address::ResourceMode::Data);
        let joined = "context = module.iamws_iam_policy\" \"terraform_update\" {\n  a = 1\n";
        assert!(holds(joined, data, &["aws_iam_policy", "terraform_update"]));
        assert!(!holds(joined, data, &["aws_iam_policy", "other"]));
        assert!(holds("a = 1onfig_zones\" {", DeclarationKind::Variable, &["config_zones"]));
        assert!(!holds("a = 1onfig_zones\" {", DeclarationKind::Variable, &["region"]));
        for text in ["a = \"x\"riable \"zones\" {", "a = 5riable \"zones\" {"] {
            assert!(holds(text, DeclarationKind::Variable, &["zones"]), "{text}");
        }
        assert!(holds("a = [\n  denfig_zones\" {", DeclarationKind::Variable, &["config_zones"]));
        for text in ["a = {", "a = \"x\"", "a = [", "a = \"x {", "dynamic \"x\" {", "dynamic = \"x\" {"] {
            assert!(joined_headers(text).next().is_none(), "{text}");
        }
        for text in [
            "output \"x\"\" {",
            "output \"\"x\" {",
            "resource \"a_b\"\" \"c\" {",
            "variable \"x\" \"{",
            "  tags = \"{",
        ] {
            assert!(joined_headers(text).next().is_none(), "{text}");
        }
        for text in ["output \"x\"zones\" {", "resource \"x\"zones\" {"] {
            assert!(holds(text, DeclarationKind::Variable, &["zones"]), "{text}");
        }
    }

    #[test]
    fn names_may_lack_their_beginnings() {
        let ends = |text: &str| ends_of_names(text).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(ends("a = [\n    1,\n_count = 2\n  b = 3\n"), ["_count"]);
        assert_eq!(ends("a = 12nes = 3"), ["nes"]);
        assert_eq!(ends("  a = x ]nes = 3"), ["nes"]);
        for text in [
            "a = 1\n  b = 2",
            "a = { b = 1, c = 2 }",
            "a = b == c",
            "a = { for b in c : b => 1 }",
            "a = x ? y : z",
        ] {
            assert!(ends(text).is_empty(), "{text}");
        }
    }
}
