//! What a run says at its end, and the list of wrong rows on demand.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::row::{Row, Unrun, read_lines};
use super::table::{Count, Table, Wrong};
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
    _ = writeln!(text, "{}", line(&format!("{}.jsonl", table.name), &total));
    text
}

/// Categories of many functions go under one name: `sweep:format` is in `sweep`.
fn family(category: &str) -> &str {
    category.split_once(':').map_or(category, |(family, _)| family)
}

fn line(name: &str, count: &Count) -> String {
    let Count { rows, right, panics } = count;
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

/// How many rows of the other tables wait for what runs them.
///
/// # Errors
///
/// Where a table cannot be read.
pub fn not_run_yet() -> Result<String, String> {
    let mut text = String::new();
    for name in ["behaviour", "schema"] {
        let rows: Vec<Unrun> = read_lines(&below_tests(&format!("conformance/{name}.jsonl")))?;
        let mut modes: BTreeMap<&str, usize> = BTreeMap::new();
        for row in &rows {
            *modes.entry(if row.mode.is_empty() { &row.cat } else { &row.mode }).or_default() += 1;
        }
        let modes: Vec<String> = modes.iter().map(|(mode, count)| format!("{mode} {count}")).collect();
        _ = writeln!(text, "{name}.jsonl: {} rows not run yet ({})", thousands(rows.len()), modes.join(", "));
    }
    Ok(text)
}

/// The wrong rows whose category or id contains `pattern`, at most `limit`, three lines each.
pub fn wrong_rows(tables: &[impl AsRef<Table>], pattern: &str, limit: usize) -> String {
    let mut text = String::new();
    let (mut wrong, mut rows) = (0, 0);
    for table in tables {
        let table = table.as_ref();
        for row in table.categories.values().flatten() {
            if !row.id.contains(pattern) && !format!("{}::{}", table.name, row.cat).contains(pattern) {
                continue;
            }
            rows += 1;
            if let Err(reason) = table.answer(row) {
                wrong += 1;
                if wrong <= limit {
                    text.push_str(&entry(row, &reason));
                }
            }
        }
    }
    _ = writeln!(text, "{wrong} of {rows} rows with {pattern:?} are wrong; {} shown", wrong.min(limit));
    text
}

fn entry(row: &Row, wrong: &Wrong) -> String {
    let input = if row.type_expr.is_empty() && !row.expr.is_empty() {
        format!("{:?}", row.expr)
    } else {
        format!("{:?} to {:?}", row.input_expr, row.type_expr)
    };
    let input = input.trim_matches('"').replace("\\\"", "\"");
    match wrong {
        Wrong::Panicked(message) => {
            format!("{} {}  {input}\n    panic: {}\n", row.id, row.cat, clipped(message))
        }
        Wrong::Differs(mismatch) => format!(
            "{} {}  {input}\n    wrong {}: {}\n    wanted: {}\n",
            row.id,
            row.cat,
            mismatch.what,
            clipped(&mismatch.found),
            clipped(&mismatch.wanted)
        ),
    }
}

fn clipped(text: &str) -> String {
    const LENGTH: usize = 220;
    let line = text.replace('\n', "\\n");
    if line.chars().count() <= LENGTH { line } else { line.chars().take(LENGTH).chain("...".chars()).collect() }
}
