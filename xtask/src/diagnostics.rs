//! Writes the reference page of diagnostics from their registry.

use terrane_source::ids;

/// The path of the page.
pub(crate) const PATH: &str = "docs/diagnostics.md";

const HEAD: &str = "\
# Diagnostics

Every message of Terrane has an id. It never changes and is never used for another message, so that
scripts, policies and search engines can rely on it.

    error[core:unsupported-attribute]: Unsupported attribute

This page is generated from `crates/source/src/diagnostic/ids.rs` by `cargo xtask diagnostics`.

| id | title | cause and fix |
| --- | --- | --- |
";

/// Returns the whole page.
pub(crate) fn page() -> String {
    let mut page = HEAD.to_owned();
    for id in ids::ALL {
        let cells = [id.title(), id.meaning()].map(|text| text.replace('|', "\\|"));
        page.push_str(&format!("| `{}` | {} | {} |\n", id.as_str(), cells[0], cells[1]));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_up_to_date() {
        let written = std::fs::read_to_string(crate::root().join(PATH)).unwrap_or_default();
        assert!(written == page(), "{PATH} is out of date: run `cargo xtask diagnostics`");
    }
}
