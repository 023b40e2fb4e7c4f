//! Hostile files in which each line, or each block, has a syntax error or a wrong header.

use crate::cases::{Case, LARGEST_SOURCE, numbered};

const COMMANDS: [(&str, &[&str]); 5] = [
    ("eval", &["eval", "."]),
    ("check", &["check"]),
    ("graph", &["graph", "."]),
    ("plan", &["plan", "."]),
    ("explain", &["explain", "local.a"]),
];

/// Returns all cases of this file.
pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, arguments) in COMMANDS {
        for (inputs, file) in [(repeated(), "main.tf"), (lines(), "main.tf"), (json(), "main.tf.json")] {
            let of = |(text, input): (&str, Box<dyn Fn() -> String>)| {
                Case::new(format!("{text}, {name}"), arguments).file(file, input)
            };
            cases.extend(inputs.into_iter().map(of));
        }
        // Each file has fewer damaged parts than a file may have.
        let case = Case::new(format!("70 files of headers without a brace, {name}"), arguments);
        let header = || "a \"b\"\n".repeat(LARGEST_SOURCE / 70 / 6);
        cases.push((0..70).fold(case, |case, number| case.file(format!("f{number}.tf"), header)));
    }
    cases
}

type Inputs = Vec<(&'static str, Box<dyn Fn() -> String>)>;

/// Returns files of one text, again and again.
fn repeated() -> Inputs {
    let repeated = |unit: &'static str| -> Box<dyn Fn() -> String> {
        Box::new(move || unit.repeat(LARGEST_SOURCE / unit.len()))
    };
    [
        ("4 MB of open resources", "resource \"a\" \"b\" {\n"),
        ("4 MB of open locals with a value", "locals { a = [1\n"),
        ("4 MB of indented open locals", " locals {\n"),
        ("4 MB of headers without a brace", "a \"b\"\n"),
        ("4 MB of blocks and braces", "a {}\n}\n"),
        ("4 MB of resources with an error", "resource \"a\" \"b\" {\n a = [1 2]\n}\n"),
        ("4 MB of blocks with an open heredoc", "variable \"x\" {\n default = <<E\n}\n"),
        ("4 MB of open quotes in headers", "variable \"x {\n}\n"),
        ("4 MB of bodies without a header", "  a = 1\n}\n"),
        ("4 MB of closing braces", "}\n"),
        ("4 MB of lines with a comma", ",\n"),
        ("4 MB of lines with a name and a dot", "x.\n"),
        ("4 MB of lines with an unknown character", "@\n"),
        ("4 MB of variables with a brace too many", "variable \"x\" {}}\n"),
    ]
    .map(|(name, unit)| (name, repeated(unit)))
    .into()
}

/// Returns files with many different lines.
fn lines() -> Inputs {
    vec![
        ("250,000 words in locals", Box::new(|| block("locals", numbered(250_000, |i| format!("  a{i}\n"))))),
        (
            "250,000 words in a call",
            Box::new(|| block("module \"m\"", numbered(250_000, |i| format!("  a{i}\n")))),
        ),
        (
            "250,000 broken arguments of a resource",
            Box::new(|| block("resource \"a\" \"b\"", numbered(250_000, |i| format!(" a{i} = [1 2]\n")))),
        ),
        (
            "200,000 functions without a parenthesis",
            Box::new(|| block("resource \"a\" \"b\"", numbered(200_000, |i| format!(" a{i} = f\n (1)\n")))),
        ),
        (
            "250,000 nested blocks with hidden braces",
            Box::new(|| format!("resource \"a\" \"b\" {{\n{}", "n {\nx = [1 2]\n}\n".repeat(250_000))),
        ),
        (
            "8,000 headers without a brace, each indented further",
            Box::new(|| numbered(8_000, |i| format!("{}a \"b{i}\"\n", " ".repeat(i % 1_000)))),
        ),
    ]
}

fn block(header: &str, lines: String) -> String {
    format!("{header} {{\n{lines}}}\n")
}

/// Returns files in JSON.
fn json() -> Inputs {
    vec![
        (
            "JSON: 150,000 variables without commas",
            Box::new(|| {
                let variables = numbered(150_000, |i| format!("  \"a{i}\": {{\"default\": 1}}\n"));
                format!("{{\"variable\": {{\n{variables}}}}}\n")
            }),
        ),
        (
            "JSON: 120,000 broken resources of a type with a long name",
            Box::new(|| {
                let resources = numbered(120_000, |i| format!("      \"a{i}\": 1 2,\n"));
                let name = "x".repeat(1_000_000);
                format!("{{\n  \"resource\": {{\n    \"{name}\": {{\n{resources}    }}\n  }}\n}}\n")
            }),
        ),
    ]
}
