//! Decodes the bytes of a file into a source file.
//!
//! Separate from the file of [`SourceFile`], because the errors here are diagnostics, which refer to source files.

use std::sync::Arc;

use crate::{Diagnostic, FileId, SourceFile, Span, ids};

impl SourceFile {
    /// Returns the source file for the bytes of a file.
    ///
    /// # Errors
    ///
    /// A diagnostic when the bytes are not UTF-8 or are 4 GiB or more.
    pub fn from_bytes(id: FileId, bytes: Vec<u8>) -> Result<Arc<SourceFile>, Diagnostic> {
        if u32::try_from(bytes.len()).is_err() {
            let detail = format!("The file {id} is 4 GiB or larger. Split it into smaller files.");
            return Err(Diagnostic::error(ids::FILE_TOO_LARGE, detail));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(SourceFile::new(id, text)),
            Err(error) => {
                // The message needs a place in the text, so invalid bytes become replacement characters.
                let (mut text, mut wrong_bytes) = (String::with_capacity(error.as_bytes().len()), Vec::new());
                for chunk in error.as_bytes().utf8_chunks() {
                    text.push_str(chunk.valid());
                    if !chunk.invalid().is_empty() {
                        wrong_bytes.push(text.len());
                        text.push(char::REPLACEMENT_CHARACTER);
                    }
                }
                let file = SourceFile::with_wrong_bytes(id, text, wrong_bytes);
                Err(file.encoding_error(file.wrong_bytes().first().copied().unwrap_or_default()))
            }
        }
    }

    /// Returns the error about one of the [`SourceFile::wrong_bytes`].
    pub fn encoding_error(self: &Arc<SourceFile>, at: u32) -> Diagnostic {
        let id = self.id();
        let detail = match self.wrong_bytes().first() == Some(&at) {
            true => {
                let offset = self.byte_in_file(at);
                format!(
                    "The file {id} is not UTF-8 text: the first wrong byte is at offset {offset}. Save the file as \
                     UTF-8."
                )
            }
            false => format!("This is not UTF-8 text. Save the file {id} as UTF-8."),
        };
        let len = char::REPLACEMENT_CHARACTER.len_utf8() as u32;
        Diagnostic::error(ids::INVALID_ENCODING, detail).at(self, Span::new(at, at + len))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Arc<SourceFile>, Diagnostic> {
        SourceFile::from_bytes(FileId::new("a.tf"), bytes.to_vec())
    }

    #[test]
    fn one_byte_order_mark_is_no_text() {
        let file = read(b"\xef\xbb\xbf\xef\xbb\xbfa").unwrap();
        assert_eq!((file.text(), file.byte_order_mark_len()), ("\u{feff}a", 3));
        assert_eq!(read(b"a\0\r\r\n").unwrap().text(), "a\0\r\r\n");
        assert_eq!(read(b"").unwrap().byte_order_mark_len(), 0);
    }

    #[test]
    fn wrong_bytes_have_a_place() {
        let error = read(b"\xef\xbb\xbfa = 1\n\xc3\xa9 = \"\xff\xc3\"\n").unwrap_err();
        let subject = error.subject.unwrap();
        assert_eq!(subject.file.slice(subject.span), "\u{fffd}");
        assert_eq!(subject.file.wrong_bytes(), [12, 15]);
        let other = SourceFile::new(subject.file.id().clone(), format!("\u{feff}{}", subject.file.text()));
        assert!(!subject.file.is_same(&other) && other.wrong_bytes().is_empty());
        let place = subject.file.line_column(subject.span.start);
        assert_eq!((place.line, place.column), (2, 6));
        assert!(error.detail.contains("at offset 15."), "{}", error.detail);
    }
}
