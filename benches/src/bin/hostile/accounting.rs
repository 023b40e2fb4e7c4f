//! Holds the memory that a run counts against the memory that the process uses.
//!
//! Each shape of values fills a run until it exceeds its limit on memory, so the peak of the process is the memory of as many
//! values as the limit counts.

use crate::cases::Case;
use crate::measure::Measured;

/// The limits, as an argument and in bytes.
pub const LIMITS: [(&str, u64); 3] = [("256MiB", 256 << 20), ("512MiB", 512 << 20), ("1GiB", 1 << 30)];

/// How far the counted memory may be from the memory in use.
const TOLERANCE: f64 = 0.25;

/// A shape of values with the measurement for each limit.
pub struct Row {
    pub name: String,
    pub measured: Vec<Measured>,
}

impl Row {
    /// The memory of the values in use by the memory that was counted, for each limit. `base` is the memory of an empty run.
    pub fn ratios(&self, base: u64) -> impl Iterator<Item = f64> {
        let of_values = self.measured.iter().map(move |measured| measured.bytes.saturating_sub(base) as f64);
        of_values.zip(LIMITS).map(|(bytes, (_, limit))| bytes / limit as f64)
    }

    /// Whether the counted memory is near the memory in use, and each run came to its limit.
    pub fn is_true(&self, base: u64) -> bool {
        self.ratios(base).all(|ratio| (ratio - 1.0).abs() <= TOLERANCE)
            && self.measured.iter().all(|measured| measured.exit_code == 1 && !measured.is_aborted)
    }
}

/// The run without values whose memory is that of the command itself.
pub fn base() -> Case {
    Case::module("no values", &["eval", "."], || "output \"o\" { value = 1 }\n".to_owned())
}

/// A case for each shape and limit; those of a shape stand together.
pub fn all() -> Vec<Case> {
    shapes()
        .into_iter()
        .flat_map(|(name, text)| {
            LIMITS.map(|(limit, _)| {
                let arguments = ["eval", ".", "--max-memory", limit, "--max-steps", "100000000000"];
                let called = "locals { a = 1 }\noutput \"o\" { value = local.a }\n";
                let text = text.clone();
                Case::module(name, &arguments, move || text.clone()).file("m/main.tf", || called.to_owned())
            })
        })
        .collect()
}

/// Names of shapes, and modules with more of them than each limit has room for.
fn shapes() -> Vec<(&'static str, String)> {
    let of_element = |name: &'static str, element: &str| (name, loops(element));
    let dynamic = |name: &'static str, content: &str| {
        let blocks = crate::cases::dynamic(&[10, 1000, 1000], content);
        (name, format!("{RESOURCE}resource \"a_b\" \"d\" {{\n{blocks}}}\n"))
    };
    let repeated = |block: &dyn Fn(usize) -> String| (0..1500).map(block).collect();
    vec![
        of_element("strings of 1,000 bytes", "\"${local.s}${i}${j}\""),
        of_element("strings of 30 bytes", "\"abcdefghijklmnopqrstuvwxyz-${i}-${j}\""),
        of_element("strings of 8 bytes", "\"k${i}-${j}\""),
        of_element("whole numbers", "i * 1000 + j"),
        of_element("fractions", "(i * 1000 + j) / 7"),
        of_element("objects", "{ a = i, b = j, c = true }"),
        of_element("maps", "{ for k in range(5): \"k${k}\" => j }"),
        of_element("nested lists", "[[i], [j]]"),
        of_element("lists of one type", "tolist([i, j])"),
        of_element("sets", "toset([\"a${i}\", \"b${j}\"])"),
        of_element("unknown strings with reasons", "\"${a_b.c.id}-${i}-${j}\""),
        of_element("objects with unknown parts", "{ a = var.v, b = i, c = [var.v] }"),
        of_element("sensitive values", "sensitive(i)"),
        of_element(
            "decoded JSON",
            "jsondecode(\"{\\\"a\\\":${i},\\\"b\\\":[${j},1,2,3],\\\"c\\\":\\\"some text\\\"}\")",
        ),
        of_element("lists that `split` makes", "split(\",\", \"a,b,c,d,e,f,g,h,${i},${j}\")"),
        dynamic("blocks of `dynamic` with an argument", "a = 1"),
        dynamic("blocks of `dynamic` with an unknown argument", "a = a_b.c.id"),
        (
            "instances of resources",
            repeated(&|i| {
                format!("resource \"a_b\" \"r{i}\" {{\n count = 1000\n x = \"a${{count.index}}\"\n}}\n")
            }),
        ),
        (
            "instances of modules",
            repeated(&|i| format!("module \"m{i}\" {{\n source = \"./m\"\n count = 1000\n}}\n")),
        ),
    ]
}

/// Objects that elements refer to.
const RESOURCE: &str = "variable \"v\" {}\nresource \"a_b\" \"c\" {}\n";

/// Forty local values with a million elements each.
fn loops(element: &str) -> String {
    let line = |i| format!(" a{i} = [for i in range(1000): [for j in range(1000): {element}]]\n");
    let lines: String = (0..40).map(line).collect();
    format!("{RESOURCE}locals {{\n s = join(\"\", [for i in range(1000): \"x\"])\n{lines}}}\n")
}
