//! Writes anything that serde can serialize as JSON text.
//!
//! The text has no spaces. It can stand within HTML and JavaScript, because `<`, `>`, `&` and the Unicode line ends are
//! escaped, as `terraform output -json` does it. Documents are large, so strings are searched in blocks for bytes that need
//! an escape, and names of fields, which need none, are copied.

use std::fmt::{self, Display, Write as _};

use serde::ser::{self, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple};

/// The JSON text of a document.
pub(crate) fn to_text(document: &impl Serialize) -> String {
    text_of(document, 0)
}

/// Where line breaks stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// Nowhere.
    OneLine,
    /// Behind each item, which is indented by two spaces for each level.
    Indented,
}

/// The JSON text of a document.
pub(crate) fn to_text_in(document: &impl Serialize, layout: Layout) -> String {
    written(document, Writer { text: String::new(), level: (layout == Layout::Indented).then_some(0) })
}

/// The JSON text of a document of probably `capacity` bytes.
pub(crate) fn text_of(document: &impl Serialize, capacity: usize) -> String {
    written(document, Writer { text: String::with_capacity(capacity), level: None })
}

fn written(document: &impl Serialize, mut writer: Writer) -> String {
    // Documents have string keys only, and writing to memory cannot fail.
    let written = document.serialize(&mut writer);
    debug_assert!(written.is_ok(), "{written:?}");
    writer.text
}

/// The names that `serde_json` gives structs whose only field is JSON text.
const RAW: [&str; 2] = ["$serde_json::private::RawValue", "$serde_json::private::Number"];

struct Writer {
    text: String,
    /// The number of open arrays and objects, where each item has a line of its own.
    level: Option<usize>,
}

/// A document that is no JSON: a key that is not a string.
#[derive(Debug)]
struct WriteError(String);

impl Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WriteError {}

impl ser::Error for WriteError {
    fn custom<T: Display>(message: T) -> WriteError {
        WriteError(message.to_string())
    }
}

impl Writer {
    fn string(&mut self, text: &str) {
        self.text.reserve(text.len() + 2);
        self.text.push('"');
        escape(&mut self.text, text);
        self.text.push('"');
    }

    fn display(&mut self, number: impl Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{number}");
    }

    /// An unsigned number, digit by digit from the end.
    fn unsigned(&mut self, mut number: u64) {
        let mut digits = [0_u8; 20];
        let mut start = digits.len();
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
            start -= 1;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.text.push_str(digits.get(start..).and_then(|digits| str::from_utf8(digits).ok()).unwrap_or("0"));
    }

    fn signed(&mut self, number: i64) {
        if number < 0 {
            self.text.push('-');
        }
        self.unsigned(number.unsigned_abs());
    }

    /// Begins a line, if items have lines of their own.
    fn break_line(&mut self) {
        if let Some(level) = self.level {
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n("  ", level));
        }
    }

    /// The colon behind a name.
    fn colon(&mut self) {
        self.text.push_str(if self.level.is_some() { ": " } else { ":" });
    }

    fn open(&mut self, open: char, close: char) -> Compound<'_> {
        self.text.push(open);
        self.level = self.level.map(|level| level + 1);
        Compound { writer: self, close, has_items: false, is_raw: false }
    }
}

/// An array or object whose items are being written.
struct Compound<'w> {
    writer: &'w mut Writer,
    close: char,
    has_items: bool,
    /// Whether the only field is JSON text.
    is_raw: bool,
}

impl Compound<'_> {
    fn separate(&mut self) {
        if self.has_items {
            self.writer.text.push(',');
        }
        self.has_items = true;
        self.writer.break_line();
    }

    fn item(&mut self, item: &(impl Serialize + ?Sized)) -> Result<(), WriteError> {
        self.separate();
        item.serialize(&mut *self.writer)
    }

    fn close(self) -> Result<(), WriteError> {
        if !self.is_raw {
            self.writer.level = self.writer.level.map(|level| level.saturating_sub(1));
            if self.has_items {
                self.writer.break_line();
            }
            self.writer.text.push(self.close);
        }
        Ok(())
    }
}

impl<'w> ser::Serializer for &'w mut Writer {
    type Ok = ();
    type Error = WriteError;
    type SerializeSeq = Compound<'w>;
    type SerializeTuple = Compound<'w>;
    type SerializeTupleStruct = Impossible<(), WriteError>;
    type SerializeTupleVariant = Impossible<(), WriteError>;
    type SerializeMap = Compound<'w>;
    type SerializeStruct = Compound<'w>;
    type SerializeStructVariant = Impossible<(), WriteError>;

    fn serialize_bool(self, value: bool) -> Result<(), WriteError> {
        self.text.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Result<(), WriteError> {
        self.serialize_i64(i64::from(value))
    }

    fn serialize_i16(self, value: i16) -> Result<(), WriteError> {
        self.serialize_i64(i64::from(value))
    }

    fn serialize_i32(self, value: i32) -> Result<(), WriteError> {
        self.serialize_i64(i64::from(value))
    }

    fn serialize_i64(self, value: i64) -> Result<(), WriteError> {
        self.signed(value);
        Ok(())
    }

    fn serialize_u8(self, value: u8) -> Result<(), WriteError> {
        self.serialize_u64(u64::from(value))
    }

    fn serialize_u16(self, value: u16) -> Result<(), WriteError> {
        self.serialize_u64(u64::from(value))
    }

    fn serialize_u32(self, value: u32) -> Result<(), WriteError> {
        self.serialize_u64(u64::from(value))
    }

    fn serialize_u64(self, value: u64) -> Result<(), WriteError> {
        self.unsigned(value);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), WriteError> {
        self.serialize_f64(f64::from(value))
    }

    /// JSON has neither infinite numbers nor NaN.
    fn serialize_f64(self, value: f64) -> Result<(), WriteError> {
        match value.is_finite() {
            true => self.display(value),
            false => self.text.push_str("null"),
        }
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), WriteError> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), WriteError> {
        self.string(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), WriteError> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<(), WriteError> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), WriteError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), WriteError> {
        self.text.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), WriteError> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), WriteError> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), WriteError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), WriteError> {
        let mut object = self.open('{', '}');
        object.serialize_entry(variant, value)?;
        object.close()
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Compound<'w>, WriteError> {
        Ok(self.open('[', ']'))
    }

    fn serialize_tuple(self, _length: usize) -> Result<Compound<'w>, WriteError> {
        Ok(self.open('[', ']'))
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleStruct, WriteError> {
        Err(ser::Error::custom(name))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleVariant, WriteError> {
        Err(ser::Error::custom(variant))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Compound<'w>, WriteError> {
        Ok(self.open('{', '}'))
    }

    fn serialize_struct(self, name: &'static str, _length: usize) -> Result<Compound<'w>, WriteError> {
        match name {
            _ if RAW.contains(&name) => {
                Ok(Compound { writer: self, close: '}', has_items: false, is_raw: true })
            }
            _ => Ok(self.open('{', '}')),
        }
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeStructVariant, WriteError> {
        Err(ser::Error::custom(variant))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), WriteError> {
        self.text.push('"');
        let written = write!(Escaping(&mut self.text), "{value}");
        self.text.push('"');
        written.map_err(ser::Error::custom)
    }
}

impl SerializeSeq for Compound<'_> {
    type Ok = ();
    type Error = WriteError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        self.item(value)
    }

    fn end(self) -> Result<(), WriteError> {
        self.close()
    }
}

impl SerializeTuple for Compound<'_> {
    type Ok = ();
    type Error = WriteError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        self.item(value)
    }

    fn end(self) -> Result<(), WriteError> {
        self.close()
    }
}

impl SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = WriteError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), WriteError> {
        self.item(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        self.writer.colon();
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), WriteError> {
        self.close()
    }
}

impl SerializeStruct for Compound<'_> {
    type Ok = ();
    type Error = WriteError;

    /// Names of fields are written in the source code of this crate and need no escapes.
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), WriteError> {
        if self.is_raw {
            // The text of a raw value is JSON.
            let mut raw = Writer { text: String::new(), level: None };
            value.serialize(&mut raw)?;
            let text: String = serde_json::from_str(&raw.text).map_err(ser::Error::custom)?;
            self.writer.text.push_str(&text);
            return Ok(());
        }
        self.writer.text.reserve(name.len() + 4);
        self.separate();
        self.writer.text.push('"');
        self.writer.text.push_str(name);
        self.writer.text.push('"');
        self.writer.colon();
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), WriteError> {
        self.close()
    }
}

/// Escapes all that is written to it.
struct Escaping<'t>(&'t mut String);

impl fmt::Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape(self.0, text);
        Ok(())
    }
}

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
fn escape(out: &mut String, text: &str) {
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
fn first_to_escape(bytes: &[u8]) -> Option<usize> {
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
    use serde::Serialize;
    use serde_json::json;
    use serde_json::value::RawValue;

    use super::*;

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
            assert_eq!(to_text(&text), expected, "{text:?}");
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
                assert_eq!(to_text(&text), expected);
            }
        }
    }

    #[derive(Serialize)]
    struct Everything<'r> {
        numbers: (i64, u64, i64, f64, f64),
        list: Vec<Option<bool>>,
        raw: &'r RawValue,
        #[serde(flatten)]
        more: Flattened,
        variant: Variant,
        newtype: Variant,
        unit: (),
    }

    #[derive(Serialize)]
    struct Flattened {
        character: char,
        empty: Vec<u8>,
    }

    #[derive(Serialize)]
    enum Variant {
        Unit,
        Newtype(u8),
    }

    #[test]
    fn the_text_is_that_of_the_library() {
        let raw = RawValue::from_string("1.50".to_owned()).unwrap();
        let document = Everything {
            numbers: (i64::MIN, u64::MAX, 0, 0.5, -1.25),
            list: vec![Some(true), None, Some(false)],
            raw: &raw,
            more: Flattened { character: 'é', empty: Vec::new() },
            variant: Variant::Unit,
            newtype: Variant::Newtype(7),
            unit: (),
        };
        let text = to_text(&document);
        assert!(text.contains("\"raw\":1.50,"), "{text}");
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read, serde_json::to_value(&document).unwrap());
        assert_eq!(to_text(&json!({"a": [{}, [], ""]})), r#"{"a":[{},[],""]}"#);
    }
}
