//! Decides on the space between two tokens of a line.
//!
//! Pure functions of the token kinds, called by the layout for each pair of tokens.

use crate::{Token, TokenKind};

/// Returns the number of brackets that a token opens; negative if it closes them.
pub(super) fn bracket_change(kind: TokenKind) -> i64 {
    if matches!(
        kind,
        TokenKind::OpenBrace
            | TokenKind::OpenBracket
            | TokenKind::OpenParen
            | TokenKind::OpenInterpolation
            | TokenKind::OpenDirective
    ) {
        1
    } else if matches!(
        kind,
        TokenKind::CloseBrace | TokenKind::CloseBracket | TokenKind::CloseParen | TokenKind::CloseSequence
    ) {
        -1
    } else {
        0
    }
}

/// Whether a space stands between two tokens of a line; `before` is the token before them.
pub(super) fn space_between(text: &str, before: Option<TokenKind>, left: Token, right: TokenKind) -> bool {
    use TokenKind as K;

    let kind = left.kind();
    if right == K::Newline || sticks(before, kind, right) || is_cut_comment(left) {
        return false;
    }
    if kind == K::Comma {
        return true;
    }
    if is_template_text(kind, right) {
        return false;
    }
    if kind == K::Ident && before == Some(K::Ident) && slice(text, left) == "in" {
        // In `for x in [a]`, the brackets are no index.
        return true;
    }
    if right == K::OpenBracket && (matches!(kind, K::Ident | K::Number) || bracket_change(kind) < 0) {
        return false;
    }
    if kind == K::Not {
        return false;
    }
    if kind == K::Minus {
        return is_subtraction(before);
    }
    in_brackets(kind, right)
}

/// Whether the next token continues this comment.
pub(super) fn is_cut_comment(token: Token) -> bool {
    token.kind() == TokenKind::Comment && token.span().len() == Token::MAX_LEN
}

/// Whether a token stands close to its neighbour, as names, dots and commas do.
fn sticks(before: Option<TokenKind>, left: TokenKind, right: TokenKind) -> bool {
    use TokenKind as K;

    if left == K::Dot && right == K::Number && before == Some(K::Number) {
        // Without the space, `a.0. 1` would be read differently, because `0.1` is one number.
        return false;
    }
    matches!((left, right), (K::Ident, K::OpenParen | K::DoubleColon) | (K::DoubleColon, K::Ident))
        || left == K::Dot
        || matches!(right, K::Dot | K::Comma | K::Ellipsis)
}

/// Whether a space would be part of a template.
fn is_template_text(left: TokenKind, right: TokenKind) -> bool {
    use TokenKind as K;

    matches!(left, K::QuotedText | K::TemplateText | K::OpenQuote | K::OpenHeredoc)
        || matches!(right, K::QuotedText | K::TemplateText | K::CloseQuote | K::CloseHeredoc)
}

/// Whether a `-` behind this token has two operands.
fn is_subtraction(before: Option<TokenKind>) -> bool {
    use TokenKind as K;

    let Some(before) = before else { return false };
    !matches!(
        before,
        K::OpenParen
            | K::OpenBrace
            | K::OpenBracket
            | K::Assign
            | K::Colon
            | K::Comma
            | K::Question
            | K::Plus
            | K::Star
            | K::Slash
            | K::Percent
            | K::Minus
            | K::Equal
            | K::NotEqual
            | K::Greater
            | K::GreaterOrEqual
            | K::Less
            | K::LessOrEqual
            | K::And
            | K::Or
            | K::Not
    )
}

/// Whether there is a space inside of brackets: yes in braces, no in other brackets.
fn in_brackets(left: TokenKind, right: TokenKind) -> bool {
    use TokenKind as K;

    if left == K::OpenBrace || right == K::CloseBrace {
        return !(left == K::OpenBrace && right == K::CloseBrace);
    }
    let opens_sequence = |kind| matches!(kind, K::OpenInterpolation | K::OpenDirective);
    if opens_sequence(left) && right == K::OpenBrace || left == K::CloseBrace && right == K::CloseSequence {
        return true;
    }
    if left == K::CloseSequence && opens_sequence(right) {
        return false;
    }
    bracket_change(left) <= 0 && bracket_change(right) >= 0
}

/// Returns the text of a token.
pub(super) fn slice(text: &str, token: Token) -> &str {
    text.get(token.span().range()).unwrap_or_default()
}
