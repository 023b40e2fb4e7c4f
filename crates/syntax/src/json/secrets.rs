//! Records the places of secrets in a JSON file, so that no excerpt of a diagnostic shows them.

use terrane_source::{Diagnostic, Span};

use super::{Property, Tree, Value, ValueId};
use crate::block_types::is_block_type;
use crate::secrets::{MARKS, is_open, is_open_block, secret_argument};

/// Hides secrets like `hide_secrets` of the native syntax. After a syntax error hides the whole text, because the error may be
/// anywhere in it.
pub(super) fn hide_secrets(tree: &Tree, root: ValueId, diagnostics: &[Diagnostic]) {
    let source = tree.source();
    if !MARKS.iter().any(|mark| source.text().contains(mark)) {
        return;
    }
    if diagnostics.iter().any(Diagnostic::is_error) {
        source.hide(Span::new(0, u32::try_from(source.text().len()).unwrap_or(u32::MAX)));
        return;
    }
    for block_type in properties(tree, root) {
        let name = tree.name(block_type);
        if secret_argument(name).is_none() {
            continue;
        }
        let value = tree.span(block_type.value);
        if !is_block_type(name) && MARKS.iter().any(|mark| source.slice(value).contains(mark)) {
            // How many names precede the content of a block of an unknown type is not known either.
            source.hide(value);
            continue;
        }
        for block in properties(tree, block_type.value) {
            let content = properties(tree, block.value);
            let is_false = |id| matches!(tree.value(id), Value::Bool(false));
            let is_mark = |found: &&&Property| MARKS.contains(&tree.name(found));
            if content.iter().filter(is_mark).any(|mark| !is_false(mark.value)) {
                // The text of a type may contain defaults of optional attributes.
                let secret = content.iter().filter(|found| {
                    let name = tree.name(found);
                    !is_open(name) && !is_open_block(name)
                });
                secret.for_each(|found| source.hide(tree.span(found.value)));
            }
        }
    }
}

/// Returns the properties of an object, or of the objects in an array, which stands for several blocks.
fn properties(tree: &Tree, id: ValueId) -> Vec<&Property> {
    let of_object = |id| if let Value::Object(list) = tree.value(id) { tree.properties(list) } else { &[] };
    if let Value::Array(elements) = tree.value(id) {
        tree.elements(elements).iter().flat_map(|element| of_object(*element)).collect()
    } else {
        of_object(id).iter().collect()
    }
}
