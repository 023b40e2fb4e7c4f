//! Numbers with their nouns.

/// Returns a number of things: "1 value", "2 values".
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
