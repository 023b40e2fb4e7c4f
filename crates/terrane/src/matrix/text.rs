//! Differences as a table with a column for each environment.

use terrane_render::visible_name;

use crate::matrix::differences::Difference;

/// The maximum number of characters of a cell.
const MAX_CELL: usize = 48;
/// The maximum number of characters of a common beginning that is not the beginning of a value.
const MAX_COMMON: usize = 12;
/// The text for a value that an environment lacks.
const ABSENT: &str = "(absent)";

/// Returns the table, or a line that says that nothing differs.
pub(super) fn table(names: &[&str], differences: &[Difference]) -> String {
    if differences.is_empty() {
        let names: Vec<String> = names.iter().map(|name| visible_name(name)).collect();
        return format!("# the same values in {}\n", names.join(", "));
    }
    let head = [String::new()].into_iter().chain(names.iter().map(|name| cell(&visible_name(name))));
    let head: Vec<String> = head.collect();
    let row = |Difference { address, values, sources }: &Difference| -> Vec<String> {
        let values = cells(values).into_iter().zip(sources).map(|(text, sources)| {
            sources.as_ref().map(|sources| format!("{text} # {sources}")).unwrap_or(text)
        });
        [visible_name(address)].into_iter().chain(values).collect()
    };
    let mut widths: Vec<usize> = head.iter().map(|cell| width(cell)).collect();
    for difference in differences {
        for (most, cell) in widths.iter_mut().zip(row(difference)) {
            *most = (*most).max(width(&cell));
        }
    }
    // The cells of all rows together would take several times the memory of their text.
    let mut text = line(&head, &widths);
    for difference in differences {
        text.push_str(&line(&row(difference), &widths));
    }
    text
}

/// Returns a row with cells of these widths.
fn line(row: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (position, (cell, most)) in row.iter().zip(widths).enumerate() {
        if position > 0 {
            line.push_str("  ");
        }
        line.push_str(cell);
        line.extend(std::iter::repeat_n(' ', most.saturating_sub(width(cell))));
    }
    line.trim_end().to_owned() + "\n"
}

/// Returns the cells of a row. If values differ only behind the end of their cells, the cells leave out their common beginning.
fn cells(values: &[Option<String>]) -> Vec<String> {
    let cut: Vec<String> =
        values.iter().map(|value| value.as_deref().map_or_else(|| ABSENT.to_owned(), cell)).collect();
    let present: Vec<&String> = values.iter().flatten().collect();
    let is_alike = cut.windows(2).all(|pair| matches!(pair, [one, other] if one == other));
    let Some((first, rest)) = present.split_first().filter(|_| is_alike && present.len() == cut.len()) else {
        return cut;
    };
    if rest.iter().all(|other| other == first) {
        return cut;
    }
    let common =
        |other: &&String| first.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let common = rest.iter().map(common).min().unwrap_or_default();
    let end = |text: &&String| text.chars().skip(common.saturating_sub(MAX_COMMON)).collect::<String>();
    present.iter().map(|text| cell(&format!("…{}", end(text)))).collect()
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
