//! Every form of diagnostics.

use terrane::Diagnostics;
use terrane::render::{
    TerminalOptions, compact, github, junit, sarif, terminal, validate_json, without_commands,
};

/// Writes the diagnostics in every form, and checks the promises of each form.
pub fn all(diagnostics: &Diagnostics) {
    for diagnostic in diagnostics {
        let text = terminal(diagnostic, TerminalOptions::default());
        assert!(!has_controls(&text), "control characters reach the terminal: {text:?}");
        let text = without_commands(&text).into_owned() + &without_commands(&compact(diagnostic));
        for line in text.lines().map(str::trim_start) {
            assert!(!line.starts_with("::") && !line.starts_with("##["), "a command to a service: {line}");
        }
        assert_eq!(github(diagnostic).lines().count(), 1);
    }
    let documents = [sarif(diagnostics, &|path| path.to_owned()), validate_json(diagnostics, |_| None)];
    for document in documents {
        serde_json::from_str::<&serde_json::value::RawValue>(document.trim()).expect("JSON");
    }
    assert!(junit([], diagnostics).starts_with("<?xml"));
}

/// Whether a terminal would do more with a text than show it.
pub fn has_controls(text: &str) -> bool {
    text.chars().any(|character| character.is_control() && character != '\n')
}
