//! Differences as a table with a column for each environment.

use terrane_render::visible_name;

use crate::matrix::differences::Difference;

/// The maximum number of characters of a cell.
const MAX_CELL: usize = 48;
/// The text for a value that an environment lacks.
const ABSENT: &str = "(absent)";

/// Returns the table, or a line that says that nothing differs.
pub(super) fn table(names: &[&str], differences: &[Difference]) -> String {
    if differences.is_empty() {
        let names: Vec<String> = names.iter().map(|name| visible_name(name)).collect();
        return format!("# the same values in {}\n", names.join(", "));
    }
    let head = [String::new()].into_iter().chain(names.iter().map(|name| cell(&visible_name(name))));
    let mut rows = vec![head.collect::<Vec<String>>()];
    for Difference { address, values, sources } in differences {
        let values = values.iter().zip(sources).map(|(value, sources)| {
            let text = value.as_deref().map_or_else(|| ABSENT.to_owned(), cell);
            sources.as_ref().map(|sources| format!("{text} # {sources}")).unwrap_or(text)
        });
        rows.push([visible_name(address)].into_iter().chain(values).collect());
    }
    let widths: Vec<usize> = (0..=names.len())
        .map(|column| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0)
        })
        .collect();
    let line = |row: &Vec<String>| {
        let padded = row
            .iter()
            .zip(&widths)
            .map(|(cell, most)| format!("{cell}{}", " ".repeat(most.saturating_sub(width(cell)))));
        let line = padded.collect::<Vec<_>>().join("  ");
        line.trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// Returns a cell, cut at the maximum number of characters.
fn cell(text: &str) -> String {
    match text.char_indices().nth(MAX_CELL) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_owned() + "…",
        None => text.to_owned(),
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}
