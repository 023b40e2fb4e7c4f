//! The rows that are known to differ, with the reason for each, as `conformance/unmatched.md` lists them.

use std::collections::BTreeSet;

use super::row::read_text;
use super::table::{Count, Table};
use crate::settings::below_tests;

/// The ids in the first column of the page's table.
///
/// # Errors
///
/// Where the page cannot be read, or names an id twice or one that no table has.
pub fn read<'t>(tables: impl IntoIterator<Item = &'t Table>) -> Result<BTreeSet<String>, String> {
    let ids = listed(&read_text(&below_tests("conformance/unmatched.md"))?)?;
    let mut unused: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
    for row in tables.into_iter().flat_map(|table| table.categories.values().flatten()) {
        unused.remove(row.id.as_str());
    }
    match unused.first() {
        Some(id) => Err(format!("conformance/unmatched.md lists {id:?}, and no table has such a row")),
        None => Ok(ids),
    }
}

/// The ids of a page: in the first cell of each row of its table, separated by commas.
fn listed(page: &str) -> Result<BTreeSet<String>, String> {
    let rows = page.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let cells = rows.map_while(|line| line.strip_prefix('|')?.split('|').next());
    let mut ids = BTreeSet::new();
    for id in cells.flat_map(|cell| cell.split(',')) {
        if !ids.insert(id.trim().to_owned()) {
            return Err(format!("conformance/unmatched.md lists {:?} twice", id.trim()));
        }
    }
    Ok(ids)
}

/// Compares the results of a category with the page: a listed row must be wrong, every other row right.
///
/// # Errors
///
/// The rows for which it is otherwise.
pub fn compare(
    table: &Table,
    category: &str,
    count: &Count,
    listed: &BTreeSet<String>,
) -> Result<(), String> {
    let new: Vec<&str> = count.wrong.iter().map(String::as_str).filter(|id| !listed.contains(*id)).collect();
    let rows = table.categories.get(category).into_iter().flatten();
    let mended: Vec<&str> = rows
        .map(|row| row.id.as_str())
        .filter(|id| listed.contains(*id) && !count.wrong.iter().any(|wrong| wrong == id))
        .collect();
    if !new.is_empty() {
        return Err(format!("not right, and not listed in conformance/unmatched.md: {}", new.join(", ")));
    }
    if !mended.is_empty() {
        return Err(format!("right, so take them out of conformance/unmatched.md: {}", mended.join(", ")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_in_the_first_column() {
        let page = "# Page\n\n| row | why |\n|---|---|\n| A1 | one, two |\n| B2, B3 | three |\n\n| C4 | |\n";
        let ids = listed(page).unwrap();
        assert_eq!(ids.iter().map(String::as_str).collect::<Vec<_>>(), ["A1", "B2", "B3"]);
        assert!(listed("|---|\n| A |\n| A |\n").is_err());
    }
}
