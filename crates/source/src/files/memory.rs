//! In-memory file system for tests, editors and the browser.
//!
//! Implements [`Files`] on a map from path to content.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use super::{FileEntry, FileError, FileErrorKind, FileKind, Files};
use crate::paths::tidy;

/// Files in memory, rooted at `/`. A directory exists if a file is below it.
#[derive(Default, Debug)]
pub struct MemoryFiles {
    files: RwLock<BTreeMap<PathBuf, Arc<[u8]>>>,
}

impl MemoryFiles {
    /// Returns an empty file system.
    pub const fn new() -> MemoryFiles {
        MemoryFiles { files: RwLock::new(BTreeMap::new()) }
    }

    /// Adds or replaces a file.
    pub fn insert(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        files.insert(absolute(path.as_ref()), Arc::from(content.as_ref()));
    }
}

impl<P: AsRef<Path>, C: AsRef<[u8]>> FromIterator<(P, C)> for MemoryFiles {
    fn from_iter<I: IntoIterator<Item = (P, C)>>(iter: I) -> MemoryFiles {
        let files = MemoryFiles::new();
        for (path, content) in iter {
            files.insert(path, content);
        }
        files
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(content) = files.get(&absolute(path)) {
            return Ok(content.to_vec());
        }
        drop(files);
        let kind = match self.metadata(path)? {
            FileKind::Directory => FileErrorKind::IsDirectory,
            FileKind::File | FileKind::Other => FileErrorKind::NotFound,
        };
        Err(FileError { path: path.to_owned(), kind })
    }

    fn list(&self, path: &Path) -> Result<Vec<FileEntry>, FileError> {
        match self.metadata(path)? {
            FileKind::Directory => {}
            FileKind::File | FileKind::Other => {
                return Err(FileError { path: path.to_owned(), kind: FileErrorKind::NotDirectory });
            }
        }
        let directory = absolute(path);
        let mut entries = BTreeMap::new();
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        for file in below(&files, &directory) {
            let Ok(below) = file.strip_prefix(&directory) else { continue };
            let mut components = below.components();
            let Some(first) = components.next() else { continue };
            let kind = if components.next().is_some() { FileKind::Directory } else { FileKind::File };
            entries.insert(first.as_os_str().to_string_lossy().into_owned(), kind);
        }
        Ok(entries.into_iter().map(|(name, kind)| FileEntry { name, kind, is_link: false }).collect())
    }

    fn metadata(&self, path: &Path) -> Result<FileKind, FileError> {
        let wanted = absolute(path);
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        if files.contains_key(&wanted) {
            return Ok(FileKind::File);
        }
        if wanted == Path::new("/") || below(&files, &wanted).next().is_some() {
            return Ok(FileKind::Directory);
        }
        Err(FileError { path: path.to_owned(), kind: FileErrorKind::NotFound })
    }

    fn canonicalize(&self, path: &Path) -> Result<PathBuf, FileError> {
        self.metadata(path).map(|_| absolute(path))
    }

    fn working_directory(&self) -> PathBuf {
        PathBuf::from("/")
    }

    fn write_atomic(&self, path: &Path, content: &[u8]) -> Result<(), FileError> {
        self.insert(path, content);
        Ok(())
    }
}

/// Returns the files below a directory. Paths are ordered by their components, so these files directly follow the path of the
/// directory.
fn below<'f>(
    files: &'f BTreeMap<PathBuf, Arc<[u8]>>,
    directory: &'f Path,
) -> impl Iterator<Item = &'f PathBuf> {
    let behind = files.range::<Path, _>((Bound::Excluded(directory), Bound::Unbounded));
    behind.map(|(file, _)| file).take_while(move |file| file.starts_with(directory))
}

/// Returns the absolute path of a file.
fn absolute(path: &Path) -> PathBuf {
    tidy(&Path::new("/").join(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_reads() {
        let files: MemoryFiles =
            [("main.tf", "a"), ("m/x.tf", "b"), ("m/deep/y.tf", "c")].into_iter().collect();
        assert_eq!(files.read(Path::new("./m/../main.tf")).unwrap(), b"a");
        let names: Vec<_> =
            files.list(Path::new("m")).unwrap().into_iter().map(|e| (e.name, e.kind)).collect();
        assert_eq!(names, [("deep".into(), FileKind::Directory), ("x.tf".into(), FileKind::File)]);
        assert_eq!(files.read(Path::new("m")).unwrap_err().kind, FileErrorKind::IsDirectory);
        assert_eq!(files.read(Path::new("n")).unwrap_err().kind, FileErrorKind::NotFound);
        assert_eq!(files.list(Path::new("main.tf")).unwrap_err().kind, FileErrorKind::NotDirectory);
        assert_eq!(files.list(Path::new(".")).unwrap().len(), 2);
    }
}
