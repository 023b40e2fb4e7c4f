//! Reads any text as a file of mocks, and evaluates a module with the values that it gives.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane::{MemoryFiles, Project, Secrets, schemas_from_json};
use terrane_fuzz::{outputs, trees};

const MODULE: &str = include_str!("../src/orchard.tf");
const SCHEMAS: &str = include_str!("../src/orchard.json");

fuzz_target!(|text: &str| {
    let schemas = schemas_from_json(SCHEMAS).expect("schemas");
    for name in ["mocks/a.tftest.hcl", "mocks/a.tfmock.hcl", "mocks/a.tftest.json"] {
        let files: MemoryFiles = [("main.tf", MODULE), (name, text)].into_iter().collect();
        let project = Project::new(".").limits(trees::limits()).mocks("mocks");
        for project in [project.clone(), project.schemas(&schemas)] {
            let report = project.evaluate(&files);
            outputs::all(report.diagnostics());
            outputs::is_json(&report.document(Secrets::Hidden).to_json());
            outputs::plan(&report);
        }
    }
});
