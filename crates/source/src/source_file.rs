//! Source files: identity and text.
//!
//! A [`SourceFile`] is created from the bytes that [`Files`](crate::Files) reads, and shared by the tree and the
//! diagnostics of the file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::{LineIndex, Span};

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
}

impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.display())
    }
}

impl fmt::Debug for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.display())
    }
}

/// Identifies one [`SourceFile`] in the process, as a key of caches. A file that is read again, with or without changes, has
/// another one.
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
    lines: OnceLock<LineIndex>,
}

impl SourceFile {
    /// A source file from text that is known to be UTF-8.
    ///
    /// A byte order mark at the start is removed. Text of 4 GiB or more is cut at a character boundary
    /// below that; use [`SourceFile::from_bytes`] for input that is not under the program's control.
    pub fn new(id: FileId, text: impl Into<String>) -> Arc<SourceFile> {
        let mut text = text.into();
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
        Arc::new(SourceFile {
            id,
            version: SourceVersion::next(),
            text: text.into_boxed_str(),
            byte_order_mark,
            lines: OnceLock::new(),
        })
    }

    /// The identity of the file.
    pub fn id(&self) -> &FileId {
        &self.id
    }

    /// The version of the text, which no other `SourceFile` has.
    pub fn version(&self) -> SourceVersion {
        self.version
    }

    /// Whether both are the same text of the same file, read perhaps at different times.
    pub fn is_same(&self, other: &SourceFile) -> bool {
        self.version == other.version
            || self.id == other.id && self.byte_order_mark == other.byte_order_mark && self.text == other.text
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many bytes the byte order mark took that stood before the text in the file: none or three.
    pub fn byte_order_mark_len(&self) -> u32 {
        if self.byte_order_mark { BYTE_ORDER_MARK.len_utf8() as u32 } else { 0 }
    }

    /// The text at `span`; empty where the span does not lie on character boundaries of this file.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The index of lines, made at the first call.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }
}

impl fmt::Debug for SourceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SourceFile({}, {} bytes)", self.id, self.text.len())
    }
}
