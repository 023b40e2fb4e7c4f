use unicode_segmentation::UnicodeSegmentation;

use crate::Span;

/// A position as people write it: one-based line, one-based column in grapheme clusters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, counted in grapheme clusters (user-perceived characters).
    pub column: u32,
}

/// Where each line of a text starts.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Indexes `text`; a line ends behind each `\n`.
    pub fn new(text: &str) -> LineIndex {
        let mut starts = vec![0];
        starts.extend(text.bytes().zip(1_u32..).filter(|(byte, _)| *byte == b'\n').map(|(_, next)| next));
        LineIndex { starts }
    }

    /// Number of lines; a text without a line break has one.
    pub fn line_count(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    /// The one-based line in which `offset` lies.
    pub fn line(&self, offset: u32) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    /// The line and column of `offset` in `text`, which must be the text that was indexed.
    pub fn line_column(&self, text: &str, offset: u32) -> LineColumn {
        let line = self.line(offset);
        let start = self.start(line);
        let before = text.get(start as usize..offset as usize).unwrap_or_default();
        let column = u32::try_from(before.graphemes(true).count()).unwrap_or(u32::MAX).saturating_add(1);
        LineColumn { line, column }
    }

    /// The zero-based column of `offset` in UTF-16 code units, as editors count.
    pub fn utf16_column(&self, text: &str, offset: u32) -> u32 {
        let start = self.start(self.line(offset));
        let before = text.get(start as usize..offset as usize).unwrap_or_default();
        u32::try_from(before.encode_utf16().count()).unwrap_or(u32::MAX)
    }

    /// The span of the one-based `line` in `text`, without its line break; empty at the end of the text
    /// where there is no such line.
    pub fn line_span(&self, text: &str, line: u32) -> Span {
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let start = self.start(line);
        let next = self.starts.get(line as usize).copied().unwrap_or(length);
        let content = text.get(start as usize..next as usize).unwrap_or_default();
        let content = content.strip_suffix('\n').unwrap_or(content);
        let content = content.strip_suffix('\r').unwrap_or(content);
        Span::new(start, start + u32::try_from(content.len()).unwrap_or(0))
    }

    fn start(&self, line: u32) -> u32 {
        let index = (line as usize).saturating_sub(1);
        self.starts.get(index).or(self.starts.last()).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_grapheme_clusters() {
        let text = "a\ne\u{301}😸b\r\nc";
        let index = LineIndex::new(text);
        assert_eq!(index.line_count(), 3);
        let b = u32::try_from(text.find('b').unwrap()).unwrap();
        assert_eq!(index.line_column(text, b), LineColumn { line: 2, column: 3 });
        assert_eq!(index.utf16_column(text, b), 4);
        assert_eq!(&text[index.line_span(text, 2).range()], "e\u{301}😸b");
    }

    #[test]
    fn an_offset_at_the_end_is_on_the_last_line() {
        let index = LineIndex::new("a\n");
        assert_eq!(index.line_column("a\n", 2), LineColumn { line: 2, column: 1 });
        assert_eq!(index.line_span("a\n", 9), Span::empty(2));
    }
}
