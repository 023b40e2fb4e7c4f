//! Records the files that an evaluation asks for.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use terrane_source::{EntryKind, FileEntry, FileError, FileErrorKind, Files};

use crate::document::content::{Hash, hash};

/// The result of asking for a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// Nothing is there.
    Absent,
    /// The entries of the directory were listed.
    Listed,
    /// The content of a configuration file, whose text the module keeps.
    Configuration,
    /// The content of another file was read.
    Read {
        /// The SHA-256 of the content.
        hash: Hash,
        /// The size.
        bytes: u64,
    },
}

/// The paths that were asked for, by path.
pub(crate) type Accesses = BTreeMap<PathBuf, Access>;

/// Files, with a record of the paths that were asked for.
pub(crate) struct RecordedFiles<'f> {
    files: &'f dyn Files,
    accesses: Mutex<Accesses>,
}

impl<'f> RecordedFiles<'f> {
    pub(crate) fn new(files: &'f dyn Files) -> RecordedFiles<'f> {
        RecordedFiles { files, accesses: Mutex::default() }
    }

    pub(crate) fn into_accesses(self) -> Accesses {
        self.accesses.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn record<T>(
        &self,
        path: &Path,
        result: Result<T, FileError>,
        access: impl FnOnce(&T) -> Option<Access>,
    ) -> Result<T, FileError> {
        let access = match &result {
            Ok(found) => access(found),
            Err(error) => (error.kind == FileErrorKind::NotFound).then_some(Access::Absent),
        };
        if let Some(access) = access {
            let mut accesses = self.accesses.lock().unwrap_or_else(PoisonError::into_inner);
            accesses.insert(tidy(path), access);
        }
        result
    }
}

impl Files for RecordedFiles<'_> {
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        self.record(path, self.files.read(path), |content: &Vec<u8>| {
            Some(match is_configuration(path) {
                true => Access::Configuration,
                false => Access::Read { hash: hash(content), bytes: content.len() as u64 },
            })
        })
    }

    fn list(&self, path: &Path) -> Result<Vec<FileEntry>, FileError> {
        self.record(path, self.files.list(path), |_| Some(Access::Listed))
    }

    fn metadata(&self, path: &Path) -> Result<EntryKind, FileError> {
        self.record(path, self.files.metadata(path), |_| None)
    }

    fn canonicalize(&self, path: &Path) -> Result<PathBuf, FileError> {
        self.files.canonicalize(path)
    }

    fn working_directory(&self) -> PathBuf {
        self.files.working_directory()
    }

    fn write_atomic(&self, path: &Path, content: &[u8]) -> Result<(), FileError> {
        self.files.write_atomic(path, content)
    }
}

/// The path as diagnostics name it: without dots for the current directory, unless it is that directory.
fn tidy(path: &Path) -> PathBuf {
    let tidy: PathBuf = path.components().filter(|part| !matches!(part, Component::CurDir)).collect();
    if tidy.as_os_str().is_empty() { PathBuf::from(".") } else { tidy }
}

fn is_configuration(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    [".tf", ".tf.json", ".tofu", ".tofu.json"].iter().any(|ending| name.ends_with(ending))
}
