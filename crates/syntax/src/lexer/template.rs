//! The template modes of the lexer.
//!
//! Reads the text of quoted strings, heredocs and bare templates up to the next `${`, `%{` or end.

use super::class::stops_text;
use super::{FrameKind, Lexer, span};
use crate::{Token, TokenKind};

impl Lexer<'_> {
    /// Reads the inside of a quoted template, up to its end or the next sequence.
    pub(super) fn quoted(&mut self) {
        while let Some(&byte) = self.bytes.get(self.position) {
            match byte {
                b'"' => {
                    self.take(TokenKind::CloseQuote, 1);
                    self.frames.pop();
                    return;
                }
                b'$' | b'%' => {
                    if self.dollar(byte, TokenKind::QuotedText) {
                        return;
                    }
                }
                b'\r' | b'\n' => return self.close_at_line_end(),
                _ => self.quoted_text(),
            }
        }
    }

    /// Reads text with escapes. A backslash takes the next character with it.
    fn quoted_text(&mut self) {
        let mut end = self.position;
        loop {
            end = self.run_end(end, |byte| !stops_text(byte));
            if self.at(end) != b'\\' {
                break;
            }
            match self.character(end + 1) {
                Some('\r' | '\n') | None => break,
                Some(character) => end += 1 + character.len_utf8(),
            }
        }
        if end == self.position {
            self.invalid_character(1);
        } else {
            self.take_long(TokenKind::QuotedText, end);
        }
    }

    /// Reads `$` or `%` in a template: the start of a sequence (returns true), an escaped sequence, or ordinary text.
    fn dollar(&mut self, byte: u8, text: TokenKind) -> bool {
        let next = self.at(self.position + 1);
        if next == b'{' {
            let len = 2 + usize::from(self.at(self.position + 2) == b'~');
            self.braces += 1;
            self.open(FrameKind::Sequence { braces: self.braces });
            let opens = if byte == b'$' { TokenKind::OpenInterpolation } else { TokenKind::OpenDirective };
            self.take(opens, len);
            return true;
        }
        let escapes = next == byte && self.at(self.position + 2) == b'{';
        if escapes {
            let len = 3 + usize::from(self.at(self.position + 3) == b'~');
            self.take(text, len);
        } else if self.position + 1 == self.bytes.len() && !self.frames.is_empty() {
            self.invalid_character(1);
        } else {
            // As in the reference, if the line ends behind the next byte, that byte belongs to this token, so that a strip
            // marker on the next line does not remove it.
            let ends_line = matches!(self.at(self.position + 2), b'\r' | b'\n');
            let takes_next = ends_line && text == TokenKind::TemplateText;
            self.take(text, 1 + usize::from(takes_next));
        }
        false
    }

    /// Closes a quoted template that does not end on its line, and everything else that was opened on this line, with empty
    /// tokens. So a forgotten quote does not turn the rest of the file inside out.
    fn close_at_line_end(&mut self) {
        let end = self.text_end_of_newlines();
        let open = self.frames.last().map_or(self.position, |frame| frame.start);
        let inside = self.text.get(open + 1..self.position).unwrap_or_default();
        self.errors.multi_line_string(span(self.position, end), span(open, open + 1), inside);
        self.skip_to_last_newline(end);
        while let Some(frame) = self.frames.last() {
            match frame.kind {
                FrameKind::Quoted => self.take(TokenKind::CloseQuote, 0),
                FrameKind::Sequence { braces } if frame.start >= self.line_start => {
                    self.take(TokenKind::CloseSequence, 0);
                    self.braces = braces - 1;
                }
                FrameKind::Sequence { .. } | FrameKind::Heredoc { .. } => return,
            }
            self.frames.pop();
        }
    }

    /// Skips the line breaks up to `end`, except for the last one, which belongs to the enclosing mode.
    fn skip_to_last_newline(&mut self, end: usize) {
        let breaks = self.bytes.get(self.position..end).unwrap_or_default();
        self.position = match breaks.iter().rposition(|byte| *byte == b'\n') {
            Some(index) if index > 0 && self.at(self.position + index - 1) == b'\r' => {
                self.position + index - 1
            }
            Some(index) => self.position + index,
            None => end,
        };
    }

    fn text_end_of_newlines(&self) -> usize {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        let breaks = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        self.position + breaks
    }

    /// Reads a line of a heredoc, or the rest of a line after a sequence.
    pub(super) fn heredoc(&mut self, marker: terrane_source::Span, at_line_start: bool) {
        let Some(&byte) = self.bytes.get(self.position) else { return };
        if let b'$' | b'%' = byte {
            self.set_line_start(false);
            self.dollar(byte, TokenKind::TemplateText);
            return;
        }
        let end = self.run_end(self.position, is_plain);
        let line_break = match (self.at(end), self.at(end + 1)) {
            (b'\n', _) => 1,
            (b'\r', b'\n') => 2,
            (_, _) => 0,
        };
        if line_break == 0 {
            if end == self.position {
                return self.invalid_rest();
            }
            self.set_line_start(false);
            self.take_long(TokenKind::TemplateText, end);
            return;
        }
        let line = self.text.get(self.position..end).unwrap_or_default();
        let marker = self.text.get(marker.range()).unwrap_or_default();
        if at_line_start && line.trim() == marker {
            self.take_long(TokenKind::CloseHeredoc, end);
            self.newline(line_break);
            self.frames.pop();
            self.heredocs.pop();
            return;
        }
        self.take_long(TokenKind::TemplateText, end + line_break);
        self.line_start = self.position;
        self.set_line_start(true);
    }

    /// Closes the sequences inside of the innermost heredoc with empty tokens, if the line that starts here is its marker.
    pub(super) fn leave_sequences(&mut self) -> bool {
        let Some(index) = self.heredocs.last().copied() else { return false };
        let Some(FrameKind::Heredoc { marker, .. }) = self.frames.get(index).map(|frame| frame.kind) else {
            return false;
        };
        let rest = self.text.get(self.position..).unwrap_or_default();
        let line = rest.get(..rest.find('\n').unwrap_or(rest.len())).unwrap_or_default();
        if line.trim() != self.text.get(marker.range()).unwrap_or_default() {
            return false;
        }
        for frame in self.frames.drain(index + 1..).rev() {
            let kind = match frame.kind {
                FrameKind::Sequence { braces } => {
                    self.braces = braces - 1;
                    TokenKind::CloseSequence
                }
                FrameKind::Quoted => TokenKind::CloseQuote,
                FrameKind::Heredoc { .. } => TokenKind::CloseHeredoc,
            };
            self.tokens.push(Token::new(kind, span(self.position, self.position)));
        }
        self.errors.unclosed_sequence(span(self.position, self.position + line.len()));
        self.set_line_start(true);
        true
    }

    fn set_line_start(&mut self, value: bool) {
        if let Some(frame) = self.frames.last_mut()
            && let FrameKind::Heredoc { at_line_start, .. } = &mut frame.kind
        {
            *at_line_start = value;
        }
    }

    /// Reads the rest of the text as invalid: a lone carriage return is not allowed in a heredoc, and the reference stops
    /// there.
    fn invalid_rest(&mut self) {
        let end = self.bytes.len();
        self.errors.lone_carriage_return(span(self.position, end));
        self.take_long(TokenKind::Invalid, end);
    }

    /// Reads the text of a template without quotes, with a token for each line.
    pub(super) fn bare(&mut self) {
        while let Some(&byte) = self.bytes.get(self.position) {
            if let b'$' | b'%' = byte {
                if self.dollar(byte, TokenKind::TemplateText) {
                    return;
                }
                continue;
            }
            let mut end = self.run_end(self.position, is_plain);
            match (self.at(end), self.at(end + 1)) {
                (b'\n', _) => end += 1,
                (b'\r', b'\n') => end += 2,
                // As in the reference, everything behind a lone carriage return is text.
                (b'\r', _) if end == self.position => end = self.bytes.len(),
                (_, _) => {}
            }
            self.take_long(TokenKind::TemplateText, end);
            self.line_start = self.position;
        }
    }
}

/// Whether a byte has no special meaning in a heredoc or bare template.
fn is_plain(byte: u8) -> bool {
    !stops_text(byte) || byte == b'"' || byte == b'\\'
}
