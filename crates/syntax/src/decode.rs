//! Decodes the bytes of a native syntax file.
//!
//! Unlike [`SourceFile::from_bytes`], [`decode_native`] accepts bytes in comments that are not UTF-8, as the reference does.

use std::sync::Arc;

use terrane_source::{Diagnostic, FileId, SourceFile, ids};

use crate::limits::MAX_DIAGNOSTICS;
use crate::{LexMode, lex};

/// Returns the file in native syntax for its bytes, which need not be UTF-8 text. Replacement characters take the place of other bytes,
/// and parsing the file reports them outside of comments, as the reference does.
///
/// # Errors
///
/// A diagnostic if there are too many such bytes, or if the file is too large.
pub fn decode_damaged(id: FileId, bytes: Vec<u8>) -> Result<Arc<SourceFile>, Diagnostic> {
    let has_few = |source: &Arc<SourceFile>| source.wrong_bytes().len() <= MAX_DIAGNOSTICS;
    decode(id, bytes, |source| has_few(source) || only_in_comments(source))
}

/// Returns the file in native syntax for its bytes. As in the reference, bytes that are not UTF-8 are ignored in comments,
/// where they have no meaning; replacement characters take their place.
///
/// # Errors
///
/// A diagnostic if there are such bytes outside of comments, or if the file is too large.
pub fn decode_native(id: FileId, bytes: Vec<u8>) -> Result<Arc<SourceFile>, Diagnostic> {
    decode(id, bytes, only_in_comments)
}

/// Returns the file for its bytes, if they are UTF-8 text or the file with replacement characters is accepted.
fn decode(
    id: FileId,
    bytes: Vec<u8>,
    accepts: impl Fn(&Arc<SourceFile>) -> bool,
) -> Result<Arc<SourceFile>, Diagnostic> {
    let diagnostic = match SourceFile::from_bytes(id, bytes) {
        Ok(source) => return Ok(source),
        Err(diagnostic) => diagnostic,
    };
    match &diagnostic.subject {
        Some(subject) if diagnostic.id == ids::INVALID_ENCODING && accepts(&subject.file) => {
            Ok(Arc::clone(&subject.file))
        }
        Some(_) | None => Err(diagnostic),
    }
}

fn only_in_comments(source: &Arc<SourceFile>) -> bool {
    let found = lex(source, LexMode::Normal).diagnostics;
    !found.iter().any(|diagnostic| diagnostic.id == ids::INVALID_ENCODING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_body;

    #[test]
    fn wrong_bytes_are_passed_over_in_comments() {
        let decode = |bytes: &[u8]| decode_native(FileId::new("a.tf"), bytes.to_vec());
        assert_eq!(
            decode(b"# caf\xe9\na = 1 /* \xff\xfe */\n").unwrap().slice(terrane_source::Span::new(0, 8)),
            "# caf\u{fffd}"
        );
        for wrong in [&b"a = \"caf\xe9\"\n"[..], b"# \xe9\n\xe9 = 1\n", b"a = <<B\n# \xe9\nB\n"] {
            assert_eq!(decode(wrong).unwrap_err().id, ids::INVALID_ENCODING);
        }
    }

    #[test]
    fn a_wrong_byte_is_an_error_of_its_token() {
        let text = b"# \xff\na = \"caf\xe9\"\nb = 1\n\xe9 = [\n\"\xe9\xe9\"]\n";
        let source = decode_damaged(FileId::new("a.tf"), text.to_vec()).unwrap();
        let parsed = parse_body(&source);
        let found: Vec<_> =
            parsed.diagnostics.iter().map(|found| (found.id, found.detail.len() > 60)).collect();
        assert_eq!(found.iter().filter(|(id, _)| *id == ids::INVALID_ENCODING).count(), 4, "{found:?}");
        let damaged: Vec<&str> = parsed.damage.iter().map(|damage| source.slice(damage.span)).collect();
        assert_eq!(damaged, ["a = \"caf\u{fffd}\"", "\u{fffd} = [\n\"\u{fffd}\u{fffd}\"]"]);
        let many = [b"a = \"".to_vec(), vec![0xff; 3000], b"\"\n".to_vec()].concat();
        assert!(decode_damaged(FileId::new("a.tf"), many).is_err());
    }
}
