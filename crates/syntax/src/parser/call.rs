//! Parses function calls.
//!
//! Entered from the parser of names, at `(` or `::` after a name.

use terrane_source::{Span, ids};

use super::Parser;
use super::errors::Brackets;
use crate::tree::Call;
use crate::{Expr, ExprId, Token, TokenKind};

impl Parser<'_> {
    /// Call = identifier ("::" identifier)* "(" (Expression ("," Expression)* ("," | "...")?)? ")"
    ///
    /// The first name was read; a parenthesis or double colon follows.
    pub(super) fn call(&mut self, first: Token) -> ExprId {
        let mut name = first.span();
        let mut open_index = self.next;
        let mut open = self.bump();
        while open.kind() == TokenKind::DoubleColon {
            let index = self.next;
            let next = self.bump();
            if next.kind() != TokenKind::Ident {
                let detail = "The name of a function must follow the double colon.";
                self.error_at(index, ids::MISSING_FUNCTION_NAME, detail, Some(name));
                return self.no_call(name.to(next.span()));
            }
            name = name.to(next.span());
            open_index = self.next;
            open = self.bump();
        }
        if open.kind() != TokenKind::OpenParen {
            let detail = "A name with a double colon is that of a function; its arguments must follow in \
                          parentheses.";
            self.error_at(open_index, ids::MISSING_OPEN_PARENTHESIS, detail, Some(name));
            return self.no_call(name.to(open.span()));
        }
        let newlines = self.set_newlines(false);
        let call = self.arguments(name, open.span());
        self.set_newlines(newlines);
        call
    }

    fn no_call(&mut self, span: Span) -> ExprId {
        self.recover_over_parentheses();
        self.missing(span)
    }

    fn arguments(&mut self, name: Span, open: Span) -> ExprId {
        let mark = self.scratch.exprs.len();
        let mut expand_last = false;
        while self.kind != TokenKind::CloseParen {
            let before = self.error_count;
            let argument = self.expression();
            self.scratch.exprs.push(argument);
            if self.failed(before) {
                self.recover(TokenKind::CloseParen);
                return self.finish_call(name, open, mark, expand_last);
            }
            if self.kind == TokenKind::CloseParen {
                break;
            }
            if self.kind == TokenKind::Ellipsis {
                expand_last = true;
                let ellipsis = self.next;
                self.bump();
                if self.kind != TokenKind::CloseParen {
                    self.no_close_behind_ellipsis(ellipsis, name);
                    return self.finish_call(name, open, mark, expand_last);
                }
            } else if !self.eat(TokenKind::Comma) {
                self.no_separator(name, open);
                return self.finish_call(name, open, mark, expand_last);
            }
        }
        self.bump();
        self.finish_call(name, open, mark, expand_last)
    }

    /// Returns the call whose last token was just read.
    fn finish_call(&mut self, name: Span, open: Span, mark: usize, expand_last: bool) -> ExprId {
        let arguments = self.tree.add_list(&mut self.scratch.exprs, mark);
        let close_end = self.last_span().end;
        let call = self.tree.add_call(Call { name, arguments, expand_last, open: open.start, close_end });
        self.tree.add_expr(Expr::Call(call), Span::new(name.start, close_end))
    }

    fn no_close_behind_ellipsis(&mut self, ellipsis: usize, name: Span) {
        if !self.recovery {
            let detail = "The closing parenthesis must directly follow an argument with \"...\", which is the \
                          last one.";
            self.error_at(ellipsis, ids::MISSING_CLOSE_PARENTHESIS, detail, Some(name));
        }
        self.recover(TokenKind::CloseParen);
    }

    fn no_separator(&mut self, name: Span, open: Span) {
        if self.kind == TokenKind::End {
            let detail = "The text ends before the closing parenthesis of this call. A parenthesis may be \
                          missing elsewhere in the text.";
            self.report(self.diagnostic(ids::UNTERMINATED_CALL, detail, name.to(open)));
        } else {
            let (id, detail) = (ids::MISSING_ARGUMENT_SEPARATOR, "A comma must stand between two arguments.");
            self.no_comma(id, detail, Brackets { context: name, open, close: TokenKind::CloseParen });
        }
        self.recover(TokenKind::CloseParen);
    }
}
