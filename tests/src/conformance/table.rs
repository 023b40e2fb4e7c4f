//! A table under test: its rows by category, and their results.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use terrane_body::BodySpec;

use super::behaviour::{self, Release};
use super::check::{self, Mismatch};
use super::row::{BehaviourRow, Row, SignatureRow, read_json, read_lines};
use super::{signature, world};
use crate::settings::below_tests;

/// A table whose rows are run.
pub struct Table {
    /// The name of the file without its ending.
    pub name: &'static str,
    /// The rows by category.
    pub categories: BTreeMap<String, Vec<Entry>>,
    results: Mutex<BTreeMap<String, Count>>,
}

/// A row that can be run.
pub struct Entry {
    /// Names the row.
    pub id: String,
    /// The input, for people.
    pub input: String,
    run: Box<dyn Fn() -> Result<(), Mismatch> + Send + Sync>,
}

/// The results of the rows of one category.
#[derive(Clone, Default)]
pub struct Count {
    /// How many rows there are.
    pub rows: usize,
    /// How many have the right answer.
    pub right: usize,
    /// The ids of rows that have another answer.
    pub wrong: Vec<String>,
    /// The ids of rows that panicked.
    pub panics: Vec<String>,
}

impl Count {
    /// Adds another count to this one.
    pub fn add(&mut self, other: &Count) {
        self.rows += other.rows;
        self.right += other.right;
        self.wrong.extend(other.wrong.iter().cloned());
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
        let tables = [
            Table::expressions()?,
            Table::typeconv()?,
            Table::functions()?,
            Table::behaviour()?,
            Table::schema()?,
        ];
        Ok(tables.into_iter().map(Arc::new).collect())
    }

    fn expressions() -> Result<Table, String> {
        let variables = Arc::new(world::scope()?);
        Table::read("expressions", move |row: Row| {
            let variables = Arc::clone(&variables);
            let (category, id, input) = (row.cat.clone(), row.id.clone(), row.expr.clone());
            Some((category, Entry { id, input, run: Box::new(move || check::expression(&row, &variables)) }))
        })
    }

    fn typeconv() -> Result<Table, String> {
        let variables = Arc::new(world::scope()?);
        Table::read("typeconv", move |row: Row| {
            let variables = Arc::clone(&variables);
            let input = format!("{} to {}", row.input_expr, row.type_expr);
            let (category, id) = (row.cat.clone(), row.id.clone());
            Some((category, Entry { id, input, run: Box::new(move || check::conversion(&row, &variables)) }))
        })
    }

    fn functions() -> Result<Table, String> {
        let rows: Vec<SignatureRow> = read_json(&below_tests("conformance/functions.json"))?;
        Ok(Table::new("functions", rows, |row: SignatureRow| {
            let (id, input) = (row.name.clone(), String::new());
            Some(("signature".to_owned(), Entry { id, input, run: Box::new(move || signature::check(&row)) }))
        }))
    }

    /// Each row once for each release that answered it.
    fn behaviour() -> Result<Table, String> {
        Table::read("behaviour", |row: BehaviourRow| {
            let row = Arc::new(row);
            Release::ALL
                .into_iter()
                .filter(|release| release.has_answered(&row))
                .map(|release| {
                    let (category, id) = release.labels(&row);
                    let (input, row) = (row.summary(), Arc::clone(&row));
                    (category, Entry { id, input, run: Box::new(move || behaviour::check(&row, release)) })
                })
                .collect::<Vec<_>>()
        })
    }

    fn schema() -> Result<Table, String> {
        let variables = Arc::new(world::scope()?);
        let schemas: BTreeMap<String, Box<RawValue>> = read_json(&below_tests("conformance/schemas.json"))?;
        let mut specs = BTreeMap::new();
        for (name, schema) in schemas {
            let schema =
                terrane::schema_from_json(schema.get()).map_err(|error| format!("{name}: {error}"))?;
            specs.insert(name, Arc::new(BodySpec::new(schema.spec())));
        }
        Table::read("schema", move |row: Row| {
            let (variables, spec) = (Arc::clone(&variables), specs.get(&row.schema_name).cloned());
            let input = format!("{}: {}", row.schema_name, row.src);
            let (category, id) = (row.cat.clone(), row.id.clone());
            let run = move || match &spec {
                Some(spec) => check::body(&row, spec, &variables),
                None => Err(Mismatch::new("the row", &row.schema_name, "there is no such schema")),
            };
            Some((category, Entry { id, input, run: Box::new(run) }))
        })
    }

    /// Reads a file; `entries` returns a category and an entry for each run of a row.
    fn read<R: DeserializeOwned, E: IntoIterator<Item = (String, Entry)>>(
        name: &'static str,
        entries: impl Fn(R) -> E,
    ) -> Result<Table, String> {
        let rows = read_lines(&below_tests(&format!("conformance/{name}.jsonl")))?;
        Ok(Table::new(name, rows, entries))
    }

    fn new<R, E: IntoIterator<Item = (String, Entry)>>(
        name: &'static str,
        rows: Vec<R>,
        entries: impl Fn(R) -> E,
    ) -> Table {
        let mut categories: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        for (category, entry) in rows.into_iter().flat_map(entries) {
            categories.entry(category).or_default().push(entry);
        }
        Table { name, categories, results: Mutex::default() }
    }

    /// The name of the file.
    pub fn file(&self) -> String {
        let ending = if self.name == "functions" { "json" } else { "jsonl" };
        format!("{}.{ending}", self.name)
    }

    /// Runs the rows of a category and keeps their count.
    pub fn run(&self, category: &str) -> Count {
        let mut count = Count::default();
        for row in self.categories.get(category).into_iter().flatten() {
            count.rows += 1;
            match row.answer() {
                Ok(()) => count.right += 1,
                Err(Wrong::Differs(_)) => count.wrong.push(row.id.clone()),
                Err(Wrong::Panicked(_)) => count.panics.push(row.id.clone()),
            }
        }
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.insert(category.to_owned(), count.clone());
        count
    }

    /// The counts of the categories that were run.
    pub fn results(&self) -> BTreeMap<String, Count> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Entry {
    /// Runs the row.
    ///
    /// # Errors
    ///
    /// Why the row is not right.
    pub fn answer(&self) -> Result<(), Wrong> {
        match panic::catch_unwind(AssertUnwindSafe(&self.run)) {
            Ok(result) => result.map_err(Wrong::Differs),
            Err(payload) => Err(Wrong::Panicked(panic_text(payload.as_ref()))),
        }
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
