//! Formats a large text in parts, so that several threads can share the work.
//!
//! [`parts_of()`] cuts the text before lines that look like the start of an item, [`format_part()`] formats one part, and
//! [`join_parts()`] joins the results. If a cut was not between two items, or a part has errors, joining fails and the
//! caller formats the whole text.

use std::collections::HashSet;

use terrane_source::{Diagnostic, FileId, SourceFile};

use super::layout::Spaces;
use super::{FormatStyle, lay_out};
use crate::parse_body;
use crate::tree::Item;

/// The distance in bytes within which a better place for a cut is searched.
const NEAR: usize = 32 << 10;

/// A part of a text, formatted on its own.
pub struct FormattedPart<'t> {
    text: String,
    spaces: Spaces,
    is_settled: bool,
    /// The names of its arguments, which reveal a name that two parts define.
    arguments: Vec<&'t str>,
}

/// Returns the text in at most `count` parts of about the same size. Cuts are in the first column behind a blank line, where
/// items of the body seem to begin. Returns one part if no such place is found.
pub fn parts_of(text: &str, count: usize) -> Vec<&str> {
    let mut parts = Vec::with_capacity(count);
    let mut rest = text;
    for missing in (2..=count).rev() {
        let Some((part, after)) = cut_behind(rest, rest.len() / missing) else { break };
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

/// Cuts the text behind `offset` at a place where an item seems to begin. Prefers a place behind the end of a block, because
/// texts in heredocs have blank lines, too.
fn cut_behind(text: &str, offset: usize) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let starts = || {
        let line_breaks = bytes.iter().enumerate().skip(offset).filter(|(_, byte)| **byte == b'\n');
        line_breaks.filter_map(|(end, _)| {
            let before = bytes.get(..end)?;
            let line_end = before.strip_suffix(b"\r").unwrap_or(before).strip_suffix(b"\n")?;
            begins_item(bytes.get(end + 1..)?).then_some((end + 1, line_end))
        })
    };
    let ends_block = |line_end: &[u8]| line_end.trim_ascii_end().ends_with(b"\n}");
    let near = offset.saturating_add(NEAR);
    let mut behind_block = starts().take_while(|(start, _)| *start < near);
    let start = behind_block.find(|(_, line_end)| ends_block(line_end)).or_else(|| starts().next());
    text.split_at_checked(start?.0)
}

/// Whether the first line looks like the start of an argument or a block.
fn begins_item(text: &[u8]) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_end();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let name_len = line.iter().position(|byte| !is_name(byte)).unwrap_or(line.len());
    let behind_name = line.get(name_len..).unwrap_or_default().trim_ascii_start();
    line.first().is_some_and(u8::is_ascii_alphabetic)
        && (behind_name.starts_with(b"=") || line.ends_with(b"{"))
}

/// Formats a part of the file `id`. `None` if it is not a sequence of complete, valid items, or if the layout of the following
/// text depends on it.
pub fn format_part<'t>(id: &FileId, part: &'t str, style: FormatStyle) -> Option<FormattedPart<'t>> {
    let source = SourceFile::new(id.clone(), part);
    let parsed = parse_body(&source);
    if source.text().len() != part.len() || parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    let items = parsed.tree.list(parsed.tree.body(parsed.root).items).iter();
    let arguments = items.filter_map(|item| match item {
        Item::Attribute(id) => part.get(parsed.tree.attribute(*id).name.range()),
        Item::Block(_) => None,
    });
    let arguments = arguments.collect();
    let laid_out = lay_out(&source, &parsed, style)?;
    let (text, spaces, is_settled) = (laid_out.text, laid_out.spaces, laid_out.is_settled);
    Some(FormattedPart { text, spaces, is_settled, arguments })
}

/// Joins formatted parts into the result of [`super::format()`] for the whole text. `None` if the parts do not determine the
/// result, or if it is an error.
pub fn join_parts(parts: Vec<Option<FormattedPart<'_>>>) -> Option<String> {
    let parts: Vec<FormattedPart<'_>> = parts.into_iter().collect::<Option<_>>()?;
    let (_last, before) = parts.split_last()?;
    let mut names = HashSet::new();
    let spaces = parts.iter().fold(Spaces::none(0), |sum, part| sum.plus(part.spaces));
    let is_one_text = before.iter().all(|part| part.is_settled)
        && parts.iter().flat_map(|part| &part.arguments).all(|name| names.insert(*name))
        && spaces.is_within_limit();
    is_one_text.then(|| parts.into_iter().map(|part| part.text).collect())
}
