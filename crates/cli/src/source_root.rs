//! The root of the sources, from which reports for other programs name files.

use std::path::{Component, Path, PathBuf};

use terrane::Files;

/// The directory of the repository around the working directory or, without a repository, the working directory.
pub(crate) struct SourceRoot {
    root: PathBuf,
    working_directory: PathBuf,
}

impl SourceRoot {
    /// Looks for `.git` in the working directory and above.
    pub(crate) fn find(files: &dyn Files) -> SourceRoot {
        let working_directory = files.working_directory();
        let mut above = working_directory.ancestors();
        let repository = above.find(|directory| files.metadata(&directory.join(".git")).is_ok());
        let root = repository.unwrap_or(&working_directory).to_owned();
        SourceRoot { root, working_directory }
    }

    /// The path from the root to a file that is named from the working directory; the absolute path outside of the root.
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
