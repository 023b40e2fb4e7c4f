//! Converts spans to line and UTF-16 column, as most other programs count.

use terrane_source::{SourceFile, Span};

/// A range as most programs count: lines and columns from 1, columns in UTF-16 code units, the end behind the last character.
pub(crate) struct LineRange {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) end_line: u32,
    pub(crate) end_column: u32,
}

/// Returns the range of `span` in `file`. A line break at its end is left out, because it cannot be marked.
pub(crate) fn line_range(file: &SourceFile, span: Span) -> LineRange {
    let marked = file.slice(span).trim_end_matches(['\r', '\n']);
    let marked = u32::try_from(marked.len()).map_or(span.end, |len| span.start.saturating_add(len));
    // A span outside of the text has no text, but it has a place.
    let end = if file.slice(span).is_empty() { span.end } else { marked };
    let column = |offset| file.utf16_column(offset).saturating_add(1);
    LineRange {
        line: file.line(span.start),
        column: column(span.start),
        end_line: file.line(end),
        end_column: column(end),
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::FileId;

    use super::*;

    #[test]
    fn a_line_break_at_the_end_is_not_marked() {
        let file = SourceFile::new(FileId::new("a.tf"), "😀 b\r\nc\n");
        let numbers = |start, end| {
            let place = line_range(&file, Span::new(start, end));
            [place.line, place.column, place.end_line, place.end_column]
        };
        assert_eq!(numbers(5, 8), [1, 4, 1, 5]);
        assert_eq!(numbers(6, 8), [1, 5, 1, 5]);
        assert_eq!(numbers(0, 9), [1, 1, 2, 2]);
        assert_eq!(numbers(10, 10), [3, 1, 3, 1]);
    }
}
