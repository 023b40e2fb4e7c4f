//! Titles of single messages stand in two tables, `source/src/diagnostic/titles.rs`.
//!
//! The compiler accepts no other text as a title, so this rule only finds rows that no message has.

use super::{files_with, none, sources};

const TABLES: &str = "crates/source/src/diagnostic/titles.rs";

/// Whether some text of the engine has the path `titles::name`, and no longer name that begins with it.
fn is_used(name: &str) -> bool {
    let row = format!("titles::{name}");
    sources().filter(|(_, file)| file.path != TABLES).any(|(_, file)| {
        file.content.match_indices(&row).any(|(at, _)| {
            let next = file.content[at + row.len()..].chars().next();
            !next.is_some_and(|next| next.is_ascii_alphanumeric() || next == '_')
        })
    })
}

#[test]
fn every_title_is_used() {
    let tables = &files_with(".rs").find(|file| file.path == TABLES).expect("the tables of titles").content;
    let rows = tables.lines().filter_map(|line| line.strip_prefix("    ")?.split_once(" = \""));
    let names = rows.map(|(row, _)| row.split_once('(').map_or(row, |(name, _)| name));
    // Names of rows with names of the configuration are in lower case.
    let (plain, named): (Vec<&str>, Vec<&str>) = names.partition(|name| name.starts_with(char::is_uppercase));
    assert!(plain.len() > 100 && named.len() > 20, "one line for each title");
    assert!(plain.is_sorted() && named.is_sorted(), "the tables of titles are sorted");
    let unused: Vec<String> =
        plain.iter().chain(&named).filter(|name| !is_used(name)).map(|name| name.to_string()).collect();
    none("A title that no message has; remove it", &unused);
}
