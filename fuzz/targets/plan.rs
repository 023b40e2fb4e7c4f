//! Reads any text as the document of a plan, and evaluates a module with those that are valid.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane::{Secrets, plan_from_json};
use terrane_fuzz::{orchard, outputs};

fuzz_target!(|text: &str| {
    let Ok(plan) = plan_from_json(text) else { return };
    let files = orchard::files();
    // One of the two for each text, so that a run is short.
    let report = orchard::project(text.len() % 2 == 0).stored_plan(plan).evaluate(&files);
    outputs::all(report.diagnostics());
    outputs::is_json(&report.document(Secrets::Hidden).to_json());
    outputs::explained(&report, "tree_oak.a[0]", &files);
    assert!(report.plan(Secrets::Hidden, &files).is_err(), "a stored plan has no plan of its own");
});
