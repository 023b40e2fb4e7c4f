//! Finds the files that make up a template.

use std::path::{Path, PathBuf};

use terrane_source::paths::in_directory;
use terrane_source::{Diagnostic, Diagnostics, FileKind, Files, ids};

/// The two endings of a kind of file: for the native syntax and for JSON.
pub(crate) struct Endings {
    native: &'static str,
    json: &'static str,
}

impl Endings {
    fn has(&self, name: &str) -> bool {
        name.ends_with(self.native) || name.ends_with(self.json)
    }
}

/// The endings of templates.
pub(crate) const TEMPLATES: Endings = Endings { native: ".pkr.hcl", json: ".pkr.json" };

/// The endings of variable files that are read automatically.
pub(crate) const AUTOMATIC: Endings = Endings { native: ".auto.pkrvars.hcl", json: ".auto.pkrvars.json" };

/// Whether a file with this name is a Packer template.
pub fn is_template_file(name: &str) -> bool {
    TEMPLATES.has(name)
}

/// Whether a file with this name sets variables without being named on the command line.
pub fn is_automatic_variable_file(name: &str) -> bool {
    AUTOMATIC.has(name)
}

/// Returns the files of a kind: `path` itself if it is a file, otherwise the files in the directory, native syntax
/// first, and for each syntax in the order of their names.
pub(crate) fn find(
    path: &Path,
    endings: &Endings,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> Vec<PathBuf> {
    if !is_directory(path, files) {
        let name = path.to_string_lossy();
        return if endings.has(&name) { vec![path.to_owned()] } else { Vec::new() };
    }
    let entries = match files.list(path) {
        Ok(entries) => entries,
        Err(error) => {
            diagnostics.push(Diagnostic::error(ids::UNREADABLE_DIRECTORY, error.sentence()));
            return Vec::new();
        }
    };
    let names: Vec<&str> = entries
        .iter()
        .filter(|entry| entry.kind != FileKind::Directory)
        .map(|entry| entry.name.as_str())
        .collect();
    let with = |ending| names.iter().filter(move |name| name.ends_with(ending));
    with(endings.native).chain(with(endings.json)).map(|name| in_directory(path, name)).collect()
}

pub(crate) fn is_directory(path: &Path, files: &dyn Files) -> bool {
    matches!(files.metadata(path), Ok(FileKind::Directory))
}
