//! A file system for paths that contain secrets.

use std::path::{Path, PathBuf};

use super::{FileEntry, FileError, FileKind, Files};

/// Wraps a file system for requests whose paths contain sensitive values. No list of files may show these paths.
pub struct SecretPaths<'f>(pub &'f dyn Files);

impl SecretPaths<'_> {
    /// Returns the file system, which hides the path from now on.
    fn hiding(&self, path: &Path) -> &dyn Files {
        self.0.hide_path(path);
        self.0
    }
}

impl Files for SecretPaths<'_> {
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        self.hiding(path).read(path)
    }

    fn read_within(&self, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
        self.hiding(path).read_within(path, most)
    }

    fn list(&self, path: &Path) -> Result<Vec<FileEntry>, FileError> {
        self.hiding(path).list(path)
    }

    fn metadata(&self, path: &Path) -> Result<FileKind, FileError> {
        self.hiding(path).metadata(path)
    }

    fn canonicalize(&self, path: &Path) -> Result<PathBuf, FileError> {
        self.hiding(path).canonicalize(path)
    }

    fn working_directory(&self) -> PathBuf {
        self.0.working_directory()
    }

    fn write_atomic(&self, path: &Path, content: &[u8]) -> Result<(), FileError> {
        self.hiding(path).write_atomic(path, content)
    }

    fn replace(&self, path: &Path, old: &[u8], content: &[u8]) -> Result<bool, FileError> {
        self.hiding(path).replace(path, old, content)
    }

    fn hide_path(&self, path: &Path) {
        self.0.hide_path(path);
    }
}
