//! Runs the release command on hostile inputs, and fails where one takes more than the promise of `docs/limits.md`, or uses
//! other memory than it counts: `cargo run --release --locked --bin hostile`.
//!
//! Arguments select the cases whose names contain them. `--command FILE` runs that file instead of the command of this tree,
//! and `--write` writes the tables into `docs/limits.md`, each with the date, the machine and its load.

mod accounting;
mod cases;
mod commands;
mod damage;
mod declarations;
mod measure;
mod shared;
mod states;
mod table;
mod templates;
mod texts;
mod work;

use std::path::{Path, PathBuf};

use benches::release;

use self::accounting::Row;
use self::cases::Case;
use self::measure::Measured;

/// The promised maximum of the processor time of an input, user and system together.
const MAX_SECONDS: f64 = 2.0;
/// The promised maximum of the resident memory of an input.
const MAX_BYTES: u64 = 500_000_000;

/// The arguments of the bench.
#[derive(Default)]
struct Arguments {
    command: Option<PathBuf>,
    writes: bool,
    files: Option<Files>,
    names: Vec<String>,
}

/// `--files NUMBER DIR`, with which the bench calls itself to write the files of one case.
struct Files {
    case: usize,
    directory: PathBuf,
}

fn main() {
    let arguments = arguments();
    if let Some(Files { case, directory }) = &arguments.files {
        let case = promised().nth(*case).expect("the number of a case");
        return measure::write_files(&case, directory);
    }
    let command = arguments.command.clone().unwrap_or_else(release::build);
    let promise = promise(&command, &arguments);
    let accounting = accounting(&command, &arguments);
    if arguments.writes {
        table::write(&release::root().join("docs/limits.md"), &promise, &accounting);
    }
    let broken = promise
        .iter()
        .filter(|(case, measured)| !is_kept(case, measured))
        .map(|(case, _)| case.name.as_str());
    let wrong = accounting.rows.iter().filter(|row| !row.is_true(accounting.base)).map(|row| row.name);
    let failed: Vec<&str> = broken.chain(wrong).collect();
    assert!(failed.is_empty(), "{} cases break the promise: {failed:?}", failed.len());
}

/// Runs the cases of the promise, and prints and returns their measurements.
fn promise(command: &Path, arguments: &Arguments) -> Vec<(Case, Measured)> {
    println!("{}", table::header());
    let cases = promised().enumerate().filter(|(_, case)| arguments.selects(&case.name));
    cases
        .map(|(number, case)| {
            let measured = measure::run(command, number, &case);
            println!("{}", table::line(&case, &measured));
            (case, measured)
        })
        .collect()
}

/// The memory of the shapes of values, and the memory of a run without values.
struct Accounting {
    rows: Vec<Row>,
    base: u64,
}

/// Runs the shapes of values.
fn accounting(command: &Path, arguments: &Arguments) -> Accounting {
    let base = accounting::base(command);
    let report = |row: &Row| println!("{}", table::accounting_line(row, base));
    let rows = accounting::run(command, |name| arguments.selects(name), report);
    Accounting { rows, base }
}

/// Returns the cases of the promise.
fn promised() -> impl Iterator<Item = Case> {
    cases::all()
        .into_iter()
        .chain(commands::all())
        .chain(states::all())
        .chain(texts::all())
        .chain(damage::all())
        .chain(declarations::all())
        .chain(templates::all())
        .chain(work::all())
        .chain(shared::all())
}

impl Arguments {
    /// Whether a case or shape with this name is selected.
    fn selects(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|part| name.contains(part.as_str()))
    }
}

/// Whether a case keeps the promise.
fn is_kept(case: &Case, measured: &Measured) -> bool {
    let seconds = MAX_SECONDS * f64::from(case.runs);
    let bytes = MAX_BYTES * u64::from(case.runs);
    measured.seconds <= seconds && measured.bytes <= bytes && !measured.is_aborted
}

fn arguments() -> Arguments {
    let mut arguments = Arguments::default();
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--command" => arguments.command = given.next().map(PathBuf::from),
            "--write" => arguments.writes = true,
            "--files" => {
                let case = given.next().and_then(|number| number.parse().ok()).expect("the number of a case");
                let directory = given.next().map(PathBuf::from).expect("a directory");
                arguments.files = Some(Files { case, directory });
            }
            _ => arguments.names.push(argument),
        }
    }
    arguments
}
