//! The answers of reference implementations to thousands of inputs, asked of this library.
//!
//! Reading order: [`row`] (the files), [`world`] (the variables), [`check`] (a row against the library),
//! [`compare`] (values against JSON), [`behaviour`] (rows that are modules), [`signature`]
//! (parameters of functions), [`table`] (categories and counts), [`floor`], [`report`].

pub mod row;

pub mod world;

pub mod check;

pub mod compare;

pub mod behaviour;

pub mod templates;

pub mod signature;

pub mod table;

pub mod floor;

pub mod report;

use std::sync::Arc;

use libtest_mimic::{Failed, Trial};

use floor::Counts;
use table::Table;

/// One trial for each category of each table: no row panics, and no fewer rows are right than committed.
pub fn trials(tables: &[Arc<Table>], floors: &Counts) -> Vec<Trial> {
    let mut trials = Vec::new();
    for table in tables {
        for category in table.categories.keys() {
            let floor = floors.get(table.name).and_then(|floors| floors.get(category)).copied().unwrap_or(0);
            let (table, category) = (Arc::clone(table), category.clone());
            let name = format!("{}::{category}", table.name);
            trials.push(Trial::test(name, move || run(&table, &category, floor)));
        }
    }
    trials
}

fn run(table: &Table, category: &str, floor: usize) -> Result<(), Failed> {
    let count = table.run(category);
    if let Some(first) = count.panics.first() {
        return Err(format!("{} rows panic, the first is {first}", count.panics.len()).into());
    }
    if count.right < floor {
        let right = count.right;
        return Err(
            format!("{right} rows are right, fewer than the {floor} of conformance/floor.toml").into()
        );
    }
    Ok(())
}

/// The present counts, in the form of the floors.
pub fn counts(tables: &[Arc<Table>]) -> Counts {
    let by_category = |table: &Table| {
        table.results().into_iter().map(|(category, count)| (category, count.right)).collect()
    };
    tables.iter().map(|table| (table.name.to_owned(), by_category(table))).collect()
}
