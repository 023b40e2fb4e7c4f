//! Reads source files as text, native or JSON.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use terrane_function::conversion::{ConversionError, ExceededLimit};
use terrane_function::{Limits, RAISE_MEMORY};
use terrane_source::{Diagnostic, FileError, FileErrorKind, FileId, Files, SourceFile, ids};
use terrane_syntax::Syntax;
use terrane_value::{ClosestNames, TypeConstraint, Value};

/// The bytes of memory that allow one element that optional attributes add to the defaults of variables.
const MEMORY_OF_ADDED_ELEMENT: u64 = 384;

/// Reads the source files of a run. All together may have at most [`Limits::source`] bytes.
pub struct SourceReader<'f> {
    files: &'f dyn Files,
    most: u64,
    left: AtomicU64,
    most_added: u64,
    /// The elements that optional attributes may still add to defaults.
    added_left: AtomicU64,
    closest_names: ClosestNames,
}

impl<'f> SourceReader<'f> {
    /// Returns a reader with the whole limit left.
    pub fn new(files: &'f dyn Files, limits: &Limits) -> SourceReader<'f> {
        let most_added = limits.memory / MEMORY_OF_ADDED_ELEMENT;
        SourceReader {
            files,
            most: limits.source,
            left: AtomicU64::new(limits.source),
            most_added,
            added_left: AtomicU64::new(most_added),
            closest_names: ClosestNames::default(),
        }
    }

    /// Returns the file system.
    pub fn files(&self) -> &'f dyn Files {
        self.files
    }

    /// Returns the searches for the names that misspelt ones in the files mean.
    pub fn closest_names(&self) -> &ClosestNames {
        &self.closest_names
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

    /// Converts the default of a variable in the text. The optional attributes of all defaults together may add a limited
    /// number of elements.
    ///
    /// # Errors
    ///
    /// The reason if the value does not fit the type, or if more elements would be added than are left.
    pub fn default_value(
        &self,
        constraint: &TypeConstraint,
        value: &Value,
    ) -> Result<Value, ConversionError> {
        let exceeded = || ConversionError::Limit(ExceededLimit::Added(self.most_added));
        let most = self.added_left.load(Ordering::Relaxed);
        let added = constraint.added_elements(value, most).ok_or_else(exceeded)?;
        // Another thread may have converted a default in the meantime.
        let less = |left: u64| left.checked_sub(added);
        self.added_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).map_err(|_| exceeded())?;
        constraint.convert(value).map_err(ConversionError::Mismatch)
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the file is unreadable, not valid text, or larger than the bytes that are left.
    pub fn read(&self, path: &Path) -> Result<Arc<SourceFile>, Box<Diagnostic>> {
        let bytes = self.read_bytes(path)?;
        let id = FileId::new(path);
        Syntax::of_file(&id).decode(id, bytes).map_err(Box::new)
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
