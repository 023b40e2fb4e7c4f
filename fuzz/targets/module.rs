//! Evaluates generated modules: nothing panics, limits hold, every document is JSON, and several threads print the same as one.
#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use terrane::{MemoryFiles, Project, Secrets};
use terrane_fuzz::{modules, outputs, trees};

fuzz_target!(|bytes: &[u8]| {
    let Ok(tree) = modules::tree(&mut Unstructured::new(bytes)) else { return };
    let files: MemoryFiles = tree.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let project = Project::new(".").limits(trees::limits());
    let report = project.evaluate(&files);
    outputs::all(report.diagnostics());
    let document = report.document(Secrets::Hidden).to_json();
    serde_json::from_str::<&serde_json::value::RawValue>(document.trim()).expect("JSON");
    let again = project.threads(3).evaluate(&files).document(Secrets::Hidden).to_json();
    assert_eq!(document, again, "{tree:?}");
});
