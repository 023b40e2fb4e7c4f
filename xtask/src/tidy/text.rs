//! Rules that look at the text of the files.

use terrane_source::ids;

use super::{File, files, files_with, none};

const MAX_LINES: usize = 800;

#[test]
fn no_source_file_is_too_long() {
    let broken: Vec<String> = files_with(".rs")
        .iter()
        .map(|file| (&file.path, file.content.lines().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(path, lines)| format!("{path}: {lines} lines"))
        .collect();
    none("A source file has at most 800 lines; split it by noun", &broken);
}

/// Every line of `files` that contains one of `words`, except in this file, which names them all.
fn lines_with(files: &[File], words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.path != "xtask/src/tidy/text.rs") {
        for (number, line) in file.content.lines().enumerate() {
            if words.iter().any(|word| line.contains(word)) {
                found.push(format!("{}:{}: {}", file.path, number + 1, line.trim()));
            }
        }
    }
    found
}

#[test]
fn nothing_is_left_unfinished() {
    let words = ["#[ignore", "todo!(", "unimplemented!(", "dbg!("];
    none("No ignored test, no placeholder, no debugging output", &lines_with(&files_with(".rs"), &words));
}

#[test]
fn no_merge_markers() {
    none("No merge markers", &lines_with(&files(), &["<<<<<<< ", ">>>>>>> "]));
}

/// The engine reaches the outside only through `Files` and `CallEnv`; clippy bans the calls, this the names.
#[test]
fn the_engine_does_not_reach_outside() {
    let engine = ["source", "syntax", "value", "render", "function", "eval", "stdlib", "config"];
    let sources: Vec<File> = files_with(".rs")
        .into_iter()
        .filter(|file| engine.iter().any(|name| file.path.starts_with(&format!("crates/{name}/src/"))))
        .filter(|file| file.path != "crates/source/src/files/os.rs")
        .collect();
    assert!(sources.len() > engine.len(), "the engine's sources were not found");
    let outside = ["std::fs", "std::env", "std::process", "TcpStream", "UdpSocket", "std::thread"];
    let chance = ["RandomState", "getrandom", "thread_rng"];
    let words = [&outside[..], &chance].concat();
    none("Only source/src/files/os.rs touches the operating system", &lines_with(&sources, &words));
}

#[test]
fn every_diagnostic_id_is_used() {
    let registry = "crates/source/src/diagnostic/ids.rs";
    let files = files_with(".rs");
    let declared = &files.iter().find(|file| file.path == registry).expect("the registry").content;
    let names: Vec<&str> = declared
        .lines()
        .filter_map(|line| line.trim_start().split_once(" = \"core:"))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names.len(), ids::ALL.len(), "one line each in the registry");
    let used = |name: &str| {
        files.iter().any(|file| {
            let tests = file.content.find("#[cfg(test)]").unwrap_or(file.content.len());
            file.path.starts_with("crates/")
                && file.path != registry
                && !file.path.ends_with("tests.rs")
                && has_word(&file.content[..tests], name)
        })
    };
    let unused: Vec<String> =
        names.iter().filter(|name| !used(name)).map(|name| (*name).to_owned()).collect();
    none("A diagnostic id that nothing reports", &unused);
}

/// Whether `text` has `word`, not as part of a longer name.
fn has_word(text: &str, word: &str) -> bool {
    let part = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(word).any(|(start, _)| {
        let after = &text[start + word.len()..];
        !text[..start].ends_with(part) && !after.starts_with(part)
    })
}

#[test]
fn words_are_whole() {
    assert!(has_word("ids::TOO_DEEP,", "TOO_DEEP"));
    assert!(!has_word("NOT_TOO_DEEP TOO_DEEPER", "TOO_DEEP"));
}
