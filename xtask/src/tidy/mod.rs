//! Rules about the repository itself, as tests: each names every place that breaks it.

mod arrows;
mod links;
mod text;

use std::path::{Path, PathBuf};

/// One file of the repository.
struct File {
    /// Relative to the root, with `/` between folders.
    path: String,
    content: String,
}

/// Every text file of the repository, sorted; what is built or downloaded is not part of it.
fn files() -> Vec<File> {
    let mut files = Vec::new();
    collect(crate::root(), &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn collect(directory: &Path, files: &mut Vec<File>) {
    let entries = std::fs::read_dir(directory).unwrap_or_else(|error| panic!("{directory:?}: {error}"));
    for entry in entries.map(|entry| entry.expect("an entry of a directory of the repository")) {
        let path: PathBuf = entry.path();
        let name = entry.file_name();
        let kind = entry.file_type().expect("the kind of an entry of the repository");
        if kind.is_dir() {
            if name != "target" && name != ".git" && name != ".terraform" {
                collect(&path, files);
            }
        } else if let Ok(content) = std::fs::read_to_string(&path) {
            let path = path.strip_prefix(crate::root()).expect("a path below the root");
            let path = path.to_str().expect("file names are UTF-8").replace('\\', "/");
            files.push(File { path, content });
        }
    }
}

/// The files whose name ends in `extension`.
fn files_with(extension: &str) -> Vec<File> {
    files().into_iter().filter(|file| file.path.ends_with(extension)).collect()
}

/// Fails with one line for each broken place.
#[track_caller]
fn none(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}:\n  {}", broken.join("\n  "));
}
