//! The part of a file that an edit breaks: the block around it, up to the next line that starts a block.

use super::edit::Edit;
use terrane_source::{FileId, SourceFile};
use terrane_syntax::parse_body;
use terrane_syntax::tree::Item;

/// The broken part of a file.
pub(super) struct Region {
    start: usize,
    end: usize,
}

impl Region {
    /// The block that holds the edit, or the lines between two blocks.
    pub(super) fn of(text: &str, edit: &Edit) -> Region {
        let parsed = parse_body(&SourceFile::new(FileId::new("before.tf"), text));
        let tree = &parsed.tree;
        let spans = tree.list(tree.body(parsed.root).items).iter().map(|item| match item {
            Item::Attribute(id) => tree.attribute_span(tree.attribute(*id)),
            Item::Block(id) => tree.block_span(tree.block(*id)),
        });
        let spans: Vec<(usize, usize)> = spans.map(|span| (span.start as usize, span.end as usize)).collect();
        let line = text.get(..edit.start).and_then(|before| before.rfind('\n')).map_or(0, |found| found + 1);
        // A block is broken by text behind its closing brace, and by text right below it.
        let is_near = |end: usize| !text.get(end..line).unwrap_or_default().contains("\n\n");
        let before = spans.iter().rev().find(|(start, _)| *start <= edit.start);
        let start = match before {
            Some((start, end)) if *end >= line || is_near(*end) => *start,
            Some((_, end)) => *end,
            None => 0,
        };
        let end = spans.iter().map(|(start, _)| *start).find(|start| *start > edit.end.max(edit.start));
        Region { start, end: end.unwrap_or(text.len() + 1).max(edit.end) }
    }

    /// Whether the byte at an offset is in the region.
    pub(super) fn holds(&self, offset: usize) -> bool {
        (self.start..self.end).contains(&offset)
    }
}
