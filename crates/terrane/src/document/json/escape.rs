//! Escapes strings for JSON.
//!
//! Documents are large, so strings are searched in blocks for bytes that need an escape, and the text between is copied.

use std::fmt::Write as _;

/// The bytes of a block. The compiler turns the search of a block into a few vector instructions.
const BLOCK: usize = 16;

/// Whether an escaped character begins with the byte, or one like it: the Unicode line ends share their first byte with
/// other characters.
const fn may_need_escape(byte: u8) -> bool {
    (byte < 0x20)
        | (byte == b'"')
        | (byte == b'\\')
        | (byte == b'<')
        | (byte == b'>')
        | (byte == b'&')
        | (byte == 0xe2)
}

/// Writes the text of a string, with escapes.
pub(super) fn escape(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = first_to_escape(rest.as_bytes()) {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let Some(character) = from.chars().next() else { return };
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
        rest = from.get(character.len_utf8()..).unwrap_or_default();
    }
    out.push_str(rest);
}

/// [`may_need_escape`] of every byte, for those that fill no block.
#[expect(clippy::indexing_slicing, reason = "the index counts up to the length")]
static NEEDS_ESCAPE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = may_need_escape(byte.to_le_bytes()[0]);
        byte += 1;
    }
    table
};

/// The first byte that may need an escape.
pub(super) fn first_to_escape(bytes: &[u8]) -> Option<usize> {
    let is_found =
        |block: &[u8; BLOCK]| block.iter().fold(false, |found, byte| found | may_need_escape(*byte));
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let from = match blocks.iter().position(is_found) {
        Some(block) => block * BLOCK,
        // The last block overlaps the one before it.
        None if bytes.last_chunk().is_some_and(|last| !is_found(last)) => return None,
        None => bytes.len() - rest.len(),
    };
    let tail = bytes.get(from..).unwrap_or_default();
    let needs_escape = |byte: &u8| NEEDS_ESCAPE.get(usize::from(*byte)).copied().unwrap_or_default();
    tail.iter().position(needs_escape).map(|position| from + position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> String {
        let mut quoted = "\"".to_owned();
        escape(&mut quoted, text);
        quoted + "\""
    }

    #[test]
    fn strings_are_escaped_as_jsonencode_escapes_them() {
        for text in [
            "",
            "plain",
            "<a href=\"x\">&</a>",
            "\u{2028}…\u{2029}é",
            "\u{0}\u{1f}\u{7f}\\\n\r\t\u{8}\u{c}",
            "sixteen bytes are<in the first block, and more & more follow \" in others…",
        ] {
            let mut expected = String::new();
            terrane_value::json::write_string(&mut expected, text);
            assert_eq!(quoted(text), expected, "{text:?}");
        }
    }

    /// Every byte at every position of two blocks.
    #[test]
    fn no_position_hides_a_byte() {
        for position in 0..2 * BLOCK + 3 {
            for character in ['"', '\\', '<', '\n', '\u{2028}', '\u{1}'] {
                let mut text = "x".repeat(2 * BLOCK + 3);
                text.insert(position, character);
                let mut expected = String::new();
                terrane_value::json::write_string(&mut expected, &text);
                assert_eq!(quoted(&text), expected);
            }
        }
    }
}
