//! Character encodings: look-up by registered name, encoding and decoding.

use std::collections::HashMap;
use std::fmt;

use encoding_rs::Encoding;

use super::charset_names::{CHARSETS, EncodingKind};

/// A character encoding.
#[derive(Clone, Copy)]
pub(super) struct Charset {
    name: &'static str,
    kind: EncodingKind,
}

impl Charset {
    pub(super) fn named(name: &str) -> Option<Charset> {
        // The reference ignores white space around a name.
        let name = name.trim();
        let is = |names: &[&str]| names.iter().any(|registered| registered.eq_ignore_ascii_case(name));
        let (names, kind) = CHARSETS.iter().find(|(names, _)| is(names))?;
        Some(Charset { name: names.first()?, kind: *kind })
    }

    /// Returns the bytes of a text; `None` if the encoding lacks one of its characters.
    pub(super) fn encode(self, text: &str) -> Option<Vec<u8>> {
        let units = || text.encode_utf16();
        match self.kind {
            EncodingKind::Ascii => text.is_ascii().then(|| text.as_bytes().to_vec()),
            EncodingKind::Latin1 => text.chars().map(|character| u8::try_from(character).ok()).collect(),
            EncodingKind::Utf16 => {
                Some(std::iter::once(0xfeff).chain(units()).flat_map(u16::to_be_bytes).collect())
            }
            EncodingKind::Utf16Be => Some(units().flat_map(u16::to_be_bytes).collect()),
            EncodingKind::Utf16Le => Some(units().flat_map(u16::to_le_bytes).collect()),
            EncodingKind::Library(label) => {
                let encoding = Encoding::for_label(label.as_bytes())?;
                let refused = has_filler(encoding, text) || has_lookalike(encoding, text);
                if refused { None } else { encode_with(encoding, text) }
            }
            EncodingKind::Table(table) => {
                let bytes: HashMap<char, u8> = characters(table).zip(0..=u8::MAX).collect();
                text.chars().map(|character| bytes.get(&character).copied()).collect()
            }
        }
    }

    /// Returns the text of the bytes; `None` if they are invalid.
    pub(super) fn decode(self, bytes: &[u8]) -> Option<String> {
        let text = match self.kind {
            EncodingKind::Ascii => {
                bytes.is_ascii().then(|| bytes.iter().copied().map(char::from).collect())?
            }
            EncodingKind::Latin1 => bytes.iter().copied().map(char::from).collect(),
            EncodingKind::Utf16 => {
                // The byte order mark determines the order.
                let little = bytes.strip_prefix(&[0xff, 0xfe]);
                let big = bytes.strip_prefix(&[0xfe, 0xff]).unwrap_or(bytes);
                little.map_or_else(
                    || utf16(big, u16::from_be_bytes),
                    |bytes| utf16(bytes, u16::from_le_bytes),
                )?
            }
            EncodingKind::Utf16Be => utf16(bytes, u16::from_be_bytes)?,
            EncodingKind::Utf16Le => utf16(bytes, u16::from_le_bytes)?,
            EncodingKind::Library(label) => {
                let encoding = Encoding::for_label(label.as_bytes())?;
                let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?.into_owned();
                let has_private = || text.chars().any(|character| is_private_pair(encoding, character));
                if has_filler(encoding, &text) || has_private() {
                    return None;
                }
                text
            }
            EncodingKind::Table(table) => {
                let characters: Vec<char> = characters(table).collect();
                bytes.iter().map(|byte| characters.get(usize::from(*byte)).copied()).collect::<Option<_>>()?
            }
        };
        (!text.contains('\u{fffd}')).then_some(text)
    }
}

/// Encodes a text with the library, but refuses private-use characters.
fn encode_with(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for part in text.split_inclusive(is_private) {
        let last = part.chars().next_back().filter(|character| is_private_pair(encoding, *character));
        let plain = part.get(..part.len() - last.map_or(0, char::len_utf8))?;
        let (written, _, missing) = encoding.encode(plain);
        if missing {
            return None;
        }
        bytes.extend_from_slice(&written);
        if let Some(last) = last {
            bytes.extend(private_of_gb18030(encoding, last)?);
        }
    }
    Some(bytes)
}

fn is_private(character: char) -> bool {
    matches!(character, '\u{e000}'..='\u{f8ff}')
}

/// Whether the library has two bytes for a private-use character. The reference has none.
fn is_private_pair(encoding: &'static Encoding, character: char) -> bool {
    if !is_private(character) {
        return false;
    }
    match encoding.name() {
        "GBK" | "Shift_JIS" => true,
        // Browsers have no bytes for one of the private-use characters.
        "gb18030" => {
            let text = character.to_string();
            let (bytes, _, missing) = encoding.encode(&text);
            missing || bytes.len() == 2
        }
        _ => false,
    }
}

/// The first four-byte position of each range of private-use characters in GB 18030, and the first character of the
/// range.
const PRIVATE_POSITIONS: [(u32, u32); 13] = [
    (0xe000, 35_517),
    (0xe76c, 33_469),
    (0xe7c8, 33_470),
    (0xe7e7, 33_471),
    (0xe815, 33_484),
    (0xe819, 33_485),
    (0xe81f, 33_490),
    (0xe827, 33_497),
    (0xe82d, 33_501),
    (0xe833, 33_505),
    (0xe83c, 33_513),
    (0xe844, 33_520),
    (0xe856, 33_536),
];

/// Returns the four bytes that GB 18030 has for a private-use character; `None` for other encodings.
fn private_of_gb18030(encoding: &'static Encoding, character: char) -> Option<[u8; 4]> {
    let code = u32::from(character);
    let (first, position) = PRIVATE_POSITIONS.iter().rev().find(|(first, _)| *first <= code)?;
    let position = position + (code - first);
    let byte = |from: u8, place: u32, digits: u32| {
        u8::try_from(position / place % digits).ok().map(|digit| from + digit)
    };
    let bytes = [byte(0x81, 12_600, 126)?, byte(0x30, 1_260, 10)?, byte(0x81, 10, 126)?, byte(0x30, 1, 10)?];
    (encoding.name() == "gb18030").then_some(bytes)
}

/// Returns the characters of all bytes. A `table` of 128 characters begins at byte 128; the bytes before are ASCII.
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

/// Whether a text has control characters that only the library assigns to bytes without a character.
fn has_filler(encoding: &'static Encoding, text: &str) -> bool {
    let has_unused_bytes =
        encoding.name().starts_with("windows-") || encoding.name().starts_with("ISO-8859-");
    has_unused_bytes && text.contains(|c| matches!(c, '\u{80}'..='\u{9f}'))
}

/// Whether a text has the yen sign or the overline, which the library replaces by the ASCII characters that look like
/// them in Japanese fonts.
fn has_lookalike(encoding: &'static Encoding, text: &str) -> bool {
    matches!(encoding.name(), "Shift_JIS" | "EUC-JP" | "ISO-2022-JP") && text.contains(['\u{a5}', '\u{203e}'])
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
