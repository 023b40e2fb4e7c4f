//! Grammar of the sentences in diagnostics.

/// Returns the indefinite article before a noun, which may be in backquotes, at the start of a sentence.
pub(crate) fn article(noun: &str) -> &'static str {
    if noun.trim_start_matches('`').starts_with(['a', 'e', 'i', 'o']) { "An" } else { "A" }
}
