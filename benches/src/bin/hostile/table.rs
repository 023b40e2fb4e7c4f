//! Writes the results as lines of a terminal and as tables of `docs/limits.md`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Accounting;
use crate::accounting::Row;
use crate::cases::Case;
use crate::measure::Measured;

const BEGIN: &str = "<!-- hostile: begin; written by `cargo run --release --locked --bin hostile -- --write` in benches -->\n";
const END: &str = "<!-- hostile: end -->\n";
const ACCOUNTING_BEGIN: &str = "<!-- accounting: begin; written by the same command -->\n";
const ACCOUNTING_END: &str = "<!-- accounting: end -->\n";

pub fn header() -> String {
    format!("{:4}{:52} {:>9} {:>9} {:>5}  first message", "", "case", "time", "memory", "exit")
}

pub fn line(case: &Case, measured: &Measured) -> String {
    let mark = if crate::is_kept(case, measured) { "" } else { "BAD" };
    format!(
        "{mark:4}{:52} {:>7.2} s {:>6.0} MB {:>5}  {}",
        case.name,
        measured.seconds,
        megabytes(measured),
        measured.exit_code,
        measured.message.chars().take(60).collect::<String>()
    )
}

/// Returns a line about a shape of values.
pub fn accounting_line(row: &Row, base: u64) -> String {
    let mark = if row.is_true(base) { "" } else { "BAD" };
    format!("{mark:4}{:52} {}", row.name, ratios(row, base).join("  "))
}

/// Returns the memory in use divided by the memory that was counted, in percent, for each limit.
fn ratios(row: &Row, base: u64) -> Vec<String> {
    row.ratios(base).map(|ratio| format!("{:.0} %", 100.0 * ratio)).collect()
}

/// Returns the date, the machine and its load, for the end of a table.
fn circumstances() -> String {
    let today = Command::new("date").args(["-u", "+%-d %B %Y"]).output().expect("the command `date`");
    let today = String::from_utf8_lossy(&today.stdout).trim().to_owned();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("not recorded");
    format!(
        "\nMeasured on {today}, on a machine with {cores} cores ({}); load average at the end: {load}.\n",
        std::env::consts::OS
    )
}

/// Replaces the tables between the markers, and the line about the circumstances of the measurement below each.
pub fn write(page: &Path, promise: &[(Case, Measured)], accounting: &Accounting) {
    let mut table = String::from("| input | command | processor time | memory |\n|---|---|---|---|\n");
    for (case, measured) in promise {
        let command = case.arguments.join(" ");
        table.push_str(&format!(
            "| {} | `{command}` | {:.2} s | {:.0} MB |\n",
            case.name.replace('|', "\\|"),
            measured.seconds,
            megabytes(measured)
        ));
    }
    let mut shapes = String::from("| values | 256 MiB | 512 MiB | 1 GiB |\n|---|---|---|---|\n");
    for row in &accounting.rows {
        shapes.push_str(&format!("| {} | {} |\n", row.name, ratios(row, accounting.base).join(" | ")));
    }
    let circumstances = circumstances();
    table.push_str(&circumstances);
    shapes.push_str(&circumstances);
    let mut text = fs::read_to_string(page).expect("the page");
    if !promise.is_empty() {
        text = replaced(&text, BEGIN, END, &table);
    }
    if !accounting.rows.is_empty() {
        text = replaced(&text, ACCOUNTING_BEGIN, ACCOUNTING_END, &shapes);
    }
    fs::write(page, text).expect("the page is written");
}

/// Returns the text with `table` instead of the table between the markers.
fn replaced(text: &str, begin: &str, end: &str, table: &str) -> String {
    let (before, rest) = text.split_once(begin).expect("the first marker");
    let (_, after) = rest.split_once(end).expect("the second marker");
    format!("{before}{begin}{table}{end}{after}")
}

fn megabytes(measured: &Measured) -> f64 {
    measured.bytes as f64 / 1e6
}
