//! Hostile inputs with many instances or large values, and states and plans with many objects or large values.

use crate::cases::{Case, filled, numbered};

/// Returns all cases of this file.
pub fn all() -> Vec<Case> {
    let mut cases = states();
    cases.extend(instances());
    cases.extend(schema_files());
    cases.extend(moves());
    cases.extend(plans());
    cases.extend(comparisons());
    cases.extend(json_in_strings());
    cases.extend(long_numbers());
    cases
}

/// Returns cases with a state of 53 MB, most of it JSON in strings.
fn json_in_strings() -> Vec<Case> {
    let module =
        || numbered(700, |i| format!("resource \"a_b\" \"c{i}\" {{\n  l = \"{{\\\"a\\\":1}}\"\n}}\n"));
    let values =
        || numbered(3000, |i| format!("{}\\\"k{i}\\\":{{\\\"a\\\":{i}}}", if i == 0 { "" } else { "," }));
    let case = |(name, arguments): (&str, &'static [&'static str])| {
        Case::module(format!("a state with 700 strings of JSON, {name}"), arguments, module)
            .file("s.tfstate", move || state(700, &format!("\"{{{}}}\"", values())))
    };
    let mut cases: Vec<Case> = WITH_STATE.into_iter().map(case).collect();
    cases.extend(compared_texts());
    cases
}

/// Returns cases with a state of 100 numbers of 400,000 digits.
fn long_numbers() -> Vec<Case> {
    let module = || numbered(100, |i| format!("resource \"a_b\" \"c{i}\" {{\n  l = 1\n}}\n"));
    let of = |(name, arguments): (&str, &'static [&'static str])| {
        Case::module(format!("a state with 100 numbers of 400,000 digits, {name}"), arguments, module)
            .file("s.tfstate", || state(100, &"1".repeat(400_000)))
    };
    let destroy =
        ("plan --destroy", &["plan", "--destroy", "--state", "s.tfstate"] as &'static [&'static str]);
    WITH_STATE.into_iter().chain([destroy]).map(of).collect()
}

/// Returns a list of 200 texts of JSON, the last one first.
fn documents() -> String {
    let part =
        |i: usize, j: usize| format!("{{ \\\"a\\\":\\\"x{i}-{j}\\\"}}{}", if j == 149 { "" } else { "," });
    let document = |i: usize| {
        let i = 199 - i;
        let parts = numbered(150, |j| part(i, j));
        format!("\"[{parts}]\"{}", if i == 0 { "" } else { "," })
    };
    format!("[{}]", numbered(200, document))
}

/// Returns a list of 200 texts like SHA-1 hashes.
fn hashes() -> String {
    let hash = |i: usize| format!("\"{i:040x}\"{}", if i == 199 { "" } else { "," });
    format!("[{}]", numbered(200, hash))
}

/// Returns cases with long texts that are compared many times, and with JSON of very many values.
fn compared_texts() -> Vec<Case> {
    const LONG: &str =
        "locals {\n j = jsonencode([for i in range(1000): [for j in range(50): {a = \"x${i}-${j}\"}]])\n}\n";
    const MANY: &str =
        "locals {\n j = [for i in range(200): jsonencode([for j in range(150): {a = \"x${i}-${j}\"}])]\n}\n";
    let module = |count: usize, locals: &'static str, value: &'static str| {
        let resource = move |i: usize| format!("resource \"a_b\" \"c{i}\" {{\n  l = {value}\n}}\n");
        move || format!("{locals}{}", numbered(count, resource))
    };
    let mut cases = Vec::new();
    for (name, arguments) in [
        ("plan", &["plan", "--state", "s.tfstate"] as &'static [&'static str]),
        ("diff", &["diff", "--state", "s.tfstate", "."]),
    ] {
        let mut add = |title: &str, module: Case| {
            let case = Case { name: format!("{title}, {name}"), ..module };
            cases.push(case);
        };
        let of = |module| Case::module("", arguments, module);
        add(
            "a text of JSON in 20,000 objects of a state",
            of(module(20_000, LONG, "local.j")).file("s.tfstate", || state(20_000, "\"{}\"")),
        );
        add(
            "hashes for a text in 20,000 objects of a state",
            of(module(20_000, LONG, "local.j"))
                .file("s.tfstate", || state(20_000, &format!("\"{}\"", "0".repeat(40)))),
        );
        add(
            "texts of JSON in another order in 50 objects of a state",
            of(module(50, MANY, "local.j")).file("s.tfstate", move || state(50, &documents())),
        );
        add(
            "hashes for texts in 2,000 objects of a state",
            of(module(2000, MANY, "local.j")).file("s.tfstate", move || state(2000, &hashes())),
        );
        add(
            "a state with JSON of 25 million values",
            of(module(1, "", "\"[1]\""))
                .file("s.tfstate", || state(1, &format!("\"[{}0]\"", "0,".repeat(25_000_000)))),
        );
        add(
            "a state with 9 strings of 3 million JSON values",
            of(module(9, "", "\"[1]\""))
                .file("s.tfstate", || state(9, &format!("\"[{}0]\"", "0,".repeat(2_900_000)))),
        );
        add(
            "a state with JSON of 7 million properties",
            of(module(1, "", "\"{\\\"a\\\":1}\"")).file("s.tfstate", || {
                state(1, &format!("\"{{{}\\\"\\\":0}}\"", "\\\"\\\":0,".repeat(7_000_000)))
            }),
        );
    }
    cases
}

/// Returns a state with `count` objects of a type. Each object has an attribute with the JSON `list`.
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

/// The commands that read a state.
const WITH_STATE: [(&str, &[&str]); 5] = [
    ("plan", &["plan", "--state", "s.tfstate"]),
    ("plan --json", &["plan", "--state", "s.tfstate", "--json"]),
    ("eval --json", &["eval", ".", "--state", "s.tfstate", "--json"]),
    ("diff", &["diff", "--state", "s.tfstate", "."]),
    ("explain", &["explain", "a_b.c0", "--state", "s.tfstate"]),
];

/// Returns a state with an object in the module at the end of a chain of `depth` module calls.
fn state_of_deep_module(depth: usize) -> String {
    let path = numbered(depth, |i| format!("{}module.m{i}", if i == 0 { "" } else { "." }));
    let resource = format!("\"resources\":[{{\"module\":\"{path}\",");
    state(1, "[]").replacen("\"resources\":[{", &resource, 1)
}

/// Returns a state with `count` objects in a module that is nested 90 calls deep.
fn state_of_nested_modules(count: usize) -> String {
    let path = numbered(90, |i| format!("{}module.m{i}", if i == 0 { "" } else { "." }));
    state(count, "[]")
        .replace("{\"mode\":\"managed\"", &format!("{{\"module\":\"{path}\",\"mode\":\"managed\""))
}

/// Returns schemas of the provider `hashicorp/a` with these types.
fn schemas(types: &str) -> String {
    format!(
        "{{\"format_version\":\"1.0\",\"provider_schemas\":{{\"registry.terraform.io/hashicorp/a\":{{\"resource_schemas\":{{{}}}}}}}}}",
        types.trim_end_matches(',')
    )
}

/// Returns cases with large schemas.
fn schema_files() -> Vec<Case> {
    let many = || {
        let one = |i| {
            format!(
                "\"a_t{i}\":{{\"version\":0,\"block\":{{\"attributes\":{{\"id\":{{\"type\":\"string\",\"optional\":true}}}}}}}},"
            )
        };
        schemas(&numbered(400_000, one))
    };
    let wide = |count: usize, kind: &'static str| {
        let one = |i| format!("\"a{i}\":{{\"type\":\"string\",\"optional\":true{kind}}},");
        let attributes = numbered(count, one);
        let attributes = attributes.trim_end_matches(',');
        schemas(&format!("\"a_b\":{{\"version\":0,\"block\":{{\"attributes\":{{{attributes}}}}}}}"))
    };
    let mut cases = Vec::new();
    for (name, arguments) in [
        ("check", &["check", "--schemas", "s.json"] as &'static [&'static str]),
        ("eval", &["eval", ".", "--schemas", "s.json"]),
        ("plan", &["plan", ".", "--schemas", "s.json"]),
        ("plan --json", &["plan", ".", "--schemas", "s.json", "--json"]),
    ] {
        cases.push(
            Case::module(format!("schemas of 400,000 types, {name}"), arguments, || {
                "resource \"a_t7\" \"c\" {}\n".to_owned()
            })
            .file("s.json", many),
        );
        for (attributes, kind) in
            [("attributes", ""), ("optional and computed attributes", ",\"computed\":true")]
        {
            cases.push(
                Case::module(
                    format!("a schema of 95,000 {attributes} and 1,000 instances, {name}"),
                    arguments,
                    || "resource \"a_b\" \"c\" {\n count = 1000\n a1 = \"x\"\n}\n".to_owned(),
                )
                .file("s.json", move || wide(95_000, kind)),
            );
        }
        let required = || {
            let attributes =
                numbered(50_000, |i| format!("\"a{i}\":{{\"type\":\"string\",\"required\":true}},"));
            let attributes = attributes.trim_end_matches(',');
            schemas(&format!("\"a_b\":{{\"version\":0,\"block\":{{\"attributes\":{{{attributes}}}}}}}"))
        };
        cases.push(
            Case::module(
                format!("5,000 blocks without 50,000 required attributes, {name}"),
                arguments,
                || numbered(5000, |i| format!("resource \"a_b\" \"c{i}\" {{}}\n")),
            )
            .file("s.json", required),
        );
        cases.push(
            Case::module(
                format!("300,000 wrong arguments and a schema of 90,000, {name}"),
                arguments,
                || {
                    let wrong = numbered(300_000, |i| format!("b{i}x = 1\n"));
                    format!("resource \"a_b\" \"c\" {{\n{wrong}}}\n")
                },
            )
            .file("s.json", move || wide(90_000, "")),
        );
    }
    cases
}

fn states() -> Vec<Case> {
    let plan = ["plan", "--state", "s.tfstate"];
    let empty = || "locals {}\n".to_owned();
    let mut cases = vec![
        Case::module("a state with an address of 1,000,000 module calls", &plan, empty)
            .file("s.tfstate", || state_of_deep_module(1_000_000)),
    ];
    for (name, arguments) in WITH_STATE {
        let other = || "resource \"a_b\" \"x\" {}\n".to_owned();
        cases.push(
            Case::module(format!("a state of 15,000 objects in 90 modules, {name}"), arguments, other)
                .file("s.tfstate", || state_of_nested_modules(15_000)),
        );
        let other = || "resource \"a_b\" \"x\" {}\n".to_owned();
        let same = || numbered(50_000, |i| format!("resource \"a_b\" \"c{i}\" {{\n l = [1, 2]\n}}\n"));
        let changed = || "resource \"a_b\" \"c0\" {\n l = [{ a = 1 }]\n}\n".to_owned();
        cases.push(
            Case::module(format!("a state of 50,000 other objects, {name}"), arguments, other)
                .file("s.tfstate", || state(50_000, "[1,2,3]")),
        );
        cases.push(
            Case::module(format!("a state of 50,000 objects that change, {name}"), arguments, same)
                .file("s.tfstate", || state(50_000, "[1,2,3]")),
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

/// Returns a list of `count` objects of two attributes, in JSON.
fn elements(count: usize) -> String {
    format!("[{}0]", numbered(count, |i| format!("{{\"a\":{i},\"b\":\"{i}\"}},")))
}

/// Returns a state with one resource of `count` instances.
fn state_of_instances(count: usize) -> String {
    let instance = |i: usize| {
        let comma = if i == 0 { "" } else { "," };
        format!(
            "{comma}{{\"index_key\":{i},\"schema_version\":0,\"attributes\":{{\"id\":\"{i}\",\"x\":{i}}}}}"
        )
    };
    format!(
        "{{\"version\":4,\"terraform_version\":\"1.9.0\",\"serial\":1,\"lineage\":\"x\",\"outputs\":{{}},\"resources\":[{{\
         \"mode\":\"managed\",\"type\":\"a_b\",\"name\":\"c0\",\
         \"provider\":\"provider[\\\"registry.terraform.io/hashicorp/a\\\"]\",\"instances\":[{}]}}]}}",
        numbered(count, instance)
    )
}

/// Returns cases with states of many instances of one resource, and of large texts.
fn instances() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, arguments) in WITH_STATE {
        for (kind, argument) in [("same", "count.index"), ("changed", "count.index + 1")] {
            cases.push(
                Case::module(format!("a state of 50,000 {kind} instances, {name}"), arguments, move || {
                    format!("resource \"a_b\" \"c0\" {{\n count = 50000\n x = {argument}\n}}\n")
                })
                .file("s.tfstate", || state_of_instances(50_000)),
            );
        }
        let lines = || format!("[{}\"\"]", numbered(500_000, |i| format!("\"{i:040}\",")));
        let read = || {
            "resource \"a_b\" \"c0\" {}\noutput \"o\" { value = a_b.c0.l }\nlocals { a = a_b.c0 }\n"
                .to_owned()
        };
        cases.push(
            Case::module(format!("a state with an object of 500,000 texts, {name}"), arguments, read)
                .file("s.tfstate", move || state(1, &lines())),
        );
        let text = || format!("\"{}\"", "some text\\n".repeat(2_500_000));
        cases.push(
            Case::module(format!("a state with a text of 25 MB, {name}"), arguments, read)
                .file("s.tfstate", move || state(1, &text())),
        );
        cases.push(
            Case::module(format!("a state with another text of 25 MB, {name}"), arguments, || {
                "resource \"a_b\" \"c0\" {\n l = join(\"\", [for i in range(1000): join(\"\", [for j in range(1000): \"some text 1\\n\"])])\n}\n"
                    .to_owned()
            })
            .file("s.tfstate", move || state(1, &text())),
        );
    }
    cases
}

/// Returns cases with plans of many instances and of a large value.
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
        cases.push(Case::module(format!("130,000 instances, {name}"), arguments, || {
            let block =
                |i| format!("resource \"a_b\" \"r{i}\" {{\n count = 1000\n x = \"a${{count.index}}\"\n}}\n");
            numbered(130, block)
        }));
        cases.push(Case::module(format!("200,000 instances with a shared body, {name}"), arguments, || {
            "resource \"a_b\" \"c\" {\n count = 200000\n x = 1\n}\n".to_owned()
        }));
        cases.push(Case::module(format!("130,000 resources, {name}"), arguments, || {
            numbered(130_000, |i| format!("resource \"a_b\" \"c{i}\" {{}}\n"))
        }));
        cases.push(Case::module(format!("240,000 instances of one resource, {name}"), arguments, || {
            "resource \"a_b\" \"c\" {\n count = 240000\n x = \"a${count.index}\"\n}\n".to_owned()
        }));
        cases.push(Case::module(format!("200,000 instances of a data source, {name}"), arguments, || {
            "data \"a_b\" \"c\" {\n count = 200000\n x = \"a${count.index}\"\n}\n".to_owned()
        }));
        for count in [200_000, 255_000, 419_000] {
            cases.push(Case::module(
                format!("{count} instances of terraform_data, {name}"),
                arguments,
                move || {
                    format!("resource \"terraform_data\" \"c\" {{\n count = {count}\n input = \"a\"\n}}\n")
                },
            ));
        }
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
    let mut cases = trees();
    cases.extend(changes());
    cases
}

/// Returns cases with two trees of 4 MB that differ.
fn trees() -> Vec<Case> {
    let commands: [(&str, &[&str]); 3] = [
        ("text", &["diff", "a", "b"]),
        ("markdown", &["diff", "a", "b", "--format", "markdown"]),
        ("json", &["diff", "a", "b", "--json"]),
    ];
    let kinds: [(&str, fn(usize) -> String, fn(usize) -> String); 4] = [
        (
            "outputs",
            |i| format!("output \"o{i}\" {{ value = 1 }}\n"),
            |i| format!("output \"o{i}\" {{ value = 2 }}\n"),
        ),
        (
            "resources",
            |i| format!("resource \"a_b\" \"c{i}\" {{ x = 1 }}\n"),
            |i| format!("resource \"a_b\" \"c{i}\" {{ x = 2 }}\n"),
        ),
        (
            "data sources",
            |i| format!("data \"a_b\" \"c{i}\" {{ x = 1 }}\n"),
            |i| format!("data \"a_b\" \"d{i}\" {{ x = 1 }}\n"),
        ),
        ("locals", |i| format!("locals {{ a{i} = 1 }}\n"), |i| format!("locals {{ a{i} = 2 }}\n")),
    ];
    let mut cases = Vec::new();
    for (name, arguments) in commands {
        for (kind, a, b) in kinds {
            cases.push(
                Case::new(format!("diff of two trees of 4 MB of {kind}, {name}"), arguments)
                    .runs(2)
                    .file("a/main.tf", move || filled(a))
                    .file("b/main.tf", move || filled(b)),
            );
        }
    }
    cases
}

/// Returns cases with moves that contradict each other, and a state for them.
fn moves() -> Vec<Case> {
    let moves = |from: fn(usize) -> String, to: fn(usize) -> String| {
        numbered(20_000, |i| format!("moved {{\n from = a_b.{}\n to = a_b.{}\n}}\n", from(i), to(i)))
    };
    let (one, each): (fn(usize) -> String, fn(usize) -> String) = (|_| "c".to_owned(), |i| format!("x{i}"));
    let instance: fn(usize) -> String = |i| format!("c[{i}]");
    let with_state = |name: &str, text: String| {
        let arguments = ["eval", ".", "--state", "s.tfstate"];
        Case::module(name, &arguments, move || text.clone()).file("s.tfstate", || state(10, "[]"))
    };
    vec![
        with_state("20,000 moves to and 20,000 from a resource", moves(each, one) + &moves(one, each)),
        with_state(
            "20,000 moves from a resource, and from its instances",
            moves(one, each) + &moves(instance, each),
        ),
    ]
}

fn changes() -> Vec<Case> {
    let diff: &[&str] = &["diff", "a", "b"];
    let resources = |prefix: &'static str| {
        move || numbered(20_000, |i| format!("resource \"a_b\" \"{prefix}{i}\" {{\n x = 1\n}}\n"))
    };
    vec![
        Case::new("diff: 20,000 other resources", diff)
            .runs(2)
            .file("a/main.tf", resources("c"))
            .file("b/main.tf", resources("d")),
        Case::new("diff: 20,000 moved resources", diff).runs(2).file("a/main.tf", resources("c")).file(
            "b/main.tf",
            move || {
                let moved = |i| format!("moved {{\n from = a_b.c{i}\n to = a_b.d{i}\n}}\n");
                resources("d")() + &numbered(20_000, moved)
            },
        ),
        Case::new("diff: a chain of 20,000 moves", diff).runs(2).file("a/main.tf", resources("c")).file(
            "b/main.tf",
            || {
                let moved = |i| format!("moved {{\n from = a_b.c{i}\n to = a_b.c{}\n}}\n", i + 1);
                numbered(20_000, moved) + "resource \"a_b\" \"c20000\" {}\n"
            },
        ),
        Case::new("diff: 100,000 instances, --json", &["diff", "a", "b", "--json"])
            .runs(2)
            .file("a/main.tf", || {
                "resource \"a_b\" \"c\" {\n count = 100000\n x = count.index\n}\n".to_owned()
            })
            .file("b/main.tf", || {
                "resource \"a_b\" \"c\" {\n count = 100000\n x = count.index + 1\n}\n".to_owned()
            }),
        of_terraform_data(190_000),
        of_terraform_data(220_000),
        of_terraform_data(419_000),
    ]
}

/// Returns a case in which many instances differ, each with parts of its own that are unknown.
fn of_terraform_data(count: usize) -> Case {
    let block = move |input: &str| {
        format!("resource \"terraform_data\" \"c\" {{\n count = {count}\n input = \"{input}\"\n}}\n")
    };
    Case::new(format!("diff: {count} instances of terraform_data"), &["diff", "a", "b"])
        .runs(2)
        .file("a/main.tf", move || block("x"))
        .file("b/main.tf", move || block("y"))
}
