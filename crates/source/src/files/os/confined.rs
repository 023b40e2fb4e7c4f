//! Restricts reading to one directory.
//!
//! [`ConfinedFiles`] are files for an untrusted configuration: it can neither read outside of its directory nor find out
//! whether anything exists there.

use std::path::{Path, PathBuf};

use rustix::fs::{Dir, FileType};

use super::beneath::{Refusal, Root};
use super::{MAX_BYTES, OsFiles, failure, read_opened};
use crate::files::{FileEntry, FileError, FileErrorKind, FileKind, Files};
use crate::paths::tidy;

/// Read-only access to one directory and the directories below it. A path that leads elsewhere, also through a symbolic link,
/// is refused, whether or not it exists. The paths of the working directory and of the directory are those at the time of
/// [`ConfinedFiles::new`].
///
/// Files that are not below the directory by name can be below it by a hard link or a mount, and are then read.
#[derive(Debug)]
pub struct ConfinedFiles {
    root: Root,
    working_directory: PathBuf,
}

impl ConfinedFiles {
    /// Returns the files in `directory` and below.
    ///
    /// # Errors
    ///
    /// If it is not a directory.
    pub fn new(directory: &Path) -> Result<ConfinedFiles, FileError> {
        if OsFiles.metadata(directory)? != FileKind::Directory {
            return Err(FileError { path: directory.to_owned(), kind: FileErrorKind::NotDirectory });
        }
        let canonical = OsFiles.canonicalize(directory)?;
        let working_directory = OsFiles.working_directory();
        let root = Root::open(directory, canonical, &working_directory);
        let root = root.map_err(|error| failure(directory, &error))?;
        Ok(ConfinedFiles { root, working_directory })
    }

    /// Adds `path` as another path to the file or directory that it leads to now. Without that, a path that reaches the
    /// directory through links outside of it is refused, because nothing outside is read.
    #[must_use]
    pub fn entered_at(mut self, path: &Path) -> ConfinedFiles {
        if let Ok(found) = OsFiles.canonicalize(path)
            && let Ok(below) = found.strip_prefix(self.root.canonical())
        {
            let below = below.to_owned();
            self.root.enter_at(&tidy(&self.working_directory.join(path)), below);
        }
        self
    }
}

impl Files for ConfinedFiles {
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        let opened = self.root.read(path).map_err(|refusal| refused(path, refusal))?;
        read_opened(opened.into(), path, MAX_BYTES)
    }

    fn read_within(&self, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
        let opened = self.root.read(path).map_err(|refusal| refused(path, refusal))?;
        read_opened(opened.into(), path, most)
    }

    fn list(&self, path: &Path) -> Result<Vec<FileEntry>, FileError> {
        let opened = self.root.read(path).map_err(|refusal| refused(path, refusal))?;
        let directory = Dir::new(opened).map_err(|error| failure(path, &error.into()))?;
        let mut entries = Vec::new();
        for entry in directory {
            let entry = entry.map_err(|error| failure(path, &error.into()))?;
            if matches!(entry.file_name().to_bytes(), b"." | b"..") {
                continue;
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            let file_type = entry.file_type();
            let is_link = file_type.is_symlink();
            let kind = if is_link || file_type == FileType::Unknown {
                // A link that leads outside looks like a broken link.
                self.metadata(&path.join(&name)).unwrap_or(FileKind::Other)
            } else {
                kind(file_type)
            };
            entries.push(FileEntry { name, kind, is_link });
        }
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    fn metadata(&self, path: &Path) -> Result<FileKind, FileError> {
        let metadata = self.root.metadata(path).map_err(|refusal| refused(path, refusal))?;
        Ok(kind(FileType::from_raw_mode(metadata.st_mode)))
    }

    fn canonicalize(&self, path: &Path) -> Result<PathBuf, FileError> {
        self.root.canonicalize(path).map_err(|refusal| refused(path, refusal))
    }

    fn working_directory(&self) -> PathBuf {
        self.working_directory.clone()
    }

    /// Always refused: confined files are for untrusted configuration, which writes nothing.
    fn write_atomic(&self, path: &Path, _content: &[u8]) -> Result<(), FileError> {
        Err(FileError { path: path.to_owned(), kind: FileErrorKind::PermissionDenied })
    }
}

fn kind(file_type: FileType) -> FileKind {
    if file_type.is_file() {
        FileKind::File
    } else if file_type.is_dir() {
        FileKind::Directory
    } else {
        FileKind::Other
    }
}

fn refused(path: &Path, refusal: Refusal) -> FileError {
    match refusal {
        Refusal::Outside => FileError { path: path.to_owned(), kind: FileErrorKind::Confined },
        Refusal::Failed(error) => failure(path, &error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};

    use tempfile::TempDir;

    use super::*;

    /// Returns a directory `in` with links, beside files that they lead to.
    fn tree() -> (TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(&directory).unwrap();
        for name in ["in", "in/sub", "outdir"] {
            fs::create_dir(base.join(name)).unwrap();
        }
        for (name, content) in [
            ("in/x", "x"),
            ("in/sub/y", "y"),
            ("out", "secret"),
            ("inside", "secret"),
            ("outdir/z", "secret"),
        ] {
            fs::write(base.join(name), content).unwrap();
        }
        let absolute = |name: &str| base.join(name).to_string_lossy().into_owned();
        let links = [
            ("in/near", "x".to_owned()),
            ("in/sub/back", "../x".to_owned()),
            ("in/through", "sub/../../in/x".to_owned()),
            ("in/absolute", absolute("in/x")),
            ("in/absolute-directory", absolute("in/sub")),
            ("in/far", "../out".to_owned()),
            ("in/dead-far", "../none".to_owned()),
            ("in/far-absolute", absolute("out")),
            ("in/dead-absolute", absolute("none")),
            ("in/up", "..".to_owned()),
            ("in/far-directory", "../outdir".to_owned()),
            ("in/dead", "none".to_owned()),
            ("in/circle", "circle".to_owned()),
            ("in/chain", "sub/chain".to_owned()),
            ("in/sub/chain", "../far".to_owned()),
            ("alias", "in".to_owned()),
        ];
        for (name, target) in links {
            symlink(target, base.join(name)).unwrap();
        }
        (directory, base)
    }

    /// Returns everything that an untrusted configuration can find out about a path.
    fn answers(files: &ConfinedFiles, path: &Path) -> String {
        let kinds = [
            format!("{:?}", files.read(path).map_err(|error| error.kind)),
            format!("{:?}", files.metadata(path).map_err(|error| error.kind)),
            format!("{:?}", files.list(path).map_err(|error| error.kind)),
            format!("{:?}", files.canonicalize(path).map_err(|error| error.kind)),
        ];
        kinds.join(" ")
    }

    /// Returns the files in `directory`, opened with and without the help of the kernel.
    fn both(directory: &Path) -> [ConfinedFiles; 2] {
        let walking = ConfinedFiles::new(directory).unwrap();
        walking.root.asks_kernel.store(false, Ordering::Relaxed);
        [ConfinedFiles::new(directory).unwrap(), walking]
    }

    const REFUSED: &str = "Err(Confined) Err(Confined) Err(Confined) Err(Confined)";

    #[test]
    fn everything_outside_has_one_answer() {
        let (_directory, base) = tree();
        for files in both(&base.join("in")) {
            let outside = [
                "in/far",
                "in/dead-far",
                "in/far-absolute",
                "in/dead-absolute",
                "in/up",
                "in/up/out",
                "in/up/none",
                "in/far-directory",
                "in/far-directory/z",
                "in/far-directory/none",
                "in/chain",
                "in/through",
                "in/sub/../../out",
                "in/sub/../../none",
                "in/../out",
                "in/../none",
                "out",
                "inside",
                "none",
                "none/deeper",
                "outdir/z",
                "alias/x",
                "",
                "/",
                "/none",
                "/etc/passwd",
            ];
            for path in outside {
                assert_eq!(answers(&files, &base.join(path)), REFUSED, "{path}");
            }
        }
    }

    #[test]
    fn links_are_followed_as_far_as_they_stay_inside() {
        let (_directory, base) = tree();
        for files in both(&base.join("in")) {
            for path in
                ["in/x", "in/near", "in/sub/back", "in/absolute", "in/../in/x", "in/sub/../x", "none/../in/x"]
            {
                assert_eq!(files.read(&base.join(path)).unwrap(), b"x", "{path}");
                assert_eq!(files.metadata(&base.join(path)).unwrap(), FileKind::File, "{path}");
                assert_eq!(files.canonicalize(&base.join(path)).unwrap(), base.join("in/x"), "{path}");
            }
            assert_eq!(files.read(&base.join("in/absolute-directory/y")).unwrap(), b"y");
            assert_eq!(
                files.canonicalize(&base.join("in/absolute-directory/.")).unwrap(),
                base.join("in/sub")
            );
            for path in ["in/none", "in/none/deeper", "in/dead"] {
                let missing = "Err(NotFound) Err(NotFound) Err(NotFound) Err(NotFound)";
                assert_eq!(answers(&files, &base.join(path)), missing, "{path}");
            }
            assert!(answers(&files, &base.join("in/circle")).starts_with("Err(Other("));
            assert_eq!(files.read(&base.join("in/sub")).unwrap_err().kind, FileErrorKind::IsDirectory);
            assert_eq!(files.list(&base.join("in/x")).unwrap_err().kind, FileErrorKind::NotDirectory);
            assert_eq!(files.read(&base.join("in/x/y")).unwrap_err().kind, FileErrorKind::NotDirectory);
            let none = FileErrorKind::NotDirectory;
            assert_eq!(ConfinedFiles::new(&base.join("out")).unwrap_err().kind, none);
            assert_eq!(
                files.write_atomic(&base.join("in/x"), b"").unwrap_err().kind,
                FileErrorKind::PermissionDenied
            );
        }
    }

    #[test]
    fn a_listing_does_not_tell_what_links_outside_lead_to() {
        let (_directory, base) = tree();
        for files in both(&base.join("in")) {
            let entries = files.list(&base.join("in")).unwrap();
            let with = |kind| -> Vec<&str> {
                entries.iter().filter(|entry| entry.kind == kind).map(|entry| entry.name.as_str()).collect()
            };
            assert_eq!(with(FileKind::File), ["absolute", "near", "x"]);
            assert_eq!(with(FileKind::Directory), ["absolute-directory", "sub"]);
            assert_eq!(entries.len(), 15);
            assert_eq!(entries.iter().filter(|entry| entry.is_link).count(), 13);
        }
    }

    #[test]
    fn a_directory_may_be_named_by_a_link() {
        let (_directory, base) = tree();
        let files = ConfinedFiles::new(&base.join("alias")).unwrap();
        for path in ["alias/x", "in/x", "in/absolute", "alias/sub/../x"] {
            assert_eq!(files.read(&base.join(path)).unwrap(), b"x", "{path}");
        }
        symlink("in/sub", base.join("deep")).unwrap();
        let files = ConfinedFiles::new(&base.join("in")).unwrap();
        assert_eq!(answers(&files, &base.join("deep/y")), REFUSED);
        let files = files.entered_at(&base.join("deep")).entered_at(&base.join("outdir"));
        assert_eq!(files.read(&base.join("deep/y")).unwrap(), b"y");
        assert_eq!(files.read(&base.join("deep/../x")).unwrap(), b"x");
        assert_eq!(answers(&files, &base.join("outdir/z")), REFUSED);
        let everything = ConfinedFiles::new(Path::new("/")).unwrap();
        assert_eq!(everything.read(&base.join("in/far")).unwrap(), b"secret");
    }

    #[test]
    fn a_pipe_is_not_waited_for() {
        use rustix::fs::{CWD, Mode, mkfifoat};

        let (_directory, base) = tree();
        mkfifoat(CWD, base.join("in/pipe"), Mode::RUSR | Mode::WUSR).unwrap();
        let files = ConfinedFiles::new(&base.join("in")).unwrap();
        assert_eq!(files.read(&base.join("in/pipe")).unwrap_err().kind, FileErrorKind::NotRegular);
    }

    /// Exchanges `names` again and again while `read` is repeated.
    fn while_exchanging(base: &Path, names: [&str; 2], mut read: impl FnMut()) {
        let over = AtomicBool::new(false);
        let [first, second, third] = [names[0], names[1], "third"].map(|name| base.join(name));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    fs::rename(&first, &third).unwrap();
                    fs::rename(&second, &first).unwrap();
                    fs::rename(&third, &second).unwrap();
                }
            });
            for _ in 0..10_000 {
                read();
            }
            over.store(true, Ordering::Relaxed);
        });
    }

    /// A reader that checks a path and then opens it leaks within a few hundred reads.
    #[test]
    fn exchanging_a_link_while_it_is_read_leaks_nothing() {
        for asks_kernel in [true, false] {
            exchange(asks_kernel);
        }
    }

    fn exchange(asks_kernel: bool) {
        let (_directory, base) = tree();
        let files = ConfinedFiles::new(&base.join("in")).unwrap();
        files.root.asks_kernel.fetch_and(asks_kernel, Ordering::Relaxed);
        let mut seen = [0, 0];
        let mut read = |path: &str| match files.read(&base.join(path)) {
            Ok(content) => {
                assert_ne!(content, b"secret", "{path}");
                seen[0] += 1;
            }
            Err(_) => seen[1] += 1,
        };
        // A file and a link to a file outside; the same through an absolute link, which is walked; directories.
        while_exchanging(&base, ["in/near", "in/far"], || read("in/near"));
        while_exchanging(&base, ["in/absolute", "in/far-absolute"], || read("in/absolute"));
        fs::write(base.join("in/sub/z"), "z").unwrap();
        while_exchanging(&base, ["in/sub", "in/far-directory"], || read("in/sub/z"));
        while_exchanging(&base, ["in/sub", "in/far-directory"], || read("in/absolute-directory/z"));
        // Both states occurred.
        assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
    }
}
