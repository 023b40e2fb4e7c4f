//! Hostile Packer templates: references and builds, each with a declaration of its own; and blocks with a schema of many attributes.

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
    cases.extend(blocks_with_schemas());
    cases
}

/// Returns cases with blocks of a schema with many optional and computed attributes.
fn blocks_with_schemas() -> Vec<Case> {
    const COMMANDS: [(&str, &[&str]); 5] = [
        ("check", &["check", ".", "--schemas", "s.json"]),
        ("eval", &["eval", ".", "-q", "--schemas", "s.json"]),
        ("plan --json", &["plan", ".", "--json", "--schemas", "s.json"]),
        ("explain", &["explain", "a_b.c", ".", "--schemas", "s.json"]),
        ("explain --json", &["explain", "a_b.c", ".", "--json", "--schemas", "s.json"]),
    ];
    let mut cases = Vec::new();
    for (name, arguments) in COMMANDS {
        let dynamic = || {
            "resource \"a_b\" \"c\" {\n dynamic \"b\" {\n for_each = range(1000)\n content {}\n }\n count = 100\n}\n"
                .to_owned()
        };
        let literal = || format!("resource \"a_b\" \"c\" {{\n{}}}\n", " b {}\n".repeat(400_000));
        cases.extend([
            Case::module(
                format!("100 instances of 1,000 blocks with 1,000 attributes, {name}"),
                arguments,
                dynamic,
            )
            .file("s.json", || schemas("list", 1000)),
            Case::module(format!("400,000 blocks of a set with 100 attributes, {name}"), arguments, literal)
                .file("s.json", || schemas("set", 100)),
        ]);
    }
    cases
}

/// Returns the schemas of a resource type with blocks of this number of attributes.
fn schemas(nesting: &str, count: usize) -> String {
    let attribute = serde_json::json!({ "type": "string", "optional": true, "computed": true });
    let attributes: serde_json::Map<String, serde_json::Value> =
        (0..count).map(|i| (format!("a{i}"), attribute.clone())).collect();
    let block = serde_json::json!({ "nesting_mode": nesting, "block": { "attributes": attributes } });
    let resource = serde_json::json!({ "version": 0, "block": { "block_types": { "b": block } } });
    let provider = serde_json::json!({ "resource_schemas": { "a_b": resource } });
    serde_json::json!({
        "format_version": "1.0",
        "provider_schemas": { "registry.terraform.io/hashicorp/a": provider },
    })
    .to_string()
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
