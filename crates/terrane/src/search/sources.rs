//! Reads the files that a search visits, within limits for each directory and for all threads.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use terrane_body::SourceReader;
use terrane_function::Limits;
use terrane_source::{Diagnostic, Files};

/// Reads source files on several threads. The files of a directory may have [`Limits::source`] bytes together, and so may the
/// files that the threads work on at the same time.
pub struct Sources<'f> {
    files: &'f dyn Files,
    limits: &'f Limits,
    directories: Mutex<HashMap<PathBuf, Arc<SourceReader<'f>>>>,
    in_work: Mutex<u64>,
    done: Condvar,
}

impl<'f> Sources<'f> {
    /// Returns a reader over `files`.
    pub fn new(files: &'f dyn Files, limits: &'f Limits) -> Sources<'f> {
        Sources {
            files,
            limits,
            directories: Mutex::default(),
            in_work: Mutex::default(),
            done: Condvar::new(),
        }
    }

    /// Calls `work` with the content of the file at `path`, and returns its result.
    ///
    /// # Errors
    ///
    /// A diagnostic if the file cannot be read, or its directory has too much text.
    pub fn work<R>(&self, path: &Path, work: impl FnOnce(Vec<u8>) -> R) -> Result<R, Box<Diagnostic>> {
        let directory = path.parent().unwrap_or(path);
        let mut directories = lock(&self.directories);
        let reader = directories.get(directory).cloned();
        let reader = reader.unwrap_or_else(|| {
            let reader = Arc::new(SourceReader::new(self.files, self.limits));
            directories.insert(directory.to_owned(), Arc::clone(&reader));
            reader
        });
        drop(directories);
        let bytes = reader.read_bytes(path)?;
        let _working = self.begin(bytes.len() as u64);
        Ok(work(bytes))
    }

    /// Waits until a text of this size may be worked on.
    fn begin(&self, size: u64) -> Working<'_, 'f> {
        let is_busy = |in_work: &mut u64| *in_work > 0 && in_work.saturating_add(size) > self.limits.source;
        let in_work = self.done.wait_while(lock(&self.in_work), is_busy);
        *in_work.unwrap_or_else(PoisonError::into_inner) += size;
        Working { sources: self, size }
    }
}

/// A text that a thread works on.
struct Working<'s, 'f> {
    sources: &'s Sources<'f>,
    size: u64,
}

impl Drop for Working<'_, '_> {
    fn drop(&mut self) {
        *lock(&self.sources.in_work) -= self.size;
        self.sources.done.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
