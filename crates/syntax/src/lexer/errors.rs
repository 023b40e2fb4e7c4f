//! Diagnostics of the lexer.
//!
//! [`Errors`] limits their number and does not repeat the same error too often.

use std::sync::Arc;

use terrane_source::{Diagnostic, DiagnosticId, SourceFile, Span, ids};

use crate::limits::MAX_DIAGNOSTICS;
use crate::{Token, TokenKind};

/// The diagnostics of the lexer.
pub(super) struct Errors<'a> {
    source: &'a Arc<SourceFile>,
    diagnostics: Vec<Diagnostic>,
    bitwise: u32,
    backticks: u32,
    apostrophes: u32,
    semicolons: u32,
    /// Whether a string was left open on its line and may be closed on a later line.
    left_open: bool,
}

impl<'a> Errors<'a> {
    pub(super) fn new(source: &'a Arc<SourceFile>) -> Errors<'a> {
        Errors {
            source,
            diagnostics: Vec::new(),
            bitwise: 0,
            backticks: 0,
            apostrophes: 0,
            semicolons: 0,
            left_open: false,
        }
    }

    /// Returns all diagnostics about these tokens, in source order. The last token ends at `end`.
    pub(super) fn finish(self, tokens: &[Token], end: usize) -> Vec<Diagnostic> {
        // Only the wrong bytes of these tokens, because each of many parts of a broken file is split into tokens of its own.
        let wrong = self.source.wrong_bytes();
        let start = tokens.first().map_or(0, |token| token.span().start);
        let before = |end: u32| wrong.partition_point(|at| *at < end);
        let ends = before(start)..before(u32::try_from(end).unwrap_or(u32::MAX));
        let wrong = wrong.get(ends).unwrap_or_default();
        if wrong.is_empty() {
            return self.diagnostics;
        }
        let is_read = |at: &u32| {
            let token = tokens.get(tokens.partition_point(|token| token.span().end <= *at));
            !token.is_some_and(|token| token.kind() == TokenKind::Comment)
        };
        let start_of =
            |diagnostic: &Diagnostic| diagnostic.subject.as_ref().map(|subject| subject.span.start);
        let is_known = |diagnostic: &Diagnostic| {
            start_of(diagnostic).is_some_and(|start| wrong.binary_search(&start).is_ok())
        };
        let others = self.diagnostics.into_iter().filter(|diagnostic| !is_known(diagnostic));
        let found = wrong.iter().filter(|at| is_read(at)).map(|at| self.source.encoding_error(*at));
        let mut diagnostics: Vec<Diagnostic> = others.chain(found).collect();
        diagnostics.sort_by_key(start_of);
        diagnostics
    }

    fn push(&mut self, id: DiagnosticId, detail: impl Into<String>, span: Span) {
        if self.is_full() {
            return;
        }
        self.add(Diagnostic::error(id, detail).at(self.source, span));
    }

    fn add(&mut self, diagnostic: Diagnostic) {
        if !self.is_full() {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether no more diagnostics are listed.
    fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_DIAGNOSTICS
    }

    /// Reports the marker of a heredoc with an open sequence.
    pub(super) fn unclosed_sequence(&mut self, marker: Span) {
        let detail = "An interpolation or directive in this heredoc has no closing brace.";
        self.push(ids::UNCLOSED_INTERPOLATION, detail, marker);
    }

    /// Reports the character at the start of `rest`.
    pub(super) fn invalid_character(&mut self, rest: &str, span: Span) {
        if self.is_full() {
            return;
        }
        let text = rest.get(..span.len() as usize).unwrap_or_default();
        match text {
            "&" | "|" | "^" | "~" => self.bitwise_operator(text, span),
            "`" => {
                if alternates(&mut self.backticks) {
                    let detail = "Backticks do not enclose strings. For text of several lines, use a heredoc, \
                                  which starts with a marker such as <<EOT.";
                    self.push(ids::INVALID_CHARACTER, detail, span);
                }
            }
            "'" => {
                if alternates(&mut self.apostrophes) {
                    self.apostrophe(span);
                }
            }
            ";" => {
                self.semicolons += 1;
                if self.semicolons == 1 {
                    let detail = "The language does not use semicolons: arguments and blocks stand on lines of \
                                  their own, and items of collections are separated by commas.";
                    self.push(ids::INVALID_CHARACTER, detail, span);
                }
            }
            "\u{201c}" | "\u{201d}" => {
                let detail = "Strings are enclosed in straight double quotes (\"). Curly ones often come from \
                              text that was copied out of a document.";
                self.push(ids::INVALID_CHARACTER, detail, span);
            }
            other => {
                let detail = format!("The character {other:?} is not allowed here. Remove it.");
                self.push(ids::INVALID_CHARACTER, detail, span);
            }
        }
    }

    /// Reports a single quote. The text behind it may be a secret, so the message does not repeat it.
    fn apostrophe(&mut self, span: Span) {
        let detail = "Strings are enclosed in double quotes (\"), not in single ones.";
        let diagnostic = Diagnostic::error(ids::INVALID_CHARACTER, detail).at(self.source, span);
        self.add(diagnostic.hint("Write \" before and behind the text."));
    }

    fn bitwise_operator(&mut self, operator: &str, span: Span) {
        if self.bitwise == 4 {
            return;
        }
        self.bitwise += 1;
        let detail = "The language has no bitwise operators.";
        let diagnostic = Diagnostic::error(ids::UNSUPPORTED_OPERATOR, detail).at(self.source, span);
        self.add(match operator {
            "&" => diagnostic.hint("Did you mean the logical AND, \"&&\"?").rename("&", "&&"),
            "|" => diagnostic.hint("Did you mean the logical OR, \"||\"?").rename("|", "||"),
            "~" => diagnostic.hint("Did you mean the logical NOT, \"!\"?").rename("~", "!"),
            _ => diagnostic,
        });
    }

    /// Reports a line break in a string that starts at `open`.
    ///
    /// If only punctuation is `inside`, its quote may have been meant to close the previous string.
    pub(super) fn multi_line_string(&mut self, span: Span, open: Span, inside: &str) {
        if self.left_open && inside.bytes().all(|byte| b" \t,)]}".contains(&byte)) {
            self.left_open = false;
            return;
        }
        self.left_open = true;
        if self.is_full() {
            return;
        }
        let detail = "A quoted string must be closed on the line where it starts. Write a line break in it as \
                      \\n, or use a heredoc, which starts with a marker such as <<EOT.";
        let diagnostic = Diagnostic::error(ids::INVALID_MULTI_LINE_STRING, detail).at(self.source, span);
        self.add(diagnostic.label(open, "opened here"));
    }

    pub(super) fn lone_carriage_return(&mut self, span: Span) {
        let detail = "A carriage return may only stand before a line feed. Save the file with the line ends of \
                      one system.";
        self.push(ids::INVALID_CHARACTER, detail, span);
    }

    pub(super) fn too_long(&mut self, span: Span) {
        self.push(ids::TOKEN_TOO_LONG, "A name, number or heredoc marker must be shorter than 64 MiB.", span);
    }
}

/// Whether to report one of a pair of quotes: true for the first pair and the start of the second.
fn alternates(told: &mut u32) -> bool {
    let report = told.is_multiple_of(2);
    if *told <= 2 {
        *told += 1;
    }
    report
}
