//! Parses `for` expressions in brackets and braces.
//!
//! Template directives use the same parser for the names between `for` and `in`.

use terrane_source::{Span, ids};

use super::Parser;
use super::flat_template::ForNames;
use crate::tree::For;
use crate::{Expr, ExprId, TokenKind};

impl Parser<'_> {
    /// ForTuple = "[" ForIntro ":" Expression ForCondition? "]"
    /// ForObject = "{" ForIntro ":" Expression "=>" Expression "..."? ForCondition? "}"
    ///
    /// The opening bracket was read, and `for` follows.
    pub(super) fn for_expression(&mut self, open: Span, close: TokenKind) -> ExprId {
        match self.for_parts(open, close) {
            Some(parts) => {
                let id = self.tree.add_for(parts);
                let span = open.to(self.last_span());
                self.tree.add_expr(Expr::For(id), span)
            }
            None => {
                self.recover(close);
                let span = open.to(self.last_span());
                self.missing(span)
            }
        }
    }

    /// Parses the parts of a `for` expression. `None` if the caller must skip to the closing bracket.
    fn for_parts(&mut self, open: Span, close: TokenKind) -> Option<For> {
        self.bump();
        let names = self.for_names(|parser, detail| parser.invalid_for(open, detail))?;
        let before = self.error_count;
        let collection = self.expression();
        if self.failed(before) {
            return None;
        }
        if self.kind != TokenKind::Colon {
            self.for_goes_on(open, "A colon must follow the collection of a 'for' expression.");
            return None;
        }
        self.bump();
        let before = self.error_count;
        let mut value = self.expression();
        let mut key = None;
        if self.eat(TokenKind::Arrow) {
            key = Some(value);
            value = self.expression();
        }
        if self.failed(before) {
            return None;
        }
        let ellipsis = (self.kind == TokenKind::Ellipsis).then(|| self.bump().span());
        let condition = self.opt_for_condition()?;
        if self.kind == close {
            self.bump();
        } else {
            self.for_goes_on(open, "The closing bracket must follow here, the 'for' expression is complete.");
            self.recover(close);
        }
        let parts = For {
            key_name: names.key,
            value_name: names.value,
            collection,
            key,
            value,
            condition,
            group: ellipsis.is_some(),
        };
        self.check_for(&parts, open, close, ellipsis);
        Some(parts)
    }

    /// ForIntro = "for" identifier ("," identifier)? "in" Expression
    ///
    /// Reads up to and including `in`; `invalid` reports at the next token.
    pub(super) fn for_names(&mut self, invalid: impl Fn(&mut Self, &str)) -> Option<ForNames> {
        if self.kind != TokenKind::Ident {
            invalid(self, "The name of a variable must follow 'for'.");
            return None;
        }
        let mut names = ForNames { key: None, value: self.bump().span() };
        if self.eat(TokenKind::Comma) {
            if self.kind != TokenKind::Ident {
                invalid(self, "The name of the variable for the value must follow the comma.");
                return None;
            }
            names = ForNames { key: Some(names.value), value: self.bump().span() };
        }
        if !self.at_keyword("in") {
            invalid(self, "The keyword 'in' must follow the names of the variables.");
            return None;
        }
        self.bump();
        Some(names)
    }

    /// ForCondition = "if" Expression
    ///
    /// `None` if the condition cannot be parsed.
    fn opt_for_condition(&mut self) -> Option<Option<ExprId>> {
        if !self.at_keyword("if") {
            return Some(None);
        }
        self.bump();
        let before = self.error_count;
        let condition = self.expression();
        if self.failed(before) { None } else { Some(Some(condition)) }
    }

    fn invalid_for(&mut self, open: Span, detail: &str) {
        if !self.recovery {
            self.error_at_next(ids::INVALID_FOR, detail, Some(open));
        }
    }

    /// Reports a token behind an expression in a `for` expression that must not be there.
    fn for_goes_on(&mut self, open: Span, detail: &str) {
        if !self.recovery
            && let Some(diagnostic) = self.diagnostic_behind(ids::INVALID_FOR, detail, Some(open))
        {
            self.report(diagnostic.label(open, "opened here"));
        }
    }

    /// Reports parts that only the other form may have.
    fn check_for(&mut self, parts: &For, open: Span, close: TokenKind, ellipsis: Option<Span>) {
        let context = open.to(self.last_span());
        let wrong = |parser: &mut Self, span: Span, detail: &str| {
            let diagnostic = parser.diagnostic(ids::INVALID_FOR, detail, span);
            parser.report(diagnostic.within(context));
        };
        if close == TokenKind::CloseBrace {
            if parts.key.is_none() {
                let span = self.tree.span(parts.value);
                wrong(self, span, "A 'for' expression in braces needs a key and a value: key => value.");
            }
            return;
        }
        if let Some(key) = parts.key {
            let span = self.tree.span(key);
            wrong(self, span, "A 'for' expression in brackets gives values without keys.");
        }
        if let Some(span) = ellipsis {
            wrong(self, span, "Only a 'for' expression in braces can group values with \"...\".");
        }
    }
}
