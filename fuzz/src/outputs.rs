//! Every form of diagnostics, plans, comparisons and explanations.

use std::path::Path;

use terrane::render::{
    TerminalOptions, compact, github, junit, sarif, terminal, validate_json, without_commands,
};
use terrane::{Comparison, Diagnostics, Files, Report, Secrets, block_headers};

/// Most diagnostics that are written: an input can have hundreds, and each shows a line of text in several forms.
const MAX_WRITTEN: usize = 8;

/// Writes the first diagnostics in every form, and checks the promises of each form.
pub fn all(diagnostics: &Diagnostics) {
    let diagnostics = &diagnostics.as_slice().iter().take(MAX_WRITTEN).cloned().collect::<Diagnostics>();
    let mut headers = block_headers();
    for diagnostic in diagnostics {
        let text = terminal(diagnostic, TerminalOptions::default(), &mut headers);
        assert!(!has_controls(&text), "control characters reach the terminal: {text:?}");
        let text = without_commands(&text).into_owned() + &without_commands(&compact(diagnostic));
        for line in text.lines().map(str::trim_start) {
            assert!(!line.starts_with("::") && !line.starts_with("##["), "a command to a service: {line}");
        }
        assert_eq!(github(diagnostic, &Path::to_path_buf).lines().count(), 1);
    }
    let documents = [sarif(diagnostics, &|path| path.to_owned()), validate_json(diagnostics, &mut headers)];
    for document in documents {
        serde_json::from_str::<&serde_json::value::RawValue>(document.trim()).expect("JSON");
    }
    assert!(junit("terrane check", [], diagnostics, &Path::to_path_buf, headers).starts_with("<?xml"));
}

/// Whether a terminal would do more with a text than show it. Tabs stay as they are (`terrane_render::visible`).
pub fn has_controls(text: &str) -> bool {
    text.chars().any(|character| character.is_control() && !['\n', '\t'].contains(&character))
}

/// Asserts that a text is one document of JSON.
pub fn is_json(text: &str) {
    serde_json::from_str::<&serde_json::value::RawValue>(text.trim()).expect("JSON");
}

/// Asserts that a text has no control characters.
pub fn is_text(text: &str) {
    assert!(!has_controls(text), "control characters reach the terminal: {text:?}");
}

/// Writes the plan of a report in each form.
pub fn plan(report: &Report, files: &dyn Files) {
    let Ok(plan) = report.plan(Secrets::Hidden, files) else { return };
    is_json(&plan.to_json());
    if let Ok(text) = plan.to_text() {
        is_text(&text);
    }
}

/// Writes a comparison in each form.
pub fn comparison(comparison: &Comparison) {
    is_json(&comparison.to_json());
    is_text(&comparison.to_text().unwrap_or_default());
    is_text(&comparison.to_markdown());
}

/// Explains an address in each form, if it names something.
pub fn explained(report: &Report, address: &str, files: &dyn Files) {
    match report.explain(address, Secrets::Hidden, files) {
        Ok(explanation) => {
            is_json(&explanation.to_json());
            is_text(&explanation.to_text(8));
            is_text(&explanation.to_html());
        }
        Err(diagnostics) => all(&diagnostics),
    }
}
