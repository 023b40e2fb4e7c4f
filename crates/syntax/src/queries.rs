//! Queries on a tree: attributes and blocks by name, spans, the root and the constant steps of a traversal.
//!
//! Several layers use them; each reads the tree and changes nothing.

use std::borrow::Cow;

use terrane_source::Span;

use crate::tree::{Attribute, Block, BodyId, Call, Item, Label, Literal};
use crate::{Expr, ExprId, Tree};

impl Tree {
    /// Returns the attributes of a body, without the attributes of its blocks.
    pub fn attributes(&self, body: BodyId) -> impl Iterator<Item = &Attribute> {
        self.list(self.body(body).items).iter().filter_map(|item| match item {
            Item::Attribute(id) => Some(self.attribute(*id)),
            Item::Block(_) => None,
        })
    }

    /// Returns the blocks of a body, without nested blocks.
    pub fn blocks(&self, body: BodyId) -> impl Iterator<Item = &Block> {
        self.list(self.body(body).items).iter().filter_map(|item| match item {
            Item::Attribute(_) => None,
            Item::Block(id) => Some(self.block(*id)),
        })
    }

    /// The attribute of a body that has this name.
    pub fn find_attribute(&self, body: BodyId, name: &str) -> Option<&Attribute> {
        self.attributes(body).find(|attribute| self.name(attribute) == name)
    }

    /// The name of an attribute.
    pub fn name(&self, attribute: &Attribute) -> &str {
        self.slice(attribute.name)
    }

    /// The bytes of an attribute, from its name to the end of its value.
    pub fn attribute_span(&self, attribute: &Attribute) -> Span {
        attribute.name.to(self.span(attribute.expr))
    }

    /// The type of a block.
    pub fn block_type(&self, block: &Block) -> &str {
        self.slice(block.block_type)
    }

    /// The labels of a block, as text.
    pub fn labels(&self, block: &Block) -> impl Iterator<Item = &str> {
        self.list(block.labels).iter().map(|label| self.label(label))
    }

    /// A label, as text.
    pub fn label(&self, label: &Label) -> &str {
        self.text(label.text)
    }

    /// The bytes of the type and the labels of a block.
    pub fn header_span(&self, block: &Block) -> Span {
        match self.list(block.labels) {
            [.., last] => block.block_type.to(last.span),
            [] => block.block_type,
        }
    }

    /// The type and labels of a block: `resource "a" "b"`.
    pub fn block_header(&self, block: &Block) -> String {
        let labels = self.labels(block).map(|label| format!(" {label:?}"));
        labels.fold(self.block_type(block).to_owned(), |header, label| header + &label)
    }

    /// Returns the block at the top of the file that contains this body.
    pub fn outermost_block(&self, content: BodyId) -> Option<&Block> {
        self.last_block_before(self.body(content).span.start)
    }

    /// Returns the block at the top of the file that contains an offset. The header is a part of the block.
    pub fn outermost_block_at(&self, offset: u32) -> Option<&Block> {
        self.last_block_before(offset).filter(|block| offset < block.close_end)
    }

    /// Whether an item at the top of the file starts at an offset.
    pub fn top_item_starts_at(&self, offset: u32) -> bool {
        self.top_items().binary_search_by_key(&offset, |item| self.item_start(*item)).is_ok()
    }

    /// Returns the start of the first item at the top of the file behind an offset, or the end of the file.
    pub fn next_top_item(&self, offset: u32) -> u32 {
        let items = self.top_items();
        let next = items.get(items.partition_point(|item| self.item_start(*item) <= offset));
        let end = u32::try_from(self.source().text().len()).unwrap_or(u32::MAX);
        next.map_or(end, |item| self.item_start(*item))
    }

    /// Returns the offset at which an item starts.
    pub fn item_start(&self, item: Item) -> u32 {
        match item {
            Item::Attribute(id) => self.attribute(id).name.start,
            Item::Block(id) => self.block(id).block_type.start,
        }
    }

    /// Returns the last item at the top of the file that starts at an offset or before it, if the item is a block.
    fn last_block_before(&self, offset: u32) -> Option<&Block> {
        let items = self.top_items();
        match items.get(items.partition_point(|item| self.item_start(*item) <= offset).checked_sub(1)?)? {
            Item::Attribute(_) => None,
            Item::Block(id) => Some(self.block(*id)),
        }
    }

    /// The bytes of a block, from its type to its closing brace.
    pub fn block_span(&self, block: &Block) -> Span {
        self.header_span(block).to(Span::new(block.block_type.start, block.close_end))
    }

    /// The name of a called function, without white space and comments around `::`.
    pub fn function_name(&self, call: &Call) -> Cow<'_, str> {
        let written = self.slice(call.name);
        if written.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-:".contains(&byte)) {
            return Cow::Borrowed(written);
        }
        let lexed = crate::lex(
            &terrane_source::SourceFile::new(self.source().id().clone(), written),
            crate::LexMode::Normal,
        );
        let tokens = lexed.tokens.iter().filter(|token| {
            token.kind() == crate::TokenKind::Ident || token.kind() == crate::TokenKind::DoubleColon
        });
        Cow::Owned(tokens.filter_map(|token| written.get(token.span().range())).collect())
    }

    /// The root name of a traversal.
    pub fn root_name(&self, id: ExprId) -> Option<&str> {
        self.root_span(id).map(|root| self.slice(root))
    }

    /// The bytes of the root name of a traversal.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only a traversal has a root name")]
    pub fn root_span(&self, id: ExprId) -> Option<Span> {
        match self.expr(id) {
            Expr::Traversal { root_end, .. } => Some(Span::new(self.span(id).start, root_end)),
            _ => None,
        }
    }

    /// The name, if the expression is a plain name, `null`, `true` or `false`: a literal key of an object item, or a
    /// keyword such as `string` or `all`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all others are more than a name")]
    pub fn plain_key(&self, id: ExprId) -> Option<&str> {
        match self.expr(id) {
            Expr::Traversal { steps, .. } if steps.is_empty() => Some(self.expr_text(id)),
            Expr::Literal(Literal::Null | Literal::Bool(_)) => Some(self.expr_text(id)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::{FileId, SourceFile};

    use crate::{Expr, is_identifier, parse_body, parse_expr};

    #[test]
    fn parts_of_a_body_are_found_by_name() {
        let text = "a = 1\nb \"l\\\"1\" l2 {\n  c = 2\n}\n";
        let parsed = parse_body(&SourceFile::new(FileId::new("test"), text));
        let tree = &parsed.tree;
        let attribute = tree.find_attribute(parsed.root, "a").unwrap();
        assert_eq!(tree.slice(tree.attribute_span(attribute)), "a = 1");
        assert!(tree.find_attribute(parsed.root, "c").is_none());
        let block = tree.blocks(parsed.root).next().unwrap();
        assert_eq!(tree.block_type(block), "b");
        assert_eq!(tree.labels(block).collect::<Vec<_>>(), ["l\"1", "l2"]);
        assert_eq!(tree.slice(tree.header_span(block)), "b \"l\\\"1\" l2");
        assert!(tree.slice(tree.block_span(block)).ends_with("c = 2\n}"));
        let header = |offset| tree.outermost_block_at(offset).map(|block| tree.block_header(block));
        assert_eq!(header(20).as_deref(), Some("b \"l\\\"1\" \"l2\""));
        assert_eq!((header(6).is_some(), header(28).is_some()), (true, true));
        assert_eq!((header(5), header(29)), (None, None));
    }

    #[test]
    fn function_names_have_no_white_space() {
        let parsed = parse_expr(&SourceFile::new(FileId::new("test"), "a :: b /* c */ :: d(1)"));
        let Expr::Call(call) = parsed.tree.expr(parsed.root) else { panic!("{parsed:?}") };
        assert_eq!(parsed.tree.function_name(parsed.tree.call(call)), "a::b::d");
    }

    #[test]
    fn identifiers_may_hold_dashes_and_letters_of_any_script() {
        assert!(is_identifier("a-b_1") && is_identifier("été") && is_identifier("_"));
        for other in ["", "1a", "a b", "-a", "a.b", "a\n", "😀"] {
            assert!(!is_identifier(other), "{other:?}");
        }
    }
}
