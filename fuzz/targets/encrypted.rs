//! Reads the `encryption` block of any module, and decrypts any state with it: the file `state` of a tree.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use terrane::config::state_file::{Decryption, decrypted, is_encrypted};
use terrane::{Files, Project, Secrets, state_from_json};
use terrane_fuzz::{outputs, trees};

fuzz_target!(|text: &str| {
    let files = trees::files(text, "main.tf");
    let state = files.read(Path::new("state")).unwrap_or_default();
    let state = String::from_utf8(state).expect("a part of a text");
    // Half a million derivations take as long as they are told to.
    if state.len() > 4096 {
        return;
    }
    let project = Project::new(".").limits(trees::limits());
    let encryption = project.encryption(&files);
    let decryption = encryption.state.as_ref();
    if let Some(decryption) = decryption.filter(|_| is_encrypted(&state)) {
        if let Ok(plain) = decrypted(&state, decryption) {
            let _ = state_from_json(&plain);
        }
    }
    let _ = decrypted(&state, &Decryption::default());
    let _ = project.state_file(&files);
    let report = project.evaluate(&files);
    outputs::all(report.diagnostics());
    outputs::is_json(&report.document(Secrets::Hidden).to_json());
});
