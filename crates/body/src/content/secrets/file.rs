//! Hides the text of a file in the native syntax that may set secret arguments, but is in no declaration.

use terrane_source::{SourceFile, Span};
use terrane_syntax::json::{Value, ValueId};
use terrane_syntax::tree::{Block, Item};
use terrane_syntax::{Tree, is_block_type, is_part_of_name};

use super::native::has_text;
use crate::body::{JsonBody, NativeBody};

/// The types of blocks with arguments that may be secret.
const WITH_SECRETS: [&str; 6] = ["action", "data", "ephemeral", "module", "provider", "resource"];

/// Hides the content of the blocks in JSON that may have secrets, but are no declarations.
pub(super) fn hide_undeclared(json: &JsonBody, is_declared: &dyn Fn(u32) -> bool) {
    let tree = &json.tree;
    // Values, each with the number of names that precede the content of a block in it; none for the file.
    let mut left: Vec<(ValueId, Option<u32>)> = vec![(json.value, None)];
    while let Some((value, names)) = left.pop() {
        match tree.value(value) {
            Value::Array(elements) => left.extend(tree.elements(elements).iter().map(|id| (*id, names))),
            Value::Object(_) if names == Some(0) => {
                let span = tree.span(value);
                if !is_declared(span.start) {
                    tree.source().hide(Span::new(span.start.saturating_add(1), span.end));
                }
            }
            Value::Object(properties) => {
                for property in tree.properties(properties) {
                    let left_names = match names {
                        Some(names) => Some(names.saturating_sub(1)),
                        None => names_of(tree.name(property)),
                    };
                    left.extend(left_names.map(|names| (property.value, Some(names))));
                }
            }
            Value::Missing | Value::Null | Value::Bool(_) | Value::Number | Value::String(_) => {}
        }
    }
}

/// Returns the number of names of a block with arguments that may be secret.
fn names_of(block_type: &str) -> Option<u32> {
    let has_one_name = ["module", "provider"].contains(&block_type);
    WITH_SECRETS.contains(&block_type).then_some(if has_one_name { 1 } else { 2 })
}

pub(super) fn hide_native(native: &NativeBody, has_errors: bool, is_declared: &dyn Fn(u32) -> bool) {
    let tree = &*native.tree;
    let source = tree.source();
    let body = tree.body(native.id);
    let mut behind = body.span.start;
    for item in tree.list(body.items) {
        hide_rest(source, Span::new(behind, tree.item_start(*item)));
        behind = match item {
            Item::Attribute(id) => {
                let attribute = tree.attribute(*id);
                let span = tree.attribute_span(attribute);
                let hidden = if has_errors { span } else { Span::new(attribute.name.end, span.end) };
                source.hide(hidden);
                source.hide_value(if has_errors { "" } else { tree.name(attribute) }, hidden);
                span.end
            }
            Item::Block(id) => {
                let block = tree.block(*id);
                hide_block(tree, block, has_errors, is_declared);
                block.close_end
            }
        };
    }
    hide_rest(source, Span::new(behind, body.span.end));
}

fn hide_block(tree: &Tree, block: &Block, has_errors: bool, is_declared: &dyn Fn(u32) -> bool) {
    let block_type = tree.block_type(block);
    let start = block.block_type.start;
    if !is_block_type(block_type) && has_errors {
        tree.source().hide(Span::new(block.block_type.end, block.close_end));
    } else if !is_block_type(block_type) || WITH_SECRETS.contains(&block_type) && !is_declared(start) {
        tree.source().hide(Span::new(block.open.max(block.block_type.end), block.close_end));
    }
}

/// Hides text between items, except lines that begin like the header of a block, up to its brace.
fn hide_rest(source: &SourceFile, rest: Span) {
    let text = source.slice(rest);
    if !has_text(text) && !source.has_error_in(rest) {
        return;
    }
    let mut start = rest.start;
    for line in text.split_inclusive('\n') {
        let end = start.saturating_add(u32::try_from(line.len()).unwrap_or(u32::MAX));
        let word = line.split(|found| !is_part_of_name(found)).next().unwrap_or_default();
        let shown = match is_block_type(word) {
            true => line.find(['{', '=', '(']).unwrap_or(line.len()),
            false => 0,
        };
        source.hide(Span::new(start.saturating_add(u32::try_from(shown).unwrap_or(0)), end));
        start = end;
    }
}
