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
    /// The errors that may disappear elsewhere, because a removed line may have held the missing declaration.
    excused: Vec<DiagnosticId>,
    /// Whether the broken block says which providers the module has, so that all resources depend on it.
    requires_providers: bool,
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
        let is_edited = |block: &&Block| {
            let span = tree.block_span(block);
            span.start as usize <= edit.end && edit.start <= span.end as usize
        };
        let blocks: Vec<&Block> = tree.blocks(parsed.root).filter(is_edited).collect();
        let requires_providers = blocks.iter().any(|block| tree.block_type(block) == "terraform");
        let excused = match edit.removes_lines() {
            // Behind the end of a file there may have been any declaration.
            true if edit.end == text.len() => UNDECLARED.to_vec(),
            true => blocks.iter().flat_map(|block| excused_in(tree.block_type(block), block, edit)).collect(),
            false => Vec::new(),
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
        Region { start, end: end.unwrap_or(text.len() + 1).max(edit.end), excused, requires_providers }
    }

    /// Whether the resources of the module may have other providers.
    pub(super) fn requires_providers(&self) -> bool {
        self.requires_providers
    }

    /// Whether an error elsewhere in the module may disappear.
    pub(super) fn excuses(&self, id: &str) -> bool {
        self.excused.iter().any(|excused| excused.to_string() == id)
    }

    /// Whether the byte at an offset of the text after the edit is in the region.
    pub(super) fn holds_moved(&self, offset: usize, edit: &Edit) -> bool {
        let end = (self.end + edit.inserted()).saturating_sub(edit.end - edit.start);
        (self.start..end).contains(&offset)
    }

    /// Whether the byte at an offset is in the region.
    pub(super) fn holds(&self, offset: usize) -> bool {
        (self.start..self.end).contains(&offset)
    }
}

/// The errors that a removed line of a block excuses, because nothing is left of the name of a declaration. Without its header, the
/// block may declare anything; and `locals` have their names in the body.
fn excused_in(block_type: &str, block: &Block, edit: &Edit) -> Vec<DiagnosticId> {
    match block_type {
        _ if edit.start <= block.open as usize => UNDECLARED.to_vec(),
        "locals" => vec![ids::UNDECLARED_LOCAL],
        _ => Vec::new(),
    }
}
