//! Source files: identity and text.
//!
//! A [`SourceFile`] is created from the bytes that [`Files`](crate::Files) reads, and shared by the tree and the
//! diagnostics of the file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::line_index::LineIndex;
use crate::secret_values::{SecretValue, SecretValues};
use crate::{LineColumn, Span};

/// The identity of a file. Displayed as the path that the user wrote.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(Arc<Path>);

impl FileId {
    /// The identity of the file at `path`.
    pub fn new(path: impl Into<PathBuf>) -> FileId {
        FileId(Arc::from(path.into()))
    }

    /// The path, for reading the file or for printing.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Whether the name ends in `.json`, as the names of all files in JSON syntax do.
    pub fn is_json(&self) -> bool {
        // A file named just `.json` has no extension.
        self.0.as_os_str().as_encoded_bytes().ends_with(b".json")
    }
}

impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.display(), f)
    }
}

impl fmt::Debug for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.display(), f)
    }
}

/// Identifies one [`SourceFile`] in the process, as a key of caches. When a file is read again, with or without changes, it
/// gets another version.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SourceVersion(u64);

impl SourceVersion {
    fn next() -> SourceVersion {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        SourceVersion(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The byte order mark, which some editors put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text of one file, with its name.
///
/// The text is valid UTF-8 of fewer than 2^32 bytes, without a byte order mark at its start.
pub struct SourceFile {
    id: FileId,
    version: SourceVersion,
    text: Box<str>,
    byte_order_mark: bool,
    /// The places of the replacement characters that stand for bytes that are not UTF-8, in order.
    wrong_bytes: Box<[u32]>,
    lines: OnceLock<LineIndex>,
    /// The starts and ends of secrets, without overlaps.
    hidden: RwLock<BTreeMap<u32, u32>>,
    secret_values: RwLock<SecretValues>,
    /// The starts and ends of strings of a JSON file that are read as native syntax and have syntax errors.
    broken_strings: RwLock<BTreeMap<u32, u32>>,
    /// Whether the text is blank but for a part that may be shown.
    is_blanked: bool,
    /// The copy whose whole text is blank, made at the first request for it.
    blank: OnceLock<Arc<SourceFile>>,
    /// Of a copy with blanks: the file with the text, if messages may name the blocks around a place, as in `in module "m"`.
    original: Option<Arc<SourceFile>>,
}

impl SourceFile {
    /// Returns the source file for a text that is known to be UTF-8.
    ///
    /// A byte order mark at the start is removed. Text of 4 GiB or more is cut at a character boundary
    /// below that; use [`SourceFile::from_bytes`] for input that is not under the program's control.
    pub fn new(id: FileId, text: impl Into<String>) -> Arc<SourceFile> {
        SourceFile::with_wrong_bytes(id, text.into(), Vec::new())
    }

    /// Returns the source file for a text with replacement characters at these places in the file, in order.
    pub(crate) fn with_wrong_bytes(id: FileId, mut text: String, wrong_bytes: Vec<usize>) -> Arc<SourceFile> {
        let byte_order_mark = text.starts_with(BYTE_ORDER_MARK);
        if byte_order_mark {
            text.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        if u32::try_from(text.len()).is_err() {
            let mut end = u32::MAX as usize;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
        }
        let mark_len = if byte_order_mark { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let in_text = |at: usize| u32::try_from(at.checked_sub(mark_len)?).ok();
        Arc::new(SourceFile {
            id,
            version: SourceVersion::next(),
            text: text.into_boxed_str(),
            byte_order_mark,
            wrong_bytes: wrong_bytes.into_iter().filter_map(in_text).collect(),
            lines: OnceLock::new(),
            hidden: RwLock::default(),
            secret_values: RwLock::default(),
            broken_strings: RwLock::default(),
            is_blanked: false,
            blank: OnceLock::new(),
            original: None,
        })
    }

    /// Returns a copy of the file in which all text but `shown` is blank. Offsets, lines and columns stay the same.
    pub fn blanked(&self, shown: Span) -> Arc<SourceFile> {
        Arc::new(self.blanked_beside(shown, None))
    }

    /// Returns a copy like that of [`SourceFile::blanked`] whose blocks keep their headers in messages.
    pub fn blanked_in_block(file: &Arc<SourceFile>, shown: Span) -> Arc<SourceFile> {
        Arc::new(file.blanked_beside(shown, Some(Arc::clone(file))))
    }

    /// Returns the file whose blocks are around a place: the file itself, unless this is a copy that keeps the headers of its blocks.
    pub fn with_blocks(file: &Arc<SourceFile>) -> &Arc<SourceFile> {
        file.original.as_ref().unwrap_or(file)
    }

    fn blanked_beside(&self, shown: Span, original: Option<Arc<SourceFile>>) -> SourceFile {
        let mut text = String::with_capacity(self.text.len());
        for (at, character) in self.text.char_indices() {
            match shown.range().contains(&at) {
                true => text.push(character),
                false => push_blank(&mut text, character),
            }
        }
        SourceFile {
            id: self.id.clone(),
            version: SourceVersion::next(),
            text: text.into_boxed_str(),
            byte_order_mark: self.byte_order_mark,
            wrong_bytes: self.wrong_bytes.clone(),
            lines: OnceLock::new(),
            hidden: RwLock::default(),
            secret_values: RwLock::default(),
            broken_strings: RwLock::default(),
            is_blanked: true,
            blank: OnceLock::new(),
            original,
        }
    }

    /// Returns the copy of the file in which all text is blank. Messages share it, because a file may have a thousand of them.
    pub fn blank(&self) -> Arc<SourceFile> {
        Arc::clone(self.blank.get_or_init(|| self.blanked(Span::empty(0))))
    }

    /// Whether this is a copy that [`SourceFile::blanked`] or [`SourceFile::blank`] has made: its text shows no secret.
    pub fn is_blanked(&self) -> bool {
        self.is_blanked
    }

    /// The identity of the file.
    pub fn id(&self) -> &FileId {
        &self.id
    }

    /// Returns the version of the text, which no other `SourceFile` has.
    pub fn version(&self) -> SourceVersion {
        self.version
    }

    /// Whether both are the same text of the same file, possibly read at different times.
    pub fn is_same(&self, other: &SourceFile) -> bool {
        self.version == other.version
            || self.id == other.id
                && self.byte_order_mark == other.byte_order_mark
                && self.wrong_bytes == other.wrong_bytes
                && self.text == other.text
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the places of the replacement characters that stand for bytes that are not UTF-8, in order.
    pub fn wrong_bytes(&self) -> &[u32] {
        &self.wrong_bytes
    }

    /// Returns the number of bytes of the byte order mark before the text in the file: zero or three.
    pub fn byte_order_mark_len(&self) -> u32 {
        if self.byte_order_mark { BYTE_ORDER_MARK.len_utf8() as u32 } else { 0 }
    }

    /// Returns the offset in the file for an offset in the text. The text begins behind the byte order mark, if there is one.
    pub fn byte_in_file(&self, offset: u32) -> u32 {
        offset.saturating_add(self.byte_order_mark_len())
    }

    /// Returns the text at `span`. Empty if the span is not on character boundaries of this file.
    #[inline]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Records that the text at `span` is a secret. [`SourceFile::shown`] leaves it out.
    pub fn hide(&self, span: Span) {
        let mut hidden = self.hidden.write().unwrap_or_else(PoisonError::into_inner);
        let before = hidden.range(..=span.end).rev();
        let touched =
            before.take_while(|(_, end)| span.start <= **end).map(|(start, end)| Span::new(*start, *end));
        let touched: Vec<Span> = touched.collect();
        let whole = touched.iter().fold(span, |whole, secret| whole.to(*secret));
        for secret in touched {
            hidden.remove(&secret.start);
        }
        hidden.insert(whole.start, whole.end);
    }

    /// Returns the places of all secrets, in order.
    pub fn hidden(&self) -> Vec<Span> {
        self.secrets_in(Span::new(0, u32::MAX))
    }

    /// Records the places of syntax errors.
    pub fn record_errors(&self, errors: impl IntoIterator<Item = Span>) {
        let mut errors = errors.into_iter().peekable();
        if errors.peek().is_some() {
            self.secret_values.write().unwrap_or_else(PoisonError::into_inner).add_errors(errors);
        }
    }

    /// Whether a recorded syntax error begins in the text at `span`.
    pub fn has_error_in(&self, span: Span) -> bool {
        self.secret_values.read().unwrap_or_else(PoisonError::into_inner).has_error_in(span)
    }

    /// Records that the string at `span` of a JSON file has a syntax error. Only the reader of the string knows that it is a template
    /// or an expression.
    pub fn record_broken_string(&self, span: Span) {
        let mut strings = self.broken_strings.write().unwrap_or_else(PoisonError::into_inner);
        strings.insert(span.start, span.end);
    }

    /// Whether the text at `span` overlaps a string with a syntax error.
    pub fn has_broken_string_in(&self, span: Span) -> bool {
        let strings = self.broken_strings.read().unwrap_or_else(PoisonError::into_inner);
        strings
            .range(..span.end.max(span.start.saturating_add(1)))
            .next_back()
            .is_some_and(|(_, end)| span.start < *end)
    }

    /// Records that the text at `span` sets the argument `name` to a secret, and contains whatever may belong to the value. No
    /// message about it describes the error: see [`Diagnostic::without_secrets`](crate::Diagnostic::without_secrets). With a syntax error in it, which part of it is
    /// the value is not certain, so all of it is hidden; otherwise the caller hides the literals.
    pub fn hide_value(&self, name: &str, span: Span) {
        // An error at the end of the text, such as an open quote, belongs to the last value.
        let is_last = span.end as usize >= self.text.len();
        let span = Span::new(span.start, span.end.saturating_add(u32::from(is_last)));
        let mut values = self.secret_values.write().unwrap_or_else(PoisonError::into_inner);
        let is_whole = values.add(name, span);
        drop(values);
        if !is_whole {
            self.hide(span);
        }
    }

    /// Returns the secret value that contains the start of `span`.
    pub(crate) fn secret_value_at(&self, span: Span) -> Option<SecretValue> {
        let values = self.secret_values.read().unwrap_or_else(PoisonError::into_inner);
        values.at(span.start).cloned()
    }

    /// Whether a part of the text at `span` is a secret.
    pub fn is_hidden(&self, span: Span) -> bool {
        !self.secrets_in(span).is_empty()
    }

    /// Returns the secrets that overlap `span`.
    fn secrets_in(&self, span: Span) -> Vec<Span> {
        let hidden = self.hidden.read().unwrap_or_else(PoisonError::into_inner);
        if hidden.is_empty() {
            return Vec::new();
        }
        let before = hidden.range(..span.end).rev().take_while(|(_, end)| span.start < **end);
        let mut secrets: Vec<Span> = before.map(|(start, end)| Span::new(*start, *end)).collect();
        secrets.reverse();
        secrets
    }

    /// Returns the text at `span` for output, with blanks in place of secrets. Offsets, lines and columns stay the same.
    pub fn shown(&self, span: Span) -> Cow<'_, str> {
        let text = self.slice(span);
        let secrets = self.secrets_in(span);
        if secrets.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut shown = String::with_capacity(text.len());
        let mut at = span.start;
        for secret in secrets {
            let (start, end) = (secret.start.max(at), secret.end.min(span.end));
            shown.push_str(self.slice(Span::new(at, start)));
            self.slice(Span::new(start, end)).chars().for_each(|character| push_blank(&mut shown, character));
            at = end;
        }
        shown.push_str(self.slice(Span::new(at, span.end)));
        Cow::Owned(shown)
    }

    /// Returns the one-based line that contains `offset`.
    pub fn line(&self, offset: u32) -> u32 {
        self.lines().line(offset)
    }

    /// Returns the start of the line that contains `offset`.
    pub fn line_start(&self, offset: u32) -> u32 {
        self.lines().line_start(&self.text, offset)
    }

    /// Returns the line and column of `offset`.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        self.lines().line_column(&self.text, offset)
    }

    /// Returns the lines and columns of both ends of `span`.
    pub fn line_columns(&self, span: Span) -> (LineColumn, LineColumn) {
        self.lines().line_columns(&self.text, span)
    }

    /// Returns `file:line:column` of `offset`, for a message about this place.
    pub fn position(&self, offset: u32) -> String {
        let LineColumn { line, column } = self.line_column(offset);
        format!("{}:{line}:{column}", self.id)
    }

    /// Returns the span of the one-based `line`, without its line break. Returns an empty span at the end of the text if the line
    /// does not exist.
    pub fn line_span(&self, line: u32) -> Span {
        self.lines().line_span(&self.text, line)
    }

    /// Returns the zero-based column of `offset` in UTF-16 code units, as editors count.
    pub fn utf16_column(&self, offset: u32) -> u32 {
        self.lines().utf16_column(&self.text, offset)
    }

    /// Returns the offset at a zero-based column in UTF-16 code units of the one-based `line`: the reverse of
    /// [`SourceFile::utf16_column`]. A column in the middle of a character counts as its start, a column behind the line as the end
    /// of the line, and a line behind the text as the end of the text.
    ///
    /// ```
    /// use terrane_source::{FileId, SourceFile};
    ///
    /// let file = SourceFile::new(FileId::new("a.tf"), "a\n😸b\n");
    /// assert_eq!(file.offset_of_utf16(2, 2), 6);
    /// assert_eq!(file.utf16_column(6), 2);
    /// ```
    pub fn offset_of_utf16(&self, line: u32, column: u32) -> u32 {
        self.lines().offset_of_utf16(&self.text, line, column)
    }

    /// Returns the index of lines, which is built at the first call.
    fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }
}

/// Adds a blank with as many bytes as the character. Line breaks stay.
fn push_blank(text: &mut String, character: char) {
    match (character, character.len_utf8()) {
        ('\n' | '\r', _) => text.push(character),
        (_, 2) => text.push('\u{a0}'),
        (_, 3) => text.push('\u{3000}'),
        (_, bytes) => text.extend(std::iter::repeat_n(' ', bytes)),
    }
}

impl fmt::Debug for SourceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SourceFile({}, {} bytes)", self.id, self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_end_in_json_are_json() {
        let is_json = |path: &str| FileId::new(path).is_json();
        assert_eq!(["a.tf.json", "a/.json"].map(is_json), [true; 2]);
        assert_eq!(["a.tf", "json", "a.json/b", "a.JSON"].map(is_json), [false; 4]);
    }

    #[test]
    fn a_secret_is_blank_and_the_other_text_keeps_its_place() {
        let text = "a = \"é€😀\"\r\nname = \"secret\" # note\n";
        let file = SourceFile::new(FileId::new("a.tfvars"), text);
        let whole = Span::new(0, u32::try_from(text.len()).unwrap());
        assert_eq!(file.shown(whole), text);
        let at = |part: &str| u32::try_from(text.find(part).unwrap()).unwrap();
        file.hide(Span::new(at("\"é"), at("name")));
        file.hide(Span::new(at("\"secret"), at(" # note")));
        let shown = file.shown(whole);
        assert_eq!(shown.split_whitespace().collect::<Vec<_>>(), ["a", "=", "name", "=", "#", "note"]);
        assert_eq!((shown.len(), shown.find("note")), (text.len(), text.find("note")));
        assert_eq!(shown.find("\r\n"), text.find("\r\n"));
        assert!(file.is_hidden(Span::new(at("cret"), at("et"))) && !file.is_hidden(Span::new(0, 3)));
    }

    #[test]
    fn broken_strings_are_found_in_and_around_a_span() {
        let file = SourceFile::new(FileId::new("a.tf.json"), "0123456789");
        file.record_broken_string(Span::new(6, 9));
        file.record_broken_string(Span::new(2, 4));
        let found = |(start, end)| file.has_broken_string_in(Span::new(start, end));
        assert_eq!([(2, 4), (3, 3), (0, 3), (0, 10), (8, 20)].map(found), [true; 5]);
        assert_eq!([(0, 2), (4, 6), (5, 5), (9, 10)].map(found), [false; 4]);
    }

    #[test]
    fn secrets_may_overlap_and_come_in_any_order() {
        let file = SourceFile::new(FileId::new("a.tf"), "0123456789");
        for (start, end) in [(8, 9), (1, 3), (2, 5), (1, 3), (5, 6)] {
            file.hide(Span::new(start, end));
        }
        assert_eq!(file.shown(Span::new(0, 10)), "0     67 9");
        assert_eq!(file.shown(Span::new(4, 9)), "  67 ");
        assert_eq!(file.shown(Span::new(6, 8)), "67");
    }
}
