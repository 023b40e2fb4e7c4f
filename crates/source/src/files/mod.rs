//! File system access.
//!
//! The engine reads files only through [`Files`]. [`OsFiles`] is the real file system, [`MemoryFiles`] is for tests and the
//! browser, [`OverlayFiles`] puts unsaved texts in front of another file system, and `ConfinedFiles` (on Unix) is one directory
//! of the real file system.

mod memory;
#[cfg(not(target_family = "wasm"))]
#[expect(clippy::disallowed_methods, reason = "this folder is the one door to the real file system")]
mod os;
mod overlay;
mod secret;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use memory::MemoryFiles;
#[cfg(unix)]
pub use os::ConfinedFiles;
#[cfg(not(target_family = "wasm"))]
pub use os::OsFiles;
pub use overlay::OverlayFiles;
pub use secret::SecretPaths;

/// Reads and writes files. Paths are used as given; relative ones are relative to the working directory.
pub trait Files: Send + Sync {
    /// The content of the file at `path`.
    ///
    /// # Errors
    ///
    /// If the file does not exist, is a directory, or cannot be read.
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError>;

    /// The content of the file at `path`, if it has at most `most` bytes. The content of a larger file need not fit into
    /// the memory.
    ///
    /// # Errors
    ///
    /// The errors of [`Files::read`], and [`FileErrorKind::TooLarge`].
    fn read_within(&self, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
        let content = self.read(path)?;
        match content.len() as u64 {
            size if size > most => Err(FileError::too_large(path, Some(size), most)),
            _ => Ok(content),
        }
    }

    /// The entries of the directory at `path`, sorted by name.
    ///
    /// # Errors
    ///
    /// If the directory does not exist or cannot be read.
    fn list(&self, path: &Path) -> Result<Vec<FileEntry>, FileError>;

    /// The kind of the entry at `path`, symbolic links followed.
    ///
    /// # Errors
    ///
    /// If `path` does not exist or its metadata cannot be read.
    fn metadata(&self, path: &Path) -> Result<FileKind, FileError>;

    /// `path` as an absolute path without `.`, `..` and symbolic links.
    ///
    /// # Errors
    ///
    /// If `path` does not exist.
    fn canonicalize(&self, path: &Path) -> Result<PathBuf, FileError>;

    /// Returns the working directory, which relative paths start from.
    fn working_directory(&self) -> PathBuf;

    /// Replaces the file at `path` by `content` in one step: after an interruption the file is either the
    /// old or the new one, whole.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. It is then unchanged.
    fn write_atomic(&self, path: &Path, content: &[u8]) -> Result<(), FileError>;

    /// Replaces the file at `path` in one step by `content`, if its content is still `old`. Returns whether it was.
    ///
    /// # Errors
    ///
    /// If the file does not exist or cannot be written. It is then unchanged.
    fn replace(&self, path: &Path, old: &[u8], content: &[u8]) -> Result<bool, FileError> {
        if self.read(path)? != old {
            return Ok(false);
        }
        self.write_atomic(path, content)?;
        Ok(true)
    }

    /// Keeps `path`, which contains a secret, out of every list of files. For file systems that record requests.
    fn hide_path(&self, _path: &Path) {}
}

/// Implements [`Files`] for pointers to files.
macro_rules! files_behind {
    ($pointer:ty) => {
        impl<F: Files + ?Sized> Files for $pointer {
            fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
                (**self).read(path)
            }

            fn read_within(&self, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
                (**self).read_within(path, most)
            }

            fn list(&self, path: &Path) -> Result<Vec<FileEntry>, FileError> {
                (**self).list(path)
            }

            fn metadata(&self, path: &Path) -> Result<FileKind, FileError> {
                (**self).metadata(path)
            }

            fn canonicalize(&self, path: &Path) -> Result<PathBuf, FileError> {
                (**self).canonicalize(path)
            }

            fn working_directory(&self) -> PathBuf {
                (**self).working_directory()
            }

            fn write_atomic(&self, path: &Path, content: &[u8]) -> Result<(), FileError> {
                (**self).write_atomic(path, content)
            }

            fn replace(&self, path: &Path, old: &[u8], content: &[u8]) -> Result<bool, FileError> {
                (**self).replace(path, old, content)
            }

            fn hide_path(&self, path: &Path) {
                (**self).hide_path(path);
            }
        }
    };
}

files_behind!(&F);
files_behind!(Arc<F>);

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// The name within the directory. A name that is not UTF-8 has replacement characters.
    pub name: String,
    /// The kind of the entry, symbolic links followed.
    pub kind: FileKind,
    /// Whether the entry itself is a symbolic link.
    pub is_link: bool,
}

/// The kinds of directory entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Anything else: a socket, a pipe, a device, or a symbolic link that leads nowhere.
    Other,
}

/// Why a file operation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The path as it was given.
    pub path: PathBuf,
    /// The kind of failure.
    pub kind: FileErrorKind,
}

/// The hint about a file that a directory lists, but that is not there.
pub const BROKEN_LINK: &str = "It is a link to a file that does not exist. Correct the link, or remove it.";

/// The kinds of failure of a file operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileErrorKind {
    /// The path does not exist.
    NotFound,
    /// A file was expected, but the path names a directory.
    IsDirectory,
    /// A directory was expected, but the path names something else.
    NotDirectory,
    /// The path names neither a file nor a directory, but a pipe, a device or a socket.
    NotRegular,
    /// The operating system denies access.
    PermissionDenied,
    /// The file is larger than the reader allows.
    TooLarge {
        /// The size of the file, if the file system tells it.
        size: Option<u64>,
        /// The allowed size.
        most: u64,
    },
    /// The path leads out of the directory of `ConfinedFiles`.
    Confined,
    /// Anything else, in the operating system's words.
    Other(String),
}

impl FileError {
    pub(crate) fn too_large(path: &Path, size: Option<u64>, most: u64) -> FileError {
        FileError { path: path.to_owned(), kind: FileErrorKind::TooLarge { size, most } }
    }

    /// Returns the error as a sentence, for the detail of a diagnostic. All readers of a file get the same sentence, so that
    /// the error is reported once.
    pub fn sentence(&self) -> String {
        let text = self.to_string();
        let mut characters = text.chars();
        let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
        format!("{first}{}.", characters.as_str())
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.kind {
            FileErrorKind::NotFound => write!(f, "there is no file or directory at {path}"),
            FileErrorKind::IsDirectory => write!(f, "the path {path} is a directory, not a file"),
            FileErrorKind::NotDirectory => write!(f, "the path {path} is not a directory"),
            FileErrorKind::NotRegular => write!(f, "the path {path} is not a regular file"),
            FileErrorKind::PermissionDenied => write!(f, "reading or writing {path} is not permitted"),
            FileErrorKind::Confined => {
                write!(f, "the path {path} is outside of the directory that may be read")
            }
            FileErrorKind::TooLarge { size: Some(size), most } => {
                write!(f, "the file {path} has {size} bytes, more than the limit of {most} bytes")
            }
            FileErrorKind::TooLarge { size: None, most } => {
                write!(f, "the file {path} has more bytes than the limit of {most} bytes")
            }
            FileErrorKind::Other(message) => write!(f, "reading or writing {path} failed: {message}"),
        }
    }
}

impl std::error::Error for FileError {}
