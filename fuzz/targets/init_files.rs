//! Evaluates a module beside any files that `init` writes: the manifest of modules, the backend, the lock file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane::{LockFile, Project, Secrets};
use terrane_fuzz::{outputs, trees};

fuzz_target!(|text: &str| {
    let files = trees::files(text, ".terraform/modules/modules.json");
    files.insert("main.tf", include_str!("../src/calls.tf"));
    for directory in ["press", "cellar"] {
        files.insert(
            format!("{directory}/main.tf"),
            "variable \"rows\" {}\noutput \"juice\" { value = var.rows }\n",
        );
    }
    // One of the two for each text, so that a run is short.
    let allows_changed = text.len() % 2 == 0;
    let project = Project::new(".").limits(trees::limits()).allows_changed_modules(allows_changed);
    let report = project.evaluate(&files);
    outputs::all(report.diagnostics());
    outputs::is_json(&report.document(Secrets::Hidden).to_json());
    let _ = project.state_file(&files);
    if let Ok(Some(lock)) = LockFile::of(std::path::Path::new("."), &files) {
        assert!(lock.providers.len() <= text.len());
    }
});
