//! Finds the block and the expression around an offset in the text.

use crate::tree::{Attribute, BlockId, BodyId, Item};
use crate::{ExprId, Tree};

impl Tree {
    /// Returns the innermost block around an offset, in a body or in its nested blocks. The header is a part of the block.
    ///
    /// ```
    /// use terrane_source::{FileId, SourceFile};
    /// use terrane_syntax::parse_body;
    ///
    /// let text = "resource \"a\" \"b\" {\n  lifecycle {\n    enabled = var.on\n  }\n}\n";
    /// let parsed = parse_body(&SourceFile::new(FileId::new("main.tf"), text));
    /// let around = |part| {
    ///     let offset = u32::try_from(text.find(part).unwrap()).unwrap();
    ///     parsed.tree.block_at(parsed.root, offset).map(|id| parsed.tree.block_header(parsed.tree.block(id)))
    /// };
    /// assert_eq!(around("enabled"), Some("lifecycle".to_owned()));
    /// assert_eq!(around("\"b\""), Some("resource \"a\" \"b\"".to_owned()));
    /// assert_eq!(parsed.tree.block_at(parsed.root, 1000), None);
    /// ```
    pub fn block_at(&self, body: BodyId, offset: u32) -> Option<BlockId> {
        let (mut body, mut innermost) = (body, None);
        while let Some(id) = self.own_block_at(body, offset) {
            body = self.block(id).body;
            innermost = Some(id);
        }
        innermost
    }

    /// Returns the innermost expression around an offset, in an attribute of a body or of its nested blocks.
    ///
    /// ```
    /// use terrane_source::{FileId, SourceFile};
    /// use terrane_syntax::parse_body;
    ///
    /// let text = "locals {\n  size = max(var.size, 1 + 2)\n}\n";
    /// let parsed = parse_body(&SourceFile::new(FileId::new("main.tf"), text));
    /// let around = |part| {
    ///     let offset = u32::try_from(text.find(part).unwrap()).unwrap();
    ///     parsed.tree.expr_at(parsed.root, offset).map(|id| parsed.tree.expr_text(id))
    /// };
    /// assert_eq!(around("size,"), Some("var.size"));
    /// assert_eq!(around("+ 2"), Some("1 + 2"));
    /// assert_eq!(around("max"), Some("max(var.size, 1 + 2)"));
    /// assert_eq!(around("size ="), None);
    /// ```
    pub fn expr_at(&self, body: BodyId, offset: u32) -> Option<ExprId> {
        let body = self.block_at(body, offset).map_or(body, |id| self.block(id).body);
        let is_around = |attribute: &&Attribute| self.span(attribute.expr).contains(offset);
        let whole = self.attributes(body).find(is_around)?.expr;
        let mut innermost = whole;
        self.expressions(whole, &mut |id| {
            let span = self.span(id);
            if span.contains(offset) && span.len() <= self.span(innermost).len() {
                innermost = id;
            }
        });
        Some(innermost)
    }

    /// Returns the block directly in a body that contains an offset.
    pub fn own_block_at(&self, body: BodyId, offset: u32) -> Option<BlockId> {
        let Some(Item::Block(id)) = self.last_item_until(body, offset) else { return None };
        (offset < self.block(id).close_end).then_some(id)
    }

    /// Returns the last item of a body that starts at an offset or before it.
    pub fn last_item_until(&self, body: BodyId, offset: u32) -> Option<Item> {
        let items = self.list(self.body(body).items);
        let until = items.partition_point(|item| self.item_start(*item) <= offset);
        items.get(until.checked_sub(1)?).copied()
    }
}
