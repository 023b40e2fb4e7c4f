//! Trees of files in one text, and the limits of whole runs.

use terrane::MemoryFiles;
use terrane::function::Limits;

/// Begins the line with the name of the next file.
const MARK: &str = "== ";

/// The files of a text: each begins with a line `== NAME`, and lines before the first of these are the file `first`.
pub fn files(text: &str, first: &str) -> MemoryFiles {
    let mut files = vec![(first.to_owned(), String::new())];
    for line in text.split_inclusive('\n') {
        match line.strip_prefix(MARK) {
            Some(name) => files.push((name.trim_end().to_owned(), String::new())),
            None => files.iter_mut().last().expect("the first file").1.push_str(line),
        }
    }
    files.iter().map(|(name, content)| (name.as_str(), content.as_str())).collect()
}

/// Far below the defaults, so that a run is short.
pub fn limits() -> Limits {
    Limits { depth: 100, elements: 2_000, bytes: 1 << 18, steps: 200_000, ..Limits::default() }
        .with_memory(64 << 20)
}
