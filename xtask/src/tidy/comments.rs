//! Every file of `src/` begins with a module comment.

use super::{File, files_with, none};

/// Packages whose files get their comments later.
const COMMENTED_LATER: [&str; 0] = [];

/// The package and the path in `src/` of a Rust file.
fn in_src(path: &str) -> Option<(&str, &str)> {
    let (package, file) = path.strip_prefix("crates/").unwrap_or(path).split_once("/src/")?;
    (!package.contains('/')).then_some((package, file))
}

fn broken<'f>(files: impl Iterator<Item = &'f File>, later: &[&str]) -> Vec<String> {
    let sources =
        files.filter(|file| in_src(&file.path).is_some_and(|(package, _)| !later.contains(&package)));
    sources.filter(|file| !file.content.starts_with("//!")).map(|file| file.path.clone()).collect()
}

#[test]
fn every_file_begins_with_a_module_comment() {
    none("A file without a module comment", &broken(files_with(".rs"), &COMMENTED_LATER));
}

#[test]
fn a_file_without_a_comment_is_found() {
    let file = |path: &str, content: &str| File { path: path.to_owned(), content: content.to_owned() };
    let files = [
        file("crates/a/src/lib.rs", "//! Values.\n"),
        file("crates/a/src/b.rs", "// Not one.\n//! Late.\n"),
        file("crates/later/src/lib.rs", "mod a;\n"),
        file("crates/a/tests/b.rs", "mod a;\n"),
        file("xtask/src/main.rs", "mod a;\n"),
    ];
    assert_eq!(broken(files.iter(), &["later"]), ["crates/a/src/b.rs", "xtask/src/main.rs"]);
}
