//! Tokens of the native syntax.
//!
//! The lexer produces [`Token`]s; the parser and the formatter read them.

use std::fmt;

use terrane_source::Span;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum TokenKind {
    /// A name: UAX #31 with `-` added to the continuing characters.
    Ident,
    /// A number literal.
    Number,
    /// A line break that ends an item, with its `\r`.
    Newline,
    /// A comment: `#` and `//` up to, not including, the line break; `/* */` whole.
    Comment,
    /// `{`.
    OpenBrace,
    /// `}`.
    CloseBrace,
    /// `[`.
    OpenBracket,
    /// `]`.
    CloseBracket,
    /// `(`.
    OpenParen,
    /// `)`.
    CloseParen,
    /// The `"` that opens a quoted template.
    OpenQuote,
    /// The `"` that closes a quoted template.
    CloseQuote,
    /// `<<MARKER` or `<<-MARKER` with its line break.
    OpenHeredoc,
    /// The closing marker, with the indentation before it.
    CloseHeredoc,
    /// Literal text of a quoted template, escapes included.
    QuotedText,
    /// Literal text of a heredoc or bare template, a line at most.
    TemplateText,
    /// `${` or `${~`.
    OpenInterpolation,
    /// `%{` or `%{~`.
    OpenDirective,
    /// The `}` or `~}` that closes an interpolation or directive.
    CloseSequence,
    /// `=`.
    Assign,
    /// `=>`.
    Arrow,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessOrEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterOrEqual,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `!`.
    Not,
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `*`.
    Star,
    /// `/`.
    Slash,
    /// `%`.
    Percent,
    /// `?`.
    Question,
    /// `:`.
    Colon,
    /// `::`.
    DoubleColon,
    /// `,`.
    Comma,
    /// `.`.
    Dot,
    /// `...`.
    Ellipsis,
    /// A character without a meaning here. A diagnostic is about it.
    Invalid,
    /// The end of the text.
    End,
}

impl TokenKind {
    /// Every kind at the index of its discriminant, extended to all values of the six bits that a token has.
    #[expect(clippy::indexing_slicing, reason = "evaluated at compile time, where a wrong index is an error")]
    const ALL: [TokenKind; 64] = {
        let mut all = [TokenKind::End; 64];
        let kinds = [
            TokenKind::Ident,
            TokenKind::Number,
            TokenKind::Newline,
            TokenKind::Comment,
            TokenKind::OpenBrace,
            TokenKind::CloseBrace,
            TokenKind::OpenBracket,
            TokenKind::CloseBracket,
            TokenKind::OpenParen,
            TokenKind::CloseParen,
            TokenKind::OpenQuote,
            TokenKind::CloseQuote,
            TokenKind::OpenHeredoc,
            TokenKind::CloseHeredoc,
            TokenKind::QuotedText,
            TokenKind::TemplateText,
            TokenKind::OpenInterpolation,
            TokenKind::OpenDirective,
            TokenKind::CloseSequence,
            TokenKind::Assign,
            TokenKind::Arrow,
            TokenKind::Equal,
            TokenKind::NotEqual,
            TokenKind::Less,
            TokenKind::LessOrEqual,
            TokenKind::Greater,
            TokenKind::GreaterOrEqual,
            TokenKind::And,
            TokenKind::Or,
            TokenKind::Not,
            TokenKind::Plus,
            TokenKind::Minus,
            TokenKind::Star,
            TokenKind::Slash,
            TokenKind::Percent,
            TokenKind::Question,
            TokenKind::Colon,
            TokenKind::DoubleColon,
            TokenKind::Comma,
            TokenKind::Dot,
            TokenKind::Ellipsis,
            TokenKind::Invalid,
            TokenKind::End,
        ];
        let mut index = 0;
        while index < kinds.len() {
            all[index] = kinds[index];
            index += 1;
        }
        all
    };
}

/// A token: its kind and its bytes, in eight bytes of memory.
///
/// White space other than line breaks is not a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token {
    start: u32,
    kind_and_len: u32,
}

impl Token {
    /// The maximum length of a token. The lexer splits longer text and comments, and refuses longer names and numbers.
    pub const MAX_LEN: u32 = (1 << 26) - 1;

    /// A token at `span`, which is cut at [`Token::MAX_LEN`].
    pub const fn new(kind: TokenKind, span: Span) -> Token {
        let len = if span.len() > Token::MAX_LEN { Token::MAX_LEN } else { span.len() };
        Token { start: span.start, kind_and_len: ((kind as u32) << 26) | len }
    }

    /// The kind of the token.
    pub fn kind(self) -> TokenKind {
        TokenKind::ALL.get((self.kind_and_len >> 26) as usize).copied().unwrap_or(TokenKind::End)
    }

    /// The bytes of the token.
    pub const fn span(self) -> Span {
        Span { start: self.start, end: self.start.saturating_add(self.kind_and_len & Token::MAX_LEN) }
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}@{:?}", self.kind(), self.span())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_keeps_its_kind_and_span() {
        assert_eq!(size_of::<Token>(), 8);
        for kind in TokenKind::ALL {
            let token = Token::new(kind, Span::new(7, 9));
            assert_eq!((token.kind(), token.span()), (kind, Span::new(7, 9)));
        }
        let long = Token::new(TokenKind::Comment, Span::new(1, u32::MAX));
        assert_eq!(long.span().len(), Token::MAX_LEN);
    }
}
