//! Evaluates any tree of files as a Packer template, and prints its graph.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane::{PackerTemplate, Secrets, Session};
use terrane_fuzz::{outputs, trees};

fuzz_target!(|text: &str| {
    let files = trees::files(text, "main.pkr.hcl");
    let template = PackerTemplate::new(".").limits(trees::limits());
    let graph = template.outline(&files);
    serde_json::from_str::<&serde_json::value::RawValue>(graph.graph_to_json().trim()).expect("JSON");
    let report = template.evaluate(&files);
    outputs::all(report.diagnostics());
    report.variables_text();
    let document = report.document(Secrets::Hidden);
    document.to_text();
    serde_json::from_str::<&serde_json::value::RawValue>(&document.to_json()).expect("JSON");
    let session = Session::of_template(report);
    let answered = session.evaluate("[var, local, build]", &files);
    session.text(&answered, Secrets::Hidden);
});
