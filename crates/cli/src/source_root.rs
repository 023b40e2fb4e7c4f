//! The root of the sources. Reports for other programs name files by paths from there.

use std::path::{Component, Path, PathBuf};

use terrane::Files;

/// The root directory of the repository around the working directory. Without a repository, the working directory.
pub(crate) struct SourceRoot {
    root: PathBuf,
    working_directory: PathBuf,
}

impl SourceRoot {
    /// Looks for `.git` in the working directory and in the directories above it.
    pub(crate) fn find(files: &dyn Files) -> SourceRoot {
        let working_directory = files.working_directory();
        let mut above = working_directory.ancestors();
        let repository = above.find(|directory| files.metadata(&directory.join(".git")).is_ok());
        let root = repository.unwrap_or(&working_directory).to_owned();
        SourceRoot { root, working_directory }
    }

    /// Returns the path from the root to a file whose path starts at the working directory. Outside of the root, returns the
    /// absolute path.
    pub(crate) fn path_to(&self, file: &Path) -> PathBuf {
        let mut path = PathBuf::new();
        for component in self.working_directory.join(file).components() {
            match component {
                Component::CurDir => {}
                Component::ParentDir => {
                    path.pop();
                }
                Component::Normal(_) | Component::RootDir | Component::Prefix(_) => path.push(component),
            }
        }
        path.strip_prefix(&self.root).map(Path::to_owned).unwrap_or(path)
    }
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
