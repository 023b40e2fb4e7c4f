//! Ranges in files, as in `terraform validate -json`.

use serde::Serialize;
use terrane_source::{LineColumn, SourceFile, Span, Subject};

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
pub(crate) struct PositionJson {
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
        let (start, end) = PositionJson::ends_of(file, span);
        RangeJson { filename: PathText(file.id()), start, end }
    }
}

impl PositionJson {
    /// Returns the start and the end of a span.
    pub(crate) fn ends_of(file: &SourceFile, span: Span) -> (PositionJson, PositionJson) {
        let (start, end) = file.line_columns(span);
        let position = |at: LineColumn, offset| PositionJson {
            line: at.line,
            column: at.column,
            byte: file.byte_in_file(offset),
        };
        (position(start, span.start), position(end, span.end))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use terrane_source::MemoryFiles;

    use crate::{Project, Secrets};

    #[test]
    fn references_have_their_bytes_in_the_file() {
        let text = "\u{feff}# a comment\r\nresource \"aws_vpc\" \"b\" {\r\n  provider = \"aws.r\"\r\n  cidr = local.c\r\n}\r\n\
                    provider \"aws\" {\r\n  alias = \"r\"\r\n}\r\nlocals {\r\n  c = 1\r\n}\r\n";
        let report = Project::new(".").evaluate(&MemoryFiles::from_iter([("main.tf", text)]));
        let document: Value = serde_json::from_str(&report.document(Secrets::Hidden).to_json()).unwrap();
        let byte = |range: &Value, end: &str| usize::try_from(range[end]["byte"].as_u64().unwrap()).unwrap();
        let sliced = |reference: &Value| {
            let range = &reference["source"];
            text[byte(range, "start")..byte(range, "end")].to_owned()
        };
        let references = document["references"].as_array().unwrap().iter().map(sliced).collect::<Vec<_>>();
        assert_eq!(references, ["local.c", "aws.r"]);
    }
}
