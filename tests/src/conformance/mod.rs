//! The answers of reference implementations to thousands of inputs, asked of this library.
//!
//! Reading order: [`row`] (the files), [`world`] (the variables), [`check`] (a row against the library),
//! [`compare`] (values against JSON), [`behaviour`] (rows that are modules), [`signature`]
//! (parameters of functions), [`table`] (categories and counts), [`unmatched`], [`report`].

pub mod row;

pub mod world;

pub mod check;

pub mod compare;

pub mod behaviour;

pub mod templates;

pub mod signature;

pub mod table;

pub mod unmatched;

pub mod report;

use std::collections::BTreeSet;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};

use table::Table;

/// One trial for each category of each table: no row panics, and the rows that are wrong are those of `unmatched`.
pub fn trials(tables: &[Arc<Table>], unmatched: &Arc<BTreeSet<String>>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for table in tables {
        for category in table.categories.keys() {
            let (table, category) = (Arc::clone(table), category.clone());
            let (name, unmatched) = (format!("{}::{category}", table.name), Arc::clone(unmatched));
            trials.push(Trial::test(name, move || run(&table, &category, &unmatched)));
        }
    }
    trials
}

fn run(table: &Table, category: &str, unmatched: &BTreeSet<String>) -> Result<(), Failed> {
    let count = table.run(category);
    if let Some(first) = count.panics.first() {
        return Err(format!("{} rows panic, the first is {first}", count.panics.len()).into());
    }
    Ok(unmatched::compare(table, category, &count, unmatched)?)
}
