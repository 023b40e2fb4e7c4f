//! One spelling for each directory that several paths name.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use terrane_source::paths::{shortest, tidy_directory};
use terrane_source::{FileKind, Files};

/// Returns the paths, each once, as the loader names the files of a module. Paths into one directory begin with the first spelling of it; with `recursive`, also
/// paths into the directories below a given directory.
pub(crate) fn one_spelling<P: AsRef<Path>>(paths: &[P], recursive: bool, files: &dyn Files) -> Vec<PathBuf> {
    let is_directory = |path: &Path| matches!(files.metadata(path), Ok(FileKind::Directory));
    let tidied = |path: &Path| match path.file_name().filter(|_| !is_directory(path)) {
        Some(name) => shortest(&tidy_directory(path.parent().unwrap_or(path), files).join(name)),
        None => tidy_directory(path, files),
    };
    let tidied: Vec<PathBuf> = paths.iter().map(|path| tidied(path.as_ref())).collect();
    if tidied.len() < 2 {
        return tidied;
    }
    let mut spellings = Spellings { files, canonical: HashMap::new(), first: HashMap::new() };
    let searched: Vec<&PathBuf> =
        tidied.iter().filter(|path| recursive && is_directory(path.as_path())).collect();
    let searched: HashSet<PathBuf> = searched.into_iter().filter_map(|path| spellings.add(path)).collect();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for path in tidied {
        let name = path.file_name().filter(|_| !is_directory(&path));
        let directory = match name {
            Some(_) => path.parent().map_or_else(|| PathBuf::from("."), shortest),
            None => path.clone(),
        };
        let spelled = match (spellings.of(directory, &searched), name) {
            (directory, Some(name)) => shortest(&directory.join(name)),
            (directory, None) => directory,
        };
        if seen.insert(spelled.clone()) {
            found.push(spelled);
        }
    }
    found
}

struct Spellings<'f> {
    files: &'f dyn Files,
    /// The path without links of each directory.
    canonical: HashMap<PathBuf, Option<PathBuf>>,
    /// The first spelling of each path without links.
    first: HashMap<PathBuf, PathBuf>,
}

impl Spellings<'_> {
    /// Adds a directory, and returns its path without links.
    fn add(&mut self, directory: &Path) -> Option<PathBuf> {
        if let Some(known) = self.canonical.get(directory) {
            return known.clone();
        }
        let canonical = self.files.canonicalize(directory).ok();
        self.canonical.insert(directory.to_owned(), canonical.clone());
        let canonical = canonical?;
        self.first.entry(canonical.clone()).or_insert_with(|| directory.to_owned());
        Some(canonical)
    }

    /// Returns the spelling of a directory, which may be below one that is `searched`.
    fn of(&mut self, directory: PathBuf, searched: &HashSet<PathBuf>) -> PathBuf {
        let Some(canonical) = self.add(&directory) else { return directory };
        let above = canonical.ancestors().filter(|above| searched.contains(*above)).last();
        let above = above.unwrap_or(&canonical);
        match (self.first.get(above), canonical.strip_prefix(above)) {
            (Some(first), Ok(below)) => shortest(&first.join(below)),
            (_, _) => directory,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use terrane_source::MemoryFiles;

    use super::one_spelling;

    fn spelled(paths: &[&str], recursive: bool) -> Vec<String> {
        let names = ["main.tf", "m/a.tf", "m/n/b.tf"];
        let files: MemoryFiles = names.into_iter().map(|name| (name, "")).collect();
        let found = one_spelling(paths, recursive, &files);
        found.into_iter().map(|path: PathBuf| path.display().to_string()).collect()
    }

    #[test]
    fn a_directory_has_its_first_spelling() {
        assert_eq!(spelled(&["./main.tf", "m/../main.tf"], false), ["main.tf"]);
        assert_eq!(spelled(&["main.tf", "m/../other.tf", "m/.."], false), ["main.tf", "other.tf", "."]);
        assert_eq!(spelled(&["m/n/..", "m/a.tf", "m"], false), ["m", "m/a.tf"]);
        assert_eq!(spelled(&["gone/main.tf", "m"], false), ["gone/main.tf", "m"]);
    }

    #[test]
    fn a_searched_directory_spells_those_below_it() {
        assert_eq!(spelled(&["m/../m/n", "."], true), ["m/n", "."]);
        assert_eq!(spelled(&["m/../m/n", "."], false), ["m/n", "."]);
        assert_eq!(spelled(&["m/n/b.tf", "m/n/../n"], true), ["m/n/b.tf", "m/n"]);
    }
}
