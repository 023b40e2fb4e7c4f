//! Every file of `src/` begins with a module comment.

use super::{File, files_with, none};

/// Whether a Rust file belongs to the sources of a package.
fn is_in_src(path: &str) -> bool {
    let parts = path.strip_prefix("crates/").unwrap_or(path).split_once("/src/");
    parts.is_some_and(|(package, _)| !package.contains('/'))
}

fn broken<'f>(files: impl Iterator<Item = &'f File>) -> Vec<String> {
    let sources = files.filter(|file| is_in_src(&file.path));
    sources.filter(|file| !file.content.starts_with("//!")).map(|file| file.path.clone()).collect()
}

#[test]
fn every_file_begins_with_a_module_comment() {
    none("A file without a module comment", &broken(files_with(".rs")));
}

#[test]
fn a_file_without_a_comment_is_found() {
    let file = |path: &str, content: &str| File { path: path.to_owned(), content: content.to_owned() };
    let files = [
        file("crates/a/src/lib.rs", "//! Values.\n"),
        file("crates/a/src/b.rs", "// Not one.\n//! Late.\n"),
        file("crates/a/tests/b.rs", "mod a;\n"),
        file("xtask/src/main.rs", "mod a;\n"),
    ];
    assert_eq!(broken(files.iter()), ["crates/a/src/b.rs", "xtask/src/main.rs"]);
}
