//! Hides secrets in a body in the native syntax, with the text in it that the parser did not read.

use std::sync::Arc;

use terrane_source::Span;
use terrane_syntax::tree::{Attribute, Block, Item};
use terrane_syntax::{Expr, Expression, Tree, hide_secret};

use super::names::SecretNames;
use super::outside::may_have_open_argument;
use crate::body::NativeBody;
use crate::body_schema::DYNAMIC;

/// Hides the secrets in a body. `is_outside` says which blocks belong to the language, and not to the schema of the body.
pub(super) fn hide_native(native: &NativeBody, names: &SecretNames<'_>, is_outside: &dyn Fn(&str) -> bool) {
    let tree = &native.tree;
    let body = tree.body(native.id);
    let items = tree.list(body.items);
    let start_of = |at: usize| items.get(at).map_or(body.span.end, |item| tree.item_start(*item));
    let mut hider = Hider { tree, names, is_outside, is_certain: true };
    hider.rest(Span::new(body.span.start, start_of(0)));
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::Attribute(id) => hider.attribute(tree.attribute(*id), start_of(at + 1)),
            Item::Block(id) => hider.block(tree.block(*id), start_of(at + 1)),
        }
    }
}

struct Hider<'h> {
    tree: &'h Arc<Tree>,
    names: &'h SecretNames<'h>,
    is_outside: &'h dyn Fn(&str) -> bool,
    /// Whether the body has no syntax error so far. Behind one, a name may be a part of a secret.
    is_certain: bool,
}

impl Hider<'_> {
    /// Hides an argument, or the text behind it up to the next item at `next`.
    fn attribute(&mut self, attribute: &Attribute, next: u32) {
        let tree = self.tree;
        let name = tree.name(attribute);
        let expression = Expression { tree: Arc::clone(tree), id: attribute.expr };
        let end = expression.span().end.max(attribute.name.end);
        let rest = Span::new(end, next.max(end));
        let whole = attribute.name.to(rest);
        let is_missing = matches!(tree.expr(attribute.expr), Expr::Missing);
        let is_broken = is_missing || tree.source().has_error_in(whole) || has_text(tree.slice(rest));
        let value = self.value_behind(attribute.name, whole.end);
        let is_known = (self.names.is_argument)(name);
        if !is_known && (is_broken || !self.is_certain) {
            self.nameless(whole);
        } else if (self.names.is_secret)(name) || !is_known {
            hide_secret(&expression, self.names.is_word);
            if is_broken || !is_known {
                // The parser does not keep a value that is set again.
                tree.source().hide(value);
            }
            tree.source().hide_value(name, value);
        } else if is_missing || tree.source().has_error_in(attribute.name.to(expression.span())) {
            tree.source().hide(value);
        } else if is_broken {
            tree.source().hide(rest);
        }
        self.is_certain &= !is_broken;
    }

    /// Returns the text behind the equals sign that follows a name, or behind the name if there is none.
    fn value_behind(&self, name: Span, end: u32) -> Span {
        let behind = Span::new(name.end, end);
        let text = self.tree.slice(behind);
        let value = text.trim_start_matches([' ', '\t']).strip_prefix('=').unwrap_or(text);
        let skipped = u32::try_from(text.len() - value.len()).unwrap_or(0);
        Span::new(behind.start.saturating_add(skipped), end)
    }

    /// Hides a block whose type the body does not have, or the text behind a block.
    fn block(&mut self, block: &Block, next: u32) {
        let tree = self.tree;
        let block_type = tree.block_type(block);
        let whole = Span::new(block.block_type.start, next.max(block.close_end));
        let rest = Span::new(block.close_end, whole.end);
        let content = Span::new(block.block_type.end, block.close_end);
        let labels = tree.list(block.labels).len();
        let is_known = (self.names.is_block)(block_type) && (block_type != DYNAMIC || labels == 1);
        if (self.is_outside)(block_type) {
            match tree.source().has_error_in(content) {
                true => tree.source().hide(content),
                false => self.outside(block),
            }
        } else if is_known {
            let header = Span::new(block.block_type.end, block.open.max(block.block_type.end));
            if tree.source().has_error_in(header) {
                tree.source().hide(header);
            }
        } else if self.is_certain && !tree.source().has_error_in(whole) {
            tree.source().hide(content);
            tree.source().hide_value(block_type, content);
        } else {
            self.nameless(whole);
        }
        self.rest(rest);
        self.is_certain &= !tree.source().has_error_in(whole);
    }

    /// Hides the misplaced arguments and the secrets in a block that the schema of the body does not have, such as `lifecycle`.
    fn outside(&self, block: &Block) {
        let tree = self.tree;
        let mut left = vec![block];
        while let Some(block) = left.pop() {
            let block_type = tree.block_type(block);
            for item in tree.list(tree.body(block.body).items) {
                match item {
                    Item::Attribute(id) => {
                        let attribute = tree.attribute(*id);
                        let name = tree.name(attribute);
                        if (self.names.is_secret)(name) || !may_have_open_argument(block_type, name) {
                            let expression = Expression { tree: Arc::clone(tree), id: attribute.expr };
                            hide_secret(&expression, self.names.is_word);
                            tree.source().hide_value(name, expression.span());
                        }
                    }
                    Item::Block(id) => left.push(tree.block(*id)),
                }
            }
        }
    }

    /// Hides text between items, unless it is only white space and comments.
    fn rest(&mut self, rest: Span) {
        if has_text(self.tree.slice(rest)) || self.tree.source().has_error_in(rest) {
            self.tree.source().hide(rest);
            self.is_certain = false;
        }
    }

    /// Hides text whose name is not certain.
    fn nameless(&self, text: Span) {
        self.tree.source().hide(text);
        self.tree.source().hide_value("", text);
    }
}

/// Whether a text has more than white space and comments.
pub(super) fn has_text(mut text: &str) -> bool {
    loop {
        text = text.trim_start();
        let behind = if text.starts_with('#') || text.starts_with("//") {
            text.split_once('\n').map(|(_, behind)| behind)
        } else if let Some(comment) = text.strip_prefix("/*") {
            let Some((_, behind)) = comment.split_once("*/") else { return true };
            Some(behind)
        } else {
            return !text.is_empty();
        };
        let Some(behind) = behind else { return false };
        text = behind;
    }
}
