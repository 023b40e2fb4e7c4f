//! Diagnostics for frequent syntax errors.
//!
//! Recognises operators of other languages, missing commas and unclosed brackets, so that the detail names the likely
//! cause. Productions call these methods in place of the plain report.

use terrane_source::{Diagnostic, DiagnosticId, Span};

use super::Parser;
use super::recovery::{closer, is_closer};
use crate::{Token, TokenKind};

/// The hint for `else if`, which templates do not have.
pub(super) const NESTED_IF: &str = "Nest an if in the else: \"%{ else }%{ if ... }...%{ endif }%{ endif }\".";

/// The number of tokens that are searched backwards for an open bracket. There may be many errors, each with a long text before
/// it.
const MAX_TOKENS_BACK: usize = 10_000;

/// A pair of brackets whose closing bracket was not found yet.
#[derive(Clone, Copy)]
pub(super) struct Brackets {
    /// The range to show around an error in the brackets.
    pub(super) context: Span,
    /// The opening bracket.
    pub(super) open: Span,
    /// The kind of the closing bracket.
    pub(super) close: TokenKind,
}

impl Parser<'_> {
    /// Reports the next token after a complete expression, with `detail`, unless the token shows the intended operator.
    pub(super) fn error_behind(&mut self, id: DiagnosticId, detail: &str, context: Option<Span>) {
        if let Some(diagnostic) = self.diagnostic_behind(id, detail, context) {
            self.report(diagnostic);
        }
    }

    /// Returns the message of [`Parser::error_behind`], so that callers can add to it. `None` if the lexer has reported the
    /// token.
    pub(super) fn diagnostic_behind(
        &mut self,
        id: DiagnosticId,
        detail: &str,
        context: Option<Span>,
    ) -> Option<Diagnostic> {
        match self.operator_meant() {
            Some((detail, hint)) => Some(self.diagnostic_at(self.next, id, &detail, context)?.hint(hint)),
            None => self.diagnostic_at(self.next, id, detail, context),
        }
    }

    /// Returns the detail and hint for an operator of another language at the next token.
    fn operator_meant(&self) -> Option<(String, String)> {
        if self.kind == TokenKind::Assign {
            let detail = "An equals sign gives an argument its value; it does not compare.";
            return Some((detail.to_owned(), "To compare two values, write \"==\".".to_owned()));
        }
        let (given, meant) = match (self.text(self.token(self.next)), self.name_before()) {
            (word @ ("and" | "AND"), _) => (word, "&&"),
            (word @ ("or" | "OR"), _) => (word, "||"),
            (_, word @ ("not" | "NOT")) => (word, "!"),
            (_, _) => return None,
        };
        Some((format!("There is no operator {given:?}."), format!("Did you mean {meant:?}?")))
    }

    /// Returns the last token that was read, unless it is the name of an attribute.
    fn name_before(&self) -> &str {
        match self.tokens.get(..self.read) {
            Some([.., dot, _]) if dot.kind() == TokenKind::Dot => "",
            Some([.., name]) => self.text(*name),
            Some([]) | None => "",
        }
    }

    /// Reports the next token, which is in `brackets` in place of a comma.
    pub(super) fn no_comma(&mut self, id: DiagnosticId, detail: &str, brackets: Brackets) {
        let Brackets { context, open, close } = brackets;
        let before = self.last_span();
        let next_line = self.source.slice(Span::new(before.end, self.next_span().start)).contains('\n');
        if self.at_next_item(close) {
            let detail = "This line looks like the next argument or block, but the bracket is still open.";
            if let Some(diagnostic) = self.diagnostic_at(self.next, id, detail, Some(context)) {
                self.report(
                    diagnostic.label(open, "opened here").hint("Close the bracket before this line."),
                );
            }
            return;
        }
        if is_closer(self.kind) {
            let detail = "This closes another bracket, but an inner one is still open.";
            if let Some(diagnostic) = self.diagnostic_at(self.next, id, detail, Some(context)) {
                self.report(diagnostic.label(open, "opened here").hint("Close the bracket before it."));
            }
            return;
        }
        let Some(diagnostic) = self.diagnostic_behind(id, detail, Some(context)) else { return };
        if !diagnostic.hints.is_empty() {
            return self.report(diagnostic);
        }
        let hint = if next_line && close != TokenKind::CloseBrace {
            "Write a comma at the end of the line before; a line break does not separate here."
        } else {
            "Write a comma before it."
        };
        self.report(diagnostic.label(before, "a comma is missing after this").hint(hint));
    }

    /// Adds the open bracket to a message that the next token begins no expression, if the token closes something else.
    pub(super) fn with_open_bracket(&self, diagnostic: Diagnostic) -> Diagnostic {
        if !is_closer(self.kind) && self.kind != TokenKind::End {
            return diagnostic;
        }
        match self.innermost_open() {
            Some(open) if closer(open.kind()) == Some(self.kind) => diagnostic,
            Some(open) if self.kind == TokenKind::End => diagnostic.label(open.span(), "opened here"),
            Some(open) => diagnostic.label(open.span(), "opened here").hint("Close the bracket before it."),
            None => diagnostic,
        }
    }

    /// Returns the innermost open bracket around the next token. `None` if it belongs to a block or is far away.
    fn innermost_open(&self) -> Option<Token> {
        let mut closed = 0_usize;
        let mut before = self.tokens.get(self.next.saturating_sub(MAX_TOKENS_BACK)..self.next)?;
        while let [rest @ .., token] = before {
            before = rest;
            if is_closer(token.kind()) {
                closed += 1;
            } else if closer(token.kind()).is_some() {
                let Some(fewer) = closed.checked_sub(1) else {
                    let header_end = rest.last().map(|token| token.kind());
                    let is_block = token.kind() == TokenKind::OpenBrace
                        && matches!(header_end, Some(TokenKind::Ident | TokenKind::CloseQuote));
                    return (!is_block).then_some(*token);
                };
                closed = fewer;
            }
        }
        None
    }

    /// Whether a brace seems to be missing only because recovery from an earlier error has skipped it.
    pub(super) fn lost_a_brace(&self) -> bool {
        let count = |kind| self.tokens.iter().filter(|token| token.kind() == kind).count();
        let are_paired = || count(TokenKind::OpenBrace) == count(TokenKind::CloseBrace);
        self.error_count > 0 && *self.braces.are_paired.get_or_init(are_paired)
    }

    /// Adds the likely place of the error to a message about an unclosed brace: a brace that is closed by one farther left than
    /// its line.
    pub(super) fn with_misplaced_brace(&self, diagnostic: Diagnostic) -> Diagnostic {
        let misplaced = *self.braces.misplaced.get_or_init(|| self.misplaced_brace());
        let Some((open, close)) = misplaced else {
            return diagnostic.hint("Write a \"}\" at the end of the block.");
        };
        diagnostic
            .label(open, "this may be the brace that is not closed")
            .label(close, "this one closes it, but stands further left")
            .hint("Look at the indentation of the braces, and add the one that is missing.")
    }

    fn misplaced_brace(&self) -> Option<(Span, Span)> {
        let mut open = Vec::new();
        for token in self.tokens {
            if token.kind() == TokenKind::OpenBrace {
                open.push(token.span());
            } else if token.kind() == TokenKind::CloseBrace {
                let Some(opener) = open.pop() else { continue };
                let (line_start, indentation) = self.indentation(token.span());
                let is_first = line_start + indentation == token.span().start;
                if is_first && indentation < self.indentation(opener).1 {
                    return Some((opener, token.span()));
                }
            }
        }
        None
    }

    /// Adds to a message about a heredoc without an end the place where it begins, and the line that was perhaps meant to end
    /// it.
    pub(super) fn with_heredoc_end(&self, diagnostic: Diagnostic, open: Span) -> Diagnostic {
        let opener = self.source.slice(open).trim_end();
        let marker = opener.trim_start_matches('<').trim_start_matches('-');
        let opens = Span::new(open.start, open.start + u32::try_from(opener.len()).unwrap_or(0));
        let diagnostic = diagnostic.label(opens, "opened here");
        let mut start = open.end as usize;
        let end = self.token(self.tokens.len()).span().end as usize;
        for line in self.source.text().get(start..end).unwrap_or_default().split_inclusive('\n') {
            let content = line.trim();
            if let Some(hint) = meant_as_marker(content, marker) {
                let start = start + line.len() - line.trim_start().len();
                let span =
                    [start, start + content.len()].map(|offset| u32::try_from(offset).unwrap_or(u32::MAX));
                return diagnostic.label(Span::new(span[0], span[1]), "this line does not end it").hint(hint);
            }
            start += line.len();
        }
        diagnostic.hint("Write the marker on a line of its own after the text.")
    }
}

/// Returns the hint for a line that looks like the end of a heredoc but is not. It does not repeat the marker, which may be a part of
/// a secret.
fn meant_as_marker(line: &str, marker: &str) -> Option<&'static str> {
    if line.eq_ignore_ascii_case(marker) {
        return Some("Write the marker as at the start; upper and lower case differ.");
    }
    let rest = line.strip_prefix(marker)?;
    let goes_on = rest.chars().next().is_none_or(|next| next == '-' || unicode_ident::is_xid_continue(next));
    (!goes_on).then_some("Put the text behind the marker on the next line.")
}
