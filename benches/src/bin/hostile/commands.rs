//! Hostile inputs of the commands besides `eval` and `check`, and of their options.

use crate::cases::{Case, filled, numbered};

/// All cases.
pub fn all() -> Vec<Case> {
    let mut cases = graphs();
    cases.extend(states());
    cases.extend(plans());
    cases.extend(comparisons());
    cases.extend(options());
    cases.extend(memory());
    cases
}

/// Locals that refer to all earlier ones.
fn dense(count: usize) -> String {
    let line = |i| format!("a{i} = [{}]\n", numbered(i, |j| format!("local.a{j},")));
    format!("locals {{\n{}}}\n", numbered(count, line))
}

fn graphs() -> Vec<Case> {
    let graphs: [(&str, &[&str]); 6] = [
        ("dot", &["graph", "."]),
        ("json", &["graph", ".", "--format", "json"]),
        ("mermaid", &["graph", ".", "--format", "mermaid"]),
        ("svg", &["graph", ".", "--format", "svg"]),
        ("html", &["graph", ".", "--format", "html"]),
        ("eval --json", &["eval", ".", "--json"]),
    ];
    let mut cases = Vec::new();
    for (name, arguments) in graphs {
        cases.push(Case::module(format!("700 locals that refer to all before, {name}"), arguments, || {
            dense(700)
        }));
        cases.push(Case::module(
            format!("1,500 resources that depend on 150 others, {name}"),
            arguments,
            || {
                let before = |i: usize| numbered(i.min(150), |j| format!("a_b.c{},", i - 1 - j));
                numbered(1500, |i| {
                    format!("resource \"a_b\" \"c{i}\" {{\n depends_on = [{}]\n}}\n", before(i))
                })
            },
        ));
    }
    cases.push(Case::module("a chain of 20,000 locals, explain", &["explain", "local.a20000"], || {
        format!("locals {{\na0 = 1\n{}}}\n", numbered(20_000, |i| format!("a{} = local.a{i} + 1\n", i + 1)))
    }));
    cases.push(Case::module(
        "50,000 inputs of a value, explain --html",
        &["explain", "local.z", "--html"],
        || {
            let (lines, all) =
                (numbered(50_000, |i| format!("a{i} = {i}\n")), numbered(50_000, |i| format!("local.a{i},")));
            format!("locals {{\n{lines}z = [{all}]\n}}\n")
        },
    ));
    cases
}

/// A state with so many objects of a type, and this JSON as an attribute of each.
fn state(count: usize, list: &str) -> String {
    let resource = |i: usize| {
        let comma = if i == 0 { "" } else { "," };
        format!(
            "{comma}{{\"mode\":\"managed\",\"type\":\"a_b\",\"name\":\"c{i}\",\
             \"provider\":\"provider[\\\"registry.terraform.io/hashicorp/a\\\"]\",\
             \"instances\":[{{\"schema_version\":0,\"attributes\":{{\"id\":\"{i}\",\"l\":{list}}}}}]}}"
        )
    };
    format!(
        "{{\"version\":4,\"terraform_version\":\"1.9.0\",\"serial\":1,\"lineage\":\"x\",\"outputs\":{{}},\"resources\":[{}]}}",
        numbered(count, resource)
    )
}

fn states() -> Vec<Case> {
    let commands: [(&str, &[&str]); 4] = [
        ("plan", &["plan", "--state", "s.tfstate"]),
        ("plan --json", &["plan", "--state", "s.tfstate", "--json"]),
        ("eval --json", &["eval", ".", "--state", "s.tfstate", "--json"]),
        ("diff", &["diff", "--state", "s.tfstate", "."]),
    ];
    let mut cases = Vec::new();
    for (name, arguments) in commands {
        let other = || "resource \"a_b\" \"x\" {}\n".to_owned();
        let same = || numbered(40_000, |i| format!("resource \"a_b\" \"c{i}\" {{\n l = [1, 2]\n}}\n"));
        let changed = || "resource \"a_b\" \"c0\" {\n l = [{ a = 1 }]\n}\n".to_owned();
        cases.push(
            Case::module(format!("a state of 40,000 other objects, {name}"), arguments, other)
                .file("s.tfstate", || state(40_000, "[1,2,3]")),
        );
        cases.push(
            Case::module(format!("a state of 40,000 objects that change, {name}"), arguments, same)
                .file("s.tfstate", || state(40_000, "[1,2,3]")),
        );
        cases.push(
            Case::module(format!("a state with an object of 500,000 values, {name}"), arguments, changed)
                .file("s.tfstate", || state(1, &elements(166_000))),
        );
        cases.push(
            Case::module(format!("a state with an object of 2,400,000 values, {name}"), arguments, changed)
                .file("s.tfstate", || state(1, &elements(800_000))),
        );
    }
    cases
}

/// A list of so many objects of two attributes, in JSON.
fn elements(count: usize) -> String {
    format!("[{}0]", numbered(count, |i| format!("{{\"a\":{i},\"b\":\"{i}\"}},")))
}

/// Plans of many instances and of a large value.
fn plans() -> Vec<Case> {
    let commands: [(&str, &[&str]); 2] =
        [("plan", &["plan", "."]), ("plan --json", &["plan", ".", "--json"])];
    let mut cases = Vec::new();
    for (name, arguments) in commands {
        cases.push(Case::module(format!("240,000 instances, {name}"), arguments, || {
            let block =
                |i| format!("resource \"a_b\" \"r{i}\" {{\n count = 1000\n x = \"a${{count.index}}\"\n}}\n");
            numbered(240, block)
        }));
        cases.push(Case::module(format!("4 MB of resources, {name}"), arguments, || {
            filled(|i| format!("resource \"a_b\" \"c{i}\" {{}}\n"))
        }));
        cases.push(Case::module(format!("4 MB of data sources, {name}"), arguments, || {
            filled(|i| format!("data \"a_b\" \"c{i}\" {{}}\n"))
        }));
        cases.push(Case::module(format!("a million objects in an argument, {name}"), arguments, || {
            "resource \"a_b\" \"c\" {\n x = [for i in range(1000): [for j in range(1000): { a = i, b = \"x\" }]]\n}\n"
                .to_owned()
        }));
    }
    cases
}

fn comparisons() -> Vec<Case> {
    let diff: &[&str] = &["diff", "a", "b"];
    let resources = |prefix: &'static str| {
        move || numbered(20_000, |i| format!("resource \"a_b\" \"{prefix}{i}\" {{\n x = 1\n}}\n"))
    };
    vec![
        Case::new("diff: 20,000 other resources", diff)
            .file("a/main.tf", resources("c"))
            .file("b/main.tf", resources("d")),
        Case::new("diff: 20,000 moved resources", diff).file("a/main.tf", resources("c")).file(
            "b/main.tf",
            move || {
                let moved = |i| format!("moved {{\n from = a_b.c{i}\n to = a_b.d{i}\n}}\n");
                resources("d")() + &numbered(20_000, moved)
            },
        ),
        Case::new("diff: a chain of 20,000 moves", diff).file("a/main.tf", resources("c")).file(
            "b/main.tf",
            || {
                let moved = |i| format!("moved {{\n from = a_b.c{i}\n to = a_b.c{}\n}}\n", i + 1);
                numbered(20_000, moved) + "resource \"a_b\" \"c20000\" {}\n"
            },
        ),
        Case::new("diff: 100,000 instances, --json", &["diff", "a", "b", "--json"])
            .file("a/main.tf", || {
                "resource \"a_b\" \"c\" {\n count = 100000\n x = count.index\n}\n".to_owned()
            })
            .file("b/main.tf", || {
                "resource \"a_b\" \"c\" {\n count = 100000\n x = count.index + 1\n}\n".to_owned()
            }),
    ]
}

fn options() -> Vec<Case> {
    let map: &[&str] = &["eval", ".", "--module-map", "m.map"];
    let calls = || numbered(3000, |i| format!("module \"m{i}\" {{ source = \"x{i}/y/z\" }}\n"));
    let variables: &[&str] = &["eval", ".", "-var-file", "x.tfvars"];
    let optional = |count: usize| {
        let attributes = numbered(count, |i| format!("a{i} = optional(string, \"x\")\n"));
        move || format!("variable \"a\" {{\n type = list(object({{\n{attributes}}}))\n}}\n")
    };
    vec![
        Case::module("module map: 20,000 patterns and 3,000 calls", map, calls)
            .file("m.map", || numbered(20_000, |i| format!("*q{i}*r = d\n"))),
        Case::module("module map: 20,000 sources and 3,000 calls", map, calls)
            .file("m.map", || numbered(20_000, |i| format!("q{i} = d\n"))),
        Case::module("module map: 4 MB of patterns", map, calls)
            .file("m.map", || filled(|_| "*a = d\n".to_owned())),
        Case::module("a million objects with 12 optional attributes", variables, optional(12))
            .file("x.tfvars", || format!("a = [{}]\n", "{},".repeat(1_300_000))),
        Case::module("a million objects with 300 optional attributes", variables, optional(300))
            .file("x.tfvars", || format!("a = [{}]\n", "{},".repeat(1_300_000))),
        Case::module("3,000 heavy locals", &["eval", "."], || {
            let line = |i| format!("a{i} = sha256(join(\"\", [for i in range(900): \"{i}${{i}}\"]))\n");
            format!("locals {{\n{}}}\n", numbered(3000, line))
        }),
        Case::module("console: 300,000 lines", &["console", "."], || "locals { a = 1 }\n".to_owned())
            .stdin(|| "local.a\n".repeat(300_000)),
        Case::module("brackets in brackets, plan", &["plan", "."], || {
            format!("resource \"a_b\" \"c\" {{\n x = {}1{}\n}}\n", "[".repeat(250), "]".repeat(250))
        }),
    ]
}

/// Inputs whose memory was not counted once.
fn memory() -> Vec<Case> {
    let eval: &[&str] = &["eval", "."];
    let megabyte =
        "s = join(\"\", [for i in range(1000): join(\"\", [for j in range(100): \"0123456789\"])])";
    vec![
        Case::module("a million instances of absent modules", eval, || {
            numbered(1500, |i| {
                format!("module \"m{i}\" {{\n source = \"a/b/c\"\n count = 1000\n x = count.index\n}}\n")
            })
        }),
        Case::module("a million instances with strings, lists and blocks", eval, || {
            let body = "x = \"abcdefghijklmnopqrstuvwxyz${count.index}\"\n y = [count.index]\n z {\n a = count.index\n}\n";
            numbered(1500, |i| format!("resource \"a_b\" \"r{i}\" {{\n count = 1000\n {body}}}\n"))
        }),
        Case::module("2,000 long strings in a loop", eval, move || {
            let all = numbered(2000, |i| format!("length(\"${{local.s}}{i}\"), "));
            format!("locals {{\n {megabyte}\n a = [for i in range(10): length([{all}i])]\n}}\n")
        }),
        Case::module("2,000 long strings for the instances of a resource", eval, || {
            let list = "l = [for i in range(1000): \"0123456789012345678901234567890123456789\"]";
            let all =
                numbered(2000, |i| format!(" a{i} = \"${{join(\"{i}\", local.l)}}x${{count.index}}\"\n"));
            format!("locals {{\n {list}\n}}\nresource \"a_b\" \"c\" {{\n count = 2\n{all}}}\n")
        }),
    ]
}
