//! Reads any text as a state, and plans, compares and prints a module with those that are valid.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane::module::Phase;
use terrane::{Secrets, Session, outputs_from_json, state_from_json};
use terrane_fuzz::{orchard, outputs};

fuzz_target!(|text: &str| {
    let remote = outputs_from_json(text);
    let Ok(state) = state_from_json(text) else { return };
    // One way for each text, so that a run is short.
    let way = text.len() % 5;
    let mut project = orchard::project(way == 1).state(state);
    if let Ok(remote) = remote {
        project = project.remote_state("data.terraform_remote_state.press", remote);
    }
    let files = orchard::files();
    match way {
        0 | 1 => {
            let report = project.evaluate(&files);
            outputs::all(report.diagnostics());
            outputs::plan(&report, &files);
        }
        2 => {
            let report = project.evaluate(&files);
            let comparison = report.diff_with_state(Secrets::Hidden).expect("there is a state");
            outputs::comparison(&comparison);
            outputs::explained(&report, "tree_oak.a[0]", &files);
        }
        3 => {
            let prior = project.uses_prior_values(true).evaluate(&files);
            outputs::is_json(&prior.document(Secrets::Hidden).to_json());
        }
        _ => {
            let session = Session::of_module(project.phase(Phase::Console).evaluate(&files));
            let answered = session.evaluate("[tree_oak.a, terraform_data.b, output]", &files);
            session.text(&answered, Secrets::Hidden);
        }
    }
});
