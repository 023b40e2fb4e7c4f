use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::diagnostic::ids;
use crate::{Diagnostic, LineIndex, Span};

/// Which file a position is in. Its canonical text form is the path as the user would write it.
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

/// The text of one file, with its name.
///
/// The text is valid UTF-8 of fewer than 2^32 bytes, without a byte order mark at its start.
pub struct SourceFile {
    id: FileId,
    text: Box<str>,
    lines: OnceLock<LineIndex>,
}

impl SourceFile {
    /// A source file from text that is known to be UTF-8.
    ///
    /// A byte order mark at the start is removed. Text of 4 GiB or more is cut at a character boundary
    /// below that; use [`SourceFile::from_bytes`] for input that is not under the program's control.
    pub fn new(id: FileId, text: impl Into<String>) -> Arc<SourceFile> {
        let mut text = text.into();
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        if u32::try_from(text.len()).is_err() {
            let mut end = u32::MAX as usize;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
        }
        Arc::new(SourceFile { id, text: text.into_boxed_str(), lines: OnceLock::new() })
    }

    /// A source file from the bytes of a file.
    ///
    /// # Errors
    ///
    /// A diagnostic when the bytes are not UTF-8 or are 4 GiB or more.
    pub fn from_bytes(id: FileId, bytes: Vec<u8>) -> Result<Arc<SourceFile>, Diagnostic> {
        if u32::try_from(bytes.len()).is_err() {
            let detail = format!("The file {id} is 4 GiB or larger. Split it into smaller files.");
            return Err(Diagnostic::error(ids::FILE_TOO_LARGE, detail));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(SourceFile::new(id, text)),
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let detail = format!(
                    "The file {id} is not UTF-8 text: the first wrong byte is at offset {offset}. \
                     Save the file as UTF-8."
                );
                Err(Diagnostic::error(ids::INVALID_ENCODING, detail))
            }
        }
    }

    /// Which file this is.
    pub fn id(&self) -> &FileId {
        &self.id
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
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
