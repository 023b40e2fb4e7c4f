//! Writes quoted strings in canonical form.
//!
//! The formatter rewrites block labels with it. It is public for programs that generate configuration.

use std::fmt::Write as _;

use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// Whether the label `written` is in quotes and each part of it is in canonical form.
pub(super) fn is_canonical(written: &str) -> bool {
    let inner = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(is_plain)
}

/// Whether a text has only printable characters of ASCII, and none that can begin an escape.
fn is_plain(text: &str) -> bool {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') & (byte != b'\\') & (byte != b'$') & (byte != b'%');
    // Without a branch for each byte, the compiler compares many at once.
    text.as_bytes().chunks(64).all(|part| part.iter().fold(true, |all, byte| all & is_plain(*byte)))
}

/// Appends the quoted string that stands for `text`, in canonical form.
///
/// ```
/// let mut quoted = String::new();
/// terrane_syntax::write_quoted("${a}\n", &mut quoted);
/// assert_eq!(quoted, r#""$${a}\n""#);
/// ```
pub fn write_quoted(text: &str, out: &mut String) {
    out.push('"');
    if is_plain(text) && !text.contains('"') {
        out.push_str(text);
        out.push('"');
        return;
    }
    let mut characters = text.nfc().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', character]),
            '$' | '%' if characters.peek() == Some(&'{') => out.extend([character, character]),
            _ if is_printable(character) => out.push(character),
            _ => {
                let code = u32::from(character);
                // Writing to a string cannot fail.
                let _ =
                    if code > 0xffff { write!(out, "\\U{code:08x}") } else { write!(out, "\\u{code:04x}") };
            }
        }
    }
    out.push('"');
}

/// Whether a character is a letter, mark, number, punctuation, symbol or the ordinary space.
fn is_printable(character: char) -> bool {
    match character.general_category_group() {
        GeneralCategoryGroup::Letter
        | GeneralCategoryGroup::Mark
        | GeneralCategoryGroup::Number
        | GeneralCategoryGroup::Punctuation
        | GeneralCategoryGroup::Symbol => true,
        GeneralCategoryGroup::Separator | GeneralCategoryGroup::Other => character == ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped_where_they_must_be() {
        let mut quoted = String::new();
        write_quoted("a b\"\\\n$x ${ %%{\u{7f}e\u{301}\u{200b}\u{1f600}\u{10ffff}", &mut quoted);
        assert_eq!(quoted, "\"a b\\\"\\\\\\n$x $${ %%%{\\u007fé\\u200b😀\\U0010ffff\"");
    }
}
