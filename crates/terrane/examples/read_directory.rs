//! Evaluates the module in a directory and prints its resources with their configured arguments.
//!
//! Run it with `cargo run --locked -p terrane --example read_directory -- examples/network`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its result")]
#![expect(clippy::disallowed_methods, reason = "an example reads its arguments")]

use std::process::ExitCode;

use terrane::{EntryKind, OsFiles, Project, Secrets, ValueState};

fn main() -> ExitCode {
    let directory = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let report = Project::new(directory).evaluate(&OsFiles);
    for diagnostic in report.diagnostics().as_slice() {
        eprintln!("{}: {} {}", diagnostic.id, diagnostic.title(), diagnostic.detail);
    }
    let document = report.document(Secrets::Hidden);
    for resource in document.values.iter().filter(|entry| entry.kind == EntryKind::Resource) {
        println!("{}", resource.address);
        for (name, value) in resource.value.known_attributes().into_iter().flatten() {
            let state = ValueState::of(value);
            if state == ValueState::Known {
                println!("  {name} = {}", terrane::value::display::annotated(value));
            } else {
                println!("  {name} is {}", format!("{state:?}").to_lowercase());
            }
        }
    }
    if report.has_errors() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
