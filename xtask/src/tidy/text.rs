//! Rules that look at the text of the files.

use std::collections::BTreeSet;

use terrane_source::ids;

use super::{File, files, files_with, none, sources};

/// Returns every line of `files` that contains one of `words`. This file is left out, because it names all of them.
fn lines_with<'f>(files: impl IntoIterator<Item = &'f File>, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files.into_iter().filter(|file| file.path != "xtask/src/tidy/text.rs") {
        if !words.iter().any(|word| file.content.contains(word)) {
            continue;
        }
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
    none("No ignored test, no placeholder, no debugging output", &lines_with(files_with(".rs"), &words));
}

/// Experiments in the root folder are easily committed with a change.
#[test]
fn files_of_the_root_are_pages_settings_and_licences() {
    let of_root = files().iter().map(|file| &*file.path).filter(|path| !path.contains('/'));
    let is_known = |path: &str| {
        path.starts_with('.')
            || path.starts_with("LICENSE")
            || [".md", ".toml", ".lock"].iter().any(|end| path.ends_with(end))
    };
    let strays: Vec<String> = of_root.filter(|path| !is_known(path)).map(str::to_owned).collect();
    none("A file of the root folder is not a part of the repository", &strays);
}

#[test]
fn no_merge_markers() {
    none("No merge markers", &lines_with(files(), &["<<<<<<< ", ">>>>>>> "]));
}

/// The engine reaches the outside only through `Files` and `CallEnv`; clippy bans the calls, and this test bans the names.
#[test]
fn the_engine_does_not_reach_outside() {
    let engine = [
        "source", "syntax", "value", "render", "function", "eval", "stdlib", "body", "config", "module",
        "packer",
    ];
    let sources: Vec<&File> = files_with(".rs")
        .filter(|file| engine.iter().any(|name| file.path.starts_with(&format!("crates/{name}/src/"))))
        .filter(|file| !file.path.starts_with("crates/source/src/files/os/"))
        .collect();
    assert!(sources.len() > engine.len(), "the engine's sources were not found");
    let outside = ["std::fs", "std::env", "std::process", "TcpStream", "UdpSocket", "std::thread", "rustix"];
    // A map may be seeded by chance, since nothing depends on its order; no value may come from the seed.
    let chance = ["RandomState::", "build_hasher", "hash_one", "getrandom", "thread_rng"];
    let words = [&outside[..], &chance].concat();
    none("Only source/src/files/os/ touches the operating system", &lines_with(sources, &words));
}

/// Text for people is printed in one place, which keeps commands to services for continuous integration out of it.
#[test]
fn a_command_prints_in_one_place() {
    let places = [("crates/cli/src/", "pipe.rs"), ("crates/providers/src/", "output.rs")];
    let mut sources: Vec<&File> = Vec::new();
    for (folder, printer) in places {
        let found = files_with(".rs")
            .filter(|file| file.path.strip_prefix(folder).is_some_and(|name| name != printer));
        let before = sources.len();
        sources.extend(found);
        assert!(sources.len() > before, "the sources of the command in {folder} were not found");
    }
    let words = [
        "stdout().lock",
        "stderr().lock",
        "new(io::stdout()",
        "new(io::stderr()",
        "write!(io::",
        "writeln!(io::",
        "error.print(",
    ];
    none("Only cli/src/pipe.rs and providers/src/output.rs print", &lines_with(sources, &words));
}

#[test]
fn every_diagnostic_id_is_used() {
    let registry = "crates/source/src/diagnostic/ids.rs";
    let declared = &files_with(".rs").find(|file| file.path == registry).expect("the registry").content;
    let names: Vec<&str> = declared
        .lines()
        .filter_map(|line| line.trim_start().split_once(" = \"core:"))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names.len(), ids::ALL.len(), "one line each in the registry");
    let sources = sources().filter(|(package, file)| *package != "xtask" && file.path != registry);
    let used: BTreeSet<&str> = sources.flat_map(|(_, file)| names_in(file)).collect();
    let unused: Vec<String> =
        names.iter().filter(|name| !used.contains(*name)).map(|name| (*name).to_owned()).collect();
    none("A diagnostic id that nothing reports", &unused);
}

/// Returns the constants that the code of a file names, without its tests.
fn names_in(file: &File) -> impl Iterator<Item = &str> {
    let tests = file.content.find("#[cfg(test)]").unwrap_or(file.content.len());
    file.content[..tests].split(|character: char| !(character.is_ascii_alphanumeric() || character == '_'))
}

#[test]
fn names_are_whole() {
    let content = "report(ids::TOO_DEEP, NOT_TOO_LONG);\n#[cfg(test)]\nTOO_WIDE".to_owned();
    let file = File { path: "a.rs".to_owned(), content };
    let names: Vec<&str> = names_in(&file).collect();
    assert!(names.contains(&"TOO_DEEP") && !names.contains(&"TOO_LONG") && !names.contains(&"TOO_WIDE"));
}
