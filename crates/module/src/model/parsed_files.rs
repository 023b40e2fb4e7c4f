//! Keeps parsed files for later evaluations, and drops them beyond a limit.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use terrane_source::SourceFile;

/// Files that were parsed, by their paths. Several threads may use it.
pub(crate) struct ParsedFiles<T> {
    files: Mutex<BTreeMap<PathBuf, CachedFile<T>>>,
    /// The number of requests so far, which orders the files by use.
    requests: AtomicU64,
    parsed: AtomicU64,
}

struct CachedFile<T> {
    source: Arc<SourceFile>,
    file: Arc<T>,
    /// The number of the last request for the file.
    used: u64,
}

impl<T> Default for ParsedFiles<T> {
    fn default() -> ParsedFiles<T> {
        ParsedFiles { files: Mutex::default(), requests: AtomicU64::new(0), parsed: AtomicU64::new(0) }
    }
}

impl<T> fmt::Debug for ParsedFiles<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParsedFiles").field("parsed", &self.parsed).finish_non_exhaustive()
    }
}

impl<T> ParsedFiles<T> {
    /// Returns the parsed file with this text. Parses it if its text has changed, or `is_current` refuses the earlier result.
    pub(crate) fn get(
        &self,
        path: &Path,
        source: &Arc<SourceFile>,
        is_current: impl FnOnce(&T) -> bool,
        parse: impl FnOnce(&Arc<SourceFile>) -> T,
    ) -> Arc<T> {
        let used = self.requests.fetch_add(1, Ordering::Relaxed);
        if let Some(cached) = self.files().get_mut(path)
            && cached.source.is_same(source)
            && is_current(&cached.file)
        {
            cached.used = used;
            return Arc::clone(&cached.file);
        }
        self.parsed.fetch_add(1, Ordering::Relaxed);
        let file = Arc::new(parse(source));
        let cached = CachedFile { source: Arc::clone(source), file: Arc::clone(&file), used };
        self.files().insert(path.to_owned(), cached);
        file
    }

    /// Drops the least recently used files until the rest has at most `bytes`. Returns the bytes of the rest.
    pub(crate) fn shrink_to(&self, bytes: usize) -> usize {
        let mut files = self.files();
        let sizes = files.values().map(|cached| (cached.used, cached.source.text().len()));
        let mut sizes: Vec<(u64, usize)> = sizes.collect();
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        let (mut sum, mut first_dropped) = (0_usize, None);
        for (used, size) in sizes {
            if sum.saturating_add(size) > bytes {
                first_dropped = Some(used);
                break;
            }
            sum += size;
        }
        if let Some(last_used) = first_dropped {
            files.retain(|_, cached| cached.used > last_used);
        }
        sum
    }

    /// Returns the number of parsings, counting a file each time it was parsed.
    pub(crate) fn count(&self) -> u64 {
        self.parsed.load(Ordering::Relaxed)
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<PathBuf, CachedFile<T>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
