//! Normalizes paths, so that each directory has one path.

use std::path::{Component, Path, PathBuf};

use crate::files::Files;

/// Returns `base/relative`, normalized by [`tidy`].
pub fn join(base: &Path, relative: &str) -> PathBuf {
    tidy(&base.join(relative))
}

/// Returns the path without `.`, and without `..` after a name, as if there were no symbolic links. An absolute path has no `..` then.
pub fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if matches!(tidy.components().next_back(), Some(Component::Normal(_))) {
                    tidy.pop();
                } else if !matches!(tidy.components().next_back(), Some(Component::RootDir)) {
                    tidy.push("..");
                }
            }
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => tidy.push(component),
        }
    }
    if tidy.as_os_str().is_empty() { PathBuf::from(".") } else { tidy }
}

/// Returns the path of a directory normalized by [`tidy`]. If it has `..` behind a symbolic link, so that [`tidy`] would name another
/// directory, returns the path without links.
pub fn tidy_directory(directory: &Path, files: &dyn Files) -> PathBuf {
    let tidied = tidy(directory);
    if !directory.components().any(|component| component == Component::ParentDir) {
        return tidied;
    }
    match files.canonicalize(directory) {
        Ok(canonical)
            if starts_at_root(&canonical) && files.canonicalize(&tidied).ok() != Some(canonical.clone()) =>
        {
            near(&canonical, files)
        }
        Ok(_) | Err(_) => tidied,
    }
}

/// Whether an absolute path has no prefix. On Windows, canonical paths have the prefix `\\?\`, which people do not write.
pub fn starts_at_root(path: &Path) -> bool {
    path.components().next() == Some(Component::RootDir)
}

/// Returns an absolute path as people write it: from the working directory if it is below.
pub fn near(path: &Path, files: &dyn Files) -> PathBuf {
    path.strip_prefix(files.working_directory()).map_or_else(|_| path.to_owned(), tidy)
}

/// Returns the path without `.`. The path of the current directory becomes empty.
pub fn without_dots(path: &Path) -> PathBuf {
    path.components().filter(|component| *component != Component::CurDir).collect()
}

/// Returns the path without redundant `.` components, as messages name it.
pub fn shortest(path: &Path) -> PathBuf {
    let short = without_dots(path);
    if short.as_os_str().is_empty() { PathBuf::from(".") } else { short }
}

/// Returns the path of a file in a directory, as messages name it: without a dot for the current directory.
pub fn in_directory(directory: &Path, name: &str) -> PathBuf {
    if directory == Path::new(".") { PathBuf::from(name) } else { directory.join(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_tidied() {
        for (path, tidied) in [
            (".", "."),
            ("./a/../b", "b"),
            ("../a", "../a"),
            ("a/..", "."),
            ("/..", "/"),
            ("/a/./b/../c", "/a/c"),
            ("../../x/./y", "../../x/y"),
        ] {
            assert_eq!(tidy(Path::new(path)), Path::new(tidied), "{path}");
        }
    }
}
