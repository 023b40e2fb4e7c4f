//! Parses tuples and objects.
//!
//! Brackets and braces that start with `for` are handed to the parser of `for` expressions.

use terrane_source::{Span, ids};

use super::Parser;
use super::errors::Brackets;
use crate::tree::ObjectItem;
use crate::{Expr, ExprId, TokenKind};

impl Parser<'_> {
    /// Tuple = "[" (Expression ("," Expression)* ","?)? "]" | ForTuple
    pub(super) fn tuple(&mut self) -> ExprId {
        let open = self.bump().span();
        let newlines = self.set_newlines(false);
        let tuple = if self.at_keyword("for") {
            self.for_expression(open, TokenKind::CloseBracket)
        } else {
            self.tuple_elements(open)
        };
        self.set_newlines(newlines);
        tuple
    }

    fn tuple_elements(&mut self, open: Span) -> ExprId {
        let mark = self.scratch.exprs.len();
        loop {
            if self.eat(TokenKind::CloseBracket) {
                break;
            }
            let before = self.error_count;
            let element = self.expression();
            self.scratch.exprs.push(element);
            if self.failed(before) {
                self.recover(TokenKind::CloseBracket);
                break;
            }
            if self.kind == TokenKind::CloseBracket || self.eat(TokenKind::Comma) {
                continue;
            }
            self.no_element_separator(open);
            break;
        }
        let elements = self.tree.add_list(&mut self.scratch.exprs, mark);
        let span = open.to(self.last_span());
        self.tree.add_expr(Expr::Tuple(elements), span)
    }

    fn no_element_separator(&mut self, open: Span) {
        if !self.recovery {
            if self.kind == TokenKind::End {
                let detail = "The text ends before the closing bracket of this tuple. A bracket may be missing \
                              elsewhere in the text.";
                self.report(self.diagnostic(ids::UNTERMINATED_TUPLE, detail, open));
            } else {
                let (id, detail) = (ids::MISSING_ITEM_SEPARATOR, "A comma must stand between two elements.");
                self.no_comma(id, detail, Brackets { context: open, open, close: TokenKind::CloseBracket });
            }
        }
        self.recover(TokenKind::CloseBracket);
    }

    /// Object = "{" (ObjectItem (("," | newline) ObjectItem)* ","?)? "}" | ForObject
    pub(super) fn object(&mut self) -> ExprId {
        let open = self.bump().span();
        let newlines = self.set_newlines(false);
        let object = if self.at_keyword("for") {
            self.for_expression(open, TokenKind::CloseBrace)
        } else {
            self.set_newlines(true);
            self.object_items(open)
        };
        self.set_newlines(newlines);
        object
    }

    fn object_items(&mut self, open: Span) -> ExprId {
        let mark = self.scratch.object_items.len();
        loop {
            while self.eat(TokenKind::Newline) {}
            if self.eat(TokenKind::CloseBrace) {
                break;
            }
            if !self.object_item(open) {
                self.recover(TokenKind::CloseBrace);
                break;
            }
            if self.kind == TokenKind::CloseBrace {
                continue;
            }
            if !self.eat(TokenKind::Comma) && !self.eat(TokenKind::Newline) {
                self.no_item_separator(open);
                break;
            }
        }
        let items = self.tree.add_list(&mut self.scratch.object_items, mark);
        let span = open.to(self.last_span());
        self.tree.add_expr(Expr::Object(items), span)
    }

    /// ObjectItem = Expression ("=" | ":") Expression
    fn object_item(&mut self, open: Span) -> bool {
        let before = self.error_count;
        let key = self.expression();
        if self.failed(before) {
            return false;
        }
        if !self.eat(TokenKind::Assign) && !self.eat(TokenKind::Colon) {
            if !self.recovery {
                self.no_key_separator(open);
            }
            return false;
        }
        let before = self.error_count;
        let value = self.expression();
        self.scratch.object_items.push(ObjectItem { key, value });
        !self.failed(before)
    }

    fn no_key_separator(&mut self, open: Span) {
        if self.kind == TokenKind::End {
            self.unterminated_object(open);
        } else if self.kind == TokenKind::Newline || self.kind == TokenKind::Comma {
            let detail = "An equals sign and a value must follow the key.";
            self.error_at_next(ids::MISSING_ATTRIBUTE_VALUE, detail, Some(open));
        } else {
            let detail = "An equals sign must follow the key. A key that is not a plain name must be quoted.";
            self.error_at_next(ids::MISSING_KEY_SEPARATOR, detail, Some(open));
        }
    }

    fn no_item_separator(&mut self, open: Span) {
        if !self.recovery {
            if self.kind == TokenKind::End {
                self.unterminated_object(open);
            } else {
                let detail = "A comma or a line break must stand between two items.";
                let brackets = Brackets { context: open, open, close: TokenKind::CloseBrace };
                self.no_comma(ids::MISSING_ATTRIBUTE_SEPARATOR, detail, brackets);
            }
        }
        self.recover(TokenKind::CloseBrace);
    }

    fn unterminated_object(&mut self, open: Span) {
        let detail = "The text ends before the closing brace of this object.";
        let diagnostic = self.diagnostic(ids::UNTERMINATED_OBJECT, detail, open);
        self.report(self.with_misplaced_brace(diagnostic));
    }
}
