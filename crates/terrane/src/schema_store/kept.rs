//! Keeps the schema files of stores until they change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use terrane_config::recorder::Accesses;
use terrane_source::Files;

use super::opened::Opened;

/// The schema files that evaluations over the same [`Files`] have read. They are not read again until
/// [`KeptSchemas::forget`].
#[derive(Default, Debug)]
pub(crate) struct KeptSchemas(Mutex<BTreeMap<PathBuf, KeptSchema>>);

/// A schema file that was read.
#[derive(Clone, Debug)]
pub(super) struct KeptSchema {
    pub(super) opened: Arc<Opened>,
    /// The record of its content, for documents.
    pub(super) accesses: Accesses,
}

impl KeptSchemas {
    /// Returns the file at a path, if it was read and has at most `most` bytes.
    pub(super) fn get(&self, path: &Path, most: u64) -> Option<KeptSchema> {
        self.files().get(path).filter(|file| file.opened.size() <= most).cloned()
    }

    pub(super) fn keep(&self, path: &Path, file: KeptSchema) {
        self.files().insert(path.to_owned(), file);
    }

    /// Returns the bytes of all kept files.
    pub(crate) fn bytes(&self) -> usize {
        let sizes = self.files().values().map(|file| file.opened.size()).fold(0, u64::saturating_add);
        usize::try_from(sizes).unwrap_or(usize::MAX)
    }

    /// Drops all kept files.
    pub(crate) fn clear(&self) {
        self.files().clear();
    }

    /// Takes note of changed files and directories, given by their canonical paths: schema files among them and below them are
    /// read again.
    pub(crate) fn forget(&self, changed: &[PathBuf], files: &dyn Files) {
        let is_same = |path: &PathBuf| {
            let canonical = files.canonicalize(path);
            canonical.is_ok_and(|canonical| !changed.iter().any(|changed| canonical.starts_with(changed)))
        };
        self.files().retain(|path, _| is_same(path));
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<PathBuf, KeptSchema>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
