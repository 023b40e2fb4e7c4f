//! Writes the reference page of functions from their rows.

/// The path of the page.
pub(crate) const PATH: &str = "docs/functions.md";

/// Returns the whole page.
pub(crate) fn page() -> String {
    terrane::functions_page()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_up_to_date() {
        let written = std::fs::read_to_string(crate::root().join(PATH)).unwrap_or_default();
        assert!(written == page(), "{PATH} is out of date: run `cargo xtask functions`");
    }
}
