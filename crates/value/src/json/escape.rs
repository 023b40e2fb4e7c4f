//! Escapes strings for JSON.
//!
//! Texts may be large, so the search for bytes that need an escape reads eight at a time, and the text between is
//! copied. The search is written for words of eight bytes, because the compiler does not vectorize a loop in a program
//! that is optimised for size.

use std::fmt::Write as _;

/// Returns a word with the byte in each of its eight places.
const fn eight(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

const HIGHEST_BITS: u64 = eight(0x80);

/// Sets the highest bit of each byte that differs from `byte`. All bytes are ASCII, so no sum overflows its place.
const fn is_not(byte: u8, ascii: u64) -> u64 {
    (ascii ^ eight(byte)) + eight(0x7f)
}

/// Sets the highest bit of each byte that needs a closer look: of control characters, of characters that are not ASCII, and of the signs
/// from which escapes and commands to a service begin. Signs that differ in a few bits are found together, with some that need
/// no escape.
const fn unusual(word: u64) -> u64 {
    let ascii = word & !HIGHEST_BITS;
    let is_not_control = ascii + eight(0x80 - 0x20);
    // `"`, `#`, `&` and `'`.
    let is_no_quote = is_not(b'\'', ascii | eight(b'"' ^ b'\''));
    // `<` and `>`.
    let is_no_bracket = is_not(b'>', ascii | eight(b'<' ^ b'>'));
    let is_usual = is_not_control & is_no_quote & is_no_bracket & is_not(b'\\', ascii);
    let is_delete = ascii + eight(0x80 - 0x7f);
    (!is_usual | is_delete | word) & HIGHEST_BITS
}

/// Adds a text with escapes, without quotes. Besides the characters that JSON escapes, `<`, `>`, `&` and the Unicode line ends
/// are escaped, so that the text can stand within HTML and JavaScript.
pub fn escape(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = first_unusual(rest.as_bytes()) {
        let (before, mut from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        // In JSON inside JSON, escapes follow each other directly, so no block is searched between them.
        while from.bytes().next().is_some_and(is_unusual) {
            let Some(character) = from.chars().next() else { return };
            escape_character(out, character);
            from = from.get(character.len_utf8()..).unwrap_or_default();
        }
        rest = from;
    }
    out.push_str(rest);
}

fn escape_character(out: &mut String, character: char) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..'\u{20}' => {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(character));
        }
        _ => out.push(character),
    }
}

fn is_unusual(byte: u8) -> bool {
    unusual(eight(byte)) != 0
}

/// Returns the position of the first byte that is not printable ASCII, that may need an [`escape`], or that is `#` or `'`.
pub fn first_unusual(bytes: &[u8]) -> Option<usize> {
    for (number, word) in bytes.as_chunks::<8>().0.iter().enumerate() {
        if let Some(within) = first_in_word(*word) {
            return Some(number * 8 + within);
        }
    }
    // The last word overlaps the word before, which has no such byte.
    if let Some(word) = bytes.last_chunk() {
        return first_in_word(*word).map(|within| bytes.len() - 8 + within);
    }
    // The first and the last four bytes overlap in a text of fewer than eight bytes.
    if let (Some(start), Some(end)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let word = u64::from(u32::from_le_bytes(*start)) | u64::from(u32::from_le_bytes(*end)) << 32;
        let within = first_in_word(word.to_le_bytes())?;
        return Some(if within < 4 { within } else { bytes.len() + within - 8 });
    }
    bytes.iter().position(|byte| is_unusual(*byte))
}

fn first_in_word(word: [u8; 8]) -> Option<usize> {
    let found = unusual(u64::from_le_bytes(word));
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Escapes each character separately.
    fn escaped_one_by_one(text: &str) -> String {
        let one = |character: char| match character {
            '"' | '\\' => format!("\\{character}"),
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            '\u{8}' => "\\b".to_owned(),
            '\u{c}' => "\\f".to_owned(),
            '\u{0}'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                format!("\\u{:04x}", u32::from(character))
            }
            _ => character.to_string(),
        };
        text.chars().map(one).collect()
    }

    fn escaped(text: &str) -> String {
        let mut out = String::new();
        escape(&mut out, text);
        out
    }

    #[test]
    fn characters_are_escaped_as_jsonencode_escapes_them() {
        for text in [
            "",
            "plain",
            "<a href=\"x\">&</a>",
            "\u{2028}…\u{2029}é",
            "\u{0}\u{1f}\u{7f}\\\n\r\t\u{8}\u{c}",
            "sixteen bytes are<in the first words, and more & more follow \" in others…",
        ] {
            assert_eq!(escaped(text), escaped_one_by_one(text), "{text:?}");
        }
    }

    /// Tests every byte at every position of some words.
    #[test]
    fn no_position_hides_a_byte() {
        for (length, position) in (0..36).flat_map(|length| (0..=length).map(move |at| (length, at))) {
            for character in ['"', '\\', '<', '\n', '\u{2028}', '\u{1}'] {
                let mut text = "x".repeat(length);
                text.insert(position, character);
                assert_eq!(escaped(&text), escaped_one_by_one(&text));
            }
        }
    }
}
