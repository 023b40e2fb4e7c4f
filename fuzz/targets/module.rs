//! Evaluates generated modules: nothing panics, limits hold, every document is JSON, and several threads print the same as one.
#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use terrane::{Project, Secrets};
use terrane_fuzz::{modules, outputs, trees};

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Unstructured::new(bytes);
    let Ok(has_threads) = bytes.ratio(1, 4) else { return };
    let Ok(files) = modules::tree(&mut bytes) else { return };
    let project = Project::new(".").limits(trees::limits());
    let report = project.evaluate(&files);
    outputs::all(report.diagnostics());
    let document = report.document(Secrets::Hidden).to_json();
    outputs::is_json(&document);
    if has_threads {
        let again = project.executor(trees::Always).evaluate(&files).document(Secrets::Hidden).to_json();
        assert_eq!(document, again, "{files:?}");
    }
});
