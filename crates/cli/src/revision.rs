//! The files of a git revision, read from the repository by the program `git`.
//!
//! Nothing is checked out. Paths are those of the working tree, so a revision evaluates as if its files were there: the values
//! of `path.root` and `path.cwd` are the same. Files outside of the repository are the ones on disk, and so is `.terraform`,
//! with the modules that `init` has installed.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use terrane::source::{EntryKind, FileEntry, FileError, FileErrorKind};
use terrane::{Files, MemoryFiles};

/// Larger files of a repository are no configuration; the engine would refuse them, too.
const MOST_BYTES: u64 = 4 << 20;

/// The files of a revision over those on disk.
pub(crate) struct RevisionFiles {
    /// The directory of the repository.
    top: PathBuf,
    tracked: MemoryFiles,
    disk: &'static dyn Files,
}

/// A file of a revision.
struct Tracked {
    object: String,
    path: String,
}

impl RevisionFiles {
    /// The files of `revision` in the repository around `directory`.
    pub(crate) fn read(
        revision: &str,
        directory: &Path,
        disk: &'static dyn Files,
    ) -> Result<RevisionFiles, String> {
        let top = git(directory, &["rev-parse", "--show-toplevel"])?;
        let top = PathBuf::from(String::from_utf8_lossy(&top).trim_end_matches(['\r', '\n']));
        // A revision that begins with a dash would be an option.
        let name = format!("{revision}^{{commit}}");
        let commit = git(directory, &["rev-parse", "--verify", "--end-of-options", &name])?;
        let commit = String::from_utf8_lossy(&commit).trim().to_owned();
        let listed = git(&top, &["ls-tree", "-r", "-l", "-z", "--full-tree", &commit])?;
        let tracked = MemoryFiles::new();
        // The directory is there also if the revision has no file in it.
        let files: Vec<Tracked> = listed.split(|byte| *byte == 0).filter_map(tracked_file).collect();
        let contents = contents(&top, &files).map_err(|error| format!("git cat-file: {error}"))?;
        for (file, content) in files.iter().zip(contents) {
            tracked.insert(top.join(&file.path), content);
        }
        Ok(RevisionFiles { top, tracked, disk })
    }

    /// The absolute path, if it is one of the revision.
    fn in_revision(&self, path: &Path) -> Option<PathBuf> {
        let path = normal(&self.disk.working_directory().join(path));
        let inside = path.strip_prefix(&self.top).ok()?;
        let own =
            |component: Component<'_>| matches!(component.as_os_str().to_str(), Some(".git" | ".terraform"));
        (!inside.components().any(own)).then_some(path)
    }
}

/// A row of `git ls-tree -l`: mode, type, object and size, a tab, the path. Links and submodules are left out.
fn tracked_file(row: &[u8]) -> Option<Tracked> {
    let row = std::str::from_utf8(row).ok()?;
    let (fields, path) = row.split_once('\t')?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    let [mode, "blob", object, size] = fields.as_slice() else { return None };
    let is_file = mode.starts_with("100") && size.parse::<u64>().is_ok_and(|size| size <= MOST_BYTES);
    is_file.then(|| Tracked { object: (*object).to_owned(), path: path.to_owned() })
}

/// The contents of files, in their order.
fn contents(top: &Path, files: &[Tracked]) -> io::Result<Vec<Vec<u8>>> {
    let mut command = Command::new("git");
    command.arg("-C").arg(top).args(["cat-file", "--batch"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (Some(mut input), Some(output)) = (input, output) else { return Ok(Vec::new()) };
    let contents = thread::scope(|scope| {
        // Git answers while it is asked.
        let asked = scope.spawn(move || files.iter().try_for_each(|file| writeln!(input, "{}", file.object)));
        let mut output = BufReader::new(output);
        let read = files.iter().map(|_| content(&mut output)).collect::<io::Result<Vec<Vec<u8>>>>();
        drop(output);
        match (asked.join(), read) {
            (_, Err(error)) | (Ok(Err(error)), Ok(_)) => Err(error),
            (Ok(Ok(())) | Err(_), Ok(read)) => Ok(read),
        }
    });
    child.wait()?;
    contents
}

/// The next answer of `git cat-file --batch`: a line with the size at its end, and the content.
fn content(output: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut header = String::new();
    output.read_line(&mut header)?;
    let size = header.split_ascii_whitespace().last().and_then(|size| size.parse::<u64>().ok());
    let size = size.ok_or_else(|| io::Error::other(format!("unexpected answer {header:?}")))?;
    let mut content = Vec::new();
    output.take(size + 1).read_to_end(&mut content)?;
    content.pop();
    Ok(content)
}

/// The output of git. Its message is the error.
fn git(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new("git").arg("-C").arg(directory).args(arguments).output();
    let output = output.map_err(|error| format!("git cannot be run: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

/// The path with `.` and `..` resolved.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => normal.push(component),
        }
    }
    normal
}

impl Files for RevisionFiles {
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        match self.in_revision(path) {
            Some(inside) => self.tracked.read(&inside).map_err(|error| named(path, error)),
            None => self.disk.read(path),
        }
    }

    fn list(&self, path: &Path) -> Result<Vec<FileEntry>, FileError> {
        let Some(inside) = self.in_revision(path) else { return self.disk.list(path) };
        let mut entries = self.tracked.list(&inside).map_err(|error| named(path, error))?;
        // What `init` installed is not tracked.
        let names: BTreeSet<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        let installed = self.disk.metadata(&path.join(".terraform"));
        if installed == Ok(EntryKind::Directory) && !names.contains(".terraform") {
            let entry =
                FileEntry { name: ".terraform".to_owned(), kind: EntryKind::Directory, is_link: false };
            entries.insert(0, entry);
        }
        Ok(entries)
    }

    fn metadata(&self, path: &Path) -> Result<EntryKind, FileError> {
        match self.in_revision(path) {
            Some(inside) => self.tracked.metadata(&inside).map_err(|error| named(path, error)),
            None => self.disk.metadata(path),
        }
    }

    fn canonicalize(&self, path: &Path) -> Result<PathBuf, FileError> {
        match self.in_revision(path) {
            Some(inside) => self.tracked.canonicalize(&inside).map_err(|error| named(path, error)),
            None => self.disk.canonicalize(path),
        }
    }

    fn working_directory(&self) -> PathBuf {
        self.disk.working_directory()
    }

    fn write_atomic(&self, path: &Path, _content: &[u8]) -> Result<(), FileError> {
        let kind = FileErrorKind::Other("a git revision is not written to".to_owned());
        Err(FileError { path: path.to_owned(), kind })
    }
}

/// The error with the path that was asked for.
fn named(path: &Path, error: FileError) -> FileError {
    FileError { path: path.to_owned(), ..error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_tree_name_files() {
        let row = |text: &str| tracked_file(text.as_bytes()).map(|file| (file.object, file.path));
        let named = |object: &str, path: &str| Some((object.to_owned(), path.to_owned()));
        assert_eq!(row("100644 blob abc     12\ta b/main.tf"), named("abc", "a b/main.tf"));
        assert_eq!(row("120000 blob abc     12\tlink"), None);
        assert_eq!(row("160000 commit abc       -\tsubmodule"), None);
        assert_eq!(row("100644 blob abc 99999999\tlarge"), None);
        assert_eq!(normal(Path::new("/a/./b/../c")), PathBuf::from("/a/c"));
    }
}
