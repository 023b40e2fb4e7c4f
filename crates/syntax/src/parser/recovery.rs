//! Skips tokens after a syntax error.
//!
//! Each production calls one of these functions once it has reported, so that parsing continues at a safe token.

use super::Parser;
use crate::line::is_conflict_marker;
use crate::{Token, TokenKind};

/// The beginnings of the first and the last line of a conflict.
const FIRST_MARKER: &str = "<<<<<<<";
const LAST_MARKER: &str = ">>>>>>>";

impl Parser<'_> {
    /// Reads up to and including the matching `end`, over nested pairs of the same kind.
    ///
    /// Stops before the end of an enclosing template, and before the next item of a body. Returns the last token that was read.
    pub(super) fn recover(&mut self, end: TokenKind) -> Token {
        self.recovery = true;
        let mut same = 0_u32;
        let mut braces = 0_u32;
        let mut templates = 0_u32;
        loop {
            let kind = self.kind;
            if kind == TokenKind::End {
                self.lost = true;
                return self.bump();
            }
            let leaves_template = closes_template(kind) && templates == 0 && kind != end;
            if leaves_template || braces == 0 && templates == 0 && self.at_next_item(end) {
                return self.token(self.read.saturating_sub(1));
            }
            let token = self.bump();
            if kind == end && same == 0 {
                return token;
            }
            if kind == end {
                same -= 1;
            } else if closer(kind) == Some(end) {
                same += 1;
            }
            if kind == TokenKind::OpenBrace {
                braces += 1;
            } else if kind == TokenKind::CloseBrace {
                self.lost |= braces == 0;
                braces = braces.saturating_sub(1);
            } else if closes_template(kind) {
                templates = templates.saturating_sub(1);
            } else if closer(kind).is_some_and(closes_template) {
                templates += 1;
            }
        }
    }

    /// Whether the line that starts here is an item of a body, because it cannot continue the construct that `end` closes.
    pub(super) fn at_next_item(&self, end: TokenKind) -> bool {
        if self.kind != TokenKind::Ident || end != TokenKind::CloseParen && end != TokenKind::CloseBracket {
            return false;
        }
        let before = self.tokens.get(..self.next).unwrap_or_default().last();
        let next = self.token(self.next + 1).kind();
        before.is_some_and(|token| token.kind() == TokenKind::Newline)
            && matches!(next, TokenKind::Assign | TokenKind::OpenQuote | TokenKind::OpenBrace)
    }

    /// Skips the next pair of parentheses.
    pub(super) fn recover_over_parentheses(&mut self) {
        self.recovery = true;
        while self.kind != TokenKind::OpenParen && self.kind != TokenKind::End {
            self.bump();
        }
        self.bump();
        self.recover(TokenKind::CloseParen);
    }

    /// Reads up to and including the newline that ends the current item of a body.
    pub(super) fn recover_item(&mut self) {
        self.recovery = true;
        let mut open = Vec::new();
        while self.kind != TokenKind::End {
            let kind = self.bump().kind();
            if kind == TokenKind::Newline && open.is_empty() {
                return;
            }
            track(&mut open, kind);
        }
    }

    /// Reads the lines below an item that failed, as long as they are indented further than its `first` token, and a following
    /// line that closes its brackets. They belong to the item.
    pub(super) fn recover_indented(&mut self, first: Token) {
        let (_, column) = self.indentation(first.span());
        while self.next_column().is_some_and(|next| next > column) {
            self.skip_newlines();
            self.recover_item();
        }
        if self.closes_at(column) {
            self.skip_newlines();
            self.recover_item();
        }
    }

    /// Whether a token begins a line with which a merge has marked a conflict.
    pub(super) fn is_conflict_marker(&self, first: Token) -> bool {
        is_conflict_marker(self.text_from(first))
            && self.source.line_start(first.span().start) == first.span().start
    }

    /// Returns the end of a conflict that a merge has left, if it begins at a token: of its last line. `None` if it reaches out of the body, or
    /// has brackets that are not closed in it.
    pub(super) fn conflict_end(&self, first: Token) -> Option<u32> {
        if !self.is_conflict_marker(first) || !self.text_from(first).starts_with(FIRST_MARKER) {
            return None;
        }
        let (mut depth, mut starts_line) = (0_u32, false);
        for token in self.tokens.get(self.next..).unwrap_or_default() {
            let kind = token.kind();
            let is_marker = starts_line && self.is_conflict_marker(*token);
            if is_marker && self.text_from(*token).starts_with(LAST_MARKER) {
                return (depth == 0).then(|| self.source.line_span(self.source.line(token.span().start)).end);
            }
            if is_marker && (depth > 0 || self.text_from(*token).starts_with(FIRST_MARKER)) {
                return None;
            }
            starts_line = kind == TokenKind::Newline;
            if kind == TokenKind::OpenBrace {
                depth += 1;
            } else if kind == TokenKind::CloseBrace {
                depth = depth.checked_sub(1)?;
            }
        }
        None
    }

    /// Returns the text from a token on.
    fn text_from(&self, first: Token) -> &str {
        self.source.text().get(first.span().start as usize..).unwrap_or_default()
    }

    /// Reads all tokens before an offset.
    pub(super) fn recover_until(&mut self, end: u32) {
        self.recovery = true;
        while self.kind != TokenKind::End && self.next_span().start < end {
            self.bump();
        }
    }

    /// Whether the next line that is not empty begins with a closing bracket in `column`.
    pub(super) fn closes_at(&self, column: u32) -> bool {
        is_closer(self.token(self.line_behind()).kind()) && self.next_column() == Some(column)
    }

    /// Returns the indentation of the next line that is not empty, if it starts here.
    pub(super) fn next_column(&self) -> Option<u32> {
        let first = self.token(self.line_behind());
        let (start, column) = self.indentation(first.span());
        (first.kind() != TokenKind::End && start + column == first.span().start).then_some(column)
    }

    /// Returns the index of the next token that is no line break.
    fn line_behind(&self) -> usize {
        let tokens = self.tokens.get(self.next..).unwrap_or_default();
        let is_skipped = |token: &&Token| matches!(token.kind(), TokenKind::Newline | TokenKind::Comment);
        self.next + tokens.iter().take_while(is_skipped).count()
    }

    pub(super) fn skip_newlines(&mut self) {
        while self.kind == TokenKind::Newline {
            self.bump();
        }
    }

    /// Skips to the brace that closes a one-line block, or to the end of the line.
    pub(super) fn recover_in_line(&mut self) {
        self.recovery = true;
        let mut open = Vec::new();
        while self.kind != TokenKind::End && self.kind != TokenKind::Newline {
            if self.kind == TokenKind::CloseBrace && open.is_empty() {
                return;
            }
            let kind = self.bump().kind();
            track(&mut open, kind);
        }
    }

    /// Skips the rest of the text. Nothing more is reported.
    pub(super) fn skip_rest(&mut self) {
        (self.recovery, self.lost) = (true, true);
        self.read = self.tokens.len();
        self.settle();
    }

    /// Lets the next item of a body report its own errors again, if it probably begins here.
    pub(super) fn resume(&mut self) {
        self.recovery = self.lost;
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "a list of pairs")]
pub(super) fn closer(kind: TokenKind) -> Option<TokenKind> {
    match kind {
        TokenKind::OpenBrace => Some(TokenKind::CloseBrace),
        TokenKind::OpenBracket => Some(TokenKind::CloseBracket),
        TokenKind::OpenParen => Some(TokenKind::CloseParen),
        TokenKind::OpenQuote => Some(TokenKind::CloseQuote),
        TokenKind::OpenHeredoc => Some(TokenKind::CloseHeredoc),
        TokenKind::OpenInterpolation | TokenKind::OpenDirective => Some(TokenKind::CloseSequence),
        _ => None,
    }
}

pub(super) fn closes_template(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::CloseQuote | TokenKind::CloseHeredoc | TokenKind::CloseSequence)
}

/// Updates `open`, the closing tokens that are still expected. A closing token also ends everything that was left open inside.
pub(super) fn track(open: &mut Vec<TokenKind>, kind: TokenKind) {
    if let Some(closer) = closer(kind) {
        open.push(closer);
    } else if is_closer(kind) {
        while open.pop().is_some_and(|closer| closer != kind) {}
    }
}

pub(super) fn is_closer(kind: TokenKind) -> bool {
    closes_template(kind)
        || matches!(kind, TokenKind::CloseBrace | TokenKind::CloseBracket | TokenKind::CloseParen)
}
