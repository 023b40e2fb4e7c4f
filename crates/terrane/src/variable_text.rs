//! Hides values of variable files that are not beside their module: it is unknown which of their values are secrets.

use std::sync::Arc;

use terrane_module::is_mock_file;
use terrane_source::{SourceFile, Span};
use terrane_syntax::parse_body;
use terrane_syntax::tree::Item;

/// Keeps the values of a text with variables out of excerpts, even if the text is in no file.
pub(crate) fn hide_values(source: &Arc<SourceFile>) {
    if is_no_file(source) && has_no_block(source) {
        hide(source);
    }
    hide_variable_file(source);
}

/// Keeps the values of a variable file or a test file out of excerpts.
pub(crate) fn hide_variable_file(source: &SourceFile) {
    if is_variable_file(source) {
        hide(source);
    }
    hide_test_file(source);
}

/// Keeps the values of a test file or a mock file with a syntax error out of excerpts: nothing tells them from the other text.
pub(crate) fn hide_test_file(source: &SourceFile) {
    let name = source.id().path().file_name().unwrap_or_default();
    if name.to_str().is_some_and(is_mock_file) {
        hide(source);
    }
}

fn hide(source: &SourceFile) {
    source.hide(Span::new(0, u32::try_from(source.text().len()).unwrap_or(u32::MAX)));
}

fn is_variable_file(source: &SourceFile) -> bool {
    let name = source.id().to_string();
    [".tfvars", ".tfvars.json", ".pkrvars.hcl", ".pkrvars.json"].iter().any(|ending| name.ends_with(ending))
}

/// Whether the text is standard input, whose name does not tell its kind.
pub(crate) fn is_no_file(source: &SourceFile) -> bool {
    source.id().to_string().starts_with('<')
}

/// Whether the text may set variables: it is JSON, or has arguments outside of blocks, which only variable files have.
fn has_no_block(source: &Arc<SourceFile>) -> bool {
    if source.text().trim_start().starts_with('{') {
        return true;
    }
    let parsed = parse_body(source);
    let tree = &*parsed.tree;
    !tree.list(tree.body(parsed.root).items).iter().any(|item| matches!(item, Item::Block(_)))
}
