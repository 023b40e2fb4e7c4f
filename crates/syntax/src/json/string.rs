//! Decodes JSON strings: content without quotes, escapes, and the place of each decoded piece.
//!
//! The parser decodes names and values; templates in strings are parsed from an [`Excerpt`].

use terrane_source::{FileId, Span};

use crate::excerpt::{Excerpt, ExcerptBuilder};

/// Returns the string token `text` without its quotes. The closing quote may be missing.
pub(super) fn content(text: &str) -> &str {
    let content = text.strip_prefix('"').unwrap_or(text);
    // A quote behind an odd number of backslashes belongs to an escape.
    let Some(inner) = content.strip_suffix('"') else { return content };
    let backslashes = inner.len() - inner.trim_end_matches('\\').len();
    if backslashes.is_multiple_of(2) { inner } else { content }
}

/// Returns the offset of the first byte of the string token `text` that makes an escape invalid.
pub(super) fn wrong_escape(text: &str) -> Option<usize> {
    let mut position = 0;
    while let Some(backslash) = text.get(position..).and_then(|rest| rest.find('\\')) {
        let escape = text.as_bytes().get(position + backslash..).unwrap_or_default();
        let len = match escape.get(1) {
            Some(b'u') => {
                let digits = escape.iter().skip(2).take(4).take_while(|byte| byte.is_ascii_hexdigit());
                2 + digits.count()
            }
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(_) | None => 1,
        };
        let is_whole = len == 6 || len == 2 && escape.get(1) != Some(&b'u');
        position += backslash + len;
        if !is_whole {
            return Some(position);
        }
    }
    None
}

/// Appends the text that the content of a string stands for.
pub(super) fn decode(content: &str, decoded: &mut String) {
    let mut rest = content;
    while let Some(Escaped { plain, escape, after }) = first_escape(rest) {
        decoded.push_str(plain);
        decoded.push(escape.character);
        rest = after;
    }
    decoded.push_str(rest);
}

/// Returns the decoded text of the string at `span`, whose token is `text`.
pub(crate) fn excerpt(id: &FileId, text: &str, span: Span) -> Excerpt {
    let mut rest = content(text);
    let mut offset = span.start + u32::from(text.starts_with('"'));
    let mut builder = ExcerptBuilder::new(offset);
    while let Some(Escaped { plain, escape, after }) = first_escape(rest) {
        builder.plain(plain);
        offset += u32::try_from(rest.len() - after.len()).unwrap_or(u32::MAX);
        builder.escaped(escape.character, offset);
        rest = after;
    }
    builder.plain(rest);
    builder.finish(id)
}

/// An escape and its decoded character.
struct Escape {
    character: char,
    len: usize,
}

/// An escape in a text, with the text before and after it.
struct Escaped<'t> {
    plain: &'t str,
    escape: Escape,
    after: &'t str,
}

/// Returns the first escape of `text`.
fn first_escape(text: &str) -> Option<Escaped<'_>> {
    let (plain, rest) = text.split_at_checked(text.find('\\')?)?;
    let escape = escape(rest);
    let after = rest.get(escape.len..).unwrap_or_default();
    Some(Escaped { plain, escape, after })
}

/// Returns the escape at the start of `text`. A backslash that begins no escape stands for itself.
fn escape(text: &str) -> Escape {
    let character = match text.as_bytes().get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'u') => return unicode(text),
        Some(_) | None => return Escape { character: '\\', len: 1 },
    };
    Escape { character, len: 2 }
}

/// Returns the character of `\uXXXX`, or of two such escapes that are one character together. Half of such a pair stands for
/// U+FFFD.
fn unicode(text: &str) -> Escape {
    let Some(first) = code_unit(text) else { return Escape { character: '\\', len: 1 } };
    let second = text.get(6..).and_then(code_unit);
    match char::decode_utf16([first].into_iter().chain(second)).next() {
        Some(Ok(character)) => Escape { character, len: character.len_utf16() * 6 },
        Some(Err(_)) | None => Escape { character: char::REPLACEMENT_CHARACTER, len: 6 },
    }
}

fn code_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded() {
        let decoded = |text: &str| {
            let mut decoded = String::new();
            decode(text, &mut decoded);
            decoded
        };
        assert_eq!(decoded(r#"a\n\t\r\b\f\"\\\/é"#), "a\n\t\r\u{8}\u{c}\"\\/é");
        assert_eq!(decoded(r"\u00e9\ud83d\ude00\uD83D\uDE00x"), "é😀😀x");
        assert_eq!(decoded(r"\ud83dx\ude00\ud83d\u0041"), "\u{fffd}x\u{fffd}\u{fffd}A");
        assert_eq!(decoded(r"\q\u12\"), r"\q\u12\");
    }

    #[test]
    fn the_first_wrong_byte_of_an_escape_is_found() {
        assert_eq!(wrong_escape(r#""\"\\\/\b\f\n\r\t\u00eF""#), None);
        assert_eq!(wrong_escape(r#""ab\q""#), Some(4));
        assert_eq!(wrong_escape(r#""\\\u12g""#), Some(7));
        assert_eq!(wrong_escape(r#""\u""#), Some(3));
        assert_eq!(wrong_escape(r#""a\"#), Some(3));
    }

    #[test]
    fn quotes_are_removed() {
        for (text, inner) in
            [(r#""a""#, "a"), (r#"""#, ""), (r#""a\""#, r#"a\""#), (r#""a\\""#, r"a\\"), (r#""""#, "")]
        {
            assert_eq!(content(text), inner, "{text}");
        }
    }
}
