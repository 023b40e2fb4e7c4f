//! Records the files that functions read, to tell later whether a result still holds.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use terrane_source::{EntryKind, FileEntry, FileError, FileErrorKind, Files};

/// The largest content that is kept for comparison.
const MAX_KEPT: usize = 1 << 16;

/// A file system that records every read and listing, with the answer.
pub(super) struct Recorder<'f> {
    files: &'f dyn Files,
    reads: Mutex<Vec<Read>>,
}

/// A question to the file system with its answer.
#[derive(Debug)]
pub(super) enum Read {
    Content(PathBuf, Result<Vec<u8>, FileError>),
    Entries(PathBuf, Result<Vec<FileEntry>, FileError>),
    Kind(PathBuf, Result<EntryKind, FileError>),
    Canonical(PathBuf, Result<PathBuf, FileError>),
    /// A content that is too large to be kept, so that nothing tells whether it is the same.
    Large,
}

impl Read {
    /// Whether the answer is still the same.
    pub(super) fn is_current(&self, files: &dyn Files) -> bool {
        match self {
            Read::Content(path, answer) => files.read(path) == *answer,
            Read::Entries(path, answer) => files.list(path) == *answer,
            Read::Kind(path, answer) => files.metadata(path) == *answer,
            Read::Canonical(path, answer) => files.canonicalize(path) == *answer,
            Read::Large => false,
        }
    }
}

impl<'f> Recorder<'f> {
    pub(super) fn new(files: &'f dyn Files) -> Recorder<'f> {
        Recorder { files, reads: Mutex::new(Vec::new()) }
    }

    /// The questions in their order.
    pub(super) fn into_reads(self) -> Vec<Read> {
        self.reads.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, read: Read) {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).push(read);
    }
}

impl Files for Recorder<'_> {
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        let answer = self.files.read(path);
        let is_large = answer.as_ref().is_ok_and(|content| content.len() > MAX_KEPT);
        self.note(if is_large { Read::Large } else { Read::Content(path.to_owned(), answer.clone()) });
        answer
    }

    fn list(&self, path: &Path) -> Result<Vec<FileEntry>, FileError> {
        let answer = self.files.list(path);
        self.note(Read::Entries(path.to_owned(), answer.clone()));
        answer
    }

    fn metadata(&self, path: &Path) -> Result<EntryKind, FileError> {
        let answer = self.files.metadata(path);
        self.note(Read::Kind(path.to_owned(), answer.clone()));
        answer
    }

    fn canonicalize(&self, path: &Path) -> Result<PathBuf, FileError> {
        let answer = self.files.canonicalize(path);
        self.note(Read::Canonical(path.to_owned(), answer.clone()));
        answer
    }

    fn working_directory(&self) -> PathBuf {
        self.files.working_directory()
    }

    /// Always refused: a function of the language writes nothing.
    fn write_atomic(&self, path: &Path, _content: &[u8]) -> Result<(), FileError> {
        Err(FileError { path: path.to_owned(), kind: FileErrorKind::PermissionDenied })
    }
}
