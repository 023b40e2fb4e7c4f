//! Rules about the repository itself, as tests: each failure names every place that breaks the rule.
//!
//! `text`, `prose`, `links` and `places` read the text of files, `arrows` reads manifests. `circles`, `floors`, `size`, `tuples` and `types` read
//! the sources of crates as `imports` parses them.

mod arrows;
mod circles;
mod comments;
mod floors;
mod imports;
mod links;
mod places;
mod products;
mod prose;
mod size;
mod steps;
mod text;
mod titles;
mod tuples;
mod types;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// One file of the repository.
struct File {
    /// The path relative to the root, with `/` between folders.
    path: String,
    content: String,
}

/// Returns every text file of the repository, sorted. Build output and downloads are left out.
fn files() -> &'static [File] {
    static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
        let mut files = Vec::new();
        collect(crate::root(), &mut files);
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    });
    &FILES
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

/// Returns the files whose names end in `extension`.
fn files_with(extension: &str) -> impl Iterator<Item = &'static File> {
    files().iter().filter(move |file| file.path.ends_with(extension))
}

/// Returns the Rust files of the workspace's packages, with the name of each package's folder, such as `eval` or `xtask`. Test
/// files are left out.
fn sources() -> impl Iterator<Item = (&'static str, &'static File)> {
    files_with(".rs").filter_map(|file| {
        let path = file.path.strip_prefix("crates/").unwrap_or(&file.path);
        let (package, path) = path.split_once("/src/")?;
        let is_test = path.ends_with("tests.rs") || path.split('/').any(|folder| folder == "tests");
        (!package.contains('/') && !is_test).then_some((package, file))
    })
}

/// Fails with one line for each broken place.
#[track_caller]
fn none(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}:\n  {}", broken.join("\n  "));
}
