//! Writes a value in one line, cut at a length, without spending time on the rest.

pub(crate) use terrane_syntax::is_identifier as is_name;
use terrane_value::display::{can_be_written, console, quote, unknown_text};
use terrane_value::{Entries, Known, Value, ValueKind};

use crate::secrets::{Secrets, is_hidden, is_only_ephemeral};

/// Returns the value in one line, cut behind `most` characters. Strings are quoted, so they keep their blanks, and line breaks
/// in them are escapes.
pub(crate) fn brief(value: &Value, secrets: Secrets, most: usize) -> String {
    let mut writer = BriefWriter { out: String::with_capacity(most + most / 2), secrets, most };
    writer.value(value);
    cut(writer.out, most)
}

/// Returns the line, cut behind `most` characters.
fn cut(mut line: String, most: usize) -> String {
    if line.len() > most
        && let Some((end, _)) = line.char_indices().nth(most)
    {
        line.truncate(end);
        line.push_str("...");
    }
    line
}

/// Returns the text of an expression or type in one line, cut behind `most` characters. White space becomes single blanks.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if is_line(text.get(..=most).unwrap_or(text)) {
        let start = text.get(..most).filter(|_| text.len() > most);
        return start.map_or_else(|| text.to_owned(), |start| [start, "..."].concat());
    }
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        if length > most + 1 {
            break;
        }
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
        length += word.chars().count() + 1;
    }
    cut(line, most)
}

/// Whether a text consists of printable ASCII characters with single blanks between words.
fn is_line(text: &str) -> bool {
    let (words, rest) = text.as_bytes().as_chunks();
    let mut last = [b'x'; 8];
    for (place, byte) in last.iter_mut().zip(rest) {
        *place = *byte;
    }
    // `blanks` has the highest bit of each blank; `before` has the lowest of these bits if the byte before the word is a blank.
    // A leading blank is refused like a second blank.
    let mut before = FIRST_BYTE;
    for word in words.iter().chain([&last]) {
        let word = u64::from_le_bytes(*word);
        let ascii = word & !HIGHEST_BITS;
        // A printable character has at least one of two bits; a control character has neither.
        let controls = !(ascii | (ascii >> 1)) & each(b' ');
        let beyond_tilde = (word | (ascii + each(1))) & HIGHEST_BITS;
        let blanks = !((ascii ^ each(b' ')) + !HIGHEST_BITS) & HIGHEST_BITS;
        if controls | beyond_tilde | (blanks & ((blanks << 8) | before)) != 0 {
            return false;
        }
        before = blanks >> 56;
    }
    !text.ends_with(' ') && !text.is_empty()
}

/// The highest bit of the lowest byte.
const FIRST_BYTE: u64 = 0x80;

/// The highest bit of each byte.
const HIGHEST_BITS: u64 = each(0x80);

/// Returns a word of eight equal bytes.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

struct BriefWriter {
    out: String,
    secrets: Secrets,
    most: usize,
}

/// Limit on the bytes of a string that are read before the line is cut.
const MAX_BYTES: usize = 4096;

/// Limit on the nanoseconds spent on the digits of a number.
const MAX_OF_NUMBER: usize = 1 << 16;

/// Returns the beginning of a text that a line of `most` characters will cut. A character has up to four bytes.
fn beginning(text: &str, most: usize) -> &str {
    let bytes = most.saturating_add(1).saturating_mul(4).min(MAX_BYTES);
    let end = (bytes..text.len()).find(|end| text.is_char_boundary(*end));
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

impl BriefWriter {
    /// Whether the text is already longer than the line.
    fn is_full(&self) -> bool {
        self.out.len() > self.most.saturating_mul(4)
    }

    /// Writes a value. The maximum depth of values bounds the recursion.
    fn value(&mut self, value: &Value) {
        if self.is_full() {
            return;
        }
        if is_hidden(value, self.secrets) {
            let is_ephemeral = is_only_ephemeral(value.marks());
            self.out.push_str(if is_ephemeral { "(ephemeral value)" } else { "(sensitive value)" });
            return;
        }
        let value = value.unmarked();
        match value.kind() {
            ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
                self.elements(elements);
            }
            ValueKind::Map(entries) | ValueKind::Object(entries) => self.entries(entries, false),
            ValueKind::Unknown(unknown) => match &unknown.known {
                Known::Nothing => self.out.push_str(unknown_text(value.origins())),
                Known::Object(entries) => self.entries(entries, true),
                Known::Sequence(elements) => self.elements(elements),
            },
            ValueKind::Null(_) => self.out.push_str("null"),
            ValueKind::String(text) => self.out.push_str(&quote(beginning(text, self.most))),
            ValueKind::Number(_) if !can_be_written([value], MAX_OF_NUMBER) => {
                self.out.push_str("(a long number)");
            }
            ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::Marked(..) => {
                self.out.push_str(&console(value));
            }
        }
    }

    fn elements(&mut self, elements: &[Value]) {
        self.out.push('[');
        for (position, element) in elements.iter().enumerate() {
            if self.is_full() {
                break;
            }
            self.out.push_str(if position == 0 { "" } else { ", " });
            self.value(element);
        }
        self.out.push(']');
    }

    fn entries(&mut self, entries: &Entries, is_open: bool) {
        self.out.push('{');
        for (position, (name, value)) in entries.iter().enumerate() {
            if self.is_full() {
                break;
            }
            self.out.push_str(if position == 0 { " " } else { ", " });
            match is_name(name) {
                true => self.out.push_str(name),
                false => self.out.push_str(&quote(name)),
            }
            self.out.push_str(" = ");
            self.value(value);
        }
        self.out.push_str(match (entries.is_empty(), is_open) {
            (true, false) => "}",
            (false, false) => " }",
            (true, true) => " ... }",
            (false, true) => ", ... }",
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_printable_characters_and_single_blanks() {
        for text in ["a", "a b", "12345678", "1234567 9", "12345678 0", "~{|}", "a b c d e f g h i j"] {
            assert!(is_line(text), "{text:?}");
        }
        for text in [
            "",
            " ",
            " a",
            "a ",
            "a  b",
            "1234567  0",
            "12345678  1",
            "1234567 ",
            "12345678 ",
            "a\tb",
            "a\nb",
            "a\u{7f}b",
            "a\u{1f}",
            "1234567\n",
            "12345678\n",
            "\u{e9}",
            "1234567\u{e9}",
            "\u{10ffff}",
        ] {
            assert!(!is_line(text), "{text:?}");
        }
    }

    #[test]
    fn strings_keep_their_blanks() {
        let line = |text: &str, most| brief(&Value::from(text), Secrets::Hidden, most);
        assert_eq!(line("a   b", 20), "\"a   b\"");
        assert_eq!(line(" x\n\n  z ", 20), "\" x\\n\\n  z \"");
        assert_eq!(line("\u{e9}  \u{e9}", 6), "\"\u{e9}  \u{e9}\"");
        assert_eq!(line("a   bcd", 5), "\"a   ...");
    }

    #[test]
    fn lines_are_cut_behind_a_number_of_characters() {
        for (text, expected) in [
            ("", ""),
            ("a b", "a b"),
            ("abcd", "abcd"),
            ("abcde", "abcd..."),
            ("abc de", "abc ..."),
            ("abc  ", "abc"),
            ("abcd ", "abcd"),
            ("abcd  ", "abcd"),
            (" a\n\tb ", "a b"),
            ("a\n b c d", "a b ..."),
            ("\u{e9}bcd", "\u{e9}bcd"),
            ("abc\u{e9}", "abc\u{e9}"),
            ("abcd\u{e9}", "abcd..."),
            ("\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}", "\u{e9}\u{e9}\u{e9}\u{e9}..."),
        ] {
            assert_eq!(shortened(text, 4), expected, "{text:?}");
        }
    }
}
