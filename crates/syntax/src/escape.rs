//! Decodes the escape sequences of quoted text, such as `\n` and `\u00e9`.
//!
//! The parser calls it for quoted strings and block labels. JSON strings have escapes of their own, in `json`.

use terrane_source::Span;

use crate::limits::MAX_DIAGNOSTICS;

/// Returns the length of the escape or character at the start of `text`. 0 for an empty text.
pub(crate) fn unit_len(text: &str) -> usize {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some('\\'), Some('u')) => 2 + hex_digits(text, 4),
        (Some('\\'), Some('U')) => 2 + hex_digits(text, 8),
        (Some('\\'), Some(character)) => 1 + character.len_utf8(),
        (Some(character), _) => character.len_utf8(),
        (None, _) => 0,
    }
}

/// Returns the number of hexadecimal digits behind the first two bytes, at most `most`.
fn hex_digits(text: &str, most: usize) -> usize {
    text.bytes().skip(2).take(most).take_while(u8::is_ascii_hexdigit).count()
}

/// An invalid escape: its span and the detail of the diagnostic.
pub(crate) struct EscapeError {
    pub(crate) span: Span,
    pub(crate) detail: String,
}

/// Appends the text that `quoted` stands for. An invalid escape is kept as text, and the first such escapes are reported.
pub(crate) fn decode(quoted: &str, offset: u32, decoded: &mut String, errors: &mut Vec<EscapeError>) {
    let mut rest = quoted;
    while let Some(plain) = rest.find('\\') {
        let (before, escaped) = rest.split_at(plain);
        decoded.push_str(before);
        let (escape, after) = escaped.split_at(unit_len(escaped));
        match meaning(escape) {
            Some(character) => decoded.push(character),
            None => {
                if errors.len() < MAX_DIAGNOSTICS {
                    let start = quoted.len() - escaped.len();
                    let start = offset.saturating_add(u32::try_from(start).unwrap_or(u32::MAX));
                    let len = u32::try_from(escape.len()).unwrap_or(u32::MAX);
                    let span = Span::new(start, start.saturating_add(len));
                    errors.push(EscapeError { span, detail: detail_of(escape) });
                }
                decoded.push_str(escape);
            }
        }
        rest = after;
    }
    decoded.push_str(rest);
}

fn meaning(escape: &str) -> Option<char> {
    match escape {
        "\\n" => Some('\n'),
        "\\r" => Some('\r'),
        "\\t" => Some('\t'),
        "\\\"" => Some('"'),
        "\\\\" => Some('\\'),
        _ => {
            let (digits, wanted) = digits(escape)?;
            let number = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == wanted)?;
            char::from_u32(number)
        }
    }
}

/// Returns the digits of an escape that needs digits, and the number of digits that it needs.
fn digits(escape: &str) -> Option<(&str, usize)> {
    let short = escape.strip_prefix("\\u").map(|digits| (digits, 4));
    short.or_else(|| escape.strip_prefix("\\U").map(|digits| (digits, 8)))
}

fn detail_of(escape: &str) -> String {
    match digits(escape) {
        None => {
            let escapes =
                "The escapes of quoted strings are \\n, \\r, \\t, \\\", \\\\, \\uNNNN and \\UNNNNNNNN";
            format!("{escapes}; {escape} is none of them. Write a backslash itself as \\\\.")
        }
        Some((digits, wanted)) if digits.len() != wanted => {
            let letter = if wanted == 4 { 'u' } else { 'U' };
            format!("Exactly {wanted} hexadecimal digits must follow \\{letter}.")
        }
        Some((digits, _)) => format!("U+{digits} is not a valid Unicode character."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(quoted: &str, wanted: &str, wrong: &[(u32, u32)]) {
        let (mut decoded, mut errors) = (String::new(), Vec::new());
        decode(quoted, 10, &mut decoded, &mut errors);
        assert_eq!(decoded, wanted);
        let spans: Vec<_> = errors.iter().map(|error| (error.span.start, error.span.end)).collect();
        assert_eq!(spans, wrong, "{quoted}");
    }

    #[test]
    fn escapes_are_decoded() {
        check(r#"a\n\r\t\"\\b"#, "a\n\r\t\"\\b", &[]);
        check(r"\u00e9\U0001F600x", "é😀x", &[]);
    }

    #[test]
    fn wrong_escapes_have_their_own_span() {
        check(r"ab\xcd", r"ab\xcd", &[(12, 14)]);
        check(r"\é", r"\é", &[(10, 13)]);
        check(r"\u00e", r"\u00e", &[(10, 15)]);
        check(r"\uD800\U1F600 ", r"\uD800\U1F600 ", &[(10, 16), (16, 23)]);
    }
}
