//! `terrane functions`: lists functions, or explains one.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

use clap::Args;
use terrane::function::{Function, NAMESPACES, Product};
use terrane::value::ClosestNames;
use terrane::{Dialect, all_functions, call_site_text, functions, is_in_metadata, signatures_json};

use crate::exit::FAILURE;
use crate::terminal::Terminal;

pub(crate) const EXAMPLES: &str = "\
Examples:
  terrane functions                     all functions
  terrane functions cidrsubnet          one function, with examples
  terrane functions --dialect packer    the functions of Packer
  terrane functions --json | jq '.function_signatures | keys'

Exit codes: 0 done, 1 no function has this name, 2 wrong arguments.";

#[derive(Args, Debug)]
pub(crate) struct Functions {
    /// The function to explain. Without it, all functions are listed.
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Select product and edition: `terraform`, `opentofu`, `packer`, with an edition as in `terraform-1.5`, or `modules`
    /// for Terraform and OpenTofu together. Without it, all functions of all products.
    #[arg(long, value_name = "DIALECT")]
    dialect: Option<Dialect>,

    /// Print JSON in the shape of `terraform metadata functions -json`.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Functions, terminal: &mut Terminal) -> io::Result<u8> {
    let mut rows = arguments.dialect.map_or_else(all_functions, functions);
    if let Some(name) = &arguments.name {
        let has_namespaces = arguments.dialect.is_none_or(|dialect| NAMESPACES.is_in(dialect));
        let name = name.strip_prefix("core::").filter(|_| has_namespaces).unwrap_or(name);
        rows.retain(|row| row.name == name);
        if rows.is_empty() {
            return missing(name, arguments.dialect, terminal);
        }
    } else if arguments.json {
        rows.retain(is_in_metadata);
    }
    if arguments.json {
        terminal.document(&format!("{}\n", signatures_json(&once_each(rows), arguments.dialect)))?;
        return Ok(0);
    }
    let text = if arguments.name.is_some() {
        rows.iter().map(page).collect::<Vec<_>>().join("\n")
    } else if arguments.dialect.is_some() {
        table(&once_each(rows))
    } else {
        by_product(rows)
    };
    if arguments.name.is_some() {
        terminal.page_with_examples(&text)?;
    } else {
        terminal.pages(&text)?;
    }
    Ok(0)
}

/// Returns the first row of each name.
fn once_each(mut rows: Vec<Function>) -> Vec<Function> {
    rows.dedup_by(|later, earlier| later.name == earlier.name);
    rows
}

fn missing(name: &str, dialect: Option<Dialect>, terminal: &mut Terminal) -> io::Result<u8> {
    let all = all_functions();
    let row = all.iter().find(|row| row.name == name && !row.is_removed);
    if row.is_none() && name.starts_with("provider::") {
        terminal.error(&format!("{name} is a function of a provider, which Terrane does not run"))?;
        terminal.help("without the provider, the result of the call is unknown")?;
        return Ok(FAILURE);
    }
    if let (Some(row), Some(dialect)) = (row, dialect) {
        terminal.error(&format!("{dialect} has no function named {name}"))?;
        terminal.help(&format!("it {}", row.availability.history()))?;
        return Ok(FAILURE);
    }
    terminal.error(&format!("there is no function named {name}"))?;
    match ClosestNames::default().of(name, all.iter().map(|row| &*row.name)) {
        Some(nearest) => terminal.help(&format!("did you mean {nearest}?"))?,
        None => terminal.help("run `terrane functions` to list all functions")?,
    }
    Ok(FAILURE)
}

/// Returns the functions under headings with the products that have them, most products first.
fn by_product(rows: Vec<Function>) -> String {
    let mut products: BTreeMap<Cow<'static, str>, BTreeSet<Product>> = BTreeMap::new();
    for row in &rows {
        let all = Product::ALL.into_iter().filter(|product| row.availability.since(*product).is_some());
        products.entry(row.name.clone()).or_default().extend(all);
    }
    let mut groups: BTreeMap<(Reverse<usize>, Vec<Product>), Vec<Function>> = BTreeMap::new();
    for row in once_each(rows) {
        let of_row: Vec<Product> = products.get(&row.name).into_iter().flatten().copied().collect();
        groups.entry((Reverse(of_row.len()), of_row)).or_default().push(row);
    }
    let group = |((_, products), rows): (&(Reverse<usize>, Vec<Product>), &Vec<Function>)| {
        let names: Vec<String> = products.iter().map(|product| product.name().to_owned()).collect();
        format!("{}:\n{}", names.join(", "), table(rows))
    };
    groups.iter().map(group).collect::<Vec<_>>().join("\n")
}

/// Returns each name with the first sentence of its description.
fn table(rows: &[Function]) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let line = |row: &Function| {
        let end = row.description.find(". ").map_or(row.description.len(), |end| end + 1);
        format!("{:width$}  {}\n", row.name, row.description.get(..end).unwrap_or_default())
    };
    rows.iter().map(line).collect()
}

fn page(row: &Function) -> String {
    let mut text = format!("{}\n\n{}", row.signature(), paragraph(row.description));
    if let Some(restriction) = call_site_text(row.call_site) {
        text.push_str(&paragraph(restriction));
    }
    text.push_str(&format!("\n{}\n", row.availability.sentence()));
    for (call, result) in row.examples {
        text.push_str(&format!("\n  {call}\n  => {}\n", result.replace('\n', "\n     ")));
    }
    text
}

/// Returns the text wrapped to lines of at most 80 characters.
fn paragraph(text: &str) -> String {
    const WIDTH: usize = 80;
    let mut lines = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if length > 0 && length + 1 + width > WIDTH {
            lines.push('\n');
            length = 0;
        }
        if length > 0 {
            lines.push(' ');
            length += 1;
        }
        lines.push_str(word);
        length += width;
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_between_words() {
        let text = paragraph(&"seven77 ".repeat(12));
        let lengths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(lengths, [79, 15]);
    }

    #[test]
    fn a_page_has_examples_on_lines_of_their_own() {
        let rows = all_functions();
        let range = rows.iter().find(|row| row.name == "range").unwrap();
        let page = page(range);
        assert!(page.contains("\n  range(3)\n  => tolist([\n       0,\n"), "{page}");
    }
}
