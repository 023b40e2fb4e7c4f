//! The summary of a run, and the list of wrong rows on demand.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::behaviour;
use super::row::{BehaviourRow, read_lines};
use super::table::{Count, Entry, Table, Wrong};
use crate::settings::below_tests;

/// A line for each category that was run, where `each` says so, and one for the table.
pub fn summary(table: &Table, each: bool) -> String {
    let mut text = String::new();
    let mut total = Count::default();
    let mut families: BTreeMap<&str, Count> = BTreeMap::new();
    let results = table.results();
    for (category, count) in &results {
        total.add(count);
        let family = if each { category.as_str() } else { family(category) };
        families.entry(family).or_default().add(count);
    }
    if total.rows == 0 {
        return text;
    }
    for (family, count) in &families {
        _ = writeln!(text, "{}", line(&format!("  {}::{family}", table.name), count));
    }
    _ = writeln!(text, "{}", line(&table.file(), &total));
    text
}

/// Categories of many functions go under one name: `sweep:format` is in `sweep`.
fn family(category: &str) -> &str {
    category.split_once(':').map_or(category, |(family, _)| family)
}

fn line(name: &str, count: &Count) -> String {
    let Count { rows, right, panics, wrong: _ } = count;
    let percent = per_mille(*right, *rows);
    let (rows, right) = (thousands(*rows), thousands(*right));
    let panics = panics.len();
    format!("{name}: {right} of {rows} right ({}.{} %), {panics} panics", percent / 10, percent % 10)
}

fn per_mille(part: usize, whole: usize) -> usize {
    (part * 1000).checked_div(whole).unwrap_or(1000)
}

fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The number of rows without a runner.
///
/// # Errors
///
/// Where a table cannot be read.
pub fn not_run_yet() -> Result<String, String> {
    let rows: Vec<BehaviourRow> = read_lines(&below_tests("conformance/behaviour.jsonl"))?;
    let modes = rows.into_iter().filter(|row| !behaviour::is_run(row)).map(|row| row.mode);
    Ok(waiting("behaviour", modes))
}

fn waiting(table: &str, kinds: impl Iterator<Item = String>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for kind in kinds {
        *counts.entry(kind).or_default() += 1;
    }
    let total = thousands(counts.values().sum());
    let counts: Vec<String> = counts.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    format!("{table}.jsonl: {total} rows not run yet ({})\n", counts.join(", "))
}

/// The wrong rows whose table and category, or id, contain `pattern`: at most `limit`, three lines each.
pub fn wrong_rows(tables: &[Arc<Table>], pattern: &str, limit: usize) -> String {
    let mut text = String::new();
    let (mut wrong, mut count) = (0, 0);
    for table in tables {
        for (category, rows) in &table.categories {
            let whole = format!("{}::{category}", table.name).contains(pattern);
            for row in rows.iter().filter(|row| whole || row.id.contains(pattern)) {
                count += 1;
                if let Err(reason) = row.answer() {
                    wrong += 1;
                    if wrong <= limit {
                        text.push_str(&described(category, row, &reason));
                    }
                }
            }
        }
    }
    _ = writeln!(text, "{wrong} of {count} rows with {pattern:?} are wrong; {} shown", wrong.min(limit));
    text
}

fn described(category: &str, row: &Entry, wrong: &Wrong) -> String {
    let head = format!("{} {category}  {}\n", row.id, clipped(&row.input, 400));
    match wrong {
        Wrong::Panicked(message) => format!("{head}    panic: {}\n", clipped(message, 220)),
        Wrong::Differs(mismatch) => {
            let (wanted, found) = (clipped(&mismatch.wanted, 220), clipped(&mismatch.found, 220));
            format!("{head}    wrong {}: {found}\n    wanted: {wanted}\n", mismatch.aspect)
        }
    }
}

fn clipped(text: &str, length: usize) -> String {
    let line = text.replace('\n', "\\n");
    if line.chars().count() <= length {
        line
    } else {
        line.chars().take(length).chain("...".chars()).collect()
    }
}
