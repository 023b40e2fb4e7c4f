//! Parses a file in the native syntax or in JSON: the one place that decides between them.

use std::sync::Arc;

use terrane_source::{Diagnostic, FileId, SourceFile};

use crate::decode::decode_damaged;
use crate::json::{self, parse_json};
use crate::parser::{parse_body, parse_values};
use crate::tree::{BodyId, Parsed};

/// The syntax of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    /// The native syntax.
    Native,
    /// JSON.
    Json,
}

impl Syntax {
    /// Returns the syntax of a file: JSON if its name ends in `.json`.
    pub fn of_file(id: &FileId) -> Syntax {
        if id.is_json() { Syntax::Json } else { Syntax::Native }
    }

    /// Decodes the bytes of a file. In native syntax, bytes that are not UTF-8 are errors of the parser.
    ///
    /// # Errors
    ///
    /// If the bytes are not text in an encoding of the syntax.
    pub fn decode(self, id: FileId, bytes: Vec<u8>) -> Result<Arc<SourceFile>, Diagnostic> {
        match self {
            Syntax::Native => decode_damaged(id, bytes),
            Syntax::Json => SourceFile::from_bytes(id, bytes),
        }
    }

    /// Returns the syntax of a text without a file name: JSON if it begins with a brace.
    pub fn of_text(text: impl AsRef<[u8]>) -> Syntax {
        match text.as_ref().trim_ascii_start().first() {
            Some(b'{') => Syntax::Json,
            Some(_) | None => Syntax::Native,
        }
    }
}

/// A parsed file.
#[derive(Clone, Debug)]
pub enum ParsedSource {
    /// A file in the native syntax.
    Native(Parsed<BodyId>),
    /// A file in JSON.
    Json(json::Document),
}

impl ParsedSource {
    /// Parses a file in the syntax that its name selects.
    pub fn of(source: &Arc<SourceFile>) -> ParsedSource {
        ParsedSource::in_syntax(source, Syntax::of_file(source.id()))
    }

    /// Parses a file in a syntax.
    pub fn in_syntax(source: &Arc<SourceFile>, syntax: Syntax) -> ParsedSource {
        match syntax {
            Syntax::Native => ParsedSource::Native(parse_body(source)),
            Syntax::Json => ParsedSource::Json(parse_json(source)),
        }
    }

    /// Parses a variable file in the syntax that its name selects.
    pub fn of_values(source: &Arc<SourceFile>) -> ParsedSource {
        match Syntax::of_file(source.id()) {
            Syntax::Native => ParsedSource::Native(parse_values(source)),
            Syntax::Json => ParsedSource::Json(parse_json(source)),
        }
    }

    /// Returns the mistakes in the syntax.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        match self {
            ParsedSource::Native(parsed) => parsed.diagnostics,
            ParsedSource::Json(document) => document.diagnostics,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_or_the_text_selects_the_syntax() {
        let of_file = |name| Syntax::of_file(&FileId::new(name));
        assert_eq!(
            ["a.tf", "a.tf.json", "json"].map(of_file),
            [Syntax::Native, Syntax::Json, Syntax::Native]
        );
        assert_eq!(
            ["a = 1", " \n{}", ""].map(Syntax::of_text),
            [Syntax::Native, Syntax::Json, Syntax::Native]
        );
        let errors =
            |name| ParsedSource::of(&SourceFile::new(FileId::new(name), "a = 1\n")).into_diagnostics().len();
        assert_eq!((errors("a.tf"), errors("a.tf.json") > 0), (0, true));
    }
}
