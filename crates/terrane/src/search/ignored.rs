//! Finds the directories that `.gitignore` and `.terraneignore` leave out.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use terrane_source::{FileEntry, FileKind, Files};

/// The files with patterns. Patterns of the second file take precedence.
const NAMES: [&str; 2] = [".gitignore", ".terraneignore"];

/// The maximum size of a file with patterns.
const MAX_BYTES: u64 = 1 << 20;

/// The work of all patterns of a search; further patterns are skipped. A byte of a pattern with special characters is
/// [`WORK_OF_SPECIAL_BYTE`], a byte of any other pattern 1.
const MAX_WORK: usize = 4 << 20;

/// The work of a byte of a pattern with special characters, which becomes a part of a regular expression.
const WORK_OF_SPECIAL_BYTE: usize = 8;

/// The patterns that apply to a directory: the patterns of the repository first, the directory's own last.
#[derive(Clone)]
pub(crate) struct Ignored {
    /// The working directory, which relative paths of directories start from.
    working_directory: PathBuf,
    patterns: Vec<Arc<Gitignore>>,
    /// The work that is left for the patterns of the search.
    left: Arc<AtomicUsize>,
}

impl Ignored {
    /// Returns the patterns in the directories between the top of the repository and `directory`, without the patterns in
    /// `directory` itself. Outside of a repository there are none.
    pub(crate) fn above(directory: &Path, files: &dyn Files) -> Ignored {
        let working_directory = files.working_directory();
        let left = Arc::new(AtomicUsize::new(MAX_WORK));
        let mut ignored = Ignored { working_directory, patterns: Vec::new(), left };
        for directory in repository_above(&ignored.absolute(directory), files) {
            ignored.read(&directory, &NAMES, files);
        }
        ignored
    }

    /// Adds the patterns in the files among the `entries` of a directory.
    fn with(mut self, directory: &Path, entries: &[FileEntry], files: &dyn Files) -> Ignored {
        let names: Vec<&str> =
            NAMES.into_iter().filter(|name| entries.iter().any(|entry| entry.name == *name)).collect();
        let directory = self.absolute(directory);
        self.read(&directory, &names, files);
        self
    }

    /// Returns the searched subdirectories of a directory with these `entries`, and the patterns that apply to them. Hidden and
    /// ignored directories and links are left out.
    pub(crate) fn below(
        self,
        directory: &Path,
        entries: &[FileEntry],
        files: &dyn Files,
    ) -> Vec<(PathBuf, Ignored)> {
        let is_directory = |entry: &&FileEntry| {
            entry.kind == FileKind::Directory && !entry.is_link && !entry.name.starts_with('.')
        };
        if !entries.iter().any(|entry| is_directory(&entry)) {
            return Vec::new();
        }
        let ignored = self.with(directory, entries, files);
        let is_here = directory == Path::new(".");
        let path = |entry: &FileEntry| {
            if is_here { PathBuf::from(&entry.name) } else { directory.join(&entry.name) }
        };
        let paths = entries.iter().filter(is_directory).map(path);
        paths.filter(|path| !ignored.has(path)).map(|path| (path, ignored.clone())).collect()
    }

    /// Whether a directory is left out. The last pattern that matches decides.
    fn has(&self, directory: &Path) -> bool {
        let path = self.absolute(directory);
        let decides = |patterns: &Arc<Gitignore>| match patterns.matched(&path, true) {
            Match::None => None,
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
        };
        self.patterns.iter().rev().find_map(decides).unwrap_or(false)
    }

    /// Adds the patterns of a directory. As in git, files that cannot be read and invalid patterns are skipped.
    fn read(&mut self, directory: &Path, names: &[&str], files: &dyn Files) {
        for name in names {
            let Ok(bytes) = files.read_within(&directory.join(name), MAX_BYTES) else { continue };
            let mut builder = GitignoreBuilder::new(directory);
            for line in String::from_utf8_lossy(&bytes).lines() {
                let weight = if line.contains(['*', '?', '[']) { WORK_OF_SPECIAL_BYTE } else { 1 };
                if !self.take(line.len().saturating_mul(weight)) {
                    break;
                }
                let _ = builder.add_line(None, line);
            }
            if let Ok(patterns) = builder.build() {
                self.patterns.push(Arc::new(patterns));
            }
        }
    }

    /// Counts the work of a pattern. Returns false if less is left.
    fn take(&self, work: usize) -> bool {
        let less = |left: usize| left.checked_sub(work);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }

    fn absolute(&self, directory: &Path) -> PathBuf {
        terrane_source::paths::tidy(&self.working_directory.join(directory))
    }
}

/// Returns the directories of the repository above an absolute directory, the top first. Outside of a repository there are
/// none.
pub(crate) fn repository_above(directory: &Path, files: &dyn Files) -> Vec<PathBuf> {
    let is_top = |directory: &&Path| files.metadata(&directory.join(".git")).is_ok();
    let Some(top) = directory.ancestors().find(is_top) else { return Vec::new() };
    let between = directory.ancestors().skip(1).take_while(|above| above.starts_with(top));
    let mut between: Vec<PathBuf> = between.map(Path::to_path_buf).collect();
    between.reverse();
    between
}
