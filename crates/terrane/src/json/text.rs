//! Writes anything that serde can serialize as JSON text.
//!
//! The text has no spaces. It can stand within HTML and JavaScript, because `<`, `>`, `&` and the Unicode line ends are
//! escaped, as in `terraform output -json`. Characters that a terminal would obey are escaped, too. Names of fields are copied,
//! because they need no escape.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};
use std::io;

use serde::ser::{self, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple};
use terrane_render::visible_json;
use terrane_value::json::{escape, first_unusual, write_plain_string};

/// Returns the JSON text of a document.
pub(crate) fn to_text(document: &impl Serialize) -> String {
    text_of(document, 0)
}

/// The line breaks of a JSON text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// The text has no line breaks.
    OneLine,
    /// Each item has a line of its own, indented by two spaces for each level.
    Indented,
}

/// Returns the JSON text of a document, in a layout.
pub(crate) fn to_text_in(document: &impl Serialize, layout: Layout) -> String {
    let level = (layout == Layout::Indented).then_some(0);
    written(document, JsonWriter { level, ..JsonWriter::new(String::new()) })
}

/// Returns the JSON text of a document. `capacity` is its expected number of bytes.
pub(crate) fn text_of(document: &impl Serialize, capacity: usize) -> String {
    written(document, JsonWriter::new(String::with_capacity(capacity)))
}

/// Writes the JSON text of a document piece by piece, so that it is never in memory as a whole.
pub(crate) fn write_text(document: &impl Serialize, out: &mut dyn io::Write) -> io::Result<()> {
    write_text_in(document, Layout::OneLine, out)
}

/// Writes like [`write_text`], in a layout.
pub(crate) fn write_text_in(
    document: &impl Serialize,
    layout: Layout,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let level = (layout == Layout::Indented).then_some(0);
    let mut writer =
        JsonWriter { level, out: Some(out), ..JsonWriter::new(String::with_capacity(2 * PIECE)) };
    document.serialize(&mut writer).map_err(io::Error::other)?;
    writer.drain();
    match writer.failure {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The number of bytes that are written at once.
const PIECE: usize = 64 * 1024;

fn written(document: &impl Serialize, mut writer: JsonWriter) -> String {
    // Documents have string keys only, and writing to memory cannot fail.
    let written = document.serialize(&mut writer);
    debug_assert!(written.is_ok(), "{written:?}");
    writer.text
}

/// The names that `serde_json` gives structs whose only field is JSON text.
const RAW: [&str; 2] = ["$serde_json::private::RawValue", "$serde_json::private::Number"];

/// The name of a newtype around JSON text that is copied as it is.
const COPIED: &str = "$terrane::Copied";

/// JSON text that is a part of a document. Only the serializer of this file supports it.
pub(crate) struct Copied<'t>(pub(crate) &'t str);

impl Serialize for Copied<'_> {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(COPIED, self.0)
    }
}

struct JsonWriter<'o> {
    text: String,
    /// Receives the text in pieces of [`PIECE`] bytes.
    out: Option<&'o mut dyn io::Write>,
    /// The error after which `out` takes no more text.
    failure: Option<io::Error>,
    /// The number of open arrays and objects, if each item has a line of its own.
    level: Option<usize>,
    /// Whether the next string is JSON text to copy.
    copies: bool,
}

/// The error of a document that JSON cannot express: it has a key that is not a string.
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

impl<'o> JsonWriter<'o> {
    fn new(text: String) -> JsonWriter<'o> {
        JsonWriter { text, out: None, failure: None, level: None, copies: false }
    }

    /// Writes the text to the output, then clears the text.
    fn drain(&mut self) {
        let Some(out) = &mut self.out else { return };
        if self.failure.is_none() {
            self.failure = out.write_all(self.text.as_bytes()).err();
        }
        self.text.clear();
    }

    /// Calls [`JsonWriter::drain`] if there is enough text for a piece.
    fn drain_piece(&mut self) {
        if self.text.len() >= PIECE {
            self.drain();
        }
    }

    /// Adds JSON text. With an output, the text is not copied.
    fn copy(&mut self, text: &str) {
        self.drain();
        match &mut self.out {
            Some(out) if self.failure.is_none() => {
                let mut pieces = text.as_bytes().chunks(PIECE);
                self.failure = pieces.find_map(|piece| out.write_all(piece).err());
            }
            Some(_) => {}
            None => self.text.push_str(text),
        }
    }

    fn string(&mut self, text: &str) {
        if !write_plain_string(&mut self.text, text) {
            self.text.push('"');
            let start = self.text.len();
            escape(&mut self.text, text);
            self.make_visible(start);
            self.text.push('"');
        }
    }

    /// Makes the text visible from a position on. Only strings have such characters, and most have none.
    fn make_visible(&mut self, start: usize) {
        if let Cow::Owned(visible) = visible_json(self.text.get(start..).unwrap_or_default()) {
            self.text.truncate(start);
            self.text.push_str(&visible);
        }
    }

    fn display(&mut self, number: impl Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{number}");
    }

    fn integer(&mut self, number: impl itoa::Integer) {
        self.text.push_str(itoa::Buffer::new().format(number));
    }

    /// Begins a line if items have lines of their own.
    fn break_line(&mut self) {
        if let Some(level) = self.level {
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n("  ", level));
        }
    }

    /// Adds the colon behind a name.
    fn colon(&mut self) {
        self.text.push_str(if self.level.is_some() { ": " } else { ":" });
    }

    fn open(&mut self, open: char, close: char) -> Compound<'_, 'o> {
        self.text.push(open);
        self.level = self.level.map(|level| level + 1);
        Compound { writer: self, close, has_items: false, is_raw: false }
    }
}

/// The content of a string that is being written.
struct StringContent<'w, 'o> {
    writer: &'w mut JsonWriter<'o>,
    /// The position in the text behind which nothing is escaped yet.
    start: usize,
}

impl StringContent<'_, '_> {
    /// Searches all text for characters to escape at once, because few values have any.
    fn escape(&mut self) {
        let text = &mut self.writer.text;
        let written = text.get(self.start..).unwrap_or_default();
        if let Some(at) = first_unusual(written.as_bytes()) {
            let rest = text.split_off(self.start + at);
            escape(text, &rest);
            self.writer.make_visible(self.start);
        }
        self.start = self.writer.text.len();
    }
}

impl fmt::Write for StringContent<'_, '_> {
    /// Writes a long text in pieces. They end where no command to a service is cut, because none contains these characters.
    fn write_str(&mut self, part: &str) -> fmt::Result {
        if self.writer.text.len() >= PIECE && part.starts_with(['\n', ',', ']', '}']) {
            self.escape();
            self.writer.drain_piece();
            self.start = self.writer.text.len();
        }
        self.writer.text.push_str(part);
        Ok(())
    }
}

/// An array or object whose items are being written.
struct Compound<'w, 'o> {
    writer: &'w mut JsonWriter<'o>,
    close: char,
    has_items: bool,
    /// Whether the only field is JSON text.
    is_raw: bool,
}

impl Compound<'_, '_> {
    fn separate(&mut self) {
        self.writer.drain_piece();
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
            if let Some(level) = self.writer.level {
                self.writer.level = Some(level.saturating_sub(1));
                if self.has_items {
                    self.writer.break_line();
                }
            }
            self.writer.text.push(self.close);
        }
        Ok(())
    }
}

impl<'w, 'o> ser::Serializer for &'w mut JsonWriter<'o> {
    type Ok = ();
    type Error = WriteError;
    type SerializeSeq = Compound<'w, 'o>;
    type SerializeTuple = Compound<'w, 'o>;
    type SerializeTupleStruct = Impossible<(), WriteError>;
    type SerializeTupleVariant = Impossible<(), WriteError>;
    type SerializeMap = Compound<'w, 'o>;
    type SerializeStruct = Compound<'w, 'o>;
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
        self.integer(value);
        Ok(())
    }

    fn serialize_u8(self, value: u8) -> Result<(), WriteError> {
        self.serialize_u64(u64::from(value))
    }

    fn serialize_u16(self, value: u16) -> Result<(), WriteError> {
        self.serialize_u64(u64::from(value))
    }

    /// Places in files have numbers of this type: lines, columns and bytes.
    fn serialize_u32(self, value: u32) -> Result<(), WriteError> {
        self.integer(value);
        Ok(())
    }

    fn serialize_u64(self, value: u64) -> Result<(), WriteError> {
        self.integer(value);
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
        match std::mem::take(&mut self.copies) {
            true => self.copy(value),
            false => self.string(value),
        }
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
        name: &'static str,
        value: &T,
    ) -> Result<(), WriteError> {
        self.copies = name == COPIED;
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

    fn serialize_seq(self, _length: Option<usize>) -> Result<Compound<'w, 'o>, WriteError> {
        Ok(self.open('[', ']'))
    }

    fn serialize_tuple(self, _length: usize) -> Result<Compound<'w, 'o>, WriteError> {
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

    fn serialize_map(self, _length: Option<usize>) -> Result<Compound<'w, 'o>, WriteError> {
        Ok(self.open('{', '}'))
    }

    fn serialize_struct(self, name: &'static str, _length: usize) -> Result<Compound<'w, 'o>, WriteError> {
        match name {
            // Only these names begin with `$`.
            _ if name.as_bytes().first() == Some(&b'$') && RAW.contains(&name) => {
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
        let start = self.text.len();
        let mut content = StringContent { writer: self, start };
        let written = write!(content, "{value}");
        content.escape();
        content.writer.text.push('"');
        written.map_err(ser::Error::custom)
    }
}

impl SerializeSeq for Compound<'_, '_> {
    type Ok = ();
    type Error = WriteError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        self.item(value)
    }

    fn end(self) -> Result<(), WriteError> {
        self.close()
    }
}

impl SerializeTuple for Compound<'_, '_> {
    type Ok = ();
    type Error = WriteError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        self.item(value)
    }

    fn end(self) -> Result<(), WriteError> {
        self.close()
    }
}

impl SerializeMap for Compound<'_, '_> {
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

impl SerializeStruct for Compound<'_, '_> {
    type Ok = ();
    type Error = WriteError;

    /// Names of fields are written in the source code of this crate and need no escapes.
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), WriteError> {
        if self.is_raw {
            // The text of a raw value is already JSON.
            let mut raw = JsonWriter::new(String::new());
            value.serialize(&mut raw)?;
            let text: String = serde_json::from_str(&raw.text).map_err(ser::Error::custom)?;
            self.writer.text.push_str(&text);
            return Ok(());
        }
        if self.writer.level.is_some() {
            self.separate();
            self.writer.text.push('"');
            self.writer.text.push_str(name);
            self.writer.text.push_str("\": ");
        } else {
            self.writer.drain_piece();
            // A single character is added without a call of a function.
            if self.has_items {
                self.writer.text.push(',');
            }
            self.has_items = true;
            self.writer.text.push('"');
            self.writer.text.push_str(name);
            self.writer.text.push_str("\":");
        }
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), WriteError> {
        self.close()
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::json;
    use serde_json::value::RawValue;

    use super::*;

    #[test]
    fn pieces_are_the_whole_text() {
        let document: Vec<_> = (0..9000).map(|number| json!({"number": number, "text": "a<b"})).collect();
        let mut pieces = Pieces { text: Vec::new(), longest: 0, room: usize::MAX };
        write_text(&document, &mut pieces).unwrap();
        assert_eq!(String::from_utf8(pieces.text).unwrap(), to_text(&document));
        assert!(pieces.longest < 2 * PIECE, "{}", pieces.longest);
        let mut full = Pieces { text: Vec::new(), longest: 0, room: PIECE };
        assert_eq!(write_text(&document, &mut full).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn copied_text_is_a_part_of_the_document() {
        let long = format!("[{}0]", "1,".repeat(2 * PIECE));
        let document = [Some(Copied("{\"a\":\"\\u003c\"}")), None, Some(Copied(&long))];
        let text = to_text(&document);
        assert_eq!(text, format!("[{{\"a\":\"\\u003c\"}},null,{long}]"));
        let mut pieces = Pieces { text: Vec::new(), longest: 0, room: usize::MAX };
        write_text(&document, &mut pieces).unwrap();
        assert_eq!(String::from_utf8(pieces.text).unwrap(), text);
        assert_eq!(pieces.longest, PIECE);
    }

    /// An output that fails after some pieces.
    struct Pieces {
        text: Vec<u8>,
        longest: usize,
        room: usize,
    }

    impl io::Write for Pieces {
        fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
            if self.text.len() > self.room {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.longest = self.longest.max(piece.len());
            self.text.extend_from_slice(piece);
            Ok(piece.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
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
