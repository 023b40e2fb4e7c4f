//! Diagnostics inside a call, as the reason why the call fails.

use terrane_source::Diagnostic;

/// The words before the messages about a template with syntax errors.
pub(crate) const TEMPLATE_INVALID: &str = "the template is not valid:";

/// The words before the messages about a template whose evaluation failed.
pub(crate) const TEMPLATE_FAILED: &str = "the template has errors:";

/// Limit on the errors that a summary lists.
const MAX_ERRORS: usize = 5;

/// Returns the first errors, each on its own line. An error of a nested template is replaced by the messages in it, so
/// that nested templates do not repeat them.
pub(crate) fn summary(diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).take(MAX_ERRORS) {
        let inner =
            [TEMPLATE_INVALID, TEMPLATE_FAILED].iter().find_map(|words| diagnostic.detail.split_once(words));
        if let Some((_, messages)) = inner {
            text.push_str(messages);
            continue;
        }
        let place = diagnostic.subject.as_ref().map(|subject| format!(" (at {})", subject.position()));
        let place = place.unwrap_or_default();
        text.push_str(&format!("\n- {}{place}: {}", diagnostic.title(), diagnostic.detail));
    }
    text
}
