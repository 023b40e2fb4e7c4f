//! Formats files with invalid bytes in comments. The language ignores these bytes, so they stay as they are.

use std::path::Path;
use std::sync::Arc;

use terrane::Diagnostic;
use terrane::source::{FileId, SourceFile};
use terrane::syntax::decode_native;

/// While a file is formatted, a private-use character stands for each invalid byte: U+F780 for 0x80, and so on.
const FIRST_STAND_IN: u32 = 0xf780;
const FIRST_WRONG_BYTE: u32 = 0x80;

/// The text of a file.
pub(super) struct Decoded {
    pub(super) source: Arc<SourceFile>,
    has_stand_ins: bool,
}

impl Decoded {
    pub(super) fn of(path: &Path, bytes: Vec<u8>) -> Result<Decoded, Diagnostic> {
        let id = FileId::new(path);
        // A text that contains such characters itself is an error, like any other invalid text.
        let has_stand_ins = std::str::from_utf8(&bytes).is_err()
            && !bytes.utf8_chunks().any(|chunk| chunk.valid().contains(is_stand_in));
        if !has_stand_ins {
            return Ok(Decoded { source: SourceFile::from_bytes(id, bytes)?, has_stand_ins });
        }
        let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().copied().filter_map(stand_in));
        }
        decode_native(id.clone(), bytes)?;
        Ok(Decoded { source: SourceFile::new(id, text), has_stand_ins })
    }

    /// Returns the bytes of a text that was made from this one.
    pub(super) fn encode(&self, text: &str) -> Vec<u8> {
        if !self.has_stand_ins {
            return text.as_bytes().to_vec();
        }
        let mut bytes = Vec::with_capacity(text.len());
        for character in text.chars() {
            match wrong_byte(character) {
                Some(byte) => bytes.push(byte),
                None => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        bytes
    }
}

fn stand_in(byte: u8) -> Option<char> {
    char::from_u32(u32::from(byte).checked_sub(FIRST_WRONG_BYTE)? + FIRST_STAND_IN)
}

fn wrong_byte(character: char) -> Option<u8> {
    let index = u32::from(character).checked_sub(FIRST_STAND_IN)?;
    u8::try_from(index + FIRST_WRONG_BYTE).ok()
}

fn is_stand_in(character: char) -> bool {
    wrong_byte(character).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Result<Decoded, Diagnostic> {
        Decoded::of(Path::new("a.tf"), bytes.to_vec())
    }

    #[test]
    fn wrong_bytes_survive_a_round_trip() {
        for bytes in [&b"a = 1 # \x80\xe9\xff\xc3"[..], b"# \xe2\x82 \xf0\x9f\x98 \xc3\xa9\n", b"a = 1\n"] {
            let decoded = decoded(bytes).unwrap();
            assert_eq!(decoded.encode(decoded.source.text()), bytes);
        }
    }

    #[test]
    fn wrong_bytes_elsewhere_are_errors() {
        for bytes in [&b"a = \"\xe9\"\n"[..], b"\xe9 = 1\n", b"# \xef\x9f\xbf \xe9\n"] {
            assert!(decoded(bytes).is_err());
        }
        assert!(decoded("# \u{f7ff}\n".as_bytes()).is_ok());
        assert_eq!(wrong_byte('\u{f77f}'), None);
        assert_eq!(
            (wrong_byte('\u{f780}'), wrong_byte('\u{f7ff}'), wrong_byte('\u{f800}')),
            (Some(0x80), Some(0xff), None)
        );
    }
}
