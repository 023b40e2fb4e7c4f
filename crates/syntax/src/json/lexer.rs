//! Splits JSON text into tokens.
//!
//! The JSON parser pulls one token at a time. Comments and strings in other quotes are tokens of their own, for better
//! diagnostics.

use terrane_source::Span;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    Comma,
    Colon,
    Equals,
    /// From its opening quote to its closing quote or, if that is missing, to the end of the line.
    String {
        /// Whether the string contains a backslash.
        escaped: bool,
        /// Whether the string has its closing quote.
        closed: bool,
    },
    /// A run of digits, signs, dots and exponent letters, valid or not.
    Number,
    /// A word.
    Keyword,
    /// A character that JSON does not have, with the comment or string that it starts.
    Invalid(Foreign),
    End,
}

/// The meaning of an invalid character in other languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Foreign {
    /// The start of a comment, which is skipped.
    Comment,
    /// The start of a string in other quotes, which is skipped if it ends on the same line.
    Quote,
    /// Anything else.
    Other,
}

/// The kind of container around a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bracket {
    Object,
    Array,
}

impl Bracket {
    pub(super) const fn open(self) -> TokenKind {
        match self {
            Bracket::Object => TokenKind::OpenBrace,
            Bracket::Array => TokenKind::OpenBracket,
        }
    }

    pub(super) const fn close(self) -> TokenKind {
        match self {
            Bracket::Object => TokenKind::CloseBrace,
            Bracket::Array => TokenKind::CloseBracket,
        }
    }
}

/// A token: its kind and its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
    /// Whether it is the first token of its line.
    pub(super) starts_line: bool,
}

/// Reads one token after the other. A copy continues from the same place.
#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    position: usize,
    /// Whether a `*/` may still follow in the text.
    comment_ends: bool,
}

impl<'a> Lexer<'a> {
    /// Returns a lexer for the tokens of `text` from a position on.
    pub(super) fn at(text: &'a str, position: usize) -> Lexer<'a> {
        Lexer { text, position, comment_ends: true }
    }

    /// Returns the next token. Behind the last token, returns the end again and again.
    pub(super) fn next(&mut self) -> Token {
        let starts_line = self.skip_white_space() || self.position == 0;
        let start = self.position;
        let Some(&byte) = self.text.as_bytes().get(start) else {
            return Token { kind: TokenKind::End, span: span(start, start), starts_line };
        };
        let kind = match byte {
            b'{' => self.single(TokenKind::OpenBrace),
            b'}' => self.single(TokenKind::CloseBrace),
            b'[' => self.single(TokenKind::OpenBracket),
            b']' => self.single(TokenKind::CloseBracket),
            b',' => self.single(TokenKind::Comma),
            b':' => self.single(TokenKind::Colon),
            b'=' => self.single(TokenKind::Equals),
            b'"' => self.string(),
            b'-' | b'+' | b'.' | b'0'..=b'9' => {
                self.position = self.run_end(|byte| {
                    matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E') || byte.is_ascii_digit()
                });
                TokenKind::Number
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                self.position = self.run_end(|byte| byte == b'_' || byte.is_ascii_alphabetic());
                TokenKind::Keyword
            }
            _ => return self.invalid(starts_line),
        };
        Token { kind, span: span(start, self.position), starts_line }
    }

    fn single(&mut self, kind: TokenKind) -> TokenKind {
        self.position += 1;
        kind
    }

    /// Skips white space. Returns whether it contained a line break.
    fn skip_white_space(&mut self) -> bool {
        let start = self.position;
        self.position = self.run_end(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        self.bytes(start).iter().take(self.position - start).any(|byte| *byte == b'\n')
    }

    /// String = "\"" (character | "\\" character)* "\""
    ///
    /// A control character is not part of a string, so a string ends with its line.
    fn string(&mut self) -> TokenKind {
        let mut escaped = false;
        self.position += 1;
        loop {
            self.position = self.run_end(|byte| byte != b'"' && byte != b'\\' && byte >= b' ');
            match self.bytes(self.position) {
                [b'"', ..] => {
                    self.position += 1;
                    return TokenKind::String { escaped, closed: true };
                }
                [b'\\', next, ..] => {
                    escaped = true;
                    self.position += 1 + usize::from(matches!(next, b'"' | b'\\'));
                }
                [b'\\'] => {
                    self.position += 1;
                    return TokenKind::String { escaped: true, closed: false };
                }
                [..] => return TokenKind::String { escaped, closed: false },
            }
        }
    }

    fn invalid(&mut self, starts_line: bool) -> Token {
        let start = self.position;
        let rest = self.text.get(start..).unwrap_or_default();
        let character = rest.chars().next().map_or(1, char::len_utf8);
        let line = rest.find('\n').map_or(rest, |end| rest.get(..end).unwrap_or_default());
        let (foreign, len) = if rest.starts_with("//") || rest.starts_with('#') {
            (Foreign::Comment, line.len())
        } else if rest.starts_with("/*") && self.comment_ends {
            let end = rest.find("*/");
            self.comment_ends = end.is_some();
            (Foreign::Comment, end.map_or(character, |end| end + "*/".len()))
        } else if rest.starts_with(['\'', '`', '“', '‘']) {
            let content = line.get(character..).unwrap_or_default();
            let end = content.char_indices().find(|(_, other)| matches!(other, '\'' | '`' | '”' | '’'));
            (Foreign::Quote, end.map_or(0, |(end, other)| end + other.len_utf8()) + character)
        } else {
            (Foreign::Other, character)
        };
        self.position = start + len;
        Token { kind: TokenKind::Invalid(foreign), span: span(start, start + character), starts_line }
    }

    fn bytes(&self, from: usize) -> &'a [u8] {
        self.text.as_bytes().get(from..).unwrap_or_default()
    }

    /// Returns the first byte from the position on that does not belong to a run, or the end of the text.
    fn run_end(&self, belongs: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes(self.position);
        self.position + rest.iter().position(|byte| !belongs(*byte)).unwrap_or(rest.len())
    }
}

/// A source file is smaller than 4 GiB, so that every offset fits.
const fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}
