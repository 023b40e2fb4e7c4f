//! Escapes strings for JSON.
//!
//! Texts may be large, so strings are searched in blocks for bytes that need an escape, and the text between is copied.

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

/// Adds a text with escapes, without quotes. Besides the characters that JSON escapes, `<`, `>`, `&` and the Unicode line ends
/// are escaped, so that the text can stand within HTML and JavaScript.
pub fn escape(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = first_to_escape(rest.as_bytes()) {
        let (before, mut from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        // In JSON within JSON escapes stand side by side. No block is searched between them.
        while from.bytes().next().is_some_and(needs_escape) {
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

fn needs_escape(byte: u8) -> bool {
    NEEDS_ESCAPE.get(usize::from(byte)).copied().unwrap_or_default()
}

/// The position of the first byte that may need an [`escape`].
pub fn first_to_escape(bytes: &[u8]) -> Option<usize> {
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
    tail.iter().copied().position(needs_escape).map(|position| from + position)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each character by itself.
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
            "sixteen bytes are<in the first block, and more & more follow \" in others…",
        ] {
            assert_eq!(escaped(text), escaped_one_by_one(text), "{text:?}");
        }
    }

    /// Every byte at every position of two blocks.
    #[test]
    fn no_position_hides_a_byte() {
        for position in 0..2 * BLOCK + 3 {
            for character in ['"', '\\', '<', '\n', '\u{2028}', '\u{1}'] {
                let mut text = "x".repeat(2 * BLOCK + 3);
                text.insert(position, character);
                assert_eq!(escaped(&text), escaped_one_by_one(&text));
            }
        }
    }
}
