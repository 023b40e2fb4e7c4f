//! Builds the text items of a template: decodes escapes and removes the indentation of heredocs.
//!
//! Text stays a span of the source as long as no escape, strip marker or indentation changes it.

use terrane_source::{Span, ids};
use unicode_segmentation::UnicodeSegmentation as _;

use super::Parser;
use super::flat_template::{RawText, Sequence, end_of_decoded};
use crate::escape::{EscapeError, decode};
use crate::{Token, TokenKind};

impl Parser<'_> {
    /// Returns the text that a token of quoted or template text stands for.
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

    /// Adds text that the source does not contain.
    pub(super) fn decoded(&mut self, text: &str) -> RawText {
        let start = end_of_decoded(&mut self.tree);
        self.tree.decoded_text().1.push_str(text);
        RawText::Decoded(Span::new(start, end_of_decoded(&mut self.tree)))
    }

    /// Removes the indentation that all lines of a `<<-` heredoc share, from the sequences behind `mark`.
    ///
    /// Indentation is counted in characters (a mark that combines with a space belongs to it), on lines that begin with text
    /// and are not blank. A line that begins with any other part has no indentation. The text behind a `~}` that has removed
    /// the line break does not begin a line.
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

/// Returns the white space at the start of a line, unless it is blank, and whether a line break ends the line.
fn line_of(text: &str) -> (Option<&str>, bool) {
    let content = text.trim_start();
    let ends_line = text.ends_with('\n');
    let indentation = text.get(..text.len() - content.len()).filter(|_| !(content.is_empty() && ends_line));
    (indentation, ends_line)
}
