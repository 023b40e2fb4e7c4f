//! Finds markers, which stand for secrets, in the output of the command.

use std::path::Path;
use std::process::Command;

/// The beginning of every secret text.
pub(crate) const MARKER: &str = "Mrk7";

/// Returns standard output and standard error of `terrane` together. The environment contains a secret too.
pub(crate) fn terrane(directory: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent").env("TF_VAR_from_environment", "Mrk7E1");
    let output = command.current_dir(directory).args(arguments).output().expect("the command runs");
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8")).concat()
}

/// Runs `terrane` with each of these arguments. It must print something, but no marker.
pub(crate) fn scan(directory: &Path, runs: &[Vec<&str>]) {
    let mut found = Vec::new();
    for arguments in runs {
        let output = terrane(directory, arguments);
        assert!(!output.is_empty(), "{arguments:?} printed nothing");
        found.extend(output.lines().filter(|line| line.contains(MARKER)).map(|line| {
            let at = line.find(MARKER).unwrap_or_default().saturating_sub(80);
            format!("{arguments:?}: {}", line.chars().skip(at).take(160).collect::<String>())
        }));
    }
    assert!(found.is_empty(), "{} lines show secrets:\n{}", found.len(), found.join("\n"));
}
