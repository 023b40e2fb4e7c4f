//! Compares the memory that a run counts with the memory that the process uses.
//!
//! Each shape of values fills a run until it exceeds its limit on memory, so the peak of the process is the memory of as many
//! values as the limit counts. Instances of blocks count before they are made, so for them the peak is taken from the largest
//! run that stays within the limit. Each run selects one value by its address: this lists all instances in memory but prints no
//! more than one line, so the limit of printing does not stop it first.

use std::path::Path;

use crate::cases::Case;
use crate::measure::{self, Measured};

/// The limits, as an argument of the command and in bytes.
const LIMITS: [(&str, u64); 3] = [("256MiB", 256 << 20), ("512MiB", 512 << 20), ("1GiB", 1 << 30)];

/// The maximum difference between the counted memory and the memory in use, as a part of the counted memory.
const TOLERANCE: f64 = 0.25;

/// A shape of values with the measurement for each limit.
pub struct Row {
    pub name: &'static str,
    pub measured: Vec<Measured>,
    /// The exit code of a run that reached its limit.
    exit_code: i32,
}

impl Row {
    /// Returns, for each limit, the memory of the values in use divided by the memory that was counted. `base` is the memory of
    /// an empty run.
    pub fn ratios(&self, base: u64) -> impl Iterator<Item = f64> {
        let of_values = self.measured.iter().map(move |measured| measured.bytes.saturating_sub(base) as f64);
        of_values.zip(LIMITS).map(|(bytes, (_, limit))| bytes / limit as f64)
    }

    /// Whether the counted memory is near the memory in use, and each run reached its limit.
    pub fn is_true(&self, base: u64) -> bool {
        self.ratios(base).all(|ratio| (ratio - 1.0).abs() <= TOLERANCE)
            && self.measured.iter().all(|run| run.exit_code == self.exit_code && !run.is_aborted)
    }
}

/// Returns the memory of a run without values, which is the memory of the command itself.
pub fn base(command: &Path) -> u64 {
    let case = Case::module("no values", &["eval", "."], || "output \"o\" { value = 1 }\n".to_owned());
    measure::run_small(command, &case).bytes
}

/// Runs the shapes whose names `selects` accepts. `report` receives each row.
pub fn run(command: &Path, selects: impl Fn(&str) -> bool, mut report: impl FnMut(&Row)) -> Vec<Row> {
    let shapes = shapes().into_iter().filter(|shape| selects(shape.name));
    shapes
        .map(|shape| {
            let measured = LIMITS.map(|(limit, _)| shape.measured(command, limit)).into();
            let row = Row { name: shape.name, measured, exit_code: shape.filling.exit_code() };
            report(&row);
            row
        })
        .collect()
}

/// The way in which a run reaches its limit.
#[derive(Clone, Copy)]
enum Filling {
    /// The run has more values than each limit has room for.
    Beyond,
    /// The run has as many blocks of 1,000 instances as the limit allows.
    UpTo,
}

impl Filling {
    fn exit_code(self) -> i32 {
        match self {
            Filling::Beyond => 1,
            Filling::UpTo => 0,
        }
    }
}

/// A shape of values: `text` returns a module with the given number of blocks.
struct Shape {
    name: &'static str,
    filling: Filling,
    text: Box<dyn Fn(usize) -> String>,
}

/// A number of blocks that no limit has room for.
const MAX_BLOCKS: usize = 2048;

impl Shape {
    fn measured(&self, command: &Path, limit: &'static str) -> Measured {
        match self.filling {
            Filling::Beyond => self.run(command, limit, MAX_BLOCKS),
            Filling::UpTo => {
                let (mut within, mut beyond) = (1, MAX_BLOCKS);
                // One block more or less changes the memory by less than a percent.
                while beyond - within > 1 + within / 100 {
                    let middle = within.midpoint(beyond);
                    match self.run(command, limit, middle).exit_code {
                        0 => within = middle,
                        _ => beyond = middle,
                    }
                }
                self.run(command, limit, within)
            }
        }
    }

    fn run(&self, command: &Path, limit: &'static str, blocks: usize) -> Measured {
        let arguments = ["eval", ".", "local.z", "--max-memory", limit, "--max-steps", "100000000000"];
        let text = format!("locals {{\n z = 1\n}}\n{}", (self.text)(blocks));
        let called = || "locals { a = 1 }\noutput \"o\" { value = local.a }\n".to_owned();
        let case = Case::module(self.name, &arguments, move || text.clone()).file("m/main.tf", called);
        measure::run_small(command, &case)
    }
}

/// Returns the shapes, which are made from elements or blocks.
fn shapes() -> Vec<Shape> {
    let elements = ELEMENTS.iter().map(|(name, element)| Shape {
        name,
        filling: Filling::Beyond,
        text: Box::new(|_| loops(element)),
    });
    let dynamic = DYNAMIC.iter().map(|(name, content)| Shape {
        name,
        filling: Filling::Beyond,
        text: Box::new(|_| {
            let blocks = crate::cases::dynamic(&[10, 1000, 1000], content);
            format!("{RESOURCE}resource \"a_b\" \"d\" {{\n{blocks}}}\n")
        }),
    });
    let instances = INSTANCES.iter().map(|(name, block)| Shape {
        name,
        filling: Filling::UpTo,
        text: Box::new(|blocks| (0..blocks).map(|i| block.replace('@', &i.to_string())).collect()),
    });
    elements.chain(dynamic).chain(instances).collect()
}

/// Elements of loops over `i` and `j`, with the names of their shapes.
const ELEMENTS: [(&str, &str); 26] = [
    ("strings of 1,000 bytes", "\"${local.s}${i}${j}\""),
    ("strings of 30 bytes", "\"abcdefghijklmnopqrstuvwxyz-${i}-${j}\""),
    ("strings of 8 bytes", "\"k${i}-${j}\""),
    ("whole numbers", "i * 1000 + j"),
    ("fractions", "(i * 1000 + j) / 7"),
    ("numbers of 60 digits", "(i * 1000 + j) * 1e60 + 1"),
    ("objects", "{ a = i, b = j, c = true }"),
    ("objects of eight attributes", "{ a = i, b = j, c = 1, d = 2, e = 3, f = 4, g = 5, h = 6 }"),
    ("objects with keys of their own", "{ for k in range(5): \"k${i}-${j}-${k}\" => j }"),
    ("maps", "tomap({ a = i, b = j })"),
    ("nested lists", "[[i], [j]]"),
    ("lists of one type", "tolist([i, j])"),
    ("sets", "toset([\"a${i}\", \"b${j}\"])"),
    ("unknown strings with reasons", "\"${a_b.c.id}-${i}-${j}\""),
    ("objects with unknown parts", "{ a = var.v, b = i, c = [var.v] }"),
    ("sensitive values", "sensitive(i)"),
    ("sensitive strings", "sensitive(\"abcdefghijklmnopqrstuvwxyz-${i}-${j}\")"),
    ("decoded JSON", "jsondecode(\"{\\\"a\\\":${i},\\\"b\\\":[${j},1,2,3],\\\"c\\\":\\\"some text\\\"}\")"),
    ("lists that `split` makes", "split(\",\", \"a,b,c,d,e,f,g,h,${i},${j}\")"),
    ("results of `merge`", "merge({ a = i }, { b = j })"),
    ("results of `concat`", "concat([i], [j])"),
    ("results of `flatten`", "flatten([[i], [j]])"),
    ("results of `upper`", "upper(\"abcdefghijklmnopqrstuvwxyz-${i}-${j}\")"),
    ("results of `jsonencode`", "jsonencode({ a = i, b = j, c = \"abcdefghijklmnopqrstuvwxyz\" })"),
    ("results of `try`", "try({ a = i }.b, { a = i, b = \"abcdefghijklmnopqrstuvwxyz-${j}\" })"),
    ("results of conditionals", "i > 5000 ? [i] : [j, j]"),
];

/// The content of nested `dynamic` blocks, with the names of their shapes.
const DYNAMIC: [(&str, &str); 3] = [
    ("empty blocks of `dynamic`", ""),
    ("blocks of `dynamic` with an argument", "a = 1"),
    ("blocks of `dynamic` with an unknown argument", "a = a_b.c.id"),
];

/// Blocks with 1,000 instances; `@` stands for the number of the block.
const INSTANCES: [(&str, &str); 6] = [
    ("instances of resources", "resource \"a_b\" \"r@\" {\n count = 1000\n x = \"a${count.index}\"\n}\n"),
    (
        "instances of resources with keys",
        "resource \"a_b\" \"r@\" {\n for_each = toset([for i in range(1000): \"key-${i}\"])\n x = each.key\n}\n",
    ),
    ("instances of data sources", "data \"a_b\" \"r@\" {\n count = 1000\n x = \"a${count.index}\"\n}\n"),
    ("instances of modules", "module \"m@\" {\n source = \"./m\"\n count = 1000\n}\n"),
    (
        "instances of modules with keys",
        "module \"m@\" {\n source = \"./m\"\n for_each = toset([for i in range(1000): \"key-${i}\"])\n}\n",
    ),
    (
        "instances of absent modules",
        "module \"m@\" {\n source = \"a/b/c\"\n count = 1000\n x = count.index\n}\n",
    ),
];

/// The objects that elements refer to.
const RESOURCE: &str = "variable \"v\" {}\nresource \"a_b\" \"c\" {}\n";

/// Returns sixty local values with a million elements each: more than each limit has room for.
fn loops(element: &str) -> String {
    let line = |i| format!(" a{i} = [for i in range(1000): [for j in range(1000): {element}]]\n");
    let lines: String = (0..60).map(line).collect();
    format!("{RESOURCE}locals {{\n s = join(\"\", [for i in range(1000): \"x\"])\n{lines}}}\n")
}
