//! Modules that parse, and mostly make sense: their expressions refer to objects that are declared before them.

use std::fmt::Write as _;

use arbitrary::{Result, Unstructured};
use terrane::MemoryFiles;

/// Names of variables, local values, resources and outputs.
const NAMES: [&str; 6] = ["apple", "birch", "cedar", "date", "elder", "fir"];

/// Most nested expressions.
const DEPTH: u8 = 4;

/// Most blocks of a module.
const BLOCKS: usize = 6;

/// Names that may be undeclared, in a circle, or out of place.
const STRAYS: [&str; 10] = [
    "var.fir",
    "local.fir",
    "module.elder",
    "tree.date[0].size",
    "each.key",
    "each.value",
    "count.index",
    "path.module",
    "terraform.workspace",
    "self.size",
];

const LITERALS: [&str; 10] = [
    "true",
    "false",
    "null",
    "[]",
    "{}",
    "\"\"",
    "\"%d-%s\"",
    "0.1",
    "[1, \"a\"]",
    "{ date = [2], fir = null }",
];

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

/// A root module, the module in `child` that it calls, and values of a variable.
pub fn tree(bytes: &mut Unstructured<'_>) -> Result<MemoryFiles> {
    let child = Module::read(bytes, false)?;
    let root = Module::read(bytes, true)?;
    let files = [
        ("main.tf", &*root.text),
        ("child/main.tf", &*child.text),
        ("terraform.tfvars", "apple = [3, \"fir\"]\n"),
    ];
    Ok(files.into_iter().collect())
}

/// A module as far as it is written.
#[derive(Default)]
struct Module {
    text: String,
    /// Expressions that refer to its declarations.
    names: Vec<String>,
    is_root: bool,
}

impl Module {
    fn read(bytes: &mut Unstructured<'_>, is_root: bool) -> Result<Module> {
        let mut module = Module { is_root, ..Module::default() };
        for index in 0..bytes.int_in_range(2..=BLOCKS)? {
            module.block(bytes, NAMES[index % NAMES.len()])?;
        }
        Ok(module)
    }

    fn block(&mut self, bytes: &mut Unstructured<'_>, name: &str) -> Result<()> {
        // A module is called with a value for `apple`.
        let kind = if name == "apple" && !self.is_root { 0 } else { bytes.int_in_range(0..=6)? };
        // A default refers to nothing.
        let value = if kind == 0 { literal(bytes)? } else { self.expression(bytes, DEPTH)? };
        let _ = match kind {
            0 => writeln!(self.text, "variable \"{name}\" {{\ndefault = {value}\n}}"),
            1 | 2 => writeln!(self.text, "locals {{\n{name} = {value}\n}}"),
            3 => writeln!(self.text, "output \"{name}\" {{\nvalue = {value}\nsensitive = true\n}}"),
            4 if self.is_root => {
                let each = self.each(bytes)?;
                writeln!(
                    self.text,
                    "module \"{name}\" {{\nsource = \"./child\"\nfor_each = {each}\napple = {value}\n}}"
                )
            }
            5 => {
                let (count, leaves) = (self.expression(bytes, 1)?, self.each(bytes)?);
                let (leaf, condition) = (self.expression(bytes, 1)?, self.expression(bytes, 2)?);
                writeln!(
                    self.text,
                    "resource \"tree\" \"{name}\" {{\ncount = {count}\nsize = {value}\ndynamic \"leaf\" {{\nfor_each = {leaves}\n\
                     content {{\na = [leaf.key, {leaf}]\n}}\n}}\nlifecycle {{\npostcondition {{\ncondition = {condition}\n\
                     error_message = \"Size ${{self.size}}.\"\n}}\n}}\n}}"
                )
            }
            _ => {
                let each = self.each(bytes)?;
                writeln!(
                    self.text,
                    "resource \"tree\" \"{name}\" {{\nfor_each = {each}\nsize = [each.key, {value}]\n}}"
                )
            }
        };
        let forms: &[&str] = match kind {
            0 => &["var.#"],
            1 | 2 => &["local.#"],
            3 => &[],
            4 if self.is_root => &["module.#[\"apple\"].date", "module.#"],
            5 => &["tree.#[0].size", "tree.#[*].leaf"],
            _ => &["tree.#[\"apple\"].size", "tree.#"],
        };
        self.names.extend(forms.iter().map(|form| form.replace('#', name)));
        Ok(())
    }

    /// The elements of a repetition, which are mostly keys.
    fn each(&self, bytes: &mut Unstructured<'_>) -> Result<String> {
        Ok(match bytes.int_in_range(0..=3)? {
            0 => "toset([\"apple\", \"fir\"])".to_owned(),
            1 => format!("{{ apple = {}, fir = 1 }}", self.expression(bytes, 1)?),
            2 => format!("{{ for k, v in {} : \"${{k}}\" => v }}", self.expression(bytes, 1)?),
            _ => self.expression(bytes, 2)?,
        })
    }

    fn leaf(&self, bytes: &mut Unstructured<'_>) -> Result<String> {
        Ok(match bytes.int_in_range(0..=5)? {
            0 | 1 => literal(bytes)?,
            2 => (*bytes.choose(&STRAYS)?).to_owned(),
            _ if self.names.is_empty() => "1".to_owned(),
            _ => bytes.choose(&self.names)?.clone(),
        })
    }

    fn expression(&self, bytes: &mut Unstructured<'_>, depth: u8) -> Result<String> {
        let kind: u8 = bytes.int_in_range(0..=17)?;
        if depth == 0 || kind <= 4 {
            return self.leaf(bytes);
        }
        let mut value = || self.expression(bytes, depth - 1);
        let a = value()?;
        match kind {
            13 => return Ok(format!("!{a}")),
            14 => return Ok(format!("-({a})")),
            _ => {}
        }
        let b = value()?;
        Ok(match kind {
            5 => format!("[{a}, {b}]"),
            6 => format!("{{ apple = {a}, \"${{{b}}}\" = 1 }}"),
            7 => format!("[for apple in {a} : [{b}, apple]]"),
            8 => format!("{{ for k, v in {a} : \"${{{b}}}\" => v... if v != {} }}", value()?),
            9 => format!("({a} ? {b} : {})", value()?),
            10 => format!("({a})[{b}]"),
            11 => format!("({a})[*].{}", bytes.choose(&NAMES)?),
            12 => format!("\"x${{{a}}}%{{ if {b} }}y%{{ endif }}\""),
            15 => format!("({a} {} {b})", bytes.choose(&OPERATORS)?),
            _ => match (bytes.choose(&FUNCTIONS)?, bytes.int_in_range(0..=5)?) {
                (function, 0) => format!("{function}({a}, {b}...)"),
                (function, 1) => format!("{function}({a}, {b}, {})", self.leaf(bytes)?),
                (function, 2 | 3) => format!("{function}({a}, {b})"),
                (function, _) => format!("{function}({a})"),
            },
        })
    }
}

fn literal(bytes: &mut Unstructured<'_>) -> Result<String> {
    Ok(match bytes.int_in_range(0..=3)? {
        0 => bytes.int_in_range(-3..=7)?.to_string(),
        1 => format!("\"{}\"", bytes.choose(&NAMES)?),
        _ => (*bytes.choose(&LITERALS)?).to_owned(),
    })
}
