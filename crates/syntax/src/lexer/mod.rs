//! Splits text into tokens, in one pass over the bytes with a stack of modes.
//!
//! Quotes and heredocs open template modes; `${` and `%{` in them open the normal mode again, and the `}` at the same brace
//! depth closes it.

mod class;
mod errors;
mod template;

use std::sync::Arc;

use terrane_source::{Diagnostic, SourceFile, Span};

use self::class::{Class, class, continues_name};
use self::errors::Errors;
use crate::{Token, TokenKind};

/// How a text begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LexMode {
    /// As a body or an expression.
    Normal,
    /// As a template without quotes, such as the file of `templatefile`.
    Template,
}

/// The tokens of a text.
#[derive(Clone, Debug)]
pub struct Lexed {
    /// All tokens, including comments. The last one is [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// Diagnostics about invalid characters, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Splits the text of `source` into tokens.
pub fn lex(source: &Arc<SourceFile>, mode: LexMode) -> Lexed {
    let mut lexer = Lexer::new(source, source.text(), 0);
    lexer.run(mode);
    lexer.finish()
}

/// Splits a part of the text of `source`, which has syntax errors, into tokens, as if the text ended behind it. A heredoc ends at
/// its marker even inside of a sequence.
pub(crate) fn lex_part(source: &Arc<SourceFile>, part: Span) -> Lexed {
    let text = source.text().get(..part.end as usize).unwrap_or_default();
    let mut lexer = Lexer::new(source, text, part.start as usize);
    lexer.is_rescue = true;
    lexer.run(LexMode::Normal);
    lexer.finish()
}

/// A template or sequence that is open at the current position.
#[derive(Clone, Copy)]
struct Frame {
    kind: FrameKind,
    start: usize,
}

#[derive(Clone, Copy)]
enum FrameKind {
    Quoted,
    Heredoc {
        /// The place of the marker in the text.
        marker: Span,
        at_line_start: bool,
    },
    /// `${` or `%{`, with the brace depth in it.
    Sequence {
        braces: i64,
    },
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    position: usize,
    tokens: Vec<Token>,
    frames: Vec<Frame>,
    /// The indices of the heredocs in `frames`.
    heredocs: Vec<usize>,
    /// Whether a heredoc ends at its marker even inside of a sequence.
    is_rescue: bool,
    /// The number of open braces. Negative after too many closing braces.
    braces: i64,
    /// The start of the current line, which tells which frames were opened on it.
    line_start: usize,
    /// Whether a `*/` may still follow in the text.
    comment_ends: bool,
    errors: Errors<'a>,
}

impl<'a> Lexer<'a> {
    /// Returns a lexer that begins at `position`. `text` is the start of the text of `source`.
    fn new(source: &'a Arc<SourceFile>, text: &'a str, position: usize) -> Lexer<'a> {
        Lexer {
            text,
            bytes: text.as_bytes(),
            position,
            // Configuration has a token for about every five bytes.
            tokens: Vec::with_capacity(text.len().saturating_sub(position) / 4 + 16),
            frames: Vec::new(),
            heredocs: Vec::new(),
            is_rescue: false,
            braces: 0,
            line_start: position,
            comment_ends: true,
            errors: Errors::new(source),
        }
    }

    /// Runs the mode of the innermost frame until the text ends. Each mode returns when the frame changes.
    fn run(&mut self, mode: LexMode) {
        while self.position < self.bytes.len() {
            match (self.frames.last().map(|frame| frame.kind), mode) {
                (Some(FrameKind::Quoted), _) => self.quoted(),
                (Some(FrameKind::Heredoc { marker, at_line_start }), _) => {
                    self.heredoc(marker, at_line_start);
                }
                (Some(FrameKind::Sequence { .. }), _) | (None, LexMode::Normal) => self.normal(),
                (None, LexMode::Template) => self.bare(),
            }
        }
    }

    fn finish(mut self) -> Lexed {
        self.emit(TokenKind::End, self.position, self.position);
        let diagnostics = self.errors.finish(&self.tokens, self.text.len());
        Lexed { tokens: self.tokens, diagnostics }
    }

    fn at(&self, position: usize) -> u8 {
        self.bytes.get(position).copied().unwrap_or(0)
    }

    fn next_is(&self, byte: u8) -> bool {
        self.at(self.position + 1) == byte
    }

    fn emit(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.tokens.push(Token::new(kind, span(start, end)));
    }

    /// Emits a token of `len` bytes at the current position and moves behind it.
    fn take(&mut self, kind: TokenKind, len: usize) {
        self.emit(kind, self.position, self.position + len);
        self.position += len;
    }

    /// Emits several tokens if one token cannot be so long.
    fn take_long(&mut self, kind: TokenKind, end: usize) {
        while end - self.position > Token::MAX_LEN as usize {
            let len = self.cut(kind, Token::MAX_LEN as usize);
            self.take(kind, len);
        }
        self.take(kind, end - self.position);
    }

    /// Returns the position at which to cut a text that is longer than `limit`: between two characters, and not inside an
    /// escape.
    fn cut(&self, kind: TokenKind, limit: usize) -> usize {
        let mut len = limit;
        if kind == TokenKind::QuotedText {
            len = 0;
            while let Some(rest) = self.text.get(self.position + len..) {
                let unit = crate::escape::unit_len(rest);
                if unit == 0 || len + unit > limit {
                    break;
                }
                len += unit;
            }
        }
        while !self.text.is_char_boundary(self.position + len) {
            len -= 1;
        }
        len
    }

    fn normal(&mut self) {
        while let Some(&byte) = self.bytes.get(self.position) {
            match class(byte) {
                Class::Space => self.position = self.run_end(self.position + 1, |byte| byte == b' '),
                Class::Letter => self.name(),
                Class::Digit => self.number(),
                Class::Dash => self.take(TokenKind::Minus, 1),
                Class::Single => self.single(byte),
                Class::Wide => self.wide(),
                Class::Other => {
                    if self.other(byte) {
                        return;
                    }
                }
            }
        }
    }

    fn single(&mut self, byte: u8) {
        let kind = match byte {
            b'(' => TokenKind::OpenParen,
            b')' => TokenKind::CloseParen,
            b'[' => TokenKind::OpenBracket,
            b']' => TokenKind::CloseBracket,
            b',' => TokenKind::Comma,
            b'+' => TokenKind::Plus,
            b'*' => TokenKind::Star,
            b'%' => TokenKind::Percent,
            _ => TokenKind::Question,
        };
        self.take(kind, 1);
    }

    /// Emits a token that begins with a byte of [`Class::Other`]. Returns true if the mode changed.
    fn other(&mut self, byte: u8) -> bool {
        match byte {
            b'\n' => return self.line_end(1),
            b'\r' if self.next_is(b'\n') => return self.line_end(2),
            b'=' if self.next_is(b'=') => self.take(TokenKind::Equal, 2),
            b'=' if self.next_is(b'>') => self.take(TokenKind::Arrow, 2),
            b'=' => self.take(TokenKind::Assign, 1),
            b'.' if self.next_is(b'.') && self.at(self.position + 2) == b'.' => {
                self.take(TokenKind::Ellipsis, 3);
            }
            b'.' => self.take(TokenKind::Dot, 1),
            b'"' => {
                self.open(FrameKind::Quoted);
                self.take(TokenKind::OpenQuote, 1);
                return true;
            }
            b'{' => {
                self.braces += 1;
                self.take(TokenKind::OpenBrace, 1);
            }
            b'}' => return self.close_brace(),
            b'#' => self.line_comment(),
            b'/' => self.slash(),
            b'<' if self.next_is(b'<') && self.open_heredoc() => return true,
            b'~' if self.next_is(b'}') => return self.close_stripping_brace(),
            _ => self.operator(byte),
        }
        false
    }

    fn operator(&mut self, byte: u8) {
        let next = self.at(self.position + 1);
        let (kind, len) = match (byte, next) {
            (b'<', b'=') => (TokenKind::LessOrEqual, 2),
            (b'<', _) => (TokenKind::Less, 1),
            (b'>', b'=') => (TokenKind::GreaterOrEqual, 2),
            (b'>', _) => (TokenKind::Greater, 1),
            (b'!', b'=') => (TokenKind::NotEqual, 2),
            (b'!', _) => (TokenKind::Not, 1),
            (b'&', b'&') => (TokenKind::And, 2),
            (b'|', b'|') => (TokenKind::Or, 2),
            (b':', b':') => (TokenKind::DoubleColon, 2),
            (b':', _) => (TokenKind::Colon, 1),
            (_, _) => return self.invalid_character(1),
        };
        self.take(kind, len);
    }

    fn invalid_character(&mut self, len: usize) {
        let rest = self.text.get(self.position..).unwrap_or_default();
        self.errors.invalid_character(rest, span(self.position, self.position + len));
        self.take(TokenKind::Invalid, len);
    }

    /// Emits a line break. Returns true if the mode changed, because the next line is the marker of an open heredoc.
    fn line_end(&mut self, len: usize) -> bool {
        self.newline(len);
        self.is_rescue && self.leave_sequences()
    }

    fn newline(&mut self, len: usize) {
        self.take(TokenKind::Newline, len);
        self.line_start = self.position;
    }

    fn name(&mut self) {
        let end = self.name_end(self.position);
        self.take_name(TokenKind::Ident, end);
    }

    /// Emits a name, number or heredoc opener, which cannot be cut.
    fn take_name(&mut self, kind: TokenKind, end: usize) {
        if end - self.position > Token::MAX_LEN as usize {
            self.errors.too_long(span(self.position, end));
            self.take_long(TokenKind::Invalid, end);
        } else {
            self.take(kind, end - self.position);
        }
    }

    /// Returns the end of the name whose first character is at `start`.
    fn name_end(&self, start: usize) -> usize {
        let mut end = start;
        loop {
            end = self.run_end(end, continues_name);
            if self.at(end).is_ascii() {
                return end;
            }
            match self.character(end) {
                Some(character) if unicode_ident::is_xid_continue(character) => end += character.len_utf8(),
                Some(_) | None => return end,
            }
        }
    }

    /// Returns the first byte from `start` on that does not belong to a run, or the end of the text.
    fn run_end(&self, start: usize, belongs: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(start..).unwrap_or_default();
        start + rest.iter().position(|byte| !belongs(*byte)).unwrap_or(rest.len())
    }

    fn character(&self, position: usize) -> Option<char> {
        self.text.get(position..).and_then(|rest| rest.chars().next())
    }

    fn wide(&mut self) {
        match self.character(self.position) {
            Some(character) if starts_name(character) => self.name(),
            Some(character) => self.invalid_character(character.len_utf8()),
            None => self.position += 1,
        }
    }

    /// Number = digit (digit | "." | exponent)*, not ending in a dot. The parser decides whether the token is a number: `1.2.3`
    /// is one token.
    fn number(&mut self) {
        let mut position = self.position + 1;
        let mut end = position;
        loop {
            match self.at(position) {
                b'0'..=b'9' => position += 1,
                b'.' => {
                    position += 1;
                    continue;
                }
                b'e' | b'E' => {
                    let sign = usize::from(matches!(self.at(position + 1), b'+' | b'-'));
                    if !self.at(position + 1 + sign).is_ascii_digit() {
                        break;
                    }
                    position += 2 + sign;
                }
                _ => break,
            }
            end = position;
        }
        self.take_name(TokenKind::Number, end);
    }

    fn slash(&mut self) {
        match self.at(self.position + 1) {
            b'/' => self.line_comment(),
            b'*' if self.comment_ends => self.block_comment(),
            _ => self.take(TokenKind::Slash, 1),
        }
    }

    fn line_comment(&mut self) {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        let mut end = self.position + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        if end < self.bytes.len() && self.at(end - 1) == b'\r' {
            end -= 1;
        }
        self.take_long(TokenKind::Comment, end);
    }

    /// Emits a comment. A `/*` without a `*/` is two operators instead.
    fn block_comment(&mut self) {
        let body = self.position + 2;
        match self.text.get(body..).and_then(|rest| rest.find("*/")) {
            Some(len) => {
                let end = body + len + 2;
                self.take_long(TokenKind::Comment, end);
            }
            None => {
                self.comment_ends = false;
                self.take(TokenKind::Slash, 1);
            }
        }
    }

    fn open(&mut self, kind: FrameKind) {
        self.frames.push(Frame { kind, start: self.position });
    }

    /// Whether `}` closes the sequence of the innermost frame.
    fn closes_sequence(&self) -> bool {
        match self.frames.last() {
            Some(Frame { kind: FrameKind::Sequence { braces }, .. }) => *braces == self.braces,
            Some(_) | None => false,
        }
    }

    fn close_brace(&mut self) -> bool {
        let closes = self.closes_sequence();
        self.take(if closes { TokenKind::CloseSequence } else { TokenKind::CloseBrace }, 1);
        self.braces -= 1;
        if closes {
            self.frames.pop();
        }
        closes
    }

    /// Emits `~}` as the end of a sequence even where no sequence is open, so that the parser can report it.
    fn close_stripping_brace(&mut self) -> bool {
        let closes = self.closes_sequence();
        self.take(TokenKind::CloseSequence, 2);
        self.braces -= 1;
        if closes {
            self.frames.pop();
        }
        closes
    }

    /// Heredoc = "<<" "-"? name newline. Returns false if another token follows.
    fn open_heredoc(&mut self) -> bool {
        let start = self.position + 2 + usize::from(self.at(self.position + 2) == b'-');
        if !self.character(start).is_some_and(starts_name) {
            return false;
        }
        let marker_end = self.name_end(start);
        let end = match (self.at(marker_end), self.at(marker_end + 1)) {
            (b'\n', _) => marker_end + 1,
            (b'\r', b'\n') => marker_end + 2,
            (_, _) => return false,
        };
        self.heredocs.push(self.frames.len());
        self.open(FrameKind::Heredoc { marker: span(start, marker_end), at_line_start: true });
        self.take_name(TokenKind::OpenHeredoc, end);
        self.line_start = self.position;
        true
    }
}

/// The rule of [`is_identifier`], as messages explain it.
pub const NAME_RULE: &str =
    "a name starts with a letter or an underscore, followed by letters, digits, underscores and hyphens";

/// Whether `text` is a name and nothing else.
pub fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(starts_name)
        && characters.all(|character| character == '-' || unicode_ident::is_xid_continue(character))
}

fn starts_name(character: char) -> bool {
    character == '_' || unicode_ident::is_xid_start(character)
}

fn span(start: usize, end: usize) -> Span {
    Span::new(offset(start), offset(end))
}

/// A source file is smaller than 4 GiB, so that every offset fits.
const fn offset(position: usize) -> u32 {
    position as u32
}

#[cfg(test)]
mod tests {
    use terrane_source::FileId;

    use super::*;

    fn kinds(text: &str, mode: LexMode) -> String {
        let source = SourceFile::new(FileId::new("test"), text);
        let lexed = lex(&source, mode);
        let token = |token: &Token| format!("{:?} {:?}", token.kind(), source.slice(token.span()));
        lexed.tokens.iter().map(token).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn braces_close_the_sequence_that_they_were_opened_in() {
        assert_eq!(
            kinds("\"a${{}}b\"}", LexMode::Normal),
            r#"OpenQuote "\"", QuotedText "a", OpenInterpolation "${", OpenBrace "{", CloseBrace "}", CloseSequence "}", QuotedText "b", CloseQuote "\"", CloseBrace "}", End """#
        );
    }

    #[test]
    fn a_heredoc_ends_at_a_line_that_is_its_marker() {
        assert_eq!(
            kinds("<<-E\n E x\n${a}E\n E \n)", LexMode::Normal),
            r#"OpenHeredoc "<<-E\n", TemplateText " E x\n", OpenInterpolation "${", Ident "a", CloseSequence "}", TemplateText "E\n", CloseHeredoc " E ", Newline "\n", CloseParen ")", End """#
        );
    }

    #[test]
    fn numbers_end_before_a_dot_that_no_digit_follows() {
        assert_eq!(
            kinds("1.5e-3.x 1...2 3e", LexMode::Normal),
            r#"Number "1.5e-3", Dot ".", Ident "x", Number "1...2", Number "3", Ident "e", End """#
        );
    }

    #[test]
    fn a_template_file_begins_as_text() {
        assert_eq!(
            kinds("\"a\\n\"\n%{~if b~}$${$", LexMode::Template),
            r#"TemplateText "\"a\\n\"\n", OpenDirective "%{~", Ident "if", Ident "b", CloseSequence "~}", TemplateText "$${", TemplateText "$", End """#
        );
    }

    #[test]
    fn long_text_is_cut_between_characters_and_escapes() {
        let source = SourceFile::new(FileId::new("test"), "ab\\u00e9éx");
        let cuts = |kind, limits: [usize; 6]| {
            limits.map(|limit| Lexer::new(&source, source.text(), 0).cut(kind, limit))
        };
        assert_eq!(cuts(TokenKind::QuotedText, [2, 7, 8, 9, 10, 11]), [2, 2, 8, 8, 10, 11]);
        assert_eq!(cuts(TokenKind::Comment, [2, 7, 8, 9, 10, 11]), [2, 7, 8, 8, 10, 11]);
    }
}
