//! Ranges in files, as in `terraform validate -json`.

use serde::Serialize;
use terrane_source::{SourceFile, Span, Subject};

use super::lazy::PathText;

/// A range in a file: lines and columns from 1, bytes from 0, the end exclusive.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Range"))]
pub(crate) struct RangeJson<'d> {
    /// The path of the file as it was given.
    filename: PathText<'d>,
    start: PositionJson,
    end: PositionJson,
}

/// A place in a file.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Position"))]
struct PositionJson {
    /// The line, from 1.
    line: u32,
    /// The column in characters as a reader counts them (grapheme clusters), from 1.
    column: u32,
    /// The byte, from 0.
    byte: u32,
}

impl<'d> RangeJson<'d> {
    pub(crate) fn of(subject: &'d Subject) -> RangeJson<'d> {
        RangeJson::at(&subject.file, subject.span)
    }

    pub(crate) fn at(file: &'d SourceFile, span: Span) -> RangeJson<'d> {
        let position = |byte: u32| {
            let at = file.lines().line_column(file.text(), byte);
            PositionJson { line: at.line, column: at.column, byte }
        };
        RangeJson { filename: PathText(file.id()), start: position(span.start), end: position(span.end) }
    }
}
