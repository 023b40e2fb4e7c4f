//! Collects explanations of a directory and differences to other configurations, as texts in which to look for secrets.

use std::fs;
use std::path::Path;

use terrane::{MemoryFiles, OsFiles, Project, Report, Secrets};

/// Returns the explanations of all values and of all lines of a directory, and the differences of its values to other
/// configurations, in every format.
pub(crate) fn explanations(directory: &Path, environment: (String, String)) -> Vec<String> {
    let report = Project::new(directory).environment([environment]).evaluate(&OsFiles);
    let mut addresses: Vec<String> = report.entries().iter().map(|entry| entry.address.to_string()).collect();
    for file in report.files() {
        let text = fs::read_to_string(file.path()).unwrap_or_default();
        addresses.extend((1..=text.lines().count()).map(|line| format!("{}:{line}", file.path().display())));
    }
    let mut texts = differences(directory, &report);
    for address in addresses {
        // A line without a value has no explanation.
        if let Ok(explanation) = report.explain(&address, Secrets::Hidden, &OsFiles) {
            texts.extend([explanation.to_text(usize::MAX), explanation.to_json(), explanation.to_html()]);
        }
        if let Ok(dependents) = report.dependents(&address, &OsFiles) {
            texts.extend([dependents.to_text(), dependents.to_json()]);
        }
    }
    texts
}

/// Returns the differences to a configuration without objects, and to one with other secrets, in both directions.
fn differences(directory: &Path, report: &Report) -> Vec<String> {
    let nothing = Project::new(".").evaluate(&MemoryFiles::new());
    let changed = MemoryFiles::new();
    for file in report.files() {
        let text = fs::read_to_string(file.path()).unwrap_or_default();
        changed.insert(file.path(), text.replace("Mrk7", "Mrk7Other"));
    }
    let other = Project::new(directory).evaluate(&changed);
    let mut texts = Vec::new();
    for (before, after) in [(report, &nothing), (&nothing, report), (report, &other), (&other, report)] {
        let difference = before.diff(after, Secrets::Hidden);
        texts.extend([difference.to_text().expect("a text"), difference.to_markdown(), difference.to_json()]);
    }
    texts
}
