//! Prints the graph of any tree of files: for Graphviz, without control characters, and as JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane::Project;
use terrane_fuzz::{outputs, trees};

fuzz_target!(|text: &str| {
    let graph = Project::new(".").limits(trees::limits()).outline(&trees::files(text, "main.tf"));
    outputs::all(&graph.diagnostics);
    let dot = graph.to_dot();
    assert!(!outputs::has_controls(&dot), "control characters reach the terminal: {dot:?}");
    serde_json::from_str::<&serde_json::value::RawValue>(graph.graph_to_json().trim()).expect("JSON");
});
