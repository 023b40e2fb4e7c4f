//! Runs the command on large inputs of small entries, and checks the processor time that it takes.
#![expect(clippy::disallowed_methods, reason = "tests run the command")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "directory.rs"]
mod directory;

use std::fs;
use std::process::Command;

use self::directory::directory;

/// So many entries that work for each pair of them takes far longer than [`MOST`].
pub(crate) const MANY: usize = 40_000;

/// The limit on the processor time in seconds. Linear work takes less than half of it, even in a build without optimizations.
const MOST: u32 = 20;

/// Returns the text for each of `MANY` numbers.
pub(crate) fn many(text: impl Fn(usize) -> String) -> String {
    (0..MANY).map(text).collect()
}

/// Runs the command on these files. Returns the beginning and the end of its output.
pub(crate) fn run(files: &[(&str, &str)], arguments: &[&str]) -> String {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    run_on(&files, arguments)
}

/// Runs the command on files that may not be text. Returns the beginning and the end of its output.
pub(crate) fn run_on(files: &[(&str, &[u8])], arguments: &[&str]) -> String {
    let root = directory(&[]);
    for (name, bytes) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(root.path())).expect("a directory");
        fs::write(path, bytes).expect("a file");
    }
    // The time of the clock would depend on the other programs that run.
    let output = Command::new("sh")
        .args(["-c", &format!("ulimit -t {MOST} && exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_terrane")])
        .env("TERRANE_CACHE_DIR", "/nonexistent")
        .current_dir(&root)
        .args(arguments)
        .args(["--max-memory", "1GiB"])
        .output()
        .expect("the command runs");
    assert!(
        output.status.code().is_some(),
        "{arguments:?} takes more than {MOST} seconds: {}",
        output.status
    );
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8")).concat();
    const SHOWN: usize = 1_000;
    match text.chars().count().checked_sub(2 * SHOWN) {
        Some(omitted) => text.chars().take(SHOWN).chain(text.chars().skip(SHOWN + omitted)).collect(),
        None => text,
    }
}
