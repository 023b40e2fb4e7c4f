//! The committed number of right rows for each category. It may only rise.

use std::collections::BTreeMap;
use std::path::PathBuf;

use terrane_source::{Files as _, OsFiles};

use super::row::read_text;
use crate::settings::below_tests;

/// Right rows by table and category.
pub type Counts = BTreeMap<String, BTreeMap<String, usize>>;

const HEADER: &str = "# Rows of the conformance tables that are right, by table and category. A change may raise a number,\n\
                      # never lower it. `UPDATE_FLOOR=1 cargo test -p terrane-tests --test conformance` writes this file.\n\n";

fn path() -> PathBuf {
    below_tests("conformance/floor.toml")
}

/// The committed counts.
///
/// # Errors
///
/// Where the file cannot be read.
pub fn read() -> Result<Counts, String> {
    let path = path();
    toml::from_str(&read_text(&path)?).map_err(|error| format!("{}: {error}", path.display()))
}

/// Puts `counts` into the file; other categories keep their numbers.
///
/// # Errors
///
/// Where the file cannot be written.
pub fn update(counts: &Counts) -> Result<(), String> {
    let mut all = read().unwrap_or_default();
    for (table, categories) in counts {
        all.entry(table.clone()).or_default().extend(categories.clone());
    }
    let text = toml::to_string(&all).map_err(|error| error.to_string())?;
    OsFiles.write_atomic(&path(), format!("{HEADER}{text}").as_bytes()).map_err(|error| error.to_string())
}
