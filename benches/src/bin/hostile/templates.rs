//! Hostile Packer templates: references and builds, each with a declaration of its own.

use crate::cases::{Case, LARGEST_SOURCE, numbered};

/// Returns all cases of this file.
pub fn all() -> Vec<Case> {
    const COMMANDS: [(&str, &[&str]); 4] = [
        ("eval", &["eval", ".", "-q"]),
        ("eval --json", &["eval", ".", "--json"]),
        ("graph", &["graph", "."]),
        ("check", &["check", "."]),
    ];
    let mut cases = Vec::new();
    for (name, arguments) in COMMANDS {
        let case = |kind: &str, text: fn() -> String| {
            Case::new(format!("Packer: {kind}, {name}"), arguments).file("a.pkr.hcl", text)
        };
        cases.extend([
            case("a chain of 33,000 data sources", chain),
            case("4 MB of builds with names", || builds(true)),
            case("4 MB of builds with the same name", || builds(false)),
            case("4,000 references to all of 4,000 variables", || {
                format!(
                    "{}locals {{\n{}}}\n",
                    numbered(4000, |i| format!("variable \"v{i}\" {{\n default = \"x\"\n}}\n")),
                    numbered(4000, |i| format!("l{i} = length(var)\n"))
                )
            }),
        ]);
    }
    cases
}

fn chain() -> String {
    let data =
        |i| format!("data \"null\" \"d{i}\" {{\n input = data.null.d{next}.output\n}}\n", next = i + 1);
    format!("{}data \"null\" \"d33000\" {{\n input = \"x\"\n}}\n", numbered(33_000, data))
}

fn builds(distinct: bool) -> String {
    let build = |i: usize| {
        let number = if distinct { i } else { 0 };
        format!("build {{\n sources = [\"null.x\"]\n name = \"b{number}\"\n}}\n")
    };
    let count = LARGEST_SOURCE / build(100_000).len();
    format!("source \"null\" \"x\" {{\n communicator = \"none\"\n}}\n{}", numbered(count, build))
}
