//! A table under test: its rows by category, and what came of them.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, PoisonError};

use terrane_eval::Variables;

use super::check::{self, Mismatch};
use super::row::{Row, read_lines};
use super::world;
use crate::settings::below_tests;

/// Runs one row.
pub type Check = fn(&Row, &Variables) -> Result<(), Mismatch>;

/// A table whose rows are run.
pub struct Table {
    /// The name of the file without its ending.
    pub name: &'static str,
    /// The rows by category.
    pub categories: BTreeMap<String, Vec<Row>>,
    check: Check,
    variables: Variables,
    results: Mutex<BTreeMap<String, Count>>,
}

/// What came of the rows of one category.
#[derive(Clone, Default)]
pub struct Count {
    /// How many rows there are.
    pub rows: usize,
    /// How many have the right answer.
    pub right: usize,
    /// The ids of rows that panicked.
    pub panics: Vec<String>,
}

impl Count {
    /// Adds another count to this one.
    pub fn add(&mut self, other: &Count) {
        self.rows += other.rows;
        self.right += other.right;
        self.panics.extend(other.panics.iter().cloned());
    }
}

/// Why a row is not right.
pub enum Wrong {
    /// The answer differs.
    Differs(Mismatch),
    /// The library panicked, with this message.
    Panicked(String),
}

impl Table {
    /// Reads the tables that are run.
    ///
    /// # Errors
    ///
    /// Where a file cannot be read.
    pub fn all() -> Result<Vec<Arc<Table>>, String> {
        let expressions = Table::read("expressions", check::expression)?;
        let typeconv = Table::read("typeconv", check::conversion)?;
        Ok(vec![Arc::new(expressions), Arc::new(typeconv)])
    }

    fn read(name: &'static str, check: Check) -> Result<Table, String> {
        let rows: Vec<Row> = read_lines(&below_tests(&format!("conformance/{name}.jsonl")))?;
        let mut categories: BTreeMap<String, Vec<Row>> = BTreeMap::new();
        for row in rows {
            categories.entry(row.cat.clone()).or_default().push(row);
        }
        let results = Mutex::default();
        Ok(Table { name, categories, check, variables: world::scope()?, results })
    }

    /// Runs the rows of a category and keeps their count.
    pub fn run(&self, category: &str) -> Count {
        let mut count = Count::default();
        for row in self.categories.get(category).into_iter().flatten() {
            count.rows += 1;
            match self.answer(row) {
                Ok(()) => count.right += 1,
                Err(Wrong::Differs(_)) => {}
                Err(Wrong::Panicked(_)) => count.panics.push(row.id.clone()),
            }
        }
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.insert(category.to_owned(), count.clone());
        count
    }

    /// Runs one row.
    ///
    /// # Errors
    ///
    /// Why the row is not right.
    pub fn answer(&self, row: &Row) -> Result<(), Wrong> {
        let run = AssertUnwindSafe(|| (self.check)(row, &self.variables));
        match panic::catch_unwind(run) {
            Ok(result) => result.map_err(Wrong::Differs),
            Err(payload) => Err(Wrong::Panicked(panic_text(payload.as_ref()))),
        }
    }

    /// The counts of the categories that were run.
    pub fn results(&self) -> BTreeMap<String, Count> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

thread_local! {
    static PANIC_PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps panics off the terminal: they are counted, and listed on demand.
pub fn remember_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        PANIC_PLACE.set(place);
    }));
}

fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or_default();
    format!("{text} at {}", PANIC_PLACE.take())
}
