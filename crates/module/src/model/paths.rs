//! Normalizes paths of modules, so that each directory has one path.

use std::path::{Component, Path, PathBuf};

/// Returns `base/relative`, normalized by [`tidy`].
pub(crate) fn join(base: &Path, relative: &str) -> PathBuf {
    tidy(&base.join(relative))
}

/// Returns the path without `.`, and without `..` after a name.
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
            ("../../x/./y", "../../x/y"),
        ] {
            assert_eq!(tidy(Path::new(path)), Path::new(tidied), "{path}");
        }
    }
}
