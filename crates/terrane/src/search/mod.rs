//! Visits the files and directories that a command line names, on all cores.

pub(crate) mod ignored;
pub(crate) mod parallel;
pub(crate) mod sources;
pub(crate) mod spelling;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_source::paths::shortest;
use terrane_source::{FileEntry, FileError, FileKind, Files};
use terrane_syntax::is_hidden_or_backup;

use self::ignored::Ignored;

/// Options of a search for files in directories.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Search<'a> {
    /// The file system.
    pub files: &'a dyn Files,
    /// Whether to search subdirectories.
    pub recursive: bool,
    /// Whether to leave out subdirectories that a `.gitignore` or `.terraneignore` names.
    pub leaves_out_ignored: bool,
    /// Selects files of a directory by their names. A file given by its path is always visited.
    pub is_wanted: fn(&str) -> bool,
}

/// A visited file, or a directory that cannot be listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Visit<R> {
    /// The result of visiting the file.
    File(R),
    /// The directory cannot be listed.
    Unreadable(FileError),
}

/// A file to visit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FoundFile<'a> {
    /// The path without redundant `.` components.
    pub path: &'a Path,
    /// Whether the user has given this path; otherwise the file was found in a directory. A given file may not exist.
    pub is_named: bool,
    /// For a symbolic link, the given directory in which it was found.
    pub link_in: Option<&'a Path>,
}

impl FoundFile<'_> {
    /// Whether the file is a symbolic link that leads out of the given directory.
    pub fn leads_out(&self, files: &dyn Files) -> bool {
        let Some(directory) = self.link_in else { return false };
        match (files.canonicalize(self.path), files.canonicalize(directory)) {
            (Ok(file), Ok(directory)) => !file.starts_with(directory),
            // A broken link does not lead out.
            (Err(_), _) | (_, Err(_)) => false,
        }
    }
}

/// Visits the files in `paths` and the selected files of its directories, each once, on as many threads as there are cores.
/// The results are in the order of the paths, and within a directory sorted by name.
///
/// Hidden files and directories, copies that editors keep, and links to directories are left out, as `terraform fmt`
/// does.
pub fn visit_files<P: AsRef<Path>, R: Send>(
    paths: &[P],
    search: Search<'_>,
    visit: impl Fn(FoundFile<'_>) -> R + Sync,
) -> Vec<Visit<R>> {
    let mut visits = Vec::new();
    // A file that several paths lead to is visited for the first path.
    let mut seen = HashSet::new();
    let mut tasks = Vec::new();
    for (order, path) in paths.iter().enumerate() {
        let path = shortest(path.as_ref());
        if matches!(search.files.metadata(&path), Ok(FileKind::Directory)) {
            search.run(std::mem::take(&mut tasks), &mut seen, &mut visits, &visit);
            let ignored = search.leaves_out_ignored.then(|| Ignored::above(&path, search.files));
            let task =
                VisitTask { order, root: path.as_path().into(), path, kind: TaskKind::Directory, ignored };
            search.run(vec![task], &mut seen, &mut visits, &visit);
        } else if seen.insert(path.clone()) {
            let root = path.as_path().into();
            tasks.push(VisitTask { order, root, path, kind: TaskKind::NamedFile, ignored: None });
        }
    }
    search.run(tasks, &mut seen, &mut visits, &visit);
    visits
}

struct VisitTask {
    /// The position of the given path that led to the directory.
    order: usize,
    /// The given path that led to the directory.
    root: Arc<Path>,
    path: PathBuf,
    kind: TaskKind,
    /// The patterns above a directory, if patterns apply to this search.
    ignored: Option<Ignored>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TaskKind {
    Directory,
    File,
    Link,
    NamedFile,
}

impl<'a> Search<'a> {
    /// Returns a search without subdirectories for files that `is_wanted` selects by name.
    pub fn new(files: &'a dyn Files, is_wanted: fn(&str) -> bool) -> Search<'a> {
        Search { files, recursive: false, leaves_out_ignored: false, is_wanted }
    }
}

impl Search<'_> {
    /// Runs the tasks of one directory, or of some named files.
    fn run<R: Send>(
        self,
        tasks: Vec<VisitTask>,
        seen: &mut HashSet<PathBuf>,
        visits: &mut Vec<Visit<R>>,
        visit: &(impl Fn(FoundFile<'_>) -> R + Sync),
    ) {
        let before: &HashSet<PathBuf> = seen;
        let work = |task: VisitTask, tasks: &mut Vec<VisitTask>| {
            let is_named = task.kind == TaskKind::NamedFile;
            let visited = if task.kind == TaskKind::Directory {
                Visit::Unreadable(self.directory(&task, tasks).err()?)
            } else if !is_named && before.contains(&task.path) {
                return None;
            } else {
                let link_in = (task.kind == TaskKind::Link).then_some(&*task.root);
                Visit::File(visit(FoundFile { path: &task.path, is_named, link_in }))
            };
            Some((task.order, task.path, visited))
        };
        let mut found = parallel::run(tasks, work);
        found.sort_unstable_by(|(a_order, a_path, _), (b_order, b_path, _)| {
            (a_order, a_path).cmp(&(b_order, b_path))
        });
        for (_, path, visited) in found {
            seen.insert(path);
            visits.push(visited);
        }
    }

    /// Adds a task for each selected file and subdirectory of a directory.
    fn directory(self, directory: &VisitTask, tasks: &mut Vec<VisitTask>) -> Result<(), FileError> {
        let entries = self.files.list(&directory.path)?;
        let task = |path, kind, ignored| VisitTask {
            order: directory.order,
            root: Arc::clone(&directory.root),
            path,
            kind,
            ignored,
        };
        if let Some(ignored) = directory.ignored.clone().filter(|_| self.recursive) {
            let below = ignored.below(&directory.path, &entries, self.files).into_iter();
            tasks.extend(below.map(|(path, ignored)| task(path, TaskKind::Directory, Some(ignored))));
        }
        for FileEntry { name, kind, is_link } in entries {
            let kind = match kind {
                // A link may lead out of the directory, or form a cycle.
                FileKind::Directory if !self.recursive || is_link || self.leaves_out_ignored => continue,
                FileKind::Directory => TaskKind::Directory,
                FileKind::File | FileKind::Other if (self.is_wanted)(&name) && is_link => TaskKind::Link,
                FileKind::File | FileKind::Other if (self.is_wanted)(&name) => TaskKind::File,
                FileKind::File | FileKind::Other => continue,
            };
            if !is_hidden_or_backup(&name) {
                let is_here = directory.path == Path::new(".");
                let path = if is_here { PathBuf::from(name) } else { directory.path.join(name) };
                tasks.push(task(path, kind, None));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::*;

    fn visited(paths: &[&str], recursive: bool) -> Vec<String> {
        let names = [
            "b/c.tf",
            "b/d/e.tf",
            "b.tf",
            "a.tf",
            "a.txt",
            ".f.tf",
            "g.tf~",
            "#h.tf#",
            ".i/j.tf",
            "b/.k/l.tf",
        ];
        let files: MemoryFiles = names.into_iter().map(|name| (name, "")).collect();
        let is_wanted = |name: &str| name.contains(".tf");
        let search = Search { recursive, ..Search::new(&files, is_wanted) };
        let text =
            |file: FoundFile<'_>| format!("{}{}", if file.is_named { "!" } else { "" }, file.path.display());
        let texts = visit_files(paths, search, text).into_iter().map(|visit| match visit {
            Visit::File(text) => text,
            Visit::Unreadable(error) => error.to_string(),
        });
        texts.collect()
    }

    #[test]
    fn files_come_in_the_order_of_their_names() {
        assert_eq!(visited(&["."], false), ["a.tf", "b.tf"]);
        assert_eq!(visited(&["./."], true), ["a.tf", "b/c.tf", "b/d/e.tf", "b.tf"]);
        assert_eq!(visited(&["b/./"], true), ["b/c.tf", "b/d/e.tf"]);
    }

    #[test]
    fn a_file_is_visited_once_for_its_first_path() {
        assert_eq!(
            visited(&["b.tf", "none", ".", "./b.tf", ".f.tf"], false),
            ["!b.tf", "!none", "a.tf", "!.f.tf"]
        );
        assert_eq!(visited(&["b/d", "b", "b/c.tf"], true), ["b/d/e.tf", "b/c.tf"]);
    }

    #[test]
    fn many_files_are_visited_in_order() {
        let names: Vec<String> =
            (0..30).flat_map(|a| (0..30).map(move |b| format!("{a:02}/{b:02}.tf"))).collect();
        let files: MemoryFiles = names.iter().map(|name| (name.as_str(), "")).collect();
        let search = Search { recursive: true, ..Search::new(&files, |_| true) };
        let visits = visit_files(&["."], search, |file| file.path.to_string_lossy().into_owned());
        assert_eq!(visits, names.into_iter().map(Visit::File).collect::<Vec<_>>());
    }
}
