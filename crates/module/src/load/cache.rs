//! Keeps directories that have been read, and reads them again after a change.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use terrane_body::{Body, SourceReader};
use terrane_function::Dialect;
use terrane_source::{Diagnostic, Diagnostics, FileError, Files, SourceFile};
use terrane_syntax::ParsedSource;

use crate::inputs::VariableFiles;
use crate::load::directory::{self, Directory};
use crate::load::test_files;
use crate::model::parsed_files::ParsedFiles;
use crate::model::request::Request;
use crate::model::schemas::Schemas;
use crate::rules::Rules;
use terrane_source::paths::tidy;

/// Variable files and test files may each take one byte in this many of the memory.
const PART_OF_PARSED_FILES: usize = 8;

/// Keeps directories that have been read, for loads with common modules. Several threads may use it.
///
/// A directory is read once for each dialect, each set of schemas and each set of added functions. It is read again
/// after [`Cache::forget`]; then only changed files are parsed, and without a changed file it stays the same
/// [`Directory`]. Variable files and test files are read each time, and parsed if their text has changed.
#[derive(Default, Debug)]
pub struct Cache {
    entries: Mutex<HashMap<PathBuf, Vec<CachedDirectory>>>,
    /// The number of requests so far, which orders the entries by use.
    requests: AtomicU64,
    parsed: AtomicU64,
    variable_files: VariableFiles,
    test_files: ParsedFiles<Body>,
}

/// A directory as requests with one dialect, set of schemas and set of functions read it.
#[derive(Debug)]
struct CachedDirectory {
    dialect: Dialect,
    schemas: Schemas,
    /// The names of the added functions.
    functions: Vec<String>,
    directory: Arc<Directory>,
    /// Whether no file of the directory has changed since it was read. A directory with an unreadable file
    /// is read again each time.
    is_current: bool,
    /// The number of the last request for the directory.
    used: u64,
    /// The canonical paths of the directory and of the targets of its links; found when a change is first reported.
    watched: Option<Vec<PathBuf>>,
}

impl CachedDirectory {
    fn is_for(&self, request: &Request) -> bool {
        let names = request.functions.iter().map(|function| &*function.name);
        self.dialect == request.dialect
            && self.functions.iter().map(String::as_str).eq(names)
            && self.schemas.is_same(&request.schemas)
    }

    /// Whether a change of one of these canonical paths changes the directory.
    fn is_among(&mut self, path: &Path, changed: &[PathBuf], files: &dyn Files) -> bool {
        let watched = self.watched.get_or_insert_with(|| {
            let links = self.directory.links.iter().map(PathBuf::as_path);
            std::iter::once(path).chain(links).filter_map(|path| files.canonicalize(path).ok()).collect()
        });
        // A directory that no longer exists has no canonical path.
        watched.is_empty()
            || watched.iter().any(|watched| {
                changed.iter().any(|changed| {
                    watched.starts_with(changed) || changed.parent().is_some_and(|parent| parent == watched)
                })
            })
    }
}

impl Cache {
    /// Returns the content of a directory, which is read if it is not in the cache.
    ///
    /// # Errors
    ///
    /// An error if the directory cannot be listed.
    pub fn directory(
        &self,
        path: &Path,
        request: &Request,
        files: &dyn Files,
    ) -> Result<Arc<Directory>, FileError> {
        let sources = SourceReader::new(files, &request.limits);
        self.find(&tidy(path), &Rules::of(request.dialect), request, &sources)
    }

    /// Does the same as [`Cache::directory`], for a path that [`tidy`] has made.
    pub(crate) fn find(
        &self,
        path: &Path,
        rules: &Rules,
        request: &Request,
        sources: &SourceReader<'_>,
    ) -> Result<Arc<Directory>, FileError> {
        let used = self.requests.fetch_add(1, Ordering::Relaxed);
        // The directory is always listed, so that a recorder of file accesses sees the list.
        let entries = sources.files().list(path)?;
        let mut earlier = None;
        if let Some(entry) = self.entries().get_mut(path).and_then(|all| of(all, request)) {
            entry.used = used;
            if entry.is_current && sources.count(entry.directory.bytes()) {
                return Ok(Arc::clone(&entry.directory));
            }
            earlier = Some(Arc::clone(&entry.directory));
        }
        let reading = directory::Reading { path, rules, request, sources, earlier: earlier.as_ref() };
        let (read, parsed) = directory::read(&reading, entries);
        self.parsed.fetch_add(parsed, Ordering::Relaxed);
        let mut entries = self.entries();
        let all = entries.entry(path.to_owned()).or_default();
        match of(all, request) {
            // Another thread may have read the directory in the meantime.
            Some(entry) if entry.is_current => return Ok(Arc::clone(&entry.directory)),
            Some(entry) => {
                entry.directory = Arc::clone(&read);
                entry.is_current = read.is_read;
                entry.watched = None;
            }
            None => all.push(CachedDirectory {
                dialect: request.dialect,
                schemas: request.schemas.clone(),
                functions: request.functions.iter().map(|function| function.name.to_string()).collect(),
                directory: Arc::clone(&read),
                is_current: read.is_read,
                used,
                watched: None,
            }),
        }
        Ok(read)
    }

    /// Takes note of changed files, given by their canonical paths: their directories are read again when
    /// they are next requested.
    pub fn forget(&self, changed: &[PathBuf], files: &dyn Files) {
        self.entries().iter_mut().for_each(|(path, entries)| {
            for entry in entries.iter_mut().filter(|entry| entry.is_current) {
                entry.is_current = !entry.is_among(path, changed, files);
            }
        });
    }

    /// Drops the least recently used directories, variable files and test files, until the sources of the
    /// rest have at most `bytes`.
    pub fn shrink_to(&self, bytes: usize) {
        let of_part = bytes / PART_OF_PARSED_FILES;
        let bytes = bytes - self.variable_files.shrink_to(of_part) - self.test_files.shrink_to(of_part);
        let mut entries = self.entries();
        let sizes = entries.values().flatten().map(|entry| (entry.used, entry.directory.bytes()));
        let mut sizes: Vec<(u64, usize)> = sizes.collect();
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        let mut sum = 0_usize;
        let first_dropped = sizes.into_iter().find(|(_, size)| {
            sum = sum.saturating_add(*size);
            sum > bytes
        });
        let Some((last_used, _)) = first_dropped else { return };
        entries.values_mut().for_each(|all| all.retain(|entry| entry.used > last_used));
        entries.retain(|_, all| !all.is_empty());
    }

    /// Returns the number of parsings of configuration, variable and test files, counting a file each time it was parsed.
    pub fn parsed(&self) -> u64 {
        self.parsed.load(Ordering::Relaxed) + self.variable_files.count() + self.test_files.count()
    }

    /// Returns the mistakes in the syntax of a file. A file with this text in a directory that has been read is not parsed again.
    pub fn syntax_errors(&self, source: &Arc<SourceFile>) -> Vec<Diagnostic> {
        let directories =
            source.id().path().parent().map_or_else(Vec::new, |path| self.read_directories(path));
        match directories.iter().find_map(|read| directory::same_file(&read.parsed, source)) {
            Some(file) => file.diagnostics.clone(),
            None => {
                self.parsed.fetch_add(1, Ordering::Relaxed);
                ParsedSource::of(source).into_diagnostics()
            }
        }
    }

    /// Returns the content of a directory as requests have read it: once for each dialect, each set of schemas and each set of
    /// added functions.
    pub fn read_directories(&self, path: &Path) -> Vec<Arc<Directory>> {
        let entries = self.entries();
        let all = entries.get(&tidy(path)).into_iter().flatten();
        all.map(|entry| Arc::clone(&entry.directory)).collect()
    }

    /// Returns the body of a test file; `None` if it cannot be read. Its mistakes are reported when it is run.
    pub(crate) fn test_file(&self, path: &Path, sources: &SourceReader<'_>) -> Option<Arc<Body>> {
        let source = sources.read(path).ok()?;
        let parse = |source: &Arc<SourceFile>| test_files::parse(source, &mut Diagnostics::new());
        Some(self.test_files.get(path, &source, |_| true, parse))
    }

    /// Returns the variable files that have been parsed.
    pub(crate) fn variable_files(&self) -> &VariableFiles {
        &self.variable_files
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<PathBuf, Vec<CachedDirectory>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the entry for a request.
fn of<'e>(entries: &'e mut [CachedDirectory], request: &Request) -> Option<&'e mut CachedDirectory> {
    entries.iter_mut().find(|entry| entry.is_for(request))
}

#[cfg(test)]
mod tests {
    use terrane_source::{MemoryFiles, OverlayFiles};

    use super::*;

    fn files() -> OverlayFiles<MemoryFiles> {
        OverlayFiles::new(MemoryFiles::from_iter([
            ("a/one.tf", "locals { a = 1 }\n"),
            ("a/two.tf", "locals { b = 1 }\n"),
            ("b/one.tf", "locals { c = 1 }\n"),
        ]))
    }

    #[test]
    fn a_change_reads_one_directory_and_parses_one_file() {
        let (mut files, cache, request) = (files(), Cache::default(), Request::new("."));
        let read = |files: &OverlayFiles<MemoryFiles>| {
            ["a", "./b"].map(|path| cache.directory(Path::new(path), &request, files).unwrap())
        };
        let [a, b] = read(&files);
        assert_eq!(cache.parsed(), 3);
        files.set("a/two.tf", "locals { b = 2 }\n");
        assert!(Arc::ptr_eq(&read(&files)[0], &a), "nothing is read again before the change is noted");
        cache.forget(&[files.key(Path::new("a/two.tf"))], &files);
        let [changed, same] = read(&files);
        assert_eq!(cache.parsed(), 4);
        assert!(Arc::ptr_eq(&same, &b) && !Arc::ptr_eq(&changed, &a));
        assert!(Arc::ptr_eq(&changed.parsed[0], &a.parsed[0]));
        assert!(!Arc::ptr_eq(&changed.parsed[1], &a.parsed[1]));
        cache.forget(&[PathBuf::from("/a/two.tf"), PathBuf::from("/a/readme.md")], &files);
        assert!(Arc::ptr_eq(&read(&files)[0], &changed), "without another text it is the same directory");
        files.delete("a/one.tf");
        cache.forget(&[PathBuf::from("/a/one.tf")], &files);
        assert_eq!(read(&files)[0].files.len(), 1);
        assert_eq!(cache.parsed(), 4);
    }

    #[test]
    fn each_dialect_and_each_set_of_functions_has_its_own_directory() {
        let (files, cache) = (files(), Cache::default());
        let mut request = Request::new(".");
        let read = |request: &Request| cache.directory(Path::new("a"), request, &files).unwrap();
        let first = read(&request);
        assert!(Arc::ptr_eq(&first, &read(&request)));
        request.dialect = "terraform".parse().unwrap();
        assert!(!Arc::ptr_eq(&first, &read(&request)));
        let mut request = Request::new(".");
        request.functions = terrane_stdlib::functions().into_iter().take(1).collect();
        assert!(!Arc::ptr_eq(&first, &read(&request)));
    }

    #[test]
    fn the_directories_not_used_for_longest_are_dropped() {
        let (files, cache, request) = (files(), Cache::default(), Request::new("."));
        let read = |path: &str| cache.directory(Path::new(path), &request, &files).unwrap();
        let (a, b) = (read("a"), read("b"));
        cache.shrink_to(1000);
        assert!(Arc::ptr_eq(&a, &read("a")));
        cache.shrink_to(2 * "locals { a = 1 }\n".len());
        assert!(Arc::ptr_eq(&a, &read("a")) && !Arc::ptr_eq(&b, &read("b")));
    }
}
