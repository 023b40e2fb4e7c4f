//! The root of the sources. Reports for other programs name files by paths from there.

use std::path::{Path, PathBuf};

use terrane::Files;
use terrane::source::paths::tidy;

/// The root directory of the repository of the files in a report.
pub(crate) struct SourceRoot {
    root: PathBuf,
    working_directory: PathBuf,
}

impl SourceRoot {
    /// Returns the repository around the working directory, if it contains one of the files and directories that the command
    /// line names. Otherwise the repository that contains all of them. Otherwise the working directory.
    pub(crate) fn find(named: &[&Path], files: &dyn Files) -> SourceRoot {
        let working_directory = files.working_directory();
        let named: Vec<PathBuf> = named.iter().map(|path| absolute(&working_directory, path)).collect();
        let around_working_directory = repository(&working_directory, files);
        let around_working_directory = around_working_directory
            .filter(|root| named.is_empty() || named.iter().any(|path| path.starts_with(root)));
        let around_named = || {
            let root = repository(named.first()?, files)?;
            named.iter().all(|path| repository(path, files) == Some(root)).then_some(root)
        };
        let root = around_working_directory.or_else(around_named).unwrap_or(&working_directory).to_owned();
        SourceRoot { root, working_directory }
    }

    /// Returns the path from the root to a file whose path starts at the working directory. Outside of the root, returns the
    /// absolute path.
    pub(crate) fn path_to(&self, file: &Path) -> PathBuf {
        let path = absolute(&self.working_directory, file);
        path.strip_prefix(&self.root).map(Path::to_owned).unwrap_or(path)
    }
}

/// Returns the nearest directory with `.git`: the path itself, or a directory above it.
fn repository<'p>(path: &'p Path, files: &dyn Files) -> Option<&'p Path> {
    path.ancestors().find(|directory| files.metadata(&directory.join(".git")).is_ok())
}

/// Returns a path that starts at the working directory as an absolute path without `.` and `..`.
fn absolute(working_directory: &Path, file: &Path) -> PathBuf {
    tidy(&working_directory.join(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_root() {
        let root = SourceRoot { root: "/repo".into(), working_directory: "/repo/a/b".into() };
        for (file, expected) in [
            ("main.tf", "a/b/main.tf"),
            ("../m/./main.tf", "a/m/main.tf"),
            ("/repo/x.tf", "x.tf"),
            ("../../../else/x.tf", "/else/x.tf"),
            ("/else/x.tf", "/else/x.tf"),
        ] {
            assert_eq!(root.path_to(Path::new(file)), Path::new(expected), "{file}");
        }
    }
}
