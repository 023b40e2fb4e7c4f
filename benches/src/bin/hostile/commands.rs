//! Hostile inputs of the commands other than `eval` and `check`, and of their options.

use crate::cases::{Case, LARGEST_SOURCE, filled, numbered};

/// Returns all cases of this file.
pub fn all() -> Vec<Case> {
    let mut cases = graphs();
    cases.extend(references());
    cases.extend(templates());
    cases.extend(timeouts());
    cases.extend(explanations());
    cases.extend(options());
    cases.extend(environments());
    cases.extend(memory());
    cases.extend(names());
    cases
}

/// Returns `count` local values. Each local value refers to all earlier local values.
fn dense(count: usize) -> String {
    let line = |i| format!("a{i} = [{}]\n", numbered(i, |j| format!("local.a{j},")));
    format!("locals {{\n{}}}\n", numbered(count, line))
}

/// Returns resources that each name 150 others, for which `@` stands in `argument`.
fn dense_resources(argument: &str) -> String {
    let before = |i: usize| numbered(i.min(150), |j| format!("a_b.c{},", i - 1 - j));
    numbered(1500, |i| format!("resource \"a_b\" \"c{i}\" {{\n {}\n}}\n", argument.replace('@', &before(i))))
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
            || dense_resources("depends_on = [@]"),
        ));
    }
    cases
}

/// Commands that follow references, with their names.
const FOLLOWING: [(&str, &[&str]); 5] = [
    ("eval", &["eval", "."]),
    ("eval --json", &["eval", ".", "--json"]),
    ("graph", &["graph", "."]),
    ("plan", &["plan", "."]),
    ("plan --json", &["plan", ".", "--json"]),
];

/// Returns a function that makes text with as many copies of a part as a configuration may have.
fn repeated(start: &'static str, part: &'static str, end: &'static str) -> impl Fn() -> String + 'static {
    move || format!("{start}{}{end}", part.repeat((LARGEST_SOURCE - 100) / part.len()))
}

/// Returns cases with long lists of references.
fn references() -> Vec<Case> {
    let mut cases = Vec::new();
    for (command, arguments) in FOLLOWING {
        for (name, start, part, end) in [
            ("attributes", "resource \"a\" \"b\" {}\nresource \"a\" \"c\" {\n x = [", "a.b.c,", "]\n}\n"),
            (
                "attributes with long names",
                "resource \"a\" \"b\" {}\nresource \"a\" \"c\" {\n x = [",
                "a.b.ccccccccc,",
                "]\n}\n",
            ),
            (
                "dependencies",
                "resource \"a\" \"b\" {}\nresource \"a\" \"c\" {\n depends_on = [",
                "a.b,",
                "]\n}\n",
            ),
            (
                "blocks in blocks",
                "resource \"a\" \"b\" {\n",
                "b {\nb {\nb {\nb {\nb {\n}\n}\n}\n}\n}\n",
                "}\n",
            ),
        ] {
            cases.push(Case::module(
                format!("4 MB of {name}, {command}"),
                arguments,
                repeated(start, part, end),
            ));
        }
        cases.push(Case::module(
            format!("4 MB of resources that depend on the one before, {command}"),
            arguments,
            || {
                filled(|i| format!("resource \"a\" \"r{}\" {{\n x = a.r{i}.id\n}}\n", i + 1))
                    + "resource \"a\" \"r0\" {}\n"
            },
        ));
        cases.push(Case::module(format!("4 MB of provider configurations, {command}"), arguments, || {
            filled(|i| format!("provider \"p\" {{\n alias = \"a{i}\"\n version = \">= 1.0.{i}\"\n}}\n"))
        }));
    }
    let splats =
        repeated("resource \"a\" \"b\" {\n count = 1\n}\noutput \"x\" {\n value = [", "a.b[*].c,", "]\n}\n");
    cases.push(Case::module("4 MB of splats of a resource, explain", &["explain", "output.x"], splats));
    let blocks = repeated("resource \"a\" \"b\" {\n", "b {\nb {\nb {\nb {\nb {\n}\n}\n}\n}\n}\n", "}\n");
    cases.push(Case::module("4 MB of blocks in blocks, explain", &["explain", "a.b"], blocks));
    for (name, arguments) in [
        ("explain", &["explain", "a.c"] as &'static [&'static str]),
        ("explain --json", &["explain", "a.c", "--json"]),
        ("explain --reverse", &["explain", "a.b", "--reverse"]),
    ] {
        let attributes =
            repeated("resource \"a\" \"b\" {}\nresource \"a\" \"c\" {\n x = [", "a.b.c,", "]\n}\n");
        cases.push(Case::module(format!("4 MB of attributes, {name}"), arguments, attributes));
    }
    cases.push(Case::module("100,000 wrong triggers with a name of 4,000 bytes, eval", &["eval", "."], || {
        let name = "b".repeat(4_000);
        format!(
            "resource \"a\" \"{name}\" {{\n count = 0\n}}\nresource \"a\" \"c\" {{\n count = 100000\n lifecycle {{\n \
             replace_triggered_by = [a.{name}[count.index]]\n }}\n}}\n"
        )
    }));
    for (name, arguments) in [
        ("explain --reverse", &["explain", "local.b", "--reverse"] as &'static [&'static str]),
        ("explain --reverse --json", &["explain", "local.b", "--reverse", "--json"]),
    ] {
        cases.push(Case::module(format!("4 MB of locals that read one other, {name}"), arguments, || {
            format!("locals {{\n b = 1\n{}}}\n", filled(|i| format!("a{i}=local.b\n")))
        }));
    }
    cases
}

/// Returns cases of Packer templates with many secrets, which are found by their texts.
fn templates() -> Vec<Case> {
    let template = |secrets: usize, unit: &'static str| {
        move || {
            let secrets = numbered(secrets, |i| format!("\"secret {i:08}\","));
            format!(
                "variable \"s\" {{\n type = list(string)\n sensitive = true\n default = [{secrets}]\n}}\nlocals {{\n t = \"{}\"\n}}\n",
                unit.repeat(3_000_000 / unit.len())
            )
        }
    };
    let mut cases = Vec::new();
    for (name, arguments) in
        [("eval", &["eval", "."] as &'static [&'static str]), ("eval --json", &["eval", ".", "--json"])]
    {
        for (text, unit) in [("another text", "x"), ("their beginnings", "secret 0000")] {
            let case = |count: usize| {
                Case::new(format!("Packer: {count} secrets and 3 MB of {text}, {name}"), arguments)
                    .file("a.pkr.hcl", template(count, unit))
            };
            cases.extend([case(5_000), case(50_000)]);
        }
    }
    cases
}

/// Returns cases with loops that only the limit on time ends.
fn timeouts() -> Vec<Case> {
    let loops = || {
        let line = |i| format!("a{i} = sum([for i in range(1000): sum([for j in range(1000): i+j+{i}])])\n");
        format!("locals {{\n{}}}\n", numbered(1000, line))
    };
    let mut cases = Vec::new();
    for (name, arguments) in [
        ("eval", &["eval", ".", "--timeout", "1s", "--max-steps", "100000000000"] as &'static [&'static str]),
        ("check", &["check", "--timeout", "1s", "--max-steps", "100000000000"]),
        ("plan", &["plan", ".", "--timeout", "1s", "--max-steps", "100000000000"]),
        ("explain", &["explain", "local.a0", "--timeout", "1s", "--max-steps", "100000000000"]),
    ] {
        // With a thread for each core, the processor times of all threads add up.
        cases.push(
            Case::module(format!("1,000 loops and a second, {name} --timeout"), arguments, loops).runs(2),
        );
    }
    let expression =
        "sum([for i in range(1000): sum([for j in range(1000): sum([for k in range(1000): i*j*k])])])\n";
    cases.push(
        Case::new(
            "a loop and a second, console --timeout",
            &["console", "--timeout", "1s", "--max-steps", "100000000000"],
        )
        .stdin(|| expression.to_owned()),
    );
    cases
}

fn explanations() -> Vec<Case> {
    let mut cases = Vec::new();
    let commands: [(&str, &[&str], &[&str]); 5] = [
        ("explain", &["explain", "local.a699"], &["explain", "a_b.c1499"]),
        (
            "explain --depth 1000",
            &["explain", "local.a699", "--depth", "1000"],
            &["explain", "a_b.c1499", "--depth", "1000"],
        ),
        ("explain --json", &["explain", "local.a699", "--json"], &["explain", "a_b.c1499", "--json"]),
        ("explain --html", &["explain", "local.a699", "--html"], &["explain", "a_b.c1499", "--html"]),
        ("explain --reverse", &["explain", "local.a0", "--reverse"], &["explain", "a_b.c0", "--reverse"]),
    ];
    for (name, of_local, of_resource) in commands {
        cases.push(Case::module(format!("700 locals that refer to all before, {name}"), of_local, || {
            dense(700)
        }));
        cases.push(Case::module(
            format!("1,500 resources that refer to 150 others, {name}"),
            of_resource,
            || dense_resources("x = [@]"),
        ));
    }
    cases.push(Case::module(
        "100,000 references to one variable, explain --reverse",
        &["explain", "var.a", "--reverse"],
        || format!("variable \"a\" {{}}\n{}", filled(|i| format!("output \"o{i}\" {{ value = var.a }}\n"))),
    ));
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

/// Returns cases with so many provider configurations, attributes, resources and blocks that a search through all of them for
/// each name would take minutes.
fn names() -> Vec<Case> {
    let plan: &[&str] = &["plan", ".", "--json"];
    let passed = || {
        let line = |i| format!("  p.x{i} = p\n");
        let pairs = numbered(180_000, line);
        format!(
            "provider \"p\" {{}}\nmodule \"m\" {{\n  source = \"./m\"\n  providers = {{\n{pairs}  }}\n}}\n"
        )
    };
    let commands: [(&str, &[&str]); 4] =
        [("check", &["check"]), ("eval", &["eval", "."]), ("plan --json", plan), ("graph", &["graph", "."])];
    let mut cases: Vec<Case> = commands
        .map(|(name, arguments)| {
            Case::module(format!("4 MB of passed providers, {name}"), arguments, passed)
                .file("m/main.tf", || "locals {\n  a = 1\n}\n".to_owned())
        })
        .into();
    let few_steps: &[&str] = &["plan", ".", "--json", "--max-steps", "1000"];
    for (command, arguments) in [("plan --json", plan), ("plan --json with few steps", few_steps)] {
        for (kind, block) in [("blocks", "b {\n c = 1\n}\n"), ("nested blocks", "b {\nc {\nd {\n}\n}\n}\n")] {
            cases.push(Case::module(
                format!("4 MB of {kind} in a resource, {command}"),
                arguments,
                move || {
                    let count = 4_100_000 / block.len();
                    format!("resource \"a_b\" \"c\" {{\n{}}}\n", block.repeat(count))
                },
            ));
        }
    }
    cases.push(Case::module("4 MB of configurations of a provider, plan --json", plan, || {
        filled(|i| format!("provider \"p\" {{\n  alias = \"a{i}\"\n}}\n"))
    }));
    cases.push(Case::module("4 MB of required providers, plan --json", plan, || {
        let line = |i| format!("    p{i} = {{ source = \"a/p{i}\" }}\n");
        format!("terraform {{\n  required_providers {{\n{}  }}\n}}\n", numbered(110_000, line))
    }));
    for (name, arguments) in [
        ("explain", &["explain", "output.x"] as &[&str]),
        ("explain --json", &["explain", "output.x", "--json"]),
        ("explain --html", &["explain", "output.x", "--html"]),
    ] {
        cases.push(Case::module(format!("100,000 unknown attributes, {name}"), arguments, || {
            let attributes = numbered(100_000, |i| format!("  a{i} = z.z.x{i}\n"));
            format!(
                "resource \"z\" \"z\" {{}}\nresource \"a\" \"b\" {{\n{attributes}}}\noutput \"x\" {{\n  value = a.b\n}}\n"
            )
        }));
    }
    cases.push(Case::module(
        "a chain of 50,000 resources, explain --reverse",
        &["explain", "a.r0", "--reverse"],
        || {
            let line = |i| format!("resource \"a\" \"r{}\" {{\n  b = a.r{i}.id\n}}\n", i + 1);
            format!("resource \"a\" \"r0\" {{}}\n{}", numbered(50_000, line))
        },
    ));
    cases.push(Case::module("10,000 dynamic blocks with a type each, explain", &["explain", "a.b"], || {
        let line = |i| format!("  dynamic \"x{i}\" {{\n    for_each = [1]\n    content {{}}\n  }}\n");
        format!("resource \"a\" \"b\" {{\n{}}}\n", numbered(10_000, line))
    }));
    cases
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
            .file("m.map", || numbered(20_000, |i| format!("q{i}/y/z = d\n"))),
        Case::module("module map: 20,000 patterns that may fit 3,000 calls", map, calls)
            .file("m.map", || numbered(20_000, |i| format!("*q{i}*/y/z = d\n"))),
        Case::module("module map: 4 MB of patterns that fit 3,000 calls", map, calls)
            .file("m.map", || filled(|_| "*z = d\n".to_owned())),
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

/// Returns cases with one module and many variable files, and with many root modules.
fn environments() -> Vec<Case> {
    let matrix: &[&str] = &["eval", ".", "--matrix", "env/*.tfvars"];
    let environments = |name: &str, arguments: &[&'static str], module: fn() -> String, count: usize| {
        let case = Case::module(name, arguments, module).runs(count as u32);
        (0..count).fold(case, |case, i| case.file(format!("env/e{i}.tfvars"), move || format!("a = {i}\n")))
    };
    let small = || "variable \"a\" {}\nresource \"a_b\" \"c\" {\n x = var.a\n}\n".to_owned();
    let large =
        || format!("variable \"a\" {{}}\n{}", filled(|i| format!("output \"o{i}\" {{ value = var.a }}\n")));
    let heavy = || {
        "variable \"a\" {}\noutput \"o\" { value = length([for i in range(1000): [for j in range(1000): sha1(\"${i}${j}${var.a}\")]]) }\n"
            .to_owned()
    };
    let roots = |name: &str, arguments: &[&'static str], module: fn() -> String, count: usize| {
        let case = Case::new(name, arguments).runs(count as u32);
        (0..count).fold(case, |case, i| case.file(format!("r{i}/main.tf"), module))
    };
    let values = || {
        "variable \"a\" {}\nlocals { l = [for i in range(1000): [for j in range(500): \"${i}-${j}-of-the-environment-${var.a}\"]] }\n"
            .to_owned()
    };
    let sum = || {
        "output \"o\" { value = length([for i in range(1000): [for j in range(1000): i + j]]) }\n".to_owned()
    };
    vec![
        environments("2,000 variable files, --matrix", matrix, small, 2000),
        environments("20 variable files for 4 MB of outputs, --matrix", matrix, large, 20),
        environments("20 variable files for a heavy output, --matrix", matrix, heavy, 20),
        environments("50 variable files for large values, --matrix", matrix, values, 50),
        environments(
            "4 variable files for 4 MB of outputs, --matrix --json",
            &["eval", ".", "--matrix", "env/*.tfvars", "--json"],
            large,
            4,
        ),
        roots("2,000 root modules, eval --recursive", &["eval", ".", "--recursive", "--all"], small, 2000),
        roots("2,000 root modules, check --recursive", &["check", "--recursive"], small, 2000),
        roots(
            "50 root modules with heavy outputs, eval --recursive",
            &["eval", ".", "--recursive", "--all"],
            sum,
            50,
        ),
        roots("50 root modules with heavy outputs, check --recursive", &["check", "--recursive"], sum, 50),
        nested_roots("1,200 nested root modules, eval --recursive", &["eval", ".", "--recursive", "--all"]),
        nested_roots("1,200 nested root modules, check --recursive", &["check", "--recursive"]),
        many_variables(),
    ]
}

/// Returns a case with a root module in each directory of a path of 1,200 directories.
fn nested_roots(name: &str, arguments: &[&'static str]) -> Case {
    const LEVELS: usize = 1200;
    let module = || "locals { a = 1 }\n".to_owned();
    let case = Case::new(name, arguments);
    (1..=LEVELS).fold(case, |case, level| case.file(format!("{}main.tf", "d/".repeat(level)), module))
}

/// Returns a case with 20,000 options for the variables of `decode`.
fn many_variables() -> Case {
    let mut case = Case::new("decode: 20,000 options -V", &["decode", "-s", "s.hcldec"])
        .file("s.hcldec", || "object {\n  attr \"x\" {}\n}\n".to_owned())
        .file("a.hcl", || "x = v1\n".to_owned());
    for i in 0..20_000 {
        let given: &str = format!("{{\"v{i}\":1}}").leak();
        case.arguments.extend(["-V", given]);
    }
    case.arguments.push("a.hcl");
    case
}

/// Returns cases whose memory was once not counted.
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
