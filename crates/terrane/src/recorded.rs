//! Records the files that an evaluation asks for.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use terrane_module::Executor;
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
    record: Arc<Record>,
}

#[derive(Default, Debug)]
struct Record {
    accesses: Mutex<Accesses>,
    /// The accesses before the threads of an executor began.
    before: Mutex<Accesses>,
}

/// An executor that takes back the accesses of an evaluation which is repeated.
#[derive(Debug)]
struct RecordingExecutor {
    executor: Arc<dyn Executor>,
    record: Arc<Record>,
}

impl Executor for RecordingExecutor {
    fn threads(&self) -> usize {
        self.executor.threads()
    }

    fn least_cost(&self) -> u64 {
        self.executor.least_cost()
    }

    fn repeated(&self) {
        *lock(&self.record.accesses) = std::mem::take(&mut *lock(&self.record.before));
        self.executor.repeated();
    }

    fn run(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync)) {
        lock(&self.record.before).clone_from(&lock(&self.record.accesses));
        self.executor.run(lead, help);
    }
}

fn lock(accesses: &Mutex<Accesses>) -> MutexGuard<'_, Accesses> {
    accesses.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'f> RecordedFiles<'f> {
    pub(crate) fn new(files: &'f dyn Files) -> RecordedFiles<'f> {
        RecordedFiles { files, record: Arc::default() }
    }

    /// The executor for an evaluation that reads through these files.
    pub(crate) fn executor(&self, executor: Arc<dyn Executor>) -> Arc<dyn Executor> {
        Arc::new(RecordingExecutor { executor, record: Arc::clone(&self.record) })
    }

    pub(crate) fn into_accesses(self) -> Accesses {
        std::mem::take(&mut lock(&self.record.accesses))
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
            lock(&self.record.accesses).insert(tidy(path), access);
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
