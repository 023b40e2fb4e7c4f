//! Processor time of evaluating root modules again after an edit, and memory after many edits.
//!
//! `cargo run --release --bin edits -- DIR...` finds the directories with configuration below the given ones, edits a file of
//! each, and reports the 50th, 90th and 99th percentile. `cargo run --release --bin edits -- memory DIR [EDITS]` edits one
//! directory many times and reports the resident memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cpu_time::ThreadTime;
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use terrane::{OsFiles, Project, RootId, Workspace};

/// The number of edits that are made in each directory.
const EDITS: usize = 6;

/// The number of edits in a measurement of memory, and the number of edits between two of its rows.
const MANY_EDITS: usize = 10_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["memory", directory] => memory(Path::new(directory), MANY_EDITS),
        ["memory", directory, edits] => memory(Path::new(directory), edits.parse().expect("a number")),
        [] => println!("usage: edits DIR..., or edits memory DIR [EDITS]"),
        directories => times(directories),
    }
}

/// Measures evaluations of all directories with configuration at and below `directories`.
fn times(directories: &[&str]) {
    let mut modules = Vec::new();
    directories.iter().for_each(|directory| find(Path::new(directory), &mut modules));
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for module in &modules {
        let Some(mut edited) = Edited::open(module) else { continue };
        first.push(Sample { time: edited.evaluate(), directory: module });
        for number in 0..EDITS {
            let time = edited.edit(number);
            again.push(Sample { time, directory: module });
        }
    }
    println!("{} directories, {EDITS} edits in each; milliseconds of processor time", first.len());
    println!("{:20} {:>8} {:>8} {:>8} {:>8}", "", "p50", "p90", "p99", "max");
    row("first evaluation", &mut first);
    row("after an edit", &mut again);
    for Sample { time, directory } in again.iter().rev().take(5) {
        println!("  {:8.2} {}", milliseconds(*time), directory.display());
    }
}

/// The processor time of one evaluation.
#[derive(Clone, Copy)]
struct Sample<'d> {
    time: Duration,
    directory: &'d Path,
}

fn row(name: &str, samples: &mut [Sample<'_>]) {
    samples.sort_by_key(|sample| sample.time);
    let at = |percent: usize| {
        let last = samples.len().saturating_sub(1);
        samples.get(last * percent / 100).map_or(0.0, |sample| milliseconds(sample.time))
    };
    println!("{name:20} {:8.2} {:8.2} {:8.2} {:8.2}", at(50), at(90), at(99), at(100));
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Adds the directories with configuration at and below `directory`.
fn find(directory: &Path, modules: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    if paths.iter().any(|path| is_configuration(path)) {
        modules.push(directory.to_owned());
    }
    for path in paths.iter().filter(|path| path.is_dir() && !path.is_symlink()) {
        if path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')) {
            find(path, modules);
        }
    }
}

fn is_configuration(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|extension| extension == "tf")
}

/// A root module and the file of it that is edited.
struct Edited {
    workspace: Workspace,
    root: RootId,
    file: PathBuf,
    text: String,
}

impl Edited {
    /// Opens the module in a directory, and selects its largest file for the edits; returns `None` if it has no file with
    /// configuration.
    fn open(directory: &Path) -> Option<Edited> {
        let files = fs::read_dir(directory).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
        let file = files
            .filter(|path| is_configuration(path))
            .max_by_key(|path| (path.metadata().map_or(0, |metadata| metadata.len()), path.clone()))?;
        let text = fs::read_to_string(&file).ok()?;
        let mut workspace = Workspace::new(OsFiles);
        let root = workspace.add(Project::new(directory));
        Some(Edited { workspace, root, file, text })
    }

    fn evaluate(&self) -> Duration {
        let start = ThreadTime::now();
        let report = self.workspace.evaluate(self.root, None).expect("nothing stops it");
        let time = start.elapsed();
        drop(report);
        time
    }

    /// Changes the file and evaluates again: adds a comment, a value that nothing reads, or a broken block that is typed.
    fn edit(&mut self, number: usize) -> Duration {
        let added = match number % 3 {
            0 => format!("\n# edit {number}\n"),
            1 => format!("\nlocals {{\n  terrane_edit = \"{number}\"\n}}\n"),
            _ => format!("\nlocals {{\n  terrane_edit_{number} =\n}}\n"),
        };
        let text = format!("{}{added}", self.text);
        let start = ThreadTime::now();
        self.workspace.set_overlay(&self.file, text);
        start.elapsed() + self.evaluate()
    }
}

/// Prints the resident memory while one directory is edited many times.
fn memory(directory: &Path, edits: usize) {
    let Some(mut edited) = Edited::open(directory) else { return println!("no configuration") };
    println!("{:>8} {:>10} {:>10}", "edits", "resident", "parsed");
    edited.evaluate();
    for number in 0..=edits {
        edited.edit(number);
        if number % (edits / 10).max(1) == 0 {
            println!("{number:8} {:>7} kB {:10}", resident(), edited.workspace.parsed_files());
        }
    }
}

/// Returns the resident memory of this process in kilobytes.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}
