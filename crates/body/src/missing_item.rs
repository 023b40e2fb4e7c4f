//! Finds positions for diagnostics about a missing argument or block: an offset or span near
//! the start or end of a body.

use terrane_source::Span;
use terrane_syntax::Tree;
use terrane_syntax::json::{self, ValueId};
use terrane_syntax::tree::{self, BodyId, Item};

/// Returns the offset in a native block: its opening brace, or the argument of a block on one line.
pub(crate) fn in_native_block(tree: &Tree, block: &tree::Block) -> u32 {
    let first = tree.list(tree.body(block.body).items).first();
    let Some(Item::Attribute(id)) = first else { return block.open };
    let name = tree.attribute(*id).name;
    let is_same_line = !tree.slice(Span::new(block.open, name.start)).contains('\n');
    if is_same_line { name.start } else { block.open }
}

/// Returns the offset in a native file: its first token.
pub(crate) fn in_native_file(tree: &Tree, id: BodyId) -> u32 {
    let span = tree.body(id).span;
    let text = tree.slice(span);
    let mut rest = text.trim_start_matches('\u{feff}');
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        let comment = rest.strip_prefix("/*").and_then(|comment| comment.split_once("*/"));
        match comment {
            Some((_, behind)) => rest = behind,
            None => return span.end - u32::try_from(rest.len()).unwrap_or(0),
        }
    }
}

/// Returns the span in a JSON body: the closing brace of an object.
pub(crate) fn in_json(tree: &json::Tree, value: ValueId) -> Span {
    let span = tree.span(value);
    match tree.value(value) {
        json::Value::Object(_) => Span::new(span.end.saturating_sub(1), span.end),
        json::Value::Missing
        | json::Value::Null
        | json::Value::Bool(_)
        | json::Value::Number
        | json::Value::String(_)
        | json::Value::Array(_) => tree.start_span(value),
    }
}
