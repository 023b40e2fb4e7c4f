//! Parses quoted strings, heredocs and block labels.
//!
//! Collects text, interpolations and directives as sequences, and builds the parts of the template.

use terrane_source::{Span, ids};

use super::Parser;
use super::flat_template::{RawText, Sequence};
use crate::tree::{Label, List, Literal, Part, TemplateForm, Text};
use crate::{Expr, ExprId, Token, TokenKind};

impl Parser<'_> {
    /// Quoted = "\"" (text | Interpolation | Directive)* "\""
    pub(super) fn quoted_template(&mut self) -> ExprId {
        let open = self.bump().span();
        if let Some(text) = self.opt_plain_text() {
            let text = text.store(&mut self.tree);
            let span = open.to(self.last_span());
            return self.tree.add_expr(Expr::Literal(Literal::String(text)), span);
        }
        let parts = self.template_parts(TokenKind::CloseQuote, false);
        let span = open.to(self.last_span());
        self.template(parts, span, TemplateForm::Quoted)
    }

    /// Reads the whole inside of a quoted template without sequences, and the closing quote. `None` if there are sequences.
    fn opt_plain_text(&mut self) -> Option<RawText> {
        if self.kind == TokenKind::CloseQuote {
            let close = self.bump().span();
            return Some(RawText::Source(Span::empty(close.start)));
        }
        let closes = self.token(self.next + 1).kind() == TokenKind::CloseQuote;
        if self.kind != TokenKind::QuotedText || !closes {
            return None;
        }
        let text = self.bump();
        let text = self.raw_text(text);
        self.bump();
        Some(text)
    }

    /// Heredoc = "<<" "-"? marker newline (text | Interpolation | Directive)* marker
    pub(super) fn heredoc(&mut self) -> ExprId {
        let open = self.bump();
        let flush = self.text(open).starts_with("<<-");
        let parts = self.template_parts(TokenKind::CloseHeredoc, flush);
        let span = open.span().to(self.last_span());
        self.tree.add_expr(Expr::Template { parts, form: TemplateForm::Heredoc }, span)
    }

    /// BareTemplate = (text | Interpolation | Directive)*
    pub(super) fn bare_template(&mut self) -> ExprId {
        let parts = self.template_parts(TokenKind::End, false);
        if let [Part::Interpolation { expr, .. }] = self.tree.list(parts) {
            return *expr;
        }
        let span = Span::new(0, self.last_span().end);
        self.template(parts, span, TemplateForm::Bare)
    }

    /// Returns a template of `parts`, or a plain string if it computes nothing.
    fn template(&mut self, parts: List<Part>, span: Span, form: TemplateForm) -> ExprId {
        let expr = match self.tree.list(parts) {
            [] => Expr::Literal(Literal::String(Text::Source(Span::empty(span.start)))),
            [Part::Literal { text, .. }] => Expr::Literal(Literal::String(*text)),
            [..] => Expr::Template { parts, form },
        };
        self.tree.add_expr(expr, span)
    }

    /// Reads all parts up to and including the `end` token.
    fn template_parts(&mut self, end: TokenKind, flush: bool) -> List<Part> {
        let mark = self.scratch.sequences.len();
        let (open, start) = (self.last_span(), self.next_span());
        let mut trim_next = false;
        loop {
            let index = self.next;
            let token = self.bump();
            let kind = token.kind();
            let trim = std::mem::take(&mut trim_next);
            if kind == end {
                break;
            }
            if kind == TokenKind::QuotedText || kind == TokenKind::TemplateText {
                let mut text = self.raw_text(token);
                if trim {
                    text.trim_start(&self.tree);
                }
                self.scratch.sequences.push(Sequence::Text { text, span: token.span() });
            } else if kind == TokenKind::OpenInterpolation {
                self.trim_before(token, mark);
                trim_next = self.interpolation(token, start, end);
            } else if kind == TokenKind::OpenDirective {
                self.trim_before(token, mark);
                trim_next = self.directive(token, start);
            } else {
                self.unterminated_template(index, open, start, end);
                break;
            }
        }
        let close = self.last_span();
        if flush {
            self.remove_indentation(mark);
        }
        self.match_directives(mark, close)
    }

    /// Removes white space before a sequence that opens with `~`.
    fn trim_before(&mut self, opener: Token, mark: usize) {
        if opener.span().len() < 3 || self.scratch.sequences.len() == mark {
            return;
        }
        if let Some(Sequence::Text { text, .. }) = self.scratch.sequences.last_mut() {
            text.trim_end(&self.tree);
        }
    }

    fn unterminated_template(&mut self, index: usize, open: Span, start: Span, end: TokenKind) {
        if !self.recovery {
            let is_heredoc = end == TokenKind::CloseHeredoc;
            let detail = if is_heredoc {
                "The heredoc has no closing marker."
            } else {
                "The template has no closing quote."
            };
            if let Some(diagnostic) =
                self.diagnostic_at(index, ids::UNTERMINATED_TEMPLATE, detail, Some(start))
            {
                self.report(if is_heredoc {
                    self.with_heredoc_end(diagnostic, open)
                } else {
                    diagnostic.label(open, "opened here")
                });
            }
        }
        if self.token(index).kind() == TokenKind::End {
            self.recovery = true;
            self.lost = true;
        } else {
            self.recover(end);
        }
    }

    /// Interpolation = ("${" | "${~") Expression ("}" | "~}")
    ///
    /// The opener was read. Returns whether white space behind the interpolation is removed.
    fn interpolation(&mut self, opener: Token, start: Span, end: TokenKind) -> bool {
        let newlines = self.set_newlines(false);
        let expr = self.expression();
        let close = self.next_span();
        let closes = self.kind == TokenKind::CloseSequence;
        if closes {
            self.bump();
        } else {
            if !self.recovery {
                self.unclosed_interpolation(opener.span(), start, end);
            }
            self.recover(TokenKind::CloseSequence);
        }
        self.set_newlines(newlines);
        self.scratch.sequences.push(Sequence::Interpolation { expr, span: opener.span().to(close) });
        closes && close.len() == 2
    }

    fn unclosed_interpolation(&mut self, opener: Span, start: Span, end: TokenKind) {
        let at_quote = self.kind == TokenKind::CloseQuote || self.kind == TokenKind::OpenQuote;
        if self.kind == TokenKind::End || at_quote && end == TokenKind::CloseQuote {
            let detail = "An interpolation in this template has no closing brace. Something in it may be left \
                          open.";
            let diagnostic = self.diagnostic(ids::UNCLOSED_INTERPOLATION, detail, start);
            self.report(diagnostic.label(opener, "opened here"));
        } else {
            let detail = "The closing brace must follow the expression of an interpolation. If the text is \
                          meant for another language, write \"$${\" instead of \"${\".";
            if let Some(diagnostic) =
                self.diagnostic_behind(ids::EXTRA_AFTER_INTERPOLATION, detail, Some(start))
            {
                self.report(diagnostic.label(opener, "opened here"));
            }
        }
    }

    /// Label = "\"" text "\"" | identifier
    pub(super) fn label(&mut self) -> Label {
        let open_index = self.next;
        let open = self.bump();
        if open.kind() == TokenKind::Ident {
            return Label { text: Text::Source(open.span()), span: open.span() };
        }
        let mut text = RawText::Source(Span::empty(open.span().end));
        loop {
            let index = self.next;
            let token = self.bump();
            let kind = token.kind();
            if kind == TokenKind::CloseQuote {
                break;
            }
            if kind == TokenKind::QuotedText {
                let more = self.raw_text(token);
                text = text.join(more, &mut self.tree);
            } else if kind == TokenKind::OpenInterpolation || kind == TokenKind::OpenDirective {
                text = text.join(
                    RawText::Source(Span::new(token.span().start, token.span().start + 1)),
                    &mut self.tree,
                );
                text = text.join(self.decoded("{ ... }"), &mut self.tree);
                let detail = "A label is plain text; a template sequence cannot stand in it. To write \"${\" or \
                              \"%{\" literally, double its first character.";
                self.error_at(index, ids::INVALID_STRING_LITERAL, detail, Some(open.span()));
                self.recover(TokenKind::CloseSequence);
            } else {
                self.unclosed_label(index, open_index);
                break;
            }
        }
        let span = open.span().to(self.last_span());
        Label { text: text.store(&mut self.tree), span }
    }

    fn unclosed_label(&mut self, index: usize, open: usize) {
        let open = self.token(open).span();
        if self.token(index).kind() == TokenKind::End {
            let detail = "The label has no closing quote.";
            self.error_at(index, ids::UNTERMINATED_STRING_LITERAL, detail, Some(open));
        } else {
            self.error_at(index, ids::INVALID_STRING_LITERAL, "This cannot stand in a label.", Some(open));
            self.recover(TokenKind::CloseQuote);
        }
    }
}
