//! Finds the spans of names in headers, attributes and addresses.

use std::sync::Arc;

use terrane_source::{SourceFile, Span, Subject};

/// The end of a text from which a name is searched.
#[derive(Clone, Copy)]
pub(super) enum TextEnd {
    First,
    Last,
}

/// Returns the place of a name in a header, an attribute or a reference; the whole span if the name is escaped. In
/// JSON, `span` may be the bracket after the name of a block.
pub(super) fn named(file: &Arc<SourceFile>, span: Span, name: &str, end: TextEnd) -> Subject {
    let text = file.slice(span);
    let found = match end {
        TextEnd::First => text.find(name),
        TextEnd::Last => text.rfind(name),
    };
    let length = u32::try_from(name.len()).unwrap_or_default();
    let start = found.and_then(|found| u32::try_from(found).ok()).map(|found| span.start + found);
    let start = start.or_else(|| property_name(file, span, name));
    let span = start.map_or(span, |start| Span::new(start, start + length));
    Subject { file: Arc::clone(file), span }
}

/// Returns the names in an address as written, without names in brackets.
pub(super) fn names_in(file: &SourceFile, span: Span) -> Vec<Span> {
    let mut names = Vec::new();
    let (mut depth, mut start) = (0_u32, None);
    let text = file.slice(span);
    for (index, character) in text.char_indices().chain([(text.len(), '.')]) {
        let is_name = depth == 0 && (character.is_alphanumeric() || matches!(character, '_' | '-'));
        match (is_name, start) {
            (true, None) => start = Some(index),
            (false, Some(first)) => {
                names.push(Span::new(offset(span, first), offset(span, index)));
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    names
}

fn offset(span: Span, index: usize) -> u32 {
    span.start + u32::try_from(index).unwrap_or_default()
}

/// Returns the start of a quoted name that is followed by a colon directly before `span`.
fn property_name(file: &SourceFile, span: Span, name: &str) -> Option<u32> {
    let before = file.slice(Span::new(0, span.start)).trim_end().strip_suffix(':')?;
    let before = before.trim_end().strip_suffix('"')?.strip_suffix(name)?;
    before.ends_with('"').then_some(u32::try_from(before.len()).ok()?)
}
