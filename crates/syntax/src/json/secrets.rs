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
    for block in blocks_with_secrets(tree, root).filter(|block| block.is_secret) {
        block.values(tree).for_each(|value| source.hide(value));
    }
}

/// A block that may declare a secret.
pub(crate) struct SecretBlock<'t> {
    /// The name of the argument with the value in the native syntax.
    pub(crate) argument: &'static str,
    pub(crate) name: &'t str,
    /// Whether the block says that it is a secret.
    pub(crate) is_secret: bool,
    /// The content; `None` if the block is of an unknown type, or an argument.
    content: Option<Vec<&'t Property>>,
    whole: Span,
}

impl SecretBlock<'_> {
    /// Whether the block is of a known type.
    pub(crate) fn is_known(&self) -> bool {
        self.content.is_some()
    }

    /// Returns the places of the values in the block, which are secrets if the block is.
    pub(crate) fn values<'v>(&'v self, tree: &'v Tree) -> impl Iterator<Item = Span> + 'v {
        // The text of a type may contain defaults of optional attributes.
        let secret = self.content.iter().flatten().filter(|found| {
            let name = tree.name(found);
            !is_open(name) && !is_open_block(name)
        });
        let whole = self.content.is_none().then_some(self.whole);
        secret.map(|found| tree.span(found.value)).chain(whole)
    }
}

/// Returns the blocks of a file that may declare secrets.
pub(crate) fn blocks_with_secrets(tree: &Tree, root: ValueId) -> impl Iterator<Item = SecretBlock<'_>> {
    let of_type = move |block_type: &Property| {
        let name = tree.name(block_type);
        let (argument, is_block) = match name {
            "variables" => (Some("default"), false),
            "locals" => (Some("expression"), false),
            _ => (secret_argument(name), is_block_type(name)),
        };
        let value = tree.span(block_type.value);
        // How many names precede the content of a block of an unknown type is not known either.
        let has_mark = argument.is_some()
            && !is_block_type(name)
            && MARKS.iter().any(|mark| tree.source().slice(value).contains(mark));
        let blocks = argument.map(|argument| (argument, properties(tree, block_type.value)));
        blocks.into_iter().flat_map(move |(argument, blocks)| {
            blocks.into_iter().map(move |block: &Property| {
                let content = is_block.then(|| properties(tree, block.value));
                let is_false = |id| matches!(tree.value(id), Value::Bool(false));
                let mut marks = content.iter().flatten().filter(|found| MARKS.contains(&tree.name(found)));
                SecretBlock {
                    argument,
                    name: tree.name(block),
                    is_secret: has_mark || marks.any(|mark| !is_false(mark.value)),
                    content,
                    whole: tree.span(block.value),
                }
            })
        })
    };
    properties(tree, root).into_iter().flat_map(of_type)
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
