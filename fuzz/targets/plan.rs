//! Reads any text as the document of a plan, and evaluates a module with those that are valid.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane::{MemoryFiles, Project, Secrets, plan_from_json, schemas_from_json};
use terrane_fuzz::{outputs, trees};

const MODULE: &str = include_str!("../src/orchard.tf");
const SCHEMAS: &str = include_str!("../src/orchard.json");

fuzz_target!(|text: &str| {
    let Ok(plan) = plan_from_json(text) else { return };
    let files: MemoryFiles = [("main.tf", MODULE)].into_iter().collect();
    let project = Project::new(".").limits(trees::limits()).stored_plan(plan);
    let schemas = schemas_from_json(SCHEMAS).expect("schemas");
    for project in [project.clone(), project.schemas(&schemas)] {
        let report = project.evaluate(&files);
        outputs::all(report.diagnostics());
        outputs::is_json(&report.document(Secrets::Hidden).to_json());
        outputs::explained(&report, "tree_oak.a[0]", &files);
        assert!(report.plan(Secrets::Hidden).is_err(), "a stored plan has no plan of its own");
    }
});
