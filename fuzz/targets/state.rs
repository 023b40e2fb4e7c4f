//! Reads any text as a state, and plans, compares and prints a module with those that are valid.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane::module::Phase;
use terrane::{
    MemoryFiles, Project, Secrets, Session, outputs_from_json, schemas_from_json, state_from_json,
};
use terrane_fuzz::{outputs, trees};

const MODULE: &str = include_str!("../src/orchard.tf");
const SCHEMAS: &str = include_str!("../src/orchard.json");

fuzz_target!(|text: &str| {
    let remote = outputs_from_json(text);
    let state = state_from_json(text);
    let files: MemoryFiles = [("main.tf", MODULE)].into_iter().collect();
    let mut project = Project::new(".").limits(trees::limits());
    if let Ok(remote) = remote {
        project = project.remote_state("data.terraform_remote_state.press", remote);
    }
    let Ok(state) = state else { return };
    let project = project.state(state);
    let report = project.evaluate(&files);
    outputs::all(report.diagnostics());
    outputs::plan(&report);
    let comparison = report.diff_with_state(Secrets::Hidden).expect("there is a state");
    outputs::comparison(&comparison);
    outputs::explained(&report, "tree_oak.a[0]", &files);
    let schemas = schemas_from_json(SCHEMAS).expect("schemas");
    outputs::plan(&project.clone().schemas(&schemas).evaluate(&files));
    let prior = project.clone().uses_prior_values(true).evaluate(&files);
    outputs::is_json(&prior.document(Secrets::Hidden).to_json());
    let session = Session::of_module(project.phase(Phase::Console).evaluate(&files));
    let answered = session.evaluate("[tree_oak.a, terraform_data.b, output]", &files);
    session.text(&answered, Secrets::Hidden);
});
