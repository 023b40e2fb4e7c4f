//! Character sets by their registered names.

use std::fmt;

use encoding_rs::Encoding;

/// A character set.
#[derive(Clone, Copy)]
pub(super) enum Charset {
    /// Every byte below 128 is the character of the same number.
    Ascii,
    /// Every byte is the character of the same number.
    Latin1,
    /// 16-bit units. With a byte order mark the order is big-endian when written and follows the mark when read.
    Utf16 { little: bool, marked: bool },
    /// One that the library knows.
    Other(&'static Encoding),
}

/// The names under which the library knows the character sets of the same names; under other names it knows
/// supersets, as browsers do.
const SAME: [&str; 34] = [
    "UTF-8",
    "IBM866",
    "ISO-8859-2",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-5",
    "ISO-8859-6",
    "ISO-8859-7",
    "ISO-8859-8",
    "ISO-8859-10",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-15",
    "ISO-8859-16",
    "KOI8-R",
    "KOI8-U",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "GBK",
    "GB18030",
    "Big5",
    "EUC-JP",
    "ISO-2022-JP",
    "Shift_JIS",
    "EUC-KR",
];

impl Charset {
    pub(super) fn named(name: &str) -> Option<Charset> {
        let is = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        if is(&[
            "ISO-8859-1",
            "ISO_8859-1",
            "ISO_8859-1:1987",
            "iso-ir-100",
            "latin1",
            "l1",
            "IBM819",
            "CP819",
        ]) {
            Some(Charset::Latin1)
        } else if is(&[
            "US-ASCII",
            "iso-ir-6",
            "ANSI_X3.4-1968",
            "ISO646-US",
            "us",
            "IBM367",
            "cp367",
            "csASCII",
        ]) {
            Some(Charset::Ascii)
        } else if is(&["UTF-16LE", "csUTF16LE"]) {
            Some(Charset::Utf16 { little: true, marked: false })
        } else if is(&["UTF-16BE", "csUTF16BE"]) {
            Some(Charset::Utf16 { little: false, marked: false })
        } else if is(&["UTF-16", "csUTF16"]) {
            Some(Charset::Utf16 { little: false, marked: true })
        } else {
            let known =
                if is(&["csUTF8"]) { Some("UTF-8") } else { SAME.into_iter().find(|known| is(&[known])) };
            Some(Charset::Other(Encoding::for_label(known?.as_bytes())?))
        }
    }

    /// The bytes of a text. None where it has characters that the set has not.
    pub(super) fn encode(self, text: &str) -> Option<Vec<u8>> {
        match self {
            Charset::Ascii => text.is_ascii().then(|| text.as_bytes().to_vec()),
            Charset::Latin1 => text.chars().map(|character| u8::try_from(character).ok()).collect(),
            Charset::Utf16 { little, marked } => {
                let mark = if marked { Some(0xfeff) } else { None };
                let units = mark.into_iter().chain(text.encode_utf16());
                let bytes = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
                Some(units.flat_map(bytes).collect())
            }
            Charset::Other(encoding) => {
                let (bytes, _, missing) = encoding.encode(text);
                (!missing && !has_filler(encoding, text)).then(|| bytes.into_owned())
            }
        }
    }

    /// The text of bytes. None where they do not stand for characters.
    pub(super) fn decode(self, bytes: &[u8]) -> Option<String> {
        let text = match self {
            Charset::Ascii => bytes.is_ascii().then(|| bytes.iter().copied().map(char::from).collect())?,
            Charset::Latin1 => bytes.iter().copied().map(char::from).collect(),
            Charset::Utf16 { mut little, marked } => {
                let mut bytes = bytes;
                if marked {
                    little = bytes.starts_with(&[0xff, 0xfe]);
                    let behind =
                        bytes.strip_prefix(&[0xff, 0xfe]).or_else(|| bytes.strip_prefix(&[0xfe, 0xff]));
                    bytes = behind.unwrap_or(bytes);
                }
                let (pairs, odd) = bytes.as_chunks::<2>();
                if !odd.is_empty() {
                    return None;
                }
                let unit = |pair: &[u8; 2]| {
                    if little { u16::from_le_bytes(*pair) } else { u16::from_be_bytes(*pair) }
                };
                let units: Vec<u16> = pairs.iter().map(unit).collect();
                String::from_utf16(&units).ok()?
            }
            Charset::Other(encoding) => {
                let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?.into_owned();
                if has_filler(encoding, &text) {
                    return None;
                }
                text
            }
        };
        (!text.contains('\u{fffd}')).then_some(text)
    }
}

/// Whether a text has control characters that only the library puts in the place of unused bytes.
fn has_filler(encoding: &'static Encoding, text: &str) -> bool {
    encoding.name().starts_with("windows-") && text.contains(|c| matches!(c, '\u{80}'..='\u{9f}'))
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Charset::Ascii => "US-ASCII",
            Charset::Latin1 => "ISO-8859-1",
            Charset::Utf16 { marked: true, .. } => "UTF-16",
            Charset::Utf16 { little: true, .. } => "UTF-16LE",
            Charset::Utf16 { little: false, .. } => "UTF-16BE",
            Charset::Other(encoding) => encoding.name(),
        })
    }
}
