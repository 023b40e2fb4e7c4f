//! Records the places of secrets in a JSON file, so that no excerpt of a diagnostic shows them.

use terrane_source::{Diagnostic, Span};

use super::{Property, Tree, Value, ValueId};
use crate::block_types::is_block_type;
use crate::secrets::{MARKS, has_mark, is_misspelt_mark, is_open, is_open_block, may_mark, secret_argument};

/// Hides secrets like `hide_secrets` of the native syntax. After a syntax error hides the whole text, because the error may be
/// anywhere in it.
pub(super) fn hide_secrets(tree: &Tree, root: ValueId, diagnostics: &[Diagnostic]) {
    let source = tree.source();
    if diagnostics.iter().any(Diagnostic::is_error) {
        if may_mark(source.text()) {
            source.hide(Span::new(0, u32::try_from(source.text().len()).unwrap_or(u32::MAX)));
        }
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
    /// Whether the block says that it is a secret, or may be meant to say it.
    pub(crate) is_secret: bool,
    /// Whether a mistake makes it a secret.
    pub(crate) is_doubtful: bool,
    /// The content; `None` if the block is of an unknown type, or an argument.
    content: Option<Vec<&'t Property>>,
    whole: Span,
}

impl SecretBlock<'_> {
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

/// What the search for secrets finds in a file, in the order of the text.
pub(crate) enum SecretPart<'t> {
    Block(SecretBlock<'t>),
    /// A mark outside of blocks: its line may be at a wrong place.
    Mark,
    /// A type of blocks that declare no secrets.
    Other,
    /// The end of the blocks of a type.
    End,
}

/// Returns the blocks of a file that may declare secrets.
pub(crate) fn blocks_with_secrets(tree: &Tree, root: ValueId) -> impl Iterator<Item = SecretBlock<'_>> {
    parts_with_secrets(tree, root, false).into_iter().filter_map(|part| match part {
        SecretPart::Block(block) => Some(block),
        SecretPart::Mark | SecretPart::Other | SecretPart::End => None,
    })
}

/// Returns the parts of a file, as far as they tell what is a secret. `has_errors` says whether the file has syntax errors.
pub(crate) fn parts_with_secrets(tree: &Tree, root: ValueId, has_errors: bool) -> Vec<SecretPart<'_>> {
    let mut parts = Parts { tree, has_errors, end: tree.span(root).start, found: Vec::new() };
    for property in properties(tree, root) {
        parts.add_block_type(property);
    }
    // A closing brace too many leaves text behind the root.
    parts.add_text_until(u32::try_from(tree.source().text().len()).unwrap_or(u32::MAX));
    parts.found
}

/// Collects the parts of a file.
struct Parts<'t> {
    tree: &'t Tree,
    has_errors: bool,
    end: u32,
    found: Vec<SecretPart<'t>>,
}

impl<'t> Parts<'t> {
    /// Adds a mark in the text before `start`, which is in no property. Such a text has letters only if there is a syntax error. A mark
    /// behind the name of another block belongs to that one.
    fn add_text_until(&mut self, start: u32) {
        if self.has_errors {
            let text = self.tree.source().slice(Span::new(self.end, start.max(self.end)));
            if may_mark(before_block(text)) {
                self.found.push(SecretPart::Mark);
            }
        }
        self.end = start.max(self.end);
    }

    fn add_block_type(&mut self, block_type: &'t Property) {
        let (tree, name) = (self.tree, self.tree.name(block_type));
        let (argument, is_block) = match name {
            "variables" => (Some("default"), false),
            "locals" => (Some("expression"), false),
            _ => (secret_argument(name), is_block_type(name)),
        };
        let value = tree.span(block_type.value);
        self.add_text_until(block_type.name_span.start);
        self.end = block_type.name_span.end;
        match argument {
            _ if is_mark(tree, block_type) => self.found.push(SecretPart::Mark),
            None => {
                self.found.push(SecretPart::Other);
                self.end = value.end;
            }
            Some(argument) => {
                // How many names precede the content of a block of an unknown type is not known either.
                let has_mark = !is_block_type(name) && has_mark(tree.source().slice(value));
                for block in properties(tree, block_type.value) {
                    self.add_text_until(block.name_span.start);
                    self.end = tree.property_span(block).end;
                    let part = match is_block && is_mark(tree, block) {
                        true => SecretPart::Mark,
                        false => SecretPart::Block(self.block(argument, block, is_block, has_mark)),
                    };
                    self.found.push(part);
                }
            }
        }
        self.add_text_until(value.end);
        if argument.is_some() && !is_mark(tree, block_type) {
            self.found.push(SecretPart::End);
        }
    }

    /// Returns a block. `has_mark` says whether it is of an unknown type and has a mark anywhere in it.
    fn block(
        &self,
        argument: &'static str,
        block: &'t Property,
        is_block: bool,
        has_mark: bool,
    ) -> SecretBlock<'t> {
        let tree = self.tree;
        let content = is_block.then(|| properties(tree, block.value));
        let mut marks = content.iter().flatten().filter(|found| MARKS.contains(&tree.name(found)));
        let is_secret = has_mark || marks.any(|mark| !is_false(tree, mark));
        let is_misspelt = is_block && self.has_misspelt_mark(block);
        SecretBlock {
            argument,
            name: tree.name(block),
            is_secret: is_secret || is_misspelt,
            is_doubtful: is_misspelt || has_mark,
            content,
            whole: tree.span(block.value),
        }
    }

    /// Whether a property of a block resembles a mark. In a file with a syntax error, a mark may also be in another property, or in
    /// text between them.
    fn has_misspelt_mark(&self, block: &Property) -> bool {
        let (tree, whole) = (self.tree, self.tree.span(block.value));
        let mut end = whole.start;
        let mut rests = Vec::new();
        let is_misspelt = properties(tree, block.value).into_iter().any(|property| {
            rests.push(Span::new(end, property.name_span.start.max(end)));
            end = tree.property_span(property).end.max(end);
            is_misspelt_mark(tree.name(property)) && !is_false(tree, property)
                || self.has_errors && has_mark_inside(tree, property.value)
        });
        rests.push(Span::new(end, whole.end.max(end)));
        is_misspelt || self.has_errors && rests.into_iter().any(|rest| may_mark(tree.source().slice(rest)))
    }
}

/// Returns the text before the name of the first block in it: a name before a brace, or on a line of its own.
fn before_block(text: &str) -> &str {
    let before_brace = text.split_once('{').map(|(before, _)| before);
    let end = before_brace.map_or(text.len(), |before| before.rfind(['\n', ',']).unwrap_or(0));
    let before = text.get(..end).unwrap_or_default();
    let mut start = 0;
    for line in before.split_inclusive('\n') {
        if line.trim_end().ends_with(':') {
            return before.get(..start).unwrap_or_default();
        }
        start += line.len();
    }
    before
}

/// Whether a property with the name of a mark, or a similar one, can be neither a block nor a declaration.
fn is_mark(tree: &Tree, property: &Property) -> bool {
    let is_block = matches!(tree.value(property.value), Value::Object(_) | Value::Array(_));
    !is_block && may_mark(tree.name(property)) && !is_false(tree, property)
}

fn is_false(tree: &Tree, property: &Property) -> bool {
    matches!(tree.value(property.value), Value::Bool(false))
}

/// Whether a value has a property with the name of a mark, or a similar one.
fn has_mark_inside(tree: &Tree, value: ValueId) -> bool {
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match tree.value(value) {
            Value::Object(list) => {
                if tree.properties(list).iter().any(|property| may_mark(tree.name(property))) {
                    return true;
                }
                left.extend(tree.properties(list).iter().map(|property| property.value));
            }
            Value::Array(elements) => left.extend(tree.elements(elements)),
            Value::Missing | Value::Null | Value::Bool(_) | Value::Number | Value::String(_) => {}
        }
    }
    false
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
