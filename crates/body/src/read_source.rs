//! Reads source files as text, native or JSON.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use terrane_function::{Limits, RAISE_MEMORY};
use terrane_source::{Diagnostic, FileError, FileErrorKind, FileId, Files, SourceFile, ids};
use terrane_syntax::decode_native;

/// Reads the source files of a run. All together may have at most [`Limits::source`] bytes.
pub struct SourceReader<'f> {
    files: &'f dyn Files,
    most: u64,
    left: AtomicU64,
}

impl<'f> SourceReader<'f> {
    /// Returns a reader with the whole limit left.
    pub fn new(files: &'f dyn Files, limits: &Limits) -> SourceReader<'f> {
        SourceReader { files, most: limits.source, left: AtomicU64::new(limits.source) }
    }

    /// Returns the file system.
    pub fn files(&self) -> &'f dyn Files {
        self.files
    }

    /// Returns the number of bytes that may still be read.
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Counts the bytes of text that was read before. If more bytes than are left, counts nothing and returns false.
    pub fn count(&self, bytes: usize) -> bool {
        let less = |left: u64| left.checked_sub(bytes as u64);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the file is unreadable, not valid text, or larger than the bytes that are left.
    pub fn read(&self, path: &Path) -> Result<Arc<SourceFile>, Box<Diagnostic>> {
        let bytes = self.read_bytes(path)?;
        let id = FileId::new(path);
        let decode = if id.is_json() { SourceFile::from_bytes } else { decode_native };
        decode(id, bytes).map_err(Box::new)
    }

    /// Reads the bytes of the file at `path`.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the file is unreadable, or larger than the bytes that are left.
    pub fn read_bytes(&self, path: &Path) -> Result<Vec<u8>, Box<Diagnostic>> {
        let bytes = self.files.read_within(path, self.left());
        // Another thread may have read a file in the meantime.
        self.counted(path, bytes.map_err(|error| Box::new(self.unread(&error)))?)
    }

    /// Counts the bytes of a text that was read in another way.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic about `path` if there are more bytes than are left.
    pub fn counted(&self, path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, Box<Diagnostic>> {
        if self.count(bytes.len()) { Ok(bytes) } else { Err(Box::new(self.too_large(path))) }
    }

    fn unread(&self, error: &FileError) -> Diagnostic {
        if matches!(error.kind, FileErrorKind::TooLarge { .. }) {
            return self.too_large(&error.path);
        }
        Diagnostic::error(ids::UNREADABLE_FILE, error.sentence())
    }

    fn too_large(&self, path: &Path) -> Diagnostic {
        let detail = format!(
            "With {}, the configuration has more than {} bytes of text. Split it.",
            path.display(),
            self.most
        );
        Diagnostic::error(ids::FILE_TOO_LARGE, detail).hint(RAISE_MEMORY)
    }
}
