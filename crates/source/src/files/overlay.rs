//! Unsaved texts in front of another file system.
//!
//! [`OverlayFiles`] is for editors: it reads the text of an open buffer in place of the file on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::ops::Bound;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{FileEntry, FileError, FileErrorKind, FileKind, Files};
use crate::paths::tidy;

/// A file system with unsaved texts for some files and deletions of other files.
///
/// A path leads to an overlay however it is spelt: relative, with `..`, or through a symbolic link.
///
/// ```
/// use std::path::Path;
///
/// use terrane_source::{Files, MemoryFiles, OverlayFiles};
///
/// let mut files = OverlayFiles::new(MemoryFiles::from_iter([("a/main.tf", "old")]));
/// files.set("a/main.tf", "new");
/// files.set("b/main.tf", "more");
/// assert_eq!(files.read(Path::new("b/../a/main.tf")).as_deref(), Ok(&b"new"[..]));
/// assert_eq!(files.list(Path::new(".")).map(|entries| entries.len()), Ok(2));
/// files.remove("a/main.tf");
/// assert_eq!(files.read(Path::new("a/main.tf")).as_deref(), Ok(&b"old"[..]));
/// ```
#[derive(Clone, Default, Debug)]
pub struct OverlayFiles<F> {
    files: F,
    /// By the path that [`OverlayFiles::key`] returns. Paths are ordered by components, so the files below a directory
    /// stand together.
    overlays: BTreeMap<PathBuf, Overlay>,
}

/// The state of a file that differs from the one below.
#[derive(Clone, Debug)]
enum Overlay {
    Text(Arc<[u8]>),
    Deleted,
}

impl<F: Files> OverlayFiles<F> {
    /// Returns these files, without overlays.
    pub fn new(files: F) -> OverlayFiles<F> {
        OverlayFiles { files, overlays: BTreeMap::new() }
    }

    /// Sets the text of a file. The file need not exist below.
    pub fn set(&mut self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let key = self.key(path.as_ref());
        self.overlays.insert(key, Overlay::Text(Arc::from(text.as_ref())));
    }

    /// Makes a file count as deleted.
    pub fn delete(&mut self, path: impl AsRef<Path>) {
        let key = self.key(path.as_ref());
        self.overlays.insert(key, Overlay::Deleted);
    }

    /// Removes the overlay of a file, so that it has the text below again. Returns whether there was an overlay.
    pub fn remove(&mut self, path: impl AsRef<Path>) -> bool {
        let key = self.key(path.as_ref());
        self.overlays.remove(&key).is_some()
    }

    /// Returns the key of a path: absolute, and without `.`, `..` and symbolic links as far as the path exists.
    pub fn key(&self, path: &Path) -> PathBuf {
        destination(&self.files, path).unwrap_or_else(|_| tidy(&self.files.working_directory().join(path)))
    }

    fn overlay(&self, path: &Path) -> Option<&Overlay> {
        if self.overlays.is_empty() { None } else { self.overlays.get(&self.key(path)) }
    }

    /// Returns the overlays below a directory, whose key is given, by their paths relative to it.
    fn below<'o>(&'o self, directory: &'o Path) -> impl Iterator<Item = (&'o Path, &'o Overlay)> {
        let behind = self.overlays.range::<Path, _>((Bound::Included(directory), Bound::Unbounded));
        behind.map_while(move |(path, overlay)| Some((path.strip_prefix(directory).ok()?, overlay)))
    }

    /// Whether a directory exists because of unsaved texts in it.
    fn has_texts_below(&self, path: &Path) -> bool {
        let is_text = |(path, overlay): (&Path, &Overlay)| {
            matches!(overlay, Overlay::Text(_)) && !path.as_os_str().is_empty()
        };
        !self.overlays.is_empty() && self.below(&self.key(path)).any(is_text)
    }
}

fn not_found(path: &Path) -> FileError {
    FileError { path: path.to_owned(), kind: FileErrorKind::NotFound }
}

/// Returns the canonical form of `path`. If `path` does not exist, returns the canonical form of the longest beginning that
/// exists, followed by the rest of the path.
fn destination(files: &dyn Files, path: &Path) -> Result<PathBuf, FileError> {
    let error = match files.canonicalize(path) {
        Ok(canonical) => return Ok(canonical),
        Err(error) => error,
    };
    let mut rest: Vec<OsString> = Vec::new();
    let mut beginning = path.to_owned();
    loop {
        match beginning.components().next_back() {
            Some(Component::Normal(name)) => rest.push(name.to_owned()),
            Some(Component::CurDir) => {}
            // The meaning of `..` after a name that does not exist is undefined.
            Some(Component::ParentDir | Component::RootDir | Component::Prefix(_)) | None => {
                return Err(FileError { path: path.to_owned(), ..error });
            }
        }
        beginning.pop();
        let found = if beginning.as_os_str().is_empty() {
            files.canonicalize(Path::new("."))
        } else {
            files.canonicalize(&beginning)
        };
        if let Ok(canonical) = found {
            return Ok(rest.into_iter().rev().fold(canonical, |path, name| path.join(name)));
        }
    }
}

impl<F: Files> Files for OverlayFiles<F> {
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        match self.overlay(path) {
            Some(Overlay::Text(text)) => Ok(text.to_vec()),
            Some(Overlay::Deleted) => Err(not_found(path)),
            None => self.files.read(path),
        }
    }

    fn read_within(&self, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
        match self.overlay(path) {
            Some(Overlay::Text(text)) if text.len() as u64 > most => {
                Err(FileError::too_large(path, Some(text.len() as u64), most))
            }
            Some(_) => self.read(path),
            None => self.files.read_within(path, most),
        }
    }

    fn list(&self, path: &Path) -> Result<Vec<FileEntry>, FileError> {
        let below = match self.files.list(path) {
            Err(error) if error.kind != FileErrorKind::NotFound || !self.has_texts_below(path) => {
                return Err(error);
            }
            below => below.unwrap_or_default(),
        };
        if self.overlays.is_empty() {
            return Ok(below);
        }
        let directory = self.key(path);
        let mut entries: BTreeMap<String, FileEntry> =
            below.into_iter().map(|entry| (entry.name.clone(), entry)).collect();
        let mut deleted = BTreeSet::new();
        for (path, overlay) in self.below(&directory) {
            let mut components = path.components();
            let Some(first) = components.next() else { continue };
            let name = first.as_os_str().to_string_lossy().into_owned();
            let kind = if components.next().is_some() { FileKind::Directory } else { FileKind::File };
            match (overlay, kind) {
                (Overlay::Text(_), _) => {
                    let entry = FileEntry { name: name.clone(), kind, is_link: false };
                    entries.entry(name).or_insert(entry);
                }
                (Overlay::Deleted, FileKind::File) => drop(deleted.insert(name)),
                (Overlay::Deleted, FileKind::Directory | FileKind::Other) => {}
            }
        }
        // The target of a link may be deleted as well.
        let is_gone = |entry: &FileEntry| {
            deleted.contains(&entry.name)
                || (entry.is_link
                    && matches!(self.overlay(&directory.join(&entry.name)), Some(Overlay::Deleted)))
        };
        Ok(entries.into_values().filter(|entry| !is_gone(entry)).collect())
    }

    fn metadata(&self, path: &Path) -> Result<FileKind, FileError> {
        match self.overlay(path) {
            Some(Overlay::Text(_)) => Ok(FileKind::File),
            Some(Overlay::Deleted) => Err(not_found(path)),
            None => match self.files.metadata(path) {
                Err(_) if self.has_texts_below(path) => Ok(FileKind::Directory),
                found => found,
            },
        }
    }

    fn canonicalize(&self, path: &Path) -> Result<PathBuf, FileError> {
        match self.overlay(path) {
            Some(Overlay::Text(_)) => Ok(self.key(path)),
            Some(Overlay::Deleted) => Err(not_found(path)),
            None => match self.files.canonicalize(path) {
                Err(_) if self.has_texts_below(path) => Ok(self.key(path)),
                found => found,
            },
        }
    }

    fn working_directory(&self) -> PathBuf {
        self.files.working_directory()
    }

    fn hide_path(&self, path: &Path) {
        self.files.hide_path(path);
    }

    fn write_atomic(&self, path: &Path, content: &[u8]) -> Result<(), FileError> {
        self.files.write_atomic(path, content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryFiles;

    fn names(files: &dyn Files, path: &str) -> Vec<(String, FileKind)> {
        let entries = files.list(Path::new(path)).unwrap().into_iter();
        entries.map(|entry| (entry.name, entry.kind)).collect()
    }

    #[test]
    fn texts_and_deletions_are_seen_by_every_question() {
        let mut files =
            OverlayFiles::new(MemoryFiles::from_iter([("m/a.tf", "a"), ("m/b.tf", "b"), ("m/c/d.tf", "d")]));
        let at = |path: &str| PathBuf::from(path);
        files.delete("m/b.tf");
        files.set("m/new.tf", "n");
        files.set("m/deep/er/e.tf", "e");
        assert_eq!(files.read(&at("/m/new.tf")).unwrap(), b"n");
        assert_eq!(files.read(&at("m/./b.tf")).unwrap_err().kind, FileErrorKind::NotFound);
        assert_eq!(files.metadata(&at("m/b.tf")).unwrap_err().kind, FileErrorKind::NotFound);
        assert_eq!(files.canonicalize(&at("m/b.tf")).unwrap_err().kind, FileErrorKind::NotFound);
        let (file, directory) = (FileKind::File, FileKind::Directory);
        let wanted = [("a.tf", file), ("c", directory), ("deep", directory), ("new.tf", file)];
        assert_eq!(names(&files, "m"), wanted.map(|(name, kind)| (name.to_owned(), kind)));
        assert_eq!(names(&files, "m/deep"), [("er".to_owned(), directory)]);
        assert_eq!(files.metadata(&at("m/deep/er")), Ok(directory));
        assert_eq!(files.canonicalize(&at("m/deep/../deep/er")), Ok(at("/m/deep/er")));
        assert!(files.list(&at("none")).is_err());
        assert!(files.remove("m/b.tf") && !files.remove("m/b.tf"));
        assert_eq!(files.read(&at("m/b.tf")).unwrap(), b"b");
    }

    #[cfg(unix)]
    #[test]
    fn an_overlay_of_the_target_is_read_through_a_link() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        crate::OsFiles.write_atomic(&at("real.tf"), b"old").unwrap();
        std::os::unix::fs::symlink(at("real.tf"), at("link.tf")).unwrap();
        let mut files = OverlayFiles::new(crate::OsFiles);
        files.set(at("real.tf"), "new");
        assert_eq!(files.read(&at("link.tf")).unwrap(), b"new");
        files.delete(at("real.tf"));
        assert!(names(&files, &directory.path().display().to_string()).is_empty());
    }
}
