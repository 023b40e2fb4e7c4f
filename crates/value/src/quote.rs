//! Quotes strings, for all notations of values.

use std::fmt::Write as _;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// Returns `text` in quotes, with the escapes of Go's `%q`: unprintable characters become `\n`, `\x00`, `\u200b`.
/// Template markers stay as they are, so the language may not read back the same text.
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    write_quoted(text, &mut quoted);
    quoted
}

pub(crate) fn write_quoted(text: &str, out: &mut String) {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    out.push('"');
    let mut rest = text;
    loop {
        // Most characters need no escape, and are copied together.
        let plain = rest.bytes().position(|byte| !is_plain(byte)).unwrap_or(rest.len());
        let (before, behind) = rest.split_at_checked(plain).unwrap_or((rest, ""));
        out.push_str(before);
        let Some(c) = behind.chars().next() else { break };
        rest = behind.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            _ if is_printable(c) => out.push(c),
            '\0'..='\u{7f}' => write_code(out, 'x', 2, c),
            _ => write_code_point(out, c),
        }
    }
    out.push('"');
}

/// Returns `text` in quotes with the escapes from which the language reads back the same string. A value is in normal form
/// already; `terrane_syntax::write_quoted` normalises the text of a program.
///
/// ```
/// assert_eq!(terrane_value::display::literal("${a}\n"), r#""$${a}\n""#);
/// ```
pub fn literal(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    write_literal(text, &mut quoted);
    quoted
}

/// Writes `text` in quotes with the escapes from which the language reads back the same string.
pub(crate) fn write_literal(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '$' | '%' if rest.peek() == Some(&'{') => {
                out.push(c);
                out.push(c);
            }
            _ if is_printable(c) => out.push(c),
            _ => write_code_point(out, c),
        }
    }
    out.push('"');
}

fn write_code_point(out: &mut String, c: char) {
    if u32::from(c) > 0xffff {
        write_code(out, 'U', 8, c);
    } else {
        write_code(out, 'u', 4, c);
    }
}

fn write_code(out: &mut String, letter: char, width: usize, c: char) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\\{letter}{:0width$x}", u32::from(c));
}

/// Whether a character is a letter, mark, number, punctuation, symbol or the ordinary space.
pub(crate) fn is_printable(c: char) -> bool {
    match c {
        ' '..='~' => true,
        '\0'..='\u{9f}' => false,
        _ => match c.general_category_group() {
            GeneralCategoryGroup::Letter
            | GeneralCategoryGroup::Mark
            | GeneralCategoryGroup::Number
            | GeneralCategoryGroup::Punctuation
            | GeneralCategoryGroup::Symbol => true,
            GeneralCategoryGroup::Separator | GeneralCategoryGroup::Other => false,
        },
    }
}
