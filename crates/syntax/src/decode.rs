//! Decodes the bytes of a native syntax file.
//!
//! Unlike [`SourceFile::from_bytes`], it accepts bytes in comments that are not UTF-8, as the reference does.

use std::sync::Arc;

use terrane_source::{Diagnostic, FileId, SourceFile, ids};

use crate::{LexMode, TokenKind, lex};

/// Returns the file in native syntax for its bytes. As in the reference, bytes that are not UTF-8 are ignored in comments,
/// where they have no meaning; replacement characters take their place.
///
/// # Errors
///
/// A diagnostic if there are such bytes outside of comments, or if the file is too large.
pub fn decode_native(id: FileId, bytes: Vec<u8>) -> Result<Arc<SourceFile>, Diagnostic> {
    let diagnostic = match SourceFile::from_bytes(id, bytes) {
        Ok(source) => return Ok(source),
        Err(diagnostic) => diagnostic,
    };
    match &diagnostic.subject {
        Some(subject) if diagnostic.id == ids::INVALID_ENCODING && only_in_comments(&subject.file) => {
            Ok(Arc::clone(&subject.file))
        }
        Some(_) | None => Err(diagnostic),
    }
}

fn only_in_comments(source: &Arc<SourceFile>) -> bool {
    let count = |text: &str| text.matches(char::REPLACEMENT_CHARACTER).count();
    let tokens = lex(source, LexMode::Normal).tokens;
    let comments = tokens.iter().filter(|token| token.kind() == TokenKind::Comment);
    comments.map(|comment| count(source.slice(comment.span()))).sum::<usize>() == count(source.text())
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
