//! Calls with generated arguments, compared with the plans of a `terraform` binary.
//!
//! The arguments are drawn from a few values of each type, by a generator of numbers that is always the same, so
//! that each run makes the same calls.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};
use terrane_function::{CallSite, Dialect, Edition, Function, Parameter, Product, Purity};
use terrane_source::{Files as _, OsFiles};
use terrane_value::Type;

use crate::reference::{compare, terraform};

/// Calls of each function.
const CALLS: usize = 40;

/// Calls in one module: one run of the binary.
const CALLS_IN_MODULE: usize = 500;

/// The edition whose functions are called; later ones have them all.
const EDITION: Edition = Edition::new(1, 11);

/// Functions of their arguments alone that cannot be compared: `base64gzip` compresses in another way than the binary,
/// `rsadecrypt` needs a key, a plan hides the result of `sensitive`, and the other two need a value with a mark.
const LEFT_OUT: [&str; 5] = ["base64gzip", "ephemeralasnull", "nonsensitive", "rsadecrypt", "sensitive"];

/// One trial for each module of calls; an ignored one where there is no binary.
pub fn trials() -> Vec<Trial> {
    let calls = calls();
    let Some(binary) = terraform::find("terraform") else {
        let trial = Trial::test(format!("{} calls", calls.len()), || Ok(()));
        return vec![trial.with_kind("skipped: no terraform on PATH").with_ignored_flag(true)];
    };
    let trial = |(index, calls): (usize, &[String])| {
        let (calls, binary) = (calls.to_vec(), binary.clone());
        let first = calls.first().cloned().unwrap_or_default();
        let name = format!("module {index}: {} calls from {first}", calls.len());
        Trial::test(name, move || run(&calls, &binary))
    };
    calls.chunks(CALLS_IN_MODULE).enumerate().map(trial).collect()
}

fn run(calls: &[String], binary: &Path) -> Result<(), Failed> {
    let directory = tempfile::tempdir()?;
    let mut module = String::new();
    let mut by_output = BTreeMap::new();
    for (index, call) in calls.iter().enumerate() {
        let name = format!("c{index:04}");
        // A call that fails is "none" on both sides, and so is infinity, which has no place in a plan.
        let value = format!("try({{ v = {call}, json = jsonencode({call}) }}, \"none\")");
        writeln!(module, "output \"{name}\" {{\n  value = {value}\n}}")?;
        by_output.insert(name, call);
    }
    let path: PathBuf = directory.path().join("main.tf");
    OsFiles.write_atomic(&path, module.as_bytes()).map_err(|error| error.to_string())?;
    let planned = terraform::planned_outputs(binary, directory.path())?;
    let Err(differences) = compare::outputs(directory.path(), &planned) else { return Ok(()) };
    let mut message = String::new();
    for difference in differences.lines() {
        let output = difference.get(..5).and_then(|name| by_output.get(name));
        writeln!(message, "{difference}\n  for {}", output.map_or("", |call| call.as_str()))?;
    }
    Err(message.into())
}

/// Whether calls of a function are compared: the result must be the same in each run.
fn is_compared(row: &Function) -> bool {
    row.availability.is_in(Dialect::Product(Product::Terraform, EDITION))
        && row.call_site == CallSite::Anywhere
        && row.purity == Purity::Pure
        && !LEFT_OUT.contains(&&*row.name)
}

/// The calls of all functions that are compared.
fn calls() -> Vec<String> {
    let mut chance = Chance(1);
    let mut calls = Vec::new();
    for row in terrane_stdlib::functions().into_iter().filter(is_compared) {
        calls.extend((0..CALLS).map(|_| call(&row, &mut chance)));
    }
    calls
}

fn call(row: &Function, chance: &mut Chance) -> String {
    let mut arguments: Vec<&str> =
        row.parameters.iter().map(|parameter| argument(&row.name, parameter, chance)).collect();
    if let Some(more) = &row.variadic {
        arguments.extend((0..chance.below(4)).map(|_| argument(&row.name, more, chance)));
    }
    format!("{}({})", row.name, arguments.join(", "))
}

/// An argument of about the right type.
fn argument(function: &str, parameter: &Parameter, chance: &mut Chance) -> &'static str {
    // Terraform 1.11 answers otherwise where OpenTofu's answer is ours.
    let differs = |text: &str| match function {
        "format" | "formatlist" => text.contains("null"),
        "element" => text.starts_with('-'),
        _ => false,
    };
    let pool: &[&str] = match &parameter.ty {
        _ if chance.below(12) == 0 => ANYTHING,
        Type::String => match function {
            "cidrhost" | "cidrsubnet" | "cidrsubnets" | "cidrnetmask" => NETWORKS,
            "formatdate" | "timeadd" | "timecmp" => TIMES,
            "format" | "formatlist" => FORMATS,
            "regex" | "regexall" | "replace" if chance.below(2) == 0 => PATTERNS,
            "jsondecode" | "yamldecode" | "csvdecode" => DOCUMENTS,
            _ => STRINGS,
        },
        Type::Number => NUMBERS,
        Type::Bool => BOOLS,
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => SEQUENCES,
        Type::Map(_) | Type::Object(_) => MAPS,
        Type::Dynamic => match function {
            "keys" | "values" | "lookup" | "merge" | "transpose" => MAPS,
            "concat" | "distinct" | "element" | "flatten" | "index" | "length" | "one" | "reverse"
            | "setproduct" | "slice" | "sum" | "zipmap" | "coalescelist" | "matchkeys" | "contains"
                if chance.below(4) > 0 =>
            {
                SEQUENCES
            }
            _ => ANYTHING,
        },
    };
    let mut text = chance.of(pool);
    while differs(text) {
        text = chance.of(pool);
    }
    text
}

/// Numbers that look drawn and are always the same.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % end.max(1)
    }

    fn of(&mut self, pool: &[&'static str]) -> &'static str {
        let index = self.below(pool.len());
        pool.get(index).copied().unwrap_or("null")
    }
}

const STRINGS: &[&str] = &[
    r#""""#,
    r#""a""#,
    r#""hello world""#,
    r#""  padded\t\n""#,
    r#""a,b,,c""#,
    r#""x=1&y=\u00fc <&>""#,
    r#""\u00e9\u00e8 e\u0301 \U0001f468\u200d\U0001f469\u200d\U0001f467""#,
    r#""SGVsbG8=""#,
    r#""UTF-16LE""#,
    r#""true""#,
    r#""12.50""#,
    r#""ff""#,
    r#""%zz""#,
    r#""line one\nline two\r\n\n""#,
    r#""a.tar.gz""#,
    r#""/""#,
    r#"",""#,
    r#""l""#,
    "12",
    "true",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "10",
    "16",
    "36",
    "62",
    "255",
    "0.5",
    "-2.5",
    "1.1",
    "1e21",
    "1e-7",
    "1 / 3",
    "-0",
    "100",
    "\"5\"",
    "12345678901234567890",
];

const BOOLS: &[&str] = &["true", "false", "\"true\"", "\"0\""];

const SEQUENCES: &[&str] = &[
    "[]",
    "[\"b\", \"a\", \"b\"]",
    "[\"a\", \"\", \"c\"]",
    "tolist([\"x\", \"y\"])",
    "toset([\"b\", \"a\"])",
    "[3, 1, 2]",
    "tolist([1.5, -1, 1e3])",
    "[true, \"true\", false]",
    "[true, true]",
    "[[\"a\"], [], [\"b\", [\"c\"]]]",
    "[{ a = 1 }, { a = 2, b = \"x\" }]",
    "[null, \"a\"]",
    "[null]",
    "tolist([])",
    "toset([])",
    "[1, \"1\", true]",
];

const MAPS: &[&str] = &[
    "{}",
    "{ a = 1 }",
    "{ b = \"x\", a = \"y\" }",
    "tomap({ a = \"1\", \"b c\" = \"2\" })",
    "{ a = [\"x\", \"y\"], b = [\"y\"] }",
    "{ a = { n = 1 }, b = null }",
    "tomap({})",
    "{ \"1\" = true, \"\" = 2 }",
];

const ANYTHING: &[&str] = &[
    "\"text\"",
    "\"\"",
    "0",
    "-3.25",
    "true",
    "null",
    "[]",
    "{}",
    "[1, \"a\"]",
    "{ a = 1, b = [true] }",
    "tolist([\"p\"])",
    "toset([2, 1])",
    "tomap({ k = \"v\" })",
    "[[1], [2, 3]]",
    "1e300",
    "\"<é & \\\"q\\\">\"",
];

const NETWORKS: &[&str] = &[
    "\"10.0.0.0/8\"",
    "\"192.168.1.17/24\"",
    "\"fd00:fd12:3456:7890::/56\"",
    "\"::/0\"",
    "\"10.0.0.1\"",
    "\"300.0.0.0/8\"",
    "\"172.16.0.0/31\"",
    "\"10.0.0.0/33\"",
];

const TIMES: &[&str] = &[
    "\"2018-01-02T23:12:01Z\"",
    "\"2020-02-29T00:00:00+05:30\"",
    "\"1999-12-31T23:59:59.999-01:00\"",
    "\"DD MMM YYYY hh:mm ZZZ\"",
    "\"EEEE, D-M-YY H 'o''clock' AA\"",
    "\"10m\"",
    "\"-1h30m0.5s\"",
    "\"1d\"",
    "\"YYY\"",
    "\"2018-02-30T00:00:00Z\"",
];

const FORMATS: &[&str] = &[
    "\"%s\"",
    "\"%d items\"",
    "\"%5.2f|%-6s|\"",
    "\"%v %#v\"",
    "\"%q\"",
    "\"%x %X %o %b\"",
    "\"%+d % d %05d\"",
    "\"%%\"",
    "\"%[2]s %[1]s\"",
    "\"%e %g\"",
    "\"%t\"",
    "\"%z\"",
    "\"%.3s\"",
    "\"%*d\"",
];

const PATTERNS: &[&str] = &[
    "\"[a-z]+\"",
    "\"(\\\\w)(\\\\d)?\"",
    "\"(?P<first>[a-z])(?P<rest>.*)\"",
    "\"/l+/\"",
    "\"/(o)/\"",
    "\"<$1>\"",
    "\"^$\"",
    "\"(\"",
    "\"(?i)HELLO\"",
    "\"x*\"",
    "\"\\\\pL\"",
];

const DOCUMENTS: &[&str] = &[
    "\"{\\\"a\\\": [1, 2.50, null, true]}\"",
    "\"[]\"",
    "\"a: b\\nc:\\n  - 1\\n  - yes\\n\"",
    "\"x,y\\n1,\\\"2,3\\\"\\n\"",
    "\"- &a {k: 0x1F}\\n- *a\\n\"",
    "\"'single': 2001-12-14\\n\"",
    "\"{\"",
    "\"\"",
    "\"1e5\"",
    "\"a,a\\n1,2\"",
    "\"<<: {a: 1}\\nb: ~\\n\"",
    "\"|\\n  text\\n  more\\n\"",
];

#[cfg(test)]
mod tests {
    use terrane_eval::Variables;
    use terrane_source::MemoryFiles;

    use super::*;
    use crate::engine::evaluate_text;

    #[test]
    fn there_are_thousands_of_calls_and_each_parses() {
        let calls = calls();
        assert!(calls.len() > 3000, "{}", calls.len());
        for call in &calls {
            assert!(crate::engine::parse(call).is_ok(), "{call}");
        }
        assert_eq!(calls, super::calls());
    }

    #[test]
    fn half_of_the_calls_have_a_result() {
        let (names, files) = (Variables::default(), MemoryFiles::new());
        let calls = calls();
        let results = calls.iter().filter(|call| !evaluate_text(call, &names, &files).is_error()).count();
        assert!(results * 2 > calls.len(), "{results} of {}", calls.len());
    }
}
