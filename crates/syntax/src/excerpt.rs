//! [`Excerpt`]: the decoded text of a string, with the place in the file of each piece.
//!
//! Templates in JSON strings and quoted references are parsed as decoded text. Their spans are then translated to spans of the
//! file.

use std::fmt;
use std::sync::Arc;

use terrane_source::{Diagnostic, Edit, FileId, SourceFile, Span, Subject};

/// The decoded text of a part of a file.
///
/// Every character of the text has a place in the file, and places grow with offsets, so that spans of the text can be
/// translated to spans of the file and back.
#[derive(Clone)]
pub(crate) struct Excerpt {
    /// The text as a file of its own, for the parser.
    text: Arc<SourceFile>,
    /// Offsets at which the text begins to differ from the file. From each anchor to the next, both have the same bytes.
    anchors: Vec<Anchor>,
}

/// An offset in the text, and the offset in the file that it corresponds to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Anchor {
    text: u32,
    file: u32,
}

/// An [`Excerpt`] under construction, in the order of the file.
pub(crate) struct ExcerptBuilder {
    text: String,
    anchors: Vec<Anchor>,
}

impl ExcerptBuilder {
    /// Returns an empty excerpt that begins at `offset` of the file.
    pub(crate) fn new(offset: u32) -> ExcerptBuilder {
        ExcerptBuilder { text: String::new(), anchors: vec![Anchor { text: 0, file: offset }] }
    }

    /// Adds text that the file contains unchanged.
    pub(crate) fn plain(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a character that is written in another way, such as an escape, which ends at `end` in the file.
    pub(crate) fn escaped(&mut self, character: char, end: u32) {
        self.text.push(character);
        self.anchors.push(Anchor { text: offset(self.text.len()), file: end });
    }

    pub(crate) fn finish(mut self, id: &FileId) -> Excerpt {
        let removed = if self.text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let text = SourceFile::new(id.clone(), self.text);
        if removed > 0 {
            // The byte order mark is not part of a source file's text. No diagnostic is about it, so its anchor may be dropped.
            let removed = offset(removed);
            if self.anchors.get(1).is_none_or(|anchor| anchor.text != removed)
                && let Some(first) = self.anchors.first_mut()
            {
                *first = Anchor { text: removed, file: first.file + removed };
            }
            self.anchors.retain(|anchor| anchor.text >= removed);
            for anchor in &mut self.anchors {
                anchor.text -= removed;
            }
        }
        Excerpt { text, anchors: self.anchors }
    }
}

const BYTE_ORDER_MARK: char = '\u{feff}';

impl Excerpt {
    /// Returns the text as a file of its own.
    pub(crate) fn text(&self) -> &Arc<SourceFile> {
        &self.text
    }

    /// Whether the file contains the text unchanged.
    pub(crate) fn is_plain(&self) -> bool {
        self.anchors.len() <= 1
    }

    /// Returns the start of the text in the file.
    pub(crate) fn start(&self) -> u32 {
        self.place(0)
    }

    /// Whether the bytes at a span of the file are within the text.
    pub(crate) fn covers(&self, span: Span) -> bool {
        self.start() <= span.start && span.end <= self.place(offset(self.text.text().len()))
    }

    /// Returns the place in the file of an offset in the text.
    pub(crate) fn place(&self, offset: u32) -> u32 {
        let behind = self.anchors.partition_point(|anchor| anchor.text <= offset);
        self.anchors.get(behind.saturating_sub(1)).map_or(0, |anchor| anchor.file + (offset - anchor.text))
    }

    /// Returns the bytes of the file that a span of the text stands for.
    pub(crate) fn span(&self, span: Span) -> Span {
        Span::new(self.place(span.start), self.place(span.end))
    }

    /// Returns the text at a span of the file.
    pub(crate) fn slice(&self, span: Span) -> &str {
        self.text.slice(Span::new(self.offset(span.start), self.offset(span.end)))
    }

    /// Moves the places of a message from the text to the file.
    pub(crate) fn relocate(&self, diagnostic: &mut Diagnostic, file: &Arc<SourceFile>) {
        if let Some(subject) = &mut diagnostic.subject {
            subject.file = Arc::clone(file);
            subject.span = self.span(subject.span);
        }
        diagnostic.context = diagnostic.context.map(|span| self.span(span));
        for label in &mut diagnostic.labels {
            label.place = Subject { file: Arc::clone(file), span: self.span(label.place.span) };
        }
        diagnostic.fixes.retain_mut(|fix| fix.edits.iter_mut().all(|edit| self.relocate_edit(edit, file)));
    }

    /// Moves an edit from the text to the file. Returns false if the old or the new text needs escapes in the file.
    fn relocate_edit(&self, edit: &mut Edit, file: &Arc<SourceFile>) -> bool {
        let span = self.span(edit.span);
        let is_plain =
            file.slice(span) == edit.file.slice(edit.span) && !edit.text.contains(['"', '\\', '\n']);
        (edit.file, edit.span) = (Arc::clone(file), span);
        is_plain
    }

    /// Returns the offset in the text of a place in the file.
    fn offset(&self, place: u32) -> u32 {
        let behind = self.anchors.partition_point(|anchor| anchor.file <= place);
        self.anchors.get(behind.saturating_sub(1)).map_or(0, |anchor| anchor.text + (place - anchor.file))
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Excerpt({:?})", self.text)
    }
}

fn offset(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `aé` + an escape of 6 bytes for `ü` + `b`, at offset 10 of a file.
    fn excerpt() -> Excerpt {
        let mut builder = ExcerptBuilder::new(10);
        builder.plain("aé");
        builder.escaped('ü', 19);
        builder.plain("b");
        builder.finish(&FileId::new("test"))
    }

    #[test]
    fn offsets_go_there_and_back() {
        let excerpt = excerpt();
        assert_eq!(excerpt.text().text(), "aéüb");
        for (offset, place) in [(0, 10), (1, 11), (3, 13), (5, 19), (6, 20)] {
            assert_eq!((excerpt.place(offset), excerpt.offset(place)), (place, offset));
        }
        assert_eq!(excerpt.slice(Span::new(13, 20)), "üb");
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_text() {
        let mut builder = ExcerptBuilder::new(10);
        builder.escaped('\u{feff}', 16);
        builder.plain("ab");
        let escaped = builder.finish(&FileId::new("test"));
        let mut builder = ExcerptBuilder::new(13);
        builder.plain("\u{feff}ab");
        let plain = builder.finish(&FileId::new("test"));
        for excerpt in [escaped, plain] {
            assert_eq!(excerpt.text().text(), "ab");
            assert_eq!((excerpt.place(0), excerpt.place(2)), (16, 18));
            assert_eq!(excerpt.slice(Span::new(17, 18)), "b");
        }
    }
}
