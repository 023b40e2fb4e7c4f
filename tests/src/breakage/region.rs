//! The part of a file that an edit breaks: the block around it, up to the next line that starts a block.

use super::edit::Edit;
use terrane_source::{DiagnosticId, FileId, SourceFile, ids};
use terrane_syntax::parse_body;
use terrane_syntax::tree::{Block, Item};

/// The errors about names that nothing declares.
const UNDECLARED: [DiagnosticId; 4] =
    [ids::UNDECLARED_VARIABLE, ids::UNDECLARED_LOCAL, ids::UNDECLARED_MODULE, ids::UNDECLARED_RESOURCE];

/// The broken part of a file.
pub(super) struct Region {
    start: usize,
    end: usize,
    /// The errors that may disappear elsewhere, because the broken part may hold the missing declaration.
    excused: Vec<DiagnosticId>,
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
        let blocks = tree.blocks(parsed.root).filter(|block| {
            let span = tree.block_span(block);
            span.start as usize <= edit.end && edit.start <= span.end as usize
        });
        // Where the last line is broken, the rest of the file may be missing.
        let is_last_line = !text.get(edit.start..).unwrap_or_default().trim_end().contains('\n');
        let excused = match is_last_line || edit.end == text.len() && edit.start < edit.end {
            true => UNDECLARED.to_vec(),
            false => blocks.flat_map(|block| excused_in(tree.block_type(block), block, edit)).collect(),
        };
        let line = text.get(..edit.start).and_then(|before| before.rfind('\n')).map_or(0, |found| found + 1);
        // A block is broken by text behind its closing brace, and by text right below it.
        let is_near = |end: usize| !text.get(end..line).unwrap_or_default().contains("\n\n");
        // Without its first line, a block looks like a part of the one before.
        let is_before = |start: usize| start < edit.start || start == edit.start && edit.start == edit.end;
        let before = spans.iter().rev().find(|(start, _)| is_before(*start));
        let start = match before {
            Some((start, end)) if *end >= line || is_near(*end) => *start,
            Some((_, end)) => *end,
            None => 0,
        };
        let end = spans.iter().map(|(start, _)| *start).find(|start| *start > edit.end.max(edit.start));
        Region { start, end: end.unwrap_or(text.len() + 1).max(edit.end), excused }
    }

    /// Whether an error elsewhere in the module may disappear.
    pub(super) fn excuses(&self, id: &str) -> bool {
        self.excused.iter().any(|excused| excused.to_string() == id)
    }

    /// Whether the byte at an offset is in the region.
    pub(super) fn holds(&self, offset: usize) -> bool {
        (self.start..self.end).contains(&offset)
    }
}

/// The errors that an edit of a block excuses. Without its type, the block may declare anything; a brace right behind the opening
/// one leaves a body without a header. Without the rest of its header, it may declare any name of its kind; and `locals` have
/// their names in the body.
fn excused_in(block_type: &str, block: &Block, edit: &Edit) -> Vec<DiagnosticId> {
    if edit.start <= block.block_type.end as usize || edit.start == block.open as usize + 1 {
        return UNDECLARED.to_vec();
    }
    let is_in_header = edit.start <= block.open as usize;
    match block_type {
        "variable" if is_in_header => vec![ids::UNDECLARED_VARIABLE],
        "module" if is_in_header => vec![ids::UNDECLARED_MODULE],
        "resource" | "data" | "ephemeral" if is_in_header => vec![ids::UNDECLARED_RESOURCE],
        "locals" => vec![ids::UNDECLARED_LOCAL],
        _ => Vec::new(),
    }
}
