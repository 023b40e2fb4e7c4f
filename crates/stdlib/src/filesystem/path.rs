//! Operations on the text of paths with `/` separators, without access to the file system.

use std::path::{Component, Path, PathBuf};

/// Returns the shortest equivalent path: no `.`, no repeated `/`, no `..` after a name.
pub(crate) fn clean(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if names.last().is_some_and(|last| *last != "..") => {
                names.pop();
            }
            ".." if absolute => {}
            _ => names.push(name),
        }
    }
    match (absolute, names.join("/")) {
        (true, path) => format!("/{path}"),
        (false, path) if path.is_empty() => ".".to_owned(),
        (false, path) => path,
    }
}

/// Returns the path `path` below `directory`, cleaned.
pub(crate) fn join(directory: &str, path: &str) -> String {
    if directory.is_empty() { clean(path) } else { clean(&format!("{directory}/{path}")) }
}

/// Returns the path of `name`, which has no slash, below `directory`, which is cleaned.
pub(crate) fn child(directory: &str, name: &str) -> String {
    match directory {
        "." | "" => name.to_owned(),
        _ if directory.ends_with('/') => format!("{directory}{name}"),
        _ => format!("{directory}/{name}"),
    }
}

/// Returns the last component of a path.
pub(crate) fn base(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rsplit('/').next() {
        Some("") | None if path.is_empty() => ".",
        Some("") | None => "/",
        Some(name) => name,
    }
}

/// Returns the path without its last component, cleaned.
pub(super) fn directory(path: &str) -> String {
    clean(path.rfind('/').and_then(|slash| path.get(..=slash)).unwrap_or_default())
}

/// Returns the relative path from the directory `from` to `to`; both are cleaned.
pub(super) fn relative(from: &str, to: &str) -> String {
    fn names(path: &str) -> Vec<&str> {
        path.split('/').filter(|name| !name.is_empty() && *name != ".").collect()
    }
    let (from, to) = (names(from), names(to));
    let common = from.iter().zip(&to).take_while(|(left, right)| left == right).count();
    let up = std::iter::repeat_n("..", from.len() - common);
    up.chain(to.into_iter().skip(common)).collect::<Vec<_>>().join("/")
}

/// Returns the path `path` below `base`, with `..` resolved as text as in [`clean`].
pub(super) fn resolve(base: &Path, path: &str) -> PathBuf {
    let path = clean(path);
    let mut full = if path.starts_with('/') { PathBuf::from("/") } else { base.to_owned() };
    for name in path.split('/').filter(|name| !name.is_empty() && *name != ".") {
        match full.components().next_back() {
            Some(Component::Normal(_)) if name == ".." => {
                full.pop();
            }
            Some(Component::RootDir) if name == ".." => {}
            _ => full.push(name),
        }
    }
    full
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_below_its_directory() {
        for directory in [".", "", "a", "a/b", "..", "/", "/a"] {
            assert_eq!(child(directory, "x"), join(directory, "x"), "{directory}");
        }
    }

    #[test]
    fn paths_are_cleaned_as_texts() {
        let cases = [
            ("", "."),
            ("a//b/./c/..", "a/b"),
            ("../../x", "../../x"),
            ("/../x", "/x"),
            ("/", "/"),
            ("a/..", "."),
            ("./a/../../b", "../b"),
        ];
        for (path, cleaned) in cases {
            assert_eq!(clean(path), cleaned, "{path}");
        }
    }

    #[test]
    fn last_name_and_directory() {
        let cases = [
            ("/a/b/", "b", "/a/b"),
            ("", ".", "."),
            ("a", "a", "."),
            ("/", "/", "/"),
            ("/a", "a", "/"),
            ("a/..", "..", "a"),
            ("//", "/", "/"),
        ];
        for (path, name, before) in cases {
            assert_eq!((base(path), directory(path).as_str()), (name, before), "{path}");
        }
    }

    #[test]
    fn paths_below_a_base() {
        assert_eq!(resolve(Path::new("/m/x"), "../y/./z"), Path::new("/m/y/z"));
        assert_eq!(resolve(Path::new("."), "../y"), Path::new("./../y"));
        assert_eq!(resolve(Path::new("/m"), "/etc//z"), Path::new("/etc/z"));
        assert_eq!(relative("d", "d/e/f"), "e/f");
        assert_eq!(relative("a/b", "a/c"), "../c");
        assert_eq!(relative(".", "x"), "x");
    }
}
