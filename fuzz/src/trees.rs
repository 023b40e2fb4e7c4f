//! Trees of files in one text, the limits of whole runs, and threads for small ones.

use std::thread;

use terrane::MemoryFiles;
use terrane::function::Limits;
use terrane::module::Executor;

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
    // Memory sets the lengths of texts, so it comes first.
    let small = Limits::default().with_steps(40_000).with_memory(16 << 20);
    Limits { depth: 100, elements: 400, bytes: 1 << 14, ..small }
}

/// Three threads for every evaluation, also for one that is not worth them.
#[derive(Debug)]
pub struct Always;

impl Executor for Always {
    fn threads(&self) -> usize {
        3
    }

    fn least_cost(&self) -> u64 {
        0
    }

    fn run(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync)) {
        thread::scope(|scope| {
            for _ in 1..self.threads() {
                scope.spawn(help);
            }
            lead();
        });
    }
}
