//! Reads the indentation and the order of the lines around damage.

use terrane_source::Span;
use terrane_syntax::line::{indentation, without_comment};
use terrane_syntax::{Tree, is_part_of_name};

use crate::decode::block_type::BlockType;

/// Whether the lines inside of an argument are indented further than its first line, and its last line begins with a closing bracket in the
/// column of the first one, or is the first one. The next line is not indented further.
pub(super) fn ends_in_its_column(tree: &Tree, argument: Span) -> bool {
    let source = tree.source();
    let (first, last) = (source.line(argument.start), source.line(argument.end));
    let line = |line| source.slice(source.line_span(line));
    let column = indentation(line(first));
    let is_inside = |text: &str| text.trim().is_empty() || indentation(text) > column;
    let rest = source.slice(Span::new(argument.end, source.line_span(last).end));
    let closes = without_comment(rest).trim().is_empty()
        && (first == last
            || indentation(line(last)) == column && line(last).trim_start().starts_with(['}', ']', ')']));
    let end = source.line(u32::try_from(source.text().len()).unwrap_or(u32::MAX));
    let behind = (last + 1..=end).map(line).find(|text| !text.trim().is_empty());
    closes
        && (first + 1..last).map(line).all(is_inside)
        && behind.is_none_or(|text| indentation(text) <= column)
}

/// Returns the place of a word with the next line, if the word is a type of blocks, maybe with an opening quote, and its labels are there.
pub(super) fn with_labels_below(tree: &Tree, word: Span) -> Span {
    let (source, written) = (tree.source(), tree.slice(word).trim());
    let next = source.line_span(source.line(word.end) + 1);
    let below = if next.start > word.start { source.slice(next) } else { "" };
    let (name, has_labels) = match written.strip_suffix('"') {
        Some(name) => (name.trim_end(), below.starts_with(is_part_of_name) && below.contains('"')),
        None => (written, below.starts_with('"')),
    };
    let is_type = BlockType::named(name).is_some_and(|found| !found.labels.is_empty());
    if is_type && has_labels { word.to(next) } else { word }
}

/// Whether the last line with text before a byte is indented: then a block has ended too early.
pub(super) fn is_behind_indented(text: &str, at: u32) -> bool {
    let before = text.get(..at as usize).unwrap_or_default().trim_end();
    is_indented(text, u32::try_from(before.len()).unwrap_or(u32::MAX))
}

/// Whether the line that contains a byte begins with space before it.
pub(super) fn is_indented(text: &str, at: u32) -> bool {
    let before = text.get(..at as usize).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    before.get(line..).is_some_and(|line| line.starts_with([' ', '\t']))
}
