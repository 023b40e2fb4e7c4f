//! Converts byte offsets into lines and columns.
//!
//! [`LineIndex`] stores the start of each line. [`SourceFile`](crate::SourceFile) builds one on first use, and gives its text to each
//! method.

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

/// The starts of the lines of a text.
///
/// Each method takes the text that was indexed.
#[derive(Clone, Debug)]
pub(crate) struct LineIndex {
    starts: Vec<u32>,
    /// Positions within long lines, in order, so that a column is found without counting from the start of the line.
    milestones: Vec<Milestone>,
    /// Whether the whole text is ASCII, so that columns are differences of offsets.
    is_ascii: bool,
}

/// An offset, with the number of columns before it on its line.
#[derive(Clone, Copy, Debug)]
struct Milestone {
    offset: u32,
    graphemes: u32,
    utf16: u32,
}

/// The approximate number of bytes between two milestones.
const MILESTONE_BYTES: usize = 4096;

/// The number of bytes before an offset in which the start of its line is searched for first.
const NEAR_BYTES: usize = 64;

impl LineIndex {
    /// Indexes `text`; a line ends behind each `\n`.
    pub(crate) fn new(text: &str) -> LineIndex {
        let Lines { starts, longest, is_ascii } = Lines::of(text);
        let mut index = LineIndex { starts, milestones: Vec::new(), is_ascii };
        if longest as usize <= MILESTONE_BYTES {
            return index;
        }
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let ends = index.starts.iter().skip(1).copied().chain([length]);
        let is_long = |line: &(u32, u32)| (line.1 - line.0) as usize > MILESTONE_BYTES;
        let long: Vec<(u32, u32)> = index.starts.iter().copied().zip(ends).filter(is_long).collect();
        for (start, _) in long {
            let line = index.line_span(text, index.line(start));
            index.add_milestones(text, line);
        }
        index
    }

    /// Adds the milestones of a line. They are between two ASCII characters, where a grapheme cluster always ends.
    fn add_milestones(&mut self, text: &str, line: Span) {
        let bytes = text.as_bytes().get(line.range()).unwrap_or_default();
        let mut last = Milestone { offset: line.start, graphemes: 0, utf16: 0 };
        let mut from = MILESTONE_BYTES;
        while let Some(pair) =
            bytes.get(from..).and_then(|rest| rest.windows(2).position(|pair| pair.is_ascii()))
        {
            let offset = line.start.saturating_add(u32::try_from(from + pair + 1).unwrap_or(u32::MAX));
            let between = text.get(last.offset as usize..offset as usize).unwrap_or_default();
            last = Milestone {
                offset,
                graphemes: last.graphemes.saturating_add(self.graphemes(between)),
                utf16: last.utf16.saturating_add(self.utf16_units(between)),
            };
            self.milestones.push(last);
            from += pair + 1 + MILESTONE_BYTES;
        }
    }

    /// Returns the last milestone on the line at or before `offset`, or the start of the line if there is none.
    fn milestone(&self, line: u32, offset: u32) -> Milestone {
        let start = Milestone { offset: self.start(line), graphemes: 0, utf16: 0 };
        let count = self.milestones.partition_point(|milestone| milestone.offset <= offset);
        let before = self.milestones.get(..count).unwrap_or_default().last();
        before.copied().filter(|milestone| milestone.offset >= start.offset).unwrap_or(start)
    }

    /// Returns the number of lines. A text without a line break has one.
    pub(crate) fn line_count(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    /// Returns the one-based line that contains `offset`.
    pub(crate) fn line(&self, offset: u32) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    /// Returns the start of the line that contains `offset`.
    pub(crate) fn line_start(&self, text: &str, offset: u32) -> u32 {
        // Most lines are short, and then a search in the text is faster than one among all lines.
        let end = (offset as usize).min(text.len());
        let from = end.saturating_sub(NEAR_BYTES);
        let before = text.as_bytes().get(from..end).unwrap_or_default();
        match before.iter().rposition(|byte| *byte == b'\n') {
            Some(at) => u32::try_from(from + at + 1).unwrap_or(u32::MAX),
            None if from == 0 => 0,
            None => self.start(self.line(offset)),
        }
    }

    /// Returns the line and column of `offset` in `text`, which must be the indexed text.
    pub(crate) fn line_column(&self, text: &str, offset: u32) -> LineColumn {
        self.on_line(text, self.line(offset), offset)
    }

    /// Returns the lines and columns of the ends of `span` in `text`. Most spans end on the line that they start on.
    pub(crate) fn line_columns(&self, text: &str, span: Span) -> (LineColumn, LineColumn) {
        let line = self.line(span.start);
        let next = self.starts.get(line as usize).copied();
        let end_line = if next.is_none_or(|next| span.end < next) { line } else { self.line(span.end) };
        (self.on_line(text, line, span.start), self.on_line(text, end_line, span.end))
    }

    /// Returns the one-based `line` of `offset`, with the column.
    fn on_line(&self, text: &str, line: u32, offset: u32) -> LineColumn {
        let from = self.milestone(line, offset);
        let before = text.get(from.offset as usize..offset as usize).unwrap_or_default();
        let column = from.graphemes.saturating_add(self.graphemes(before)).saturating_add(1);
        LineColumn { line, column }
    }

    /// The zero-based column of `offset` in UTF-16 code units, as editors count.
    pub(crate) fn utf16_column(&self, text: &str, offset: u32) -> u32 {
        let from = self.milestone(self.line(offset), offset);
        let before = text.get(from.offset as usize..offset as usize).unwrap_or_default();
        from.utf16.saturating_add(self.utf16_units(before))
    }

    /// Returns the offset at a zero-based column in UTF-16 code units of the one-based `line`: see `SourceFile::offset_of_utf16`.
    pub(crate) fn offset_of_utf16(&self, text: &str, line: u32, column: u32) -> u32 {
        let span = self.line_span(text, line);
        if line > self.line_count() {
            return span.end;
        }
        let start = Milestone { offset: span.start, graphemes: 0, utf16: 0 };
        let from = self.milestones.partition_point(|milestone| milestone.offset <= span.start);
        let of_line = self.milestones.get(from..).unwrap_or_default();
        let count =
            of_line.partition_point(|milestone| milestone.offset <= span.end && milestone.utf16 <= column);
        let from = of_line.get(..count).unwrap_or_default().last().copied().unwrap_or(start);
        let rest = text.get(from.offset as usize..span.end as usize).unwrap_or_default();
        let mut left = column.saturating_sub(from.utf16);
        for (offset, character) in rest.char_indices() {
            let units = if character.len_utf16() == 1 { 1 } else { 2 };
            if left < units {
                return from.offset + u32::try_from(offset).unwrap_or_default();
            }
            left -= units;
        }
        span.end
    }

    /// Returns the span of the one-based `line` in `text`, without its line break. Returns an empty span at the end of the text
    /// if the line does not exist.
    pub(crate) fn line_span(&self, text: &str, line: u32) -> Span {
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

    /// Returns the number of grapheme clusters in a part of a line.
    fn graphemes(&self, part: &str) -> u32 {
        let is_ascii = self.is_ascii || part.is_ascii();
        let count = if is_ascii { part.len() } else { part.graphemes(true).count() };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn utf16_units(&self, part: &str) -> u32 {
        let is_ascii = self.is_ascii || part.is_ascii();
        let count = if is_ascii { part.len() } else { part.encode_utf16().count() };
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

/// The lines of a text. Their ends are searched for in eight bytes at a time.
struct Lines {
    starts: Vec<u32>,
    /// The length of the longest line in bytes, with its line end.
    longest: u32,
    is_ascii: bool,
}

impl Lines {
    fn of(text: &str) -> Lines {
        let mut lines =
            Lines { starts: Vec::with_capacity(text.len() / TYPICAL_LINE + 1), longest: 0, is_ascii: true };
        lines.starts.push(0);
        let (words, rest) = text.as_bytes().as_chunks();
        let (mut start, mut all) = (0, 0);
        for (number, word) in words.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            all |= word;
            let mut ends = line_ends(word);
            while ends != 0 {
                start = lines.add(start, 8 * number + ends.trailing_zeros() as usize / 8 + 1);
                // Removes the line end that was just added.
                ends &= ends - 1;
            }
        }
        for (position, byte) in rest.iter().enumerate() {
            all |= u64::from(*byte);
            if *byte == b'\n' {
                start = lines.add(start, text.len() - rest.len() + position + 1);
            }
        }
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        lines.longest = lines.longest.max(length - start);
        lines.is_ascii = all & HIGHEST_BITS == 0;
        lines
    }

    /// Adds the start of a line. `before` is the start of the line before it.
    fn add(&mut self, before: u32, start: usize) -> u32 {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        self.longest = self.longest.max(start - before);
        self.starts.push(start);
        start
    }
}

/// The assumed length of a line in bytes, so that the list of lines seldom grows.
const TYPICAL_LINE: usize = 24;

/// The highest bit of each byte.
const HIGHEST_BITS: u64 = 0x8080_8080_8080_8080;

/// Returns the highest bit of each byte that is a line feed.
fn line_ends(word: u64) -> u64 {
    let other = word ^ u64::from_ne_bytes([b'\n'; 8]);
    // The highest bit of a byte becomes 1 unless the byte is zero: it has this bit, or the addition carries into it.
    !(((other & !HIGHEST_BITS) + !HIGHEST_BITS) | other) & HIGHEST_BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_behind_each_line_feed() {
        for text in [
            "",
            "\n",
            "a\n\nb",
            "12345678\n9",
            "1234567\n\u{8a}\n\n\n\n\n\n\n\n\u{10a}\n\t\n",
            "\r\n\r\n123456\r",
        ] {
            let index = LineIndex::new(text);
            let expected = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
            let found: Vec<usize> = index.starts.iter().skip(1).map(|start| *start as usize).collect();
            assert_eq!(found, expected.collect::<Vec<_>>(), "{text:?}");
            assert_eq!(index.is_ascii, text.is_ascii(), "{text:?}");
        }
    }

    #[test]
    fn the_start_of_a_line_is_found_near_and_far() {
        let text = format!("a\n\n{}\nb", "é".repeat(NEAR_BYTES));
        let index = LineIndex::new(&text);
        for offset in 0..=u32::try_from(text.len()).unwrap() + 1 {
            assert_eq!(index.line_start(&text, offset), index.start(index.line(offset)), "{offset}");
        }
        assert_eq!(LineIndex::new("").line_start("", 0), 0);
    }

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
    fn a_position_beyond_the_text_is_at_its_end() {
        let text = "a\n😸b\r\nc";
        let index = LineIndex::new(text);
        let offsets: Vec<u32> = (0..5).map(|column| index.offset_of_utf16(text, 2, column)).collect();
        assert_eq!(offsets, [2, 2, 6, 7, 7], "a column within a character, and one behind the line");
        assert_eq!(index.offset_of_utf16(text, 3, 9), 10);
        assert_eq!(
            (index.offset_of_utf16(text, 4, 0), LineIndex::new("").offset_of_utf16("", 1, 3)),
            (10, 0)
        );
    }

    #[test]
    fn an_offset_at_the_end_is_on_the_last_line() {
        let index = LineIndex::new("a\n");
        assert_eq!(index.line_column("a\n", 2), LineColumn { line: 2, column: 1 });
        assert_eq!(index.line_span("a\n", 9), Span::empty(2));
    }
    #[test]
    fn columns_in_long_lines_are_counted_from_milestones() {
        let mut text = "x\n".to_owned();
        for index in 0..3000 {
            text.push_str(["ab", "e\u{301}", "😸", "漢字漢字", "\r ", " \u{301}"][index % 6]);
        }
        text.push_str("\nend");
        let index = LineIndex::new(&text);
        assert_eq!(index.milestones.len(), 3);
        for offset in (2..text.len()).step_by(7).filter(|offset| text.is_char_boundary(*offset)) {
            let offset = u32::try_from(offset).unwrap();
            let place = index.line_column(&text, offset);
            let start = index.start(place.line) as usize;
            let before = &text[start..offset as usize];
            assert_eq!(place.column as usize, before.graphemes(true).count() + 1, "{offset}");
            let column = index.utf16_column(&text, offset);
            assert_eq!(column as usize, before.encode_utf16().count());
            assert_eq!(index.offset_of_utf16(&text, place.line, column), offset);
        }
    }
}
