//! Reads any text as a file of mocks, and evaluates a module with the values that it gives.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane::Secrets;
use terrane_fuzz::{orchard, outputs};

fuzz_target!(|text: &str| {
    // One kind of file and one project for each text, so that a run is short.
    let name = match text.starts_with('{') {
        true => "mocks/a.tftest.json",
        false if text.len() % 4 < 2 => "mocks/a.tftest.hcl",
        false => "mocks/a.tfmock.hcl",
    };
    let files = orchard::files();
    files.insert(name, text);
    let report = orchard::project(text.len() % 2 == 0).mocks("mocks").evaluate(&files);
    outputs::all(report.diagnostics());
    outputs::is_json(&report.document(Secrets::Hidden).to_json());
    outputs::plan(&report, &files);
});
