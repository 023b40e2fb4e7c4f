//! Modules that parse, and mostly make sense: their expressions refer to objects that are declared.

use std::fmt::Write as _;

use arbitrary::{Result, Unstructured};

/// Names of variables, local values, resources and outputs.
const NAMES: [&str; 6] = ["apple", "birch", "cedar", "date", "elder", "fir"];

/// Most nested expressions.
const DEPTH: u8 = 5;

/// Most blocks of a module.
const BLOCKS: usize = 12;

const FUNCTIONS: [&str; 24] = [
    "abs",
    "can",
    "coalesce",
    "concat",
    "flatten",
    "format",
    "join",
    "jsondecode",
    "jsonencode",
    "keys",
    "length",
    "lookup",
    "merge",
    "range",
    "sensitive",
    "setproduct",
    "sort",
    "split",
    "sum",
    "templatestring",
    "toset",
    "try",
    "values",
    "zipmap",
];

const OPERATORS: [&str; 12] = ["+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||", "<="];

/// A root module that calls the module in `child`, and that module.
pub fn tree(bytes: &mut Unstructured<'_>) -> Result<[(&'static str, String); 2]> {
    Ok([("main.tf", module(bytes, true)?), ("child/main.tf", module(bytes, false)?)])
}

fn module(bytes: &mut Unstructured<'_>, is_root: bool) -> Result<String> {
    let mut text = String::new();
    for index in 0..bytes.int_in_range(1..=BLOCKS)? {
        let name = NAMES[index % NAMES.len()];
        block(bytes, name, is_root, &mut text)?;
    }
    Ok(text)
}

fn block(bytes: &mut Unstructured<'_>, name: &str, is_root: bool, text: &mut String) -> Result<()> {
    let mut value = || expression(bytes, DEPTH);
    let _ = match value()?.len() % 7 {
        0 => writeln!(text, "variable \"{name}\" {{\ndefault = {}\nsensitive = {}\n}}", value()?, value()?),
        1 | 2 => writeln!(text, "locals {{\n{name} = {}\n}}", value()?),
        3 => writeln!(text, "output \"{name}\" {{\nvalue = {}\n}}", value()?),
        4 if is_root => writeln!(
            text,
            "module \"{name}\" {{\nsource = \"./child\"\nfor_each = {}\napple = {}\n}}",
            value()?,
            value()?
        ),
        5 => writeln!(
            text,
            "resource \"tree\" \"{name}\" {{\ncount = {}\ndynamic \"leaf\" {{\nfor_each = {}\ncontent {{\na = {}\n}}\n}}\n\
             lifecycle {{\nprecondition {{\ncondition = {}\nerror_message = {}\n}}\n}}\n}}",
            value()?,
            value()?,
            value()?,
            value()?,
            value()?
        ),
        _ => writeln!(
            text,
            "resource \"tree\" \"{name}\" {{\nfor_each = {}\nsize = {}\n}}",
            value()?,
            value()?
        ),
    };
    Ok(())
}

fn expression(bytes: &mut Unstructured<'_>, depth: u8) -> Result<String> {
    let kind: u8 = if depth == 0 { bytes.int_in_range(0..=4)? } else { bytes.int_in_range(0..=17)? };
    let name = *bytes.choose(&NAMES)?;
    if kind <= 4 {
        return Ok(match kind {
            0 => bytes.int_in_range(-3..=7)?.to_string(),
            1 => format!("\"{name}\""),
            2 => (*bytes.choose(&[
                "true",
                "false",
                "null",
                "each.key",
                "each.value",
                "count.index",
                "path.module",
            ])?)
            .to_owned(),
            3 => format!("{}.{name}", bytes.choose(&["var", "local", "module", "tree"])?),
            _ => format!("tree.{name}.{}", bytes.choose(&["size", "leaf", "id"])?),
        });
    }
    let mut value = || expression(bytes, depth - 1);
    let (a, b) = (value()?, value()?);
    Ok(match kind {
        5 => format!("[{a}, {b}]"),
        6 => format!("{{ {name} = {a}, ({b}) = {a} }}"),
        7 => format!("[for e in {a} : {b}]"),
        8 => format!("{{ for k, {name} in {a} : k => {b}... if {} }}", value()?),
        9 => format!("({a} ? {b} : {})", value()?),
        10 => format!("({a})[{b}]"),
        11 => format!("({a})[*].{name}"),
        12 => format!("\"x${{{a}}}%{{ if {b} }}y%{{ endif }}\""),
        13 => format!("!{a}"),
        14 => format!("-({a})"),
        15 => format!("({a} {} {b})", bytes.choose(&OPERATORS)?),
        _ => format!("{}({a}, {b})", bytes.choose(&FUNCTIONS)?),
    })
}
