//! Writes anything that serde can serialize as JSON text.
//!
//! The text has no spaces. It can stand within HTML and JavaScript, because `<`, `>`, `&` and the Unicode line ends are
//! escaped, as `terraform output -json` does it.

use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// The JSON text of a document.
pub(crate) fn to_text(document: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    // Documents have string keys only, and writing to memory cannot fail.
    let written = document.serialize(&mut Serializer::with_formatter(&mut bytes, HtmlSafe));
    debug_assert!(written.is_ok(), "{written:?}");
    String::from_utf8(bytes).unwrap_or_default()
}

/// Writes compact JSON that is safe within HTML.
struct HtmlSafe;

impl Formatter for HtmlSafe {
    /// Writes a part of a string that needs none of the escapes of JSON itself.
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.bytes().position(may_need_escape) {
            let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
            writer.write_all(before.as_bytes())?;
            let Some(character) = from.chars().next() else { return Ok(()) };
            match character {
                '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                    write!(writer, "\\u{:04x}", u32::from(character))?;
                }
                _ => writer.write_all(character.encode_utf8(&mut [0; 4]).as_bytes())?,
            }
            rest = from.get(character.len_utf8()..).unwrap_or_default();
        }
        writer.write_all(rest.as_bytes())
    }
}

/// Whether an escaped character begins with the byte, or one like it: the Unicode line ends share their first byte with
/// other characters.
fn may_need_escape(byte: u8) -> bool {
    matches!(byte, b'<' | b'>' | b'&' | 0xe2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_as_jsonencode_escapes_them() {
        for text in
            ["", "plain", "<a href=\"x\">&</a>", "\u{2028}…\u{2029}é", "\u{0}\u{1f}\u{7f}\\\n\r\t\u{8}\u{c}"]
        {
            let mut expected = String::new();
            terrane_value::json::write_string(&mut expected, text);
            assert_eq!(to_text(&text), expected, "{text:?}");
        }
    }
}
