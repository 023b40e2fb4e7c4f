//! Sequences of a template before directives are matched.
//!
//! Text stays a span of the source as long as no escape, strip marker or indentation changes it.

use terrane_source::{Span, ids};
use unicode_segmentation::UnicodeSegmentation as _;

use super::Parser;
use super::for_expression::ForNames;
use crate::escape::{EscapeError, decode};
use crate::tree::Text;
use crate::{ExprId, Token, TokenKind, Tree};

/// A template as a flat list, before its directives are matched with each other.
pub(super) enum Sequence {
    Text {
        text: RawText,
        span: Span,
    },
    Interpolation {
        expr: ExprId,
        span: Span,
    },
    If {
        condition: ExprId,
        span: Span,
    },
    Else {
        span: Span,
    },
    EndIf {
        span: Span,
    },
    For {
        names: ForNames,
        collection: ExprId,
        span: Span,
    },
    EndFor {
        span: Span,
    },
    /// A directive that could not be parsed, so that others may seem to lack their partner.
    Broken,
}

/// Text of a template on its way into the tree.
#[derive(Clone, Copy)]
pub(super) enum RawText {
    /// As in the source.
    Source(Span),
    /// A piece of the decoded text of the tree.
    Decoded(Span),
}

impl RawText {
    pub(super) fn as_str(self, tree: &Tree) -> &str {
        match self {
            RawText::Source(span) => tree.slice(span),
            RawText::Decoded(span) => tree.decoded_slice(span),
        }
    }

    fn span(&mut self) -> &mut Span {
        match self {
            RawText::Source(span) | RawText::Decoded(span) => span,
        }
    }

    /// Removes `len` bytes from the start.
    fn cut_start(&mut self, len: usize) {
        self.span().start += u32::try_from(len).unwrap_or(u32::MAX);
    }

    pub(super) fn trim_start(&mut self, tree: &Tree) {
        let text = self.as_str(tree);
        self.cut_start(text.len() - text.trim_start().len());
    }

    pub(super) fn trim_end(&mut self, tree: &Tree) {
        let text = self.as_str(tree);
        let len = text.len() - text.trim_end().len();
        self.span().end -= u32::try_from(len).unwrap_or(u32::MAX);
    }

    /// This text with `other` behind it.
    pub(super) fn join(self, other: RawText, tree: &mut Tree) -> RawText {
        match (self, other) {
            (RawText::Source(first), RawText::Source(second)) if first.end == second.start => {
                RawText::Source(Span::new(first.start, second.end))
            }
            (RawText::Source(first), _) if first.is_empty() => other,
            (_, RawText::Source(second)) if second.is_empty() => self,
            (RawText::Decoded(first), RawText::Decoded(second)) if first.end == second.start => {
                RawText::Decoded(Span::new(first.start, second.end))
            }
            (RawText::Decoded(first), _) if first.end == end_of_decoded(tree) => {
                append(other, tree);
                RawText::Decoded(Span::new(first.start, end_of_decoded(tree)))
            }
            (_, _) => {
                let start = end_of_decoded(tree);
                append(self, tree);
                append(other, tree);
                RawText::Decoded(Span::new(start, end_of_decoded(tree)))
            }
        }
    }

    pub(super) fn store(self, tree: &mut Tree) -> Text {
        match self {
            RawText::Source(span) => Text::Source(span),
            RawText::Decoded(span) => tree.add_decoded(span),
        }
    }
}

fn end_of_decoded(tree: &mut Tree) -> u32 {
    let (_, decoded) = tree.decoded_text();
    u32::try_from(decoded.len()).unwrap_or(u32::MAX)
}

/// Appends `text` to the decoded text.
fn append(text: RawText, tree: &mut Tree) {
    let (source, decoded) = tree.decoded_text();
    match text {
        RawText::Source(span) => decoded.push_str(source.slice(span)),
        RawText::Decoded(span) => decoded.extend_from_within(span.range()),
    }
}

impl Parser<'_> {
    /// The text that a token of quoted or template text stands for.
    pub(super) fn raw_text(&mut self, token: Token) -> RawText {
        let span = token.span();
        let text = self.text(token);
        if text.starts_with("$${") || text.starts_with("%%{") {
            return RawText::Source(Span::new(span.start + 1, span.end));
        }
        if token.kind() != TokenKind::QuotedText || !text.contains('\\') {
            return RawText::Source(span);
        }
        let start = end_of_decoded(&mut self.tree);
        let mut errors = Vec::new();
        decode(text, span.start, self.tree.decoded_text().1, &mut errors);
        for EscapeError { span, detail } in errors {
            self.report(self.diagnostic(ids::INVALID_ESCAPE, detail, span));
        }
        RawText::Decoded(Span::new(start, end_of_decoded(&mut self.tree)))
    }

    /// Text that does not stand in the source.
    pub(super) fn decoded(&mut self, text: &str) -> RawText {
        let start = end_of_decoded(&mut self.tree);
        self.tree.decoded_text().1.push_str(text);
        RawText::Decoded(Span::new(start, end_of_decoded(&mut self.tree)))
    }

    /// Removes the indentation that all lines of a `<<-` heredoc share, from the sequences behind `mark`.
    ///
    /// Indentation is counted in characters (a mark that combines with a space goes with it), on lines that begin
    /// with text and are not blank; any other part at the start of a line has none. The line behind a `~}` that took
    /// the line break does not begin there.
    pub(super) fn remove_indentation(&mut self, mark: usize) {
        let sequences = self.scratch.sequences.get_mut(mark..).unwrap_or_default();
        let mut smallest = usize::MAX;
        let mut at_line_start = true;
        for sequence in sequences.iter() {
            let (indentation, ends_line) = if let Sequence::Text { text, .. } = sequence {
                line_of(text.as_str(&self.tree))
            } else {
                (Some(""), false)
            };
            if let (true, Some(indentation)) = (at_line_start, indentation) {
                smallest = smallest.min(indentation.chars().count());
            }
            at_line_start = ends_line;
        }
        at_line_start = true;
        for sequence in sequences {
            let Sequence::Text { text, span } = sequence else {
                at_line_start = false;
                continue;
            };
            let (indentation, ends_line) = line_of(text.as_str(&self.tree));
            if let (true, Some(indentation)) = (at_line_start, indentation) {
                let count = indentation.chars().count().min(smallest);
                let removed = text.as_str(&self.tree).graphemes(true).take(count).map(str::len).sum();
                text.cut_start(removed);
                span.start += u32::try_from(removed).unwrap_or(0);
            }
            at_line_start = ends_line;
        }
    }
}

/// The white space at the start of a line, unless it is blank, and whether a line break ends it.
fn line_of(text: &str) -> (Option<&str>, bool) {
    let content = text.trim_start();
    let ends_line = text.ends_with('\n');
    let indentation = text.get(..text.len() - content.len()).filter(|_| !(content.is_empty() && ends_line));
    (indentation, ends_line)
}
