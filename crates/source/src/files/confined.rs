//! Restricts file access to one directory.
//!
//! [`ConfinedFiles`] wraps another [`Files`], so that an untrusted configuration cannot read outside of its
//! directory.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use super::{EntryKind, FileEntry, FileError, FileErrorKind, Files};

/// The files of one directory and of the directories below it. A path that leads elsewhere, also through a
/// symbolic link, is refused, whether or not there is anything at it.
#[derive(Clone, Debug)]
pub struct ConfinedFiles<F> {
    files: F,
    /// Canonical.
    root: PathBuf,
}

impl<F: Files> ConfinedFiles<F> {
    /// The part of `files` in `directory` and below.
    ///
    /// # Errors
    ///
    /// Where it is not a directory.
    pub fn new(files: F, directory: &Path) -> Result<ConfinedFiles<F>, FileError> {
        if files.metadata(directory)? != EntryKind::Directory {
            return Err(FileError { path: directory.to_owned(), kind: FileErrorKind::NotDirectory });
        }
        let root = files.canonicalize(directory)?;
        Ok(ConfinedFiles { files, root })
    }

    /// The target of `path` without symbolic links, so that the checked file is the file that is read.
    fn inside(&self, path: &Path) -> Result<PathBuf, FileError> {
        let canonical = self.destination(path)?;
        if canonical.starts_with(&self.root) {
            return Ok(canonical);
        }
        Err(FileError { path: path.to_owned(), kind: FileErrorKind::Confined })
    }

    /// The canonical form of `path`. Where there is nothing at `path`, that of the longest beginning at which
    /// there is something, and the rest of the path behind it.
    fn destination(&self, path: &Path) -> Result<PathBuf, FileError> {
        let error = match self.files.canonicalize(path) {
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
                self.files.canonicalize(Path::new("."))
            } else {
                self.files.canonicalize(&beginning)
            };
            if let Ok(canonical) = found {
                return Ok(rest.into_iter().rev().fold(canonical, |path, name| path.join(name)));
            }
        }
    }
}

/// `result` with the path in its error as it was given.
fn named<T>(result: Result<T, FileError>, path: &Path) -> Result<T, FileError> {
    result.map_err(|error| FileError { path: path.to_owned(), ..error })
}

impl<F: Files> Files for ConfinedFiles<F> {
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        named(self.files.read(&self.inside(path)?), path)
    }

    fn list(&self, path: &Path) -> Result<Vec<FileEntry>, FileError> {
        let directory = self.inside(path)?;
        let mut entries = named(self.files.list(&directory), path)?;
        for entry in entries.iter_mut().filter(|entry| entry.is_link) {
            // A link to a directory elsewhere is refused when someone goes through it; one to a file would else
            // look like a file of this directory.
            let leaves = self.inside(&directory.join(&entry.name)).is_err();
            if leaves && entry.kind == EntryKind::File {
                entry.kind = EntryKind::Other;
            }
        }
        Ok(entries)
    }

    fn metadata(&self, path: &Path) -> Result<EntryKind, FileError> {
        named(self.files.metadata(&self.inside(path)?), path)
    }

    fn canonicalize(&self, path: &Path) -> Result<PathBuf, FileError> {
        named(self.files.canonicalize(&self.inside(path)?), path)
    }

    fn working_directory(&self) -> PathBuf {
        self.files.working_directory()
    }

    fn write_atomic(&self, path: &Path, content: &[u8]) -> Result<(), FileError> {
        named(self.files.write_atomic(&self.inside(path)?, content), path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryFiles;

    #[test]
    fn only_paths_below_the_root_are_followed() {
        let files = MemoryFiles::from_iter([("/a/in/x", "x"), ("/a/inside", "y"), ("/a/out", "z")]);
        let confined = ConfinedFiles::new(files, Path::new("/a/in")).unwrap();
        assert_eq!(confined.read(Path::new("/a/in/x")).unwrap(), b"x");
        assert_eq!(confined.read(Path::new("/a/in/../in/x")).unwrap(), b"x");
        assert!(confined.list(Path::new("/a/in")).is_ok());
        let kind = |path: &str| confined.metadata(Path::new(path)).unwrap_err().kind;
        for outside in ["/a/out", "/a/inside", "/a", "/", "/a/in/../out", "/none", "/a/none/x"] {
            assert_eq!(kind(outside), FileErrorKind::Confined, "{outside}");
        }
        for missing in ["/a/in/none", "/a/in/none/deeper"] {
            assert_eq!(kind(missing), FileErrorKind::NotFound, "{missing}");
        }
        let not_a_directory = ConfinedFiles::new(MemoryFiles::from_iter([("/x", "")]), Path::new("/x"));
        assert_eq!(not_a_directory.unwrap_err().kind, FileErrorKind::NotDirectory);
        assert!(confined.write_atomic(Path::new("/a/new"), b"").is_err());
        assert!(confined.write_atomic(Path::new("/a/in/new"), b"n").is_ok());
        assert_eq!(confined.read(Path::new("/a/out")).unwrap_err().path, Path::new("/a/out"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_as_far_as_they_stay_inside() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let files = crate::OsFiles;
        let inside = tempfile::Builder::new().prefix("in").rand_bytes(0).tempdir_in(&directory).unwrap();
        assert_eq!(inside.path(), at("in"));
        for (name, target) in
            [("in/near", "x"), ("in/far", "../out"), ("in/up", ".."), ("in/dead", "../none")]
        {
            std::os::unix::fs::symlink(target, at(name)).unwrap();
        }
        files.write_atomic(&at("in/x"), b"x").unwrap();
        files.write_atomic(&at("out"), b"secret").unwrap();
        let confined = ConfinedFiles::new(files, &at("in")).unwrap();
        assert_eq!(confined.read(&at("in/near")).unwrap(), b"x");
        for outside in ["in/far", "in/up/out", "in/up/none", "in/up"] {
            assert_eq!(confined.read(&at(outside)).unwrap_err().kind, FileErrorKind::Confined, "{outside}");
        }
        assert!(confined.read(&at("in/dead")).is_err());
        let kinds = confined.list(&at("in")).unwrap().into_iter().map(|entry| (entry.name, entry.kind));
        let wanted = [
            ("dead", EntryKind::Other),
            ("far", EntryKind::Other),
            ("near", EntryKind::File),
            ("up", EntryKind::Directory),
            ("x", EntryKind::File),
        ];
        assert_eq!(kinds.collect::<Vec<_>>(), wanted.map(|(name, kind)| (name.to_owned(), kind)));
    }
}
