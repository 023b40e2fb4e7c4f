//! The token cursor of the parser.
//!
//! Skips comments, and newlines where they are not significant.

use terrane_source::Span;

use super::Parser;
use crate::{ExprId, Token, TokenKind};

/// White space at the start of a line is measured up to this length.
const MAX_INDENTATION: usize = 1000;

impl<'a> Parser<'a> {
    /// Moves to the next significant token: skips comments, and newlines unless they are significant.
    pub(super) fn settle(&mut self) {
        let mut index = self.read;
        loop {
            let kind = self.token(index).kind();
            let skipped = kind == TokenKind::Comment || kind == TokenKind::Newline && !self.newlines;
            if !skipped {
                self.next = index;
                self.kind = kind;
                return;
            }
            index += 1;
        }
    }

    /// Returns the token at `index`, or the end token behind the last one.
    pub(super) fn token(&self, index: usize) -> Token {
        match self.tokens.get(index) {
            Some(token) => *token,
            None => self.tokens.last().copied().unwrap_or(Token::new(TokenKind::End, Span::empty(0))),
        }
    }

    /// Reads the next token.
    pub(super) fn bump(&mut self) -> Token {
        let token = self.token(self.next);
        self.read = (self.next + 1).min(self.tokens.len());
        self.settle();
        token
    }

    /// Reads the next token if it is of this kind.
    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind == kind;
        if found {
            self.bump();
        }
        found
    }

    /// The bytes of the next token.
    pub(super) fn next_span(&self) -> Span {
        self.token(self.next).span()
    }

    /// The bytes of the token that was read last.
    pub(super) fn last_span(&self) -> Span {
        self.token(self.read.saturating_sub(1)).span()
    }

    /// Returns the bytes for a message about the token at `index`. A newline that ends a comment includes the comment.
    pub(super) fn subject(&self, index: usize) -> Span {
        let span = self.token(index).span();
        if self.token(index).kind() == TokenKind::Newline && index > 0 {
            let before = self.token(index - 1);
            let is_line_comment = !self.text(before).starts_with("/*");
            if before.kind() == TokenKind::Comment && before.span().end == span.start && is_line_comment {
                return before.span().to(span);
            }
        }
        span
    }

    pub(super) fn text(&self, token: Token) -> &'a str {
        self.source.slice(token.span())
    }

    pub(super) fn at_keyword(&self, keyword: &str) -> bool {
        self.kind == TokenKind::Ident && self.text(self.token(self.next)) == keyword
    }

    /// Sets whether line breaks are significant, and returns the previous setting.
    pub(super) fn set_newlines(&mut self, newlines: bool) -> bool {
        let before = self.newlines;
        if before != newlines {
            self.newlines = newlines;
            self.settle();
        }
        before
    }

    /// Returns the start of a token's line, and the number of bytes of white space at its start.
    pub(super) fn indentation(&self, token: Span) -> (u32, u32) {
        let text = self.source.text();
        let start = self.source.line_start(token.start);
        let line = text.as_bytes().get(start as usize..).unwrap_or_default();
        let bytes = line.iter().take(MAX_INDENTATION);
        let width = bytes.take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        (start, u32::try_from(width).unwrap_or(0))
    }

    /// Returns a missing expression after the last token. Consumes nothing.
    pub(super) fn missing_here(&mut self) -> ExprId {
        let start = if self.read == 0 { 0 } else { self.last_span().end };
        self.missing(Span::empty(start))
    }
}
