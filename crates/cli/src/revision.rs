//! Reads the files of a git revision from the repository, through the program `git`.
//!
//! Nothing is checked out. Paths are the same as in the working tree, so a revision evaluates as if its files were there: the
//! values of `path.root` and `path.cwd` are the same. Files outside of the repository are read from disk, and so is
//! `.terraform`, with the modules that `init` has installed.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use terrane::source::paths::tidy;
use terrane::source::{FileEntry, FileError, FileErrorKind, FileKind};
use terrane::{Files, MemoryFiles, OsFiles};

use crate::git_directory;

/// Limit on the output of a git command: enough for a list of about half a million files. A tree of a few kilobytes can list
/// billions of files.
const MAX_OUTPUT_BYTES: u64 = 64 << 20;

/// Limit on the messages of a git command.
const MAX_MESSAGE_BYTES: u64 = 1 << 16;

/// A commit as the command line names it.
#[derive(Clone, Debug)]
pub(crate) enum Revision {
    /// The commit that a name refers to.
    Named(String),
    /// The best common ancestor of two commits.
    MergeBase(String, String),
}

impl Revision {
    /// Returns the hash of the commit.
    fn commit(&self, directory: &Path) -> Result<String, String> {
        match self {
            Revision::Named(name) => commit(name, directory),
            Revision::MergeBase(one, other) => {
                let commits = [commit(one, directory)?, commit(other, directory)?];
                match git(directory, &["merge-base", &commits[0], &commits[1]]) {
                    Ok(base) => Ok(String::from_utf8_lossy(&base).trim().to_owned()),
                    // Git has no message for unrelated commits.
                    Err(error) if error.is_empty() => {
                        Err(format!("the revisions {one} and {other} have no common ancestor"))
                    }
                    Err(error) => Err(error),
                }
            }
        }
    }
}

/// The files of a revision, in front of the files on disk.
pub(crate) struct RevisionFiles {
    /// The directory of the repository, without symbolic links.
    top: PathBuf,
    /// The directory on the command line: its absolute path, and the same path without symbolic links.
    named: PathBuf,
    directory: PathBuf,
    /// The directory that may be read, without symbolic links. `None` without a sandbox.
    sandbox: Option<PathBuf>,
    /// The path of each tracked file, with the name of its git object as content.
    tracked: MemoryFiles,
    /// A running git. `None` before the first file is read, and after an answer that was not read to its end.
    objects: Mutex<Option<Objects>>,
    disk: &'static dyn Files,
}

impl RevisionFiles {
    /// Returns the files of `revision` in the repository around `directory`, which need not exist on disk. Files outside of the
    /// directory `sandbox` are left to `disk`, which refuses them.
    pub(crate) fn read(
        revision: &Revision,
        directory: &Path,
        sandbox: Option<&Path>,
        disk: &'static dyn Files,
    ) -> Result<RevisionFiles, String> {
        let named = disk.working_directory().join(directory);
        let (existing, rest) = existing(&named).ok_or_else(|| "the directory / cannot be read".to_owned())?;
        let sandbox = sandbox.map(|sandbox| OsFiles.canonicalize(sandbox)).transpose();
        let sandbox = sandbox.map_err(|error| error.to_string())?;
        if let Some(sandbox) = &sandbox {
            git_directory::check(&existing, sandbox, disk)?;
        }
        let top = git(&existing, &["rev-parse", "--show-toplevel"])?;
        let top = PathBuf::from(String::from_utf8_lossy(&top).trim_end_matches(['\r', '\n']));
        let top = OsFiles.canonicalize(&top).map_err(|error| error.to_string())?;
        let directory = tidy(&existing.join(rest));
        if !directory.starts_with(&top) {
            let (directory, top) = (directory.display(), top.display());
            return Err(format!("the directory {directory} is not in the git work tree {top}"));
        }
        let commit = revision.commit(&existing)?;
        let tracked = MemoryFiles::new();
        let listed = git(&top, &["ls-tree", "-r", "-z", "--full-tree", &commit])?;
        for (object, path) in listed.split(|byte| *byte == 0).filter_map(tracked_file) {
            tracked.insert(top.join(path), object);
        }
        Ok(RevisionFiles { top, named, directory, sandbox, tracked, objects: Mutex::new(None), disk })
    }

    /// Returns the absolute path without symbolic links, if it belongs to the revision.
    fn in_revision(&self, path: &Path) -> Option<PathBuf> {
        let path = self.resolved(path);
        let inside = path.strip_prefix(&self.top).ok()?;
        let own =
            |component: Component<'_>| matches!(component.as_os_str().to_str(), Some(".git" | ".terraform"));
        let may_be_read = self.sandbox.as_ref().is_none_or(|sandbox| path.starts_with(sandbox));
        (may_be_read && !inside.components().any(own)).then_some(path)
    }

    /// Returns the absolute path without the symbolic links that lead to the directory on the command line, or into the
    /// repository.
    fn resolved(&self, path: &Path) -> PathBuf {
        let path = self.disk.working_directory().join(path);
        if let Ok(below) = path.strip_prefix(&self.named) {
            return tidy(&self.directory.join(below));
        }
        let lexical = tidy(&path);
        // Links inside of the repository are links on disk, not of the revision.
        if lexical.starts_with(&self.top) {
            return lexical;
        }
        let through_links = path.ancestors().find_map(|outer| {
            let found = self.disk.canonicalize(outer).ok()?;
            Some(tidy(&found.join(path.strip_prefix(outer).ok()?)))
        });
        through_links.unwrap_or(lexical)
    }

    /// Returns the content of an object with at most `most` bytes.
    fn content(&self, object: &str, most: u64) -> Result<Vec<u8>, FileErrorKind> {
        let mut objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        let mut asked = match objects.take() {
            Some(running) => running,
            None => Objects::start(&self.top).map_err(|error| failed(&error))?,
        };
        let content = asked.content(object, most)?;
        *objects = Some(asked);
        Ok(content)
    }
}

/// Returns the innermost directory of an absolute path that exists on disk, without symbolic links, and the rest of the path.
fn existing(path: &Path) -> Option<(PathBuf, &Path)> {
    path.ancestors().find_map(|outer| {
        let found = OsFiles.canonicalize(outer).ok()?;
        let is_directory = OsFiles.metadata(&found) == Ok(FileKind::Directory);
        Some((found, path.strip_prefix(outer).ok()?)).filter(|_| is_directory)
    })
}

/// Returns the object and the path in a row of `git ls-tree`: mode, type and object, a tab, the path. `None` for links and
/// submodules.
fn tracked_file(row: &[u8]) -> Option<(&str, &str)> {
    let (fields, path) = std::str::from_utf8(row).ok()?.split_once('\t')?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    let [mode, "blob", object] = fields.as_slice() else { return None };
    mode.starts_with("100").then_some((*object, path))
}

/// A running `git cat-file --batch`, which reads names of objects and prints their contents.
struct Objects {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// A thread that reads the messages of git, so that git never waits for a reader. `None` after the messages were taken.
    messages: Option<JoinHandle<io::Result<Option<Vec<u8>>>>>,
}

impl Objects {
    fn start(top: &Path) -> io::Result<Objects> {
        let mut command = reading(top, &["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(input), Some(output), messages) => {
                let read = move || beginning(messages, MAX_MESSAGE_BYTES);
                let messages = Some(thread::Builder::new().spawn(read)?);
                Ok(Objects { child, input, output: BufReader::new(output), messages })
            }
            (None, ..) | (_, None, _) => Err(io::Error::other("no pipe to the program")),
        }
    }

    /// Returns the content of an object with at most `most` bytes. After an error git has ended.
    fn content(&mut self, object: &str, most: u64) -> Result<Vec<u8>, FileErrorKind> {
        let asked = writeln!(self.input, "{object}").map_err(|error| failed(&error));
        asked.and_then(|()| answer(&mut self.output, most)).map_err(|error| match (error, self.end()) {
            (FileErrorKind::Other(error), message) if !message.is_empty() => {
                FileErrorKind::Other(format!("{error}: {message}"))
            }
            (error, _) => error,
        })
    }

    /// Ends git. Returns its messages the first time.
    fn end(&mut self) -> String {
        // Every answer is checked when it is read, so the exit status adds no information.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let message = self.messages.take().and_then(|messages| messages.join().ok()?.ok()?);
        String::from_utf8_lossy(&message.unwrap_or_default()).trim().to_owned()
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        self.end();
    }
}

/// Reads the next answer of `git cat-file --batch`: a line with object, type and size; the content; a line break. After an
/// error, a part of the answer is unread.
fn answer(output: &mut impl BufRead, most: u64) -> Result<Vec<u8>, FileErrorKind> {
    let mut header = String::new();
    output.read_line(&mut header).map_err(|error| failed(&error))?;
    let fields: Vec<&str> = header.split_ascii_whitespace().collect();
    let size = match fields.as_slice() {
        [_, "blob", size] => size.parse::<u64>().ok(),
        _ => None,
    };
    let size =
        size.ok_or_else(|| failed(&io::Error::other(format!("unexpected answer `{}`", header.trim_end()))))?;
    if size > most {
        return Err(FileErrorKind::TooLarge { size: Some(size), most });
    }
    let mut content = Vec::new();
    let mut line_break = [0];
    output.take(size).read_to_end(&mut content).map_err(|error| failed(&error))?;
    // If the content is cut off, there is no line break behind it either.
    output.read_exact(&mut line_break).map_err(|error| failed(&error))?;
    Ok(content)
}

fn failed(error: &io::Error) -> FileErrorKind {
    FileErrorKind::Other(format!("git cat-file: {error}"))
}

/// Returns the hash of the commit that a name refers to.
fn commit(name: &str, directory: &Path) -> Result<String, String> {
    // Without `--end-of-options`, a revision that begins with a dash would be an option.
    let wanted = format!("{name}^{{commit}}");
    let commit = git(directory, &["rev-parse", "--verify", "--end-of-options", &wanted]);
    let commit = commit.map_err(|error| format!("no commit `{name}` is found: {error}"))?;
    Ok(String::from_utf8_lossy(&commit).trim().to_owned())
}

/// Returns a git command with arguments, for a repository whose configuration is not trusted: git starts no program and uses no
/// network.
fn reading(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    // A partial clone would otherwise fetch missing objects, with a command from its configuration.
    command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "").env("GIT_TERMINAL_PROMPT", "0");
    // Tracked files may look like a bare repository with a configuration of its own.
    command.args(["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false"]);
    command.arg("-C").arg(directory).args(arguments);
    command
}

/// Returns the output of git. The error is the message of git.
fn git(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| format!("git cannot be run: {error}");
    let mut command = reading(directory, arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (output, message) = thread::scope(|scope| {
        let message = scope.spawn(|| beginning(stderr, MAX_MESSAGE_BYTES));
        let output = beginning(stdout, MAX_OUTPUT_BYTES);
        if output.as_ref().map_or(true, Option::is_none) {
            // Git may have ended already.
            let _ = child.kill();
        }
        (output, message.join())
    });
    let status = child.wait().map_err(failed)?;
    let message = message.ok().and_then(|message| message.ok().flatten()).unwrap_or_default();
    match output.map_err(failed)? {
        None => Err(format!(
            "git {} prints more than {MAX_OUTPUT_BYTES} bytes, so the revision has too many files",
            arguments.first().copied().unwrap_or_default()
        )),
        Some(output) if status.success() => Ok(output),
        Some(_) => Err(String::from_utf8_lossy(&message).trim().to_owned()),
    }
}

/// Reads a pipe to its end. `None` if it has more than `most` bytes.
fn beginning(pipe: Option<impl io::Read>, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(most + 1).read_to_end(&mut bytes)?;
    }
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

impl Files for RevisionFiles {
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        self.read_within(path, u64::MAX)
    }

    fn read_within(&self, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
        let Some(inside) = self.in_revision(path) else {
            return if most == u64::MAX { self.disk.read(path) } else { self.disk.read_within(path, most) };
        };
        let object = self.tracked.read(&inside).map_err(|error| named(path, error))?;
        let content = self.content(&String::from_utf8_lossy(&object), most);
        content.map_err(|kind| FileError { path: path.to_owned(), kind })
    }

    fn list(&self, path: &Path) -> Result<Vec<FileEntry>, FileError> {
        let Some(inside) = self.in_revision(path) else { return self.disk.list(path) };
        let mut entries = self.tracked.list(&inside).map_err(|error| named(path, error))?;
        // `.terraform` is not tracked, so it is listed from the disk.
        let names: BTreeSet<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        let installed = self.disk.metadata(&path.join(".terraform"));
        if installed == Ok(FileKind::Directory) && !names.contains(".terraform") {
            let entry =
                FileEntry { name: ".terraform".to_owned(), kind: FileKind::Directory, is_link: false };
            entries.insert(0, entry);
        }
        Ok(entries)
    }

    fn metadata(&self, path: &Path) -> Result<FileKind, FileError> {
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

/// Returns the error with the path that the caller asked for.
fn named(path: &Path, error: FileError) -> FileError {
    FileError { path: path.to_owned(), ..error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_tree_name_files() {
        assert_eq!(tracked_file(b"100644 blob abc\ta b/main.tf"), Some(("abc", "a b/main.tf")));
        assert_eq!(tracked_file(b"120000 blob abc\tlink"), None);
        assert_eq!(tracked_file(b"160000 commit abc\tsubmodule"), None);
    }
    #[test]
    fn an_answer_is_read_whole_or_not_at_all() {
        let read = |text: &str, most| answer(&mut text.as_bytes(), most);
        assert_eq!(read("abc blob 5\nhello\n", 5), Ok(b"hello".to_vec()));
        assert_eq!(read("abc blob 5\nhello\n", 4), Err(FileErrorKind::TooLarge { size: Some(5), most: 4 }));
        for broken in ["abc blob 5\nhello", "abc blob 5\nhel", "abc blob 5", "abc missing\n", ""] {
            assert!(matches!(read(broken, 5), Err(FileErrorKind::Other(_))), "{broken}");
        }
    }
}
