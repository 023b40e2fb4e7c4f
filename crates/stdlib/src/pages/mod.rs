//! What the reference page says of a function beside its row: which products have it since when, and examples.

mod assumptions;
mod collections;
mod conversion;
mod digests;
mod encoding;
mod files;
mod networks;
mod numbers;
mod packer;
mod strings;
mod times;

use terrane_function::{Availability, Function};

/// The page of one function.
struct Page {
    name: &'static str,
    availability: Availability,
    examples: &'static [(&'static str, &'static str)],
}

const PAGES: [&[Page]; 11] = [
    assumptions::PAGES,
    collections::PAGES,
    conversion::PAGES,
    digests::PAGES,
    encoding::PAGES,
    files::PAGES,
    networks::PAGES,
    numbers::PAGES,
    packer::PAGES,
    strings::PAGES,
    times::PAGES,
];

/// `row` with what its page says. A row with examples of its own, of a function that differs between products, stays
/// as it is.
pub(crate) fn with_page(row: Function) -> Function {
    let page = PAGES.into_iter().flatten().find(|page| page.name == row.name);
    match page {
        Some(page) if row.examples.is_empty() => row.since(page.availability).examples(page.examples),
        Some(_) | None => row,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use terrane_function::Dialect;

    use super::PAGES;

    #[test]
    fn every_row_has_a_page_and_every_page_a_row() {
        let rows = crate::functions();
        let rows: BTreeSet<&str> = rows.iter().map(|row| &*row.name).collect();
        let pages: Vec<&str> = PAGES.into_iter().flatten().map(|page| page.name).collect();
        assert_eq!(pages.iter().copied().collect::<BTreeSet<_>>(), rows);
        assert_eq!(pages.len(), rows.len(), "a function has two pages");
    }

    #[test]
    fn no_dialect_has_two_rows_of_one_name() {
        for dialect in ["modules", "terraform", "opentofu", "packer"] {
            let dialect: Dialect = dialect.parse().unwrap();
            let rows = crate::functions();
            let names = rows.iter().filter(|row| row.availability.is_in(dialect)).map(|row| &*row.name);
            let mut seen = BTreeSet::new();
            let twice: Vec<&str> = names.filter(|name| !seen.insert(*name)).collect();
            assert!(twice.is_empty(), "{dialect}: {twice:?}");
        }
    }
}
