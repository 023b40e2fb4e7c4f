//! Recognises stacks of Terramate: directories with a `stack` block.

use std::path::Path;

use terrane_source::paths::shortest;
use terrane_source::{Diagnostic, Diagnostics, FileEntry, FileId, FileKind, Files, ids};
use terrane_syntax::tree::Item;
use terrane_syntax::{decode_native, is_hidden_or_backup, parse_body};

/// The endings of files that Terramate reads.
const ENDINGS: [&str; 2] = [".tm.hcl", ".tm"];

/// The file that makes Terramate leave out a directory and its subdirectories.
const SKIP: &str = ".tmskip";

/// The maximum size of a file for Terramate.
const MAX_BYTES: u64 = 1 << 20;

/// Whether Terramate leaves out a directory with these entries.
pub(super) fn is_skipped(entries: &[FileEntry]) -> bool {
    entries.iter().any(|entry| entry.name == SKIP)
}

/// Whether a directory is a stack: one of its files for Terramate has a `stack` block.
pub(super) fn is_stack(
    directory: &Path,
    entries: &[FileEntry],
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> bool {
    let is_read = |entry: &&FileEntry| {
        entry.kind != FileKind::Directory
            && !is_hidden_or_backup(&entry.name)
            && ENDINGS.iter().any(|ending| entry.name.ends_with(ending))
    };
    let mut is_stack = false;
    for entry in entries.iter().filter(is_read) {
        let path = shortest(&directory.join(&entry.name));
        let source = match files.read_within(&path, MAX_BYTES) {
            Ok(bytes) => decode_native(FileId::new(path), bytes),
            Err(error) => Err(Diagnostic::error(ids::UNREADABLE_FILE, error.sentence())),
        };
        let source = match source {
            Ok(source) => source,
            Err(diagnostic) => {
                diagnostics.push(diagnostic);
                continue;
            }
        };
        let parsed = parse_body(&source);
        let tree = &parsed.tree;
        let blocks = tree.list(tree.body(parsed.root).items).iter();
        is_stack |= blocks
            .filter_map(|item| if let Item::Block(id) = item { Some(tree.block(*id)) } else { None })
            .any(|block| source.slice(block.block_type) == "stack");
        diagnostics.extend(parsed.diagnostics);
    }
    is_stack
}
