//! Character sets by their registered names.

use std::collections::HashMap;
use std::fmt;

use encoding_rs::Encoding;

use super::charset_names::{CHARSETS, Kind};

/// A character set.
#[derive(Clone, Copy)]
pub(super) struct Charset {
    name: &'static str,
    kind: Kind,
}

impl Charset {
    pub(super) fn named(name: &str) -> Option<Charset> {
        // As in the reference, white space around a name does not count.
        let name = name.trim();
        let is = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        let (names, kind) = CHARSETS.iter().find(|(names, _)| is(names))?;
        Some(Charset { name: names.first()?, kind: *kind })
    }

    /// The bytes of a text. None where it has characters that the set has not.
    pub(super) fn encode(self, text: &str) -> Option<Vec<u8>> {
        let units = || text.encode_utf16();
        match self.kind {
            Kind::Ascii => text.is_ascii().then(|| text.as_bytes().to_vec()),
            Kind::Latin1 => text.chars().map(|character| u8::try_from(character).ok()).collect(),
            Kind::Utf16 => Some(std::iter::once(0xfeff).chain(units()).flat_map(u16::to_be_bytes).collect()),
            Kind::Utf16Be => Some(units().flat_map(u16::to_be_bytes).collect()),
            Kind::Utf16Le => Some(units().flat_map(u16::to_le_bytes).collect()),
            Kind::Library(label) => {
                let encoding = Encoding::for_label(label.as_bytes())?;
                let (bytes, _, missing) = encoding.encode(text);
                let refused = missing || has_filler(encoding, text) || has_lookalike(encoding, text);
                (!refused).then(|| bytes.into_owned())
            }
            Kind::Table(table) => {
                let bytes: HashMap<char, u8> = characters(table).zip(0..=u8::MAX).collect();
                text.chars().map(|character| bytes.get(&character).copied()).collect()
            }
        }
    }

    /// The text of bytes. None where they do not stand for characters.
    pub(super) fn decode(self, bytes: &[u8]) -> Option<String> {
        let text = match self.kind {
            Kind::Ascii => bytes.is_ascii().then(|| bytes.iter().copied().map(char::from).collect())?,
            Kind::Latin1 => bytes.iter().copied().map(char::from).collect(),
            Kind::Utf16 => {
                // The mark says the order.
                let little = bytes.strip_prefix(&[0xff, 0xfe]);
                let big = bytes.strip_prefix(&[0xfe, 0xff]).unwrap_or(bytes);
                little.map_or_else(
                    || utf16(big, u16::from_be_bytes),
                    |bytes| utf16(bytes, u16::from_le_bytes),
                )?
            }
            Kind::Utf16Be => utf16(bytes, u16::from_be_bytes)?,
            Kind::Utf16Le => utf16(bytes, u16::from_le_bytes)?,
            Kind::Library(label) => {
                let encoding = Encoding::for_label(label.as_bytes())?;
                let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?.into_owned();
                if has_filler(encoding, &text) {
                    return None;
                }
                text
            }
            Kind::Table(table) => {
                let characters: Vec<char> = characters(table).collect();
                bytes.iter().map(|byte| characters.get(usize::from(*byte)).copied()).collect::<Option<_>>()?
            }
        };
        (!text.contains('\u{fffd}')).then_some(text)
    }
}

/// The characters of all bytes: where `table` has only those from 128 on, the others are ASCII.
fn characters(table: &'static str) -> impl Iterator<Item = char> {
    let is_upper_half = table.chars().nth(128).is_none();
    let ascii = if is_upper_half { 0..128_u8 } else { 0..0 };
    ascii.map(char::from).chain(table.chars())
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    if odd.is_empty() { String::from_utf16(&units).ok() } else { None }
}

/// Whether a text has control characters that only the library puts in the place of unused bytes.
fn has_filler(encoding: &'static Encoding, text: &str) -> bool {
    let has_unused_bytes =
        encoding.name().starts_with("windows-") || encoding.name().starts_with("ISO-8859-");
    has_unused_bytes && text.contains(|c| matches!(c, '\u{80}'..='\u{9f}'))
}

/// Whether a text has the yen sign or the overline, in the place of which the library writes the ASCII characters
/// that were drawn as them in Japan.
fn has_lookalike(encoding: &'static Encoding, text: &str) -> bool {
    matches!(encoding.name(), "Shift_JIS" | "EUC-JP" | "ISO-2022-JP") && text.contains(['\u{a5}', '\u{203e}'])
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
