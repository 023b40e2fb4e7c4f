//! The results as lines of a terminal and as a table of `docs/limits.md`.

use std::fs;
use std::path::Path;

use crate::cases::Case;
use crate::measure::Measured;

const BEGIN: &str = "<!-- hostile: begin; written by `cargo run --release --locked --bin hostile -- --write` in benches -->\n";
const END: &str = "<!-- hostile: end -->\n";

pub fn header() -> String {
    format!("{:4}{:52} {:>9} {:>9} {:>5}  first message", "", "case", "time", "memory", "exit")
}

pub fn line(case: &Case, measured: &Measured) -> String {
    let mark = if crate::is_kept(measured) { "" } else { "BAD" };
    format!(
        "{mark:4}{:52} {:>7.2} s {:>6.0} MB {:>5}  {}",
        case.name,
        measured.seconds,
        megabytes(measured),
        measured.exit_code,
        measured.message.chars().take(60).collect::<String>()
    )
}

/// Replaces the table between the markers.
pub fn write(page: &Path, rows: &[(Case, Measured)]) {
    let text = fs::read_to_string(page).expect("the page");
    let (before, rest) = text.split_once(BEGIN).expect("the first marker");
    let (_, after) = rest.split_once(END).expect("the second marker");
    let mut table = String::from("| input | command | processor time | memory |\n|---|---|---|---|\n");
    for (case, measured) in rows {
        let command = case.arguments.join(" ");
        table.push_str(&format!(
            "| {} | `{command}` | {:.2} s | {:.0} MB |\n",
            case.name.replace('|', "\\|"),
            measured.seconds,
            megabytes(measured)
        ));
    }
    fs::write(page, format!("{before}{BEGIN}{table}{END}{after}")).expect("the page is written");
}

fn megabytes(measured: &Measured) -> f64 {
    measured.bytes as f64 / 1e6
}
