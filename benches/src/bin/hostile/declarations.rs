//! Root modules with about as many small declarations as the limit on memory allows.

use crate::cases::{Case, numbered};

const COMMANDS: [(&str, &[&str]); 6] = [
    ("eval", &["eval", "."]),
    ("eval --json", &["eval", ".", "--json", "--keep-going"]),
    ("plan", &["plan", "."]),
    ("plan --json", &["plan", ".", "--json"]),
    ("graph --format html", &["graph", ".", "--format", "html"]),
    ("check", &["check"]),
];

/// The numbers of declarations just below the limit.
const OBJECTS: usize = 160_000;
const BLOCKS: usize = 64_000;

/// Returns all cases of this file.
pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, arguments) in COMMANDS {
        for (title, line) in LOCALS {
            let text = move || {
                format!("locals {{\n{}}}\n", numbered(OBJECTS, |i| line.replace('@', &i.to_string())))
            };
            cases.push(Case::module(format!("160,000 locals, {title}, {name}"), arguments, text));
        }
        for (title, line) in BLOCKS_OF_LINES {
            let text = move || numbered(BLOCKS, |i| line.replace('@', &i.to_string()));
            cases.push(Case::module(format!("64,000 {title}, {name}"), arguments, text));
        }
        for (title, count, before, member) in MEMBERS {
            let text = move || {
                let members = numbered(count, |i| member.replace('@', &i.to_string()) + ",");
                format!(
                    "{before}{}{}",
                    members.trim_end_matches(','),
                    "}".repeat(before.matches('{').count() - before.matches('}').count())
                )
            };
            let case = Case::new(format!("JSON: {title}, {name}"), arguments);
            cases.push(case.file("main.tf.json", text));
        }
        let duplicates = || "variable \"a\" { default = 1 }\n".repeat(140_000);
        cases.push(Case::module(format!("a variable declared 140,000 times, {name}"), arguments, duplicates));
        let secret = || "variable \"s\" {\n sensitive = true\n}\n".to_owned();
        let mistakes =
            Case::module(format!("300,000 mistakes beside a secret value, {name}"), arguments, secret);
        cases.push(mistakes.file("terraform.tfvars", || numbered(300_000, |i| format!("s{i} = 1 2\n"))));
    }
    cases
}

const LOCALS: [(&str, &str); 6] = [
    ("numbers", "a@=1\n"),
    ("each with an error", "a@=\"\"+1\n"),
    ("each with a wrong index", "a@=[][0]\n"),
    ("each with an unknown function", "a@=f@(1)\n"),
    ("each with a missing file", "a@=file(\"@\")\n"),
    ("each with an undeclared resource", "a@=a_b.c.id\n"),
];

const BLOCKS_OF_LINES: [(&str, &str); 2] = [
    ("resources with an error", "resource \"a_b\" \"c@\" {\n x = f(1)\n}\n"),
    ("absent modules", "module \"m@\" {\n source = \"a/b/c\"\n}\n"),
];

/// A title, the number of members, the text before them, and a member.
const MEMBERS: [(&str, usize, &str, &str); 6] = [
    ("160,000 locals with an error", OBJECTS, "{\"locals\":{", "\"v@\":\"${f(1)}\""),
    ("160,000 variables", OBJECTS, "{\"variable\":{", "\"v@\":{}"),
    ("64,000 outputs", BLOCKS, "{\"output\":{", "\"v@\":{\"value\":1}"),
    ("64,000 resources", BLOCKS, "{\"resource\":{\"a_b\":{", "\"d@\":{}"),
    (
        "64,000 resources that read one",
        BLOCKS,
        "{\"resource\":{\"a_b\":{\"c\":{},",
        "\"d@\":{\"x\":\"${a_b.c.id}\"}",
    ),
    (
        "64,000 data sources with a block",
        BLOCKS,
        "{\"data\":{\"a_b\":{\"c\":{},",
        "\"d@\":{\"x\":\"${data.a_b.c.id}\",\"y\":{\"z\":1}}",
    ),
];
